"""Is any request refused by a strict provider, whatever the history? Random ones by dialect.

Each history is one that another model may have left; half as many conversations are held with the
fake, so that reasoning, signatures and ids are the provider's own.

    python bench/providers.py [--examples 5000] [--dialect chat]
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.fakes import providers as fake
from tests.fakes.providers import Rules
from tests.fakes.providers.trials import assert_never_refused

from widedeep.models.compat import Compat, Server
from widedeep.seams import Model

settings.register_profile("bench", deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("bench")


DIALECTS: dict[str, tuple[Any, Callable[[str], Model], dict[str, Any]]] = {
    "chat": (fake.chat, lambda url: Compat("m", Server(url)), {}),
    "chat, OpenAI": (
        fake.chat,
        lambda url: Compat("m", Server(url)),
        {"rules": Rules(reasoning="refused")},
    ),
    "chat, templates": (
        fake.chat,
        lambda url: Compat("m", Server(url, alternates=True)),
        {"rules": Rules(alternate=True)},
    ),
    "chat, reasoning back": (
        fake.chat,
        lambda url: Compat("m", Server(url, returns=("reasoning_content",))),
        {"rules": Rules(reasoning="required")},
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=5000)
    parser.add_argument("--dialect", choices=DIALECTS, action="append")
    given = parser.parse_args()
    for name in given.dialect or DIALECTS:
        serve, opened, options = DIALECTS[name]
        began = time.process_time()
        passed = assert_never_refused(serve, opened, given.examples, **options)
        seconds = time.process_time() - began
        print(f"{name}: {passed:,} requests, none refused ({seconds:.0f} CPU s)", flush=True)


if __name__ == "__main__":
    main()
