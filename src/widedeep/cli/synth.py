"""What does `widedeep synth` do?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from widedeep.cli.given import whole
from widedeep.cli.options import ConfigOption, JsonFlag, QuietFlag, StoreOption
from widedeep.errors import UsageError

if TYPE_CHECKING:
    from widedeep.evals.synth import Kind

MOST = 100_000

Corpus = Annotated[str, Parameter(help="A corpus, an index of one, or `sample`.")]
Out = Annotated[str | None, Parameter(metavar="DIR", help="Where the questions are written.")]
Count = Annotated[str, Parameter(metavar="N", help="Questions wanted in all.")]
Kinds = Annotated[
    str,
    Parameter(metavar="LIST", help="Which kinds, with commas: one, two, comparison, unanswerable."),
]
Seed = Annotated[str, Parameter(metavar="N", help="The same seed makes the same questions.")]


def synth(
    corpus: Corpus,
    /,
    *,
    out: Out = None,
    n: Count = "1000",
    kinds: Kinds = "one,two,comparison,unanswerable",
    seed: Seed = "0",
    json: JsonFlag = False,
    quiet: QuietFlag = False,
    store: StoreOption = None,
    config: ConfigOption = None,
) -> int:
    """Make questions with gold answers from a corpus, for `eval`."""
    from widedeep.cli import wiring
    from widedeep.cli.output import write_json
    from widedeep.cli.progress import indexing, warn
    from widedeep.evals.synth import make, writing

    if out is None:
        raise UsageError("--out is missing: name the folder that the questions are written to")
    wanted, number = whole("--n", n, 1, MOST), whole("--seed", seed, 0, 2**31)
    chosen = _kinds(kinds)
    [where] = wiring.existing((corpus,), "CORPUS")
    folder = wiring.ready_store(wiring.read_settings(config, store))
    target = wiring.writable(wiring.place(out, "--out"), "--out")
    with indexing(quiet=quiet) as progress:
        index = wiring.open_corpus((where,), folder, progress)
    warn(index, quiet=quiet)
    made = make(index, wanted, chosen, number)
    source = where if where == wiring.SAMPLE else str(Path(where).resolve())
    told = writing.report(made, index, source, wanted, number)
    writing.write(made, told, target)
    if json:
        write_json({"out": str(target), **told})
    else:
        _tell(told, target, quiet=quiet)
    return 0


def _tell(told: dict[str, Any], out: Path, *, quiet: bool) -> None:
    from widedeep.cli.output import remark, write

    kept = ", ".join(f"{kind} {tally['kept']:,}" for kind, tally in told["kinds"].items())
    write(f"{out}: {told['kept']:,} questions ({kept}); report.md says what was dropped and why")
    if told["kept"] < told["wanted"] and not quiet:
        remark(
            f"the corpus gave {told['kept']:,} good questions of the {told['wanted']:,} wanted: "
            "give a larger corpus, or fewer with --n"
        )


def _kinds(text: str) -> tuple[Kind, ...]:
    from widedeep.evals.synth import KINDS

    given = [part.strip() for part in text.split(",")]
    for part in given:
        if part not in KINDS:
            raise UsageError(f"--kinds {part!r}: there is no such kind; take {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in given)
