"""What did the user mean by what was typed: a text, a number, a schedule?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from widedeep.errors import ScheduleError, UsageError

if TYPE_CHECKING:
    from widedeep.cli.options import EvalOptions
    from widedeep.costs import Budget
    from widedeep.seams import Schedule
    from widedeep.settings import Configuration

_SURROGATES = re.compile("[\ud800-\udfff]")
"""What the bytes of an argument become that are not UTF-8."""


def words(text: str, what: str, fix: str) -> str:
    """Return a text of the user in clean UTF-8; it must say something."""
    clean = _SURROGATES.sub("\ufffd", text).strip()
    if not clean:
        raise UsageError(f"the {what} is empty: {text!r}; {fix}")
    return clean


def whole(option: str, text: str, least: int, most: int) -> int:
    """Return the whole number that a text spells."""
    if not (text.isascii() and text.isdecimal() and len(text) < 12 and least <= int(text) <= most):
        raise UsageError(
            f"{option} {text!r}: must be a whole number from {least} to {most:,}, "
            f"such as {option} {max(1, least)}"
        )
    return int(text)


def amount(option: str, text: str) -> float:
    """Return the number over 0 that a text spells."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < float("inf"):
        raise UsageError(f"{option} {text!r}: must be a number over 0, such as {option} 2.5")
    return found


def shared(options: EvalOptions) -> Budget:
    """Return what all runs of an evaluation may take together."""
    from widedeep.costs import Budget

    def told(name: str) -> tuple[str, str] | None:
        text = getattr(options, f"budget_{name}")
        return None if text is None else (f"--budget-{name}", text)

    counts = (
        whole(*one, 1, 10**11) if (one := told(name)) else None
        for name in ("turns", "calls", "tokens")
    )
    measures = (amount(*one) if (one := told(name)) else None for name in ("usd", "seconds"))
    return Budget(*counts, *measures)


def schedule(configuration: Configuration, text: str | None = None) -> Schedule:
    """Return the schedule that the settings, or `text` of the option, spell."""
    from widedeep.schedule import parse

    made = configuration.settings
    origin = configuration.origins.get("schedule", "--schedule")
    text, origin = (made.schedule, origin) if text is None else (text, "--schedule")
    try:
        return parse(text, max_width=made.limits.max_width)
    except ScheduleError as error:
        width = made.limits.max_width
        if "schedule" not in configuration.origins and text == made.schedule:
            fix = f"pass --schedule constant:{width} with it"
            raise UsageError(f"--max-width {width}: is below what {text!r} wants; {fix}") from None
        raise UsageError(f"{origin}: {error}") from None


def language(name: str | None, model: str) -> str | None:
    """Return the language of the answer, if the model can be told of one.

    Raises:
        UsageError: the name is empty or more than a name, or the model only knows English.
    """
    if name is None:
        return None
    if not name.strip() or len(name) > 40 or not name.isprintable():
        raise UsageError(f"--language {name!r}: give the name of a language, such as German")
    if model == "builtin":
        raise UsageError(
            f"--language {name!r}: the built-in rules answer in the words of the sources; leave it "
            "out, or name a model"
        )
    return name.strip()
