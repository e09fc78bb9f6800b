"""Do secrets stay out of all that is written? Canaries through the ways in which keys leak.

Twelve made-up secrets go each way twice: once without being named as secrets, which shows that the
way leaks, and once named. Then every file that is there, with packed texts unpacked, and all that
was printed is searched for each of them: as it is, percent-encoded, escaped as in JSON, in base64
at each of its three places, and with white space and backslashes taken out. `marked` counts the
secrets that a mark stands for instead.

    python bench/canaries.py [--seed 1] [--show]
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import platform
import random
import re
import sqlite3
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from urllib.parse import quote

from canaries_ways import WAYS, Place

import widedeep
from widedeep.cli import hiding
from widedeep.cli.streams import safe_streams
from widedeep.journal import Redactor

_BLANK = re.compile(r"(?:\s|\\+[nrt]?)+")
_MARK = re.compile(rb"\[redacted:([a-z0-9]+)")


def canaries(seed: int) -> dict[str, str]:
    """Return twelve secrets of the kinds that there are, by name."""
    chance = random.Random(seed)

    def some(alphabet: str, length: int) -> str:
        return "".join(chance.choice(alphabet) for _ in range(length))

    digits, letters = "0123456789", "abcdefghijkmnpqrstuvwxyz"
    both = letters + letters.upper() + digits
    lines = "\n".join(some(both + "+/", 40) for _ in range(4))
    claims = base64.urlsafe_b64encode(json.dumps({"sub": some(letters, 9)}).encode()).decode()
    return {
        "provider": f"sk-{some(letters, 4)}-{some(both + '_-', 40)}",
        "hex": some(digits + "abcdef", 32),
        "base64": f"{some(both + '+/', 30)}/+==",
        "token": f"eyJhbGciOiJIUzI1NiJ9.{claims.rstrip('=')}.{some(both + '_-', 43)}",
        "proxy": f"http://{some(letters, 6)}:{some(both, 8)}%24%2F{some(both, 4)}@proxy.example",
        "hook": f"https://hooks.example/services/T{some(digits, 8)}/{some(both, 24)}",
        "quotes": f"{some(both, 5)}\"{some(both, 4)}\\{some(both, 4)}'{some(both, 4)}",
        "symbols": f"{some(both, 4)}&={some(both, 4)}%41+{some(both, 3)}#?/{some(both, 3)}",
        "words": " ".join(some(letters, 6) for _ in range(4)),
        "accents": f"pä{some(both, 4)}ß€{some(both, 4)}😀",
        "number": f"8{some(digits, 11)}",
        "lines": f"-----BEGIN KEY-----\n{lines}\n-----END KEY-----",
    }


def found(secret: str, texts: list[bytes]) -> bool:
    """Say whether a secret stands in one of some texts, in whatever form."""
    return any(form in text for form in _forms(secret) for text in texts)


def _forms(secret: str) -> Iterator[bytes]:
    raw = secret.encode()
    coded = quote(secret, safe="")
    lower = re.sub("%..", lambda hit: hit[0].lower(), coded)
    escaped = (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])
    for text in (secret, _BLANK.sub("", secret), coded, lower, *escaped):
        yield text.encode()
    for before in range(3):
        whole = base64.b64encode(bytes(before) + raw + bytes(3))
        core = whole[(0, 2, 3)[before] : 8 * (before + len(raw)) // 6]
        yield from (core, core.translate(bytes.maketrans(b"+/", b"-_")))


def written(folder: Path) -> list[bytes]:
    """Return the content of all files, packed texts unpacked, each also without white space."""
    texts: list[bytes] = []
    for file in (each for each in folder.rglob("*") if each.is_file()):
        texts.append(file.read_bytes())
        if file.name == "journal.sqlite":
            with closing(sqlite3.connect(file)) as connection:
                rows = connection.execute("SELECT packed, body FROM blobs").fetchall()
            texts += [zlib.decompress(body) if packed else body for packed, body in rows]
    plain = [_BLANK.sub("", text.decode("utf-8", "replace")).encode() for text in texts]
    return texts + plain


def go(way: Callable[[Place], None], secrets: dict[str, str], folder: Path, *, named: bool) -> None:
    """Go a way in a process of its own, with stdout and stderr in files of the folder."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    for name, at in (("stdout", 1), ("stderr", 2)):
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), at)
    status = 1
    try:
        safe_streams()
        hiding.hide(secrets if named else {})
        way(Place(folder, secrets, named))
        status = 0
    except BaseException as error:  # what ends a program prints its traceback
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def warm(secrets: dict[str, str]) -> None:
    """Go one way in this process, so that those that are forked have all imported."""
    nowhere = StringIO()
    with tempfile.TemporaryDirectory() as made, redirect_stdout(nowhere), redirect_stderr(nowhere):
        next(iter(WAYS.values()))(Place(Path(made), secrets, named=True))
    hiding.hide({})


def cost(secrets: dict[str, str]) -> None:
    """Print what it costs to look through a text of 2 KB; the fastest of many rounds."""
    prose = ("Ecuador had 18.5 million people in 2025, of whom some live in Quito. " * 40)[:2048]
    texts = {
        "prose": prose,
        "with URLs": prose.replace("some live", "https://x.example/?a=%20%C3%A9&b=1"),
        "JSON in JSON": json.dumps(json.dumps([prose[:60]] * 28))[:2048],
    }
    print("\n| microseconds for 2 KB | " + " | ".join(texts) + " |\n|---|" + "---|" * len(texts))
    for count in (0, 1, 3, len(secrets)):
        redactor = Redactor(dict(list(secrets.items())[:count]))
        row: list[str] = []
        for text in texts.values():
            # A text of this length is remembered: each round has another one.
            rounds = [[f"{text[:-8]}{n:4}{m:4}" for n in range(20)] for m in range(40)]
            times = [timed(redactor.text, made) for made in rounds]
            row.append(f"{min(times) / 20 * 1e6:.1f}")
        print(f"| {count} secrets | {' | '.join(row)} |", flush=True)


def timed(work: Callable[[str], object], texts: list[str]) -> float:
    """Return the seconds that something takes for all of some texts."""
    began = time.perf_counter()
    for text in texts:
        work(text)
    return time.perf_counter() - began


def main() -> int:
    """Go all ways and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="what the canaries are made by")
    parser.add_argument("--show", action="store_true", help="name the canaries that were found")
    options = parser.parse_args()
    secrets = canaries(options.seed)
    print(
        f"widedeep {widedeep.__version__}, Python {platform.python_version()}, "
        f"{len(secrets)} canaries, {len(WAYS)} ways, seed {options.seed}\n"
    )
    print("| way | leaked unnamed | leaked named | marked |\n|---|---|---|---|")
    warm(secrets)
    sums, dry = [0, 0], 0
    for name, way in WAYS.items():
        leaked: list[list[str]] = []
        marked: set[bytes] = set()
        for named in (False, True):
            with tempfile.TemporaryDirectory() as made:
                folder = Path(made)
                go(way, secrets, folder, named=named)
                texts = written(folder)
                leaked.append([each for each, secret in secrets.items() if found(secret, texts)])
                marked |= {hit for text in texts for hit in _MARK.findall(text)}
        marked &= {name.encode() for name in secrets}
        counts = [len(each) for each in leaked]
        sums = [before + count for before, count in zip(sums, counts, strict=True)]
        dry += not counts[0] or len(marked) < counts[0]
        rest = f" {', '.join(leaked[1])}" if options.show else ""
        print(f"| {name} | {counts[0]} | {counts[1]}{rest} | {len(marked)} |", flush=True)
    print(
        f"\nleaked unnamed {sums[0]}, ways that do not lead anywhere {dry}, leaked named {sums[1]}"
    )
    cost(secrets)
    return 1 if sums[1] or dry else 0


if __name__ == "__main__":
    sys.exit(main())
