"""What does `widedeep runs replay` do?"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from widedeep.cli.options import ConfigOption, JsonFlag, StoreOption
from widedeep.cli.runs import RunName, recorded
from widedeep.errors import UsageError
from widedeep.events import Record, RunEnded

if TYPE_CHECKING:
    from widedeep.agent.replay import Replay
    from widedeep.messages import Seconds

NOTE = (
    "This is what the recorded calls would have taken.\n"
    "What the model would have asked had its results come otherwise, no record can tell."
)

DeadlineOption = Annotated[
    str | None, Parameter(metavar="SECONDS", help="Another deadline for the calls of a turn.")
]
SerialFlag = Annotated[
    bool, Parameter(negative=(), show_default=False, help="Run the calls one after another.")
]
LateFlag = Annotated[
    bool,
    Parameter(negative=(), show_default=False, help="Start no call before its reply is whole."),
]


def replay_run(
    run: RunName,
    /,
    *,
    turn_deadline: DeadlineOption = None,
    serial: SerialFlag = False,
    no_early_start: LateFlag = False,
    json: JsonFlag = False,
    store: StoreOption = None,
    config: ConfigOption = None,
) -> int:
    """Run the loop over a record again, on a virtual clock, without asking anybody."""
    from widedeep.agent.replay import replay
    from widedeep.cli.output import write, write_json

    records = recorded(store, config, run)
    made = replay(
        records,
        turn_deadline=_seconds(turn_deadline),
        serial=True if serial else None,
        early_start=False if no_early_start else None,
    )
    if json:
        write_json(
            {
                "schema": 1,
                "run_id": made.answer.run_id,
                "same": made.same,
                "hash": made.hash,
                "recorded_hash": made.recorded_hash,
                "seconds": asdict(made.seconds),
                "calls": asdict(made.answer.calls),
            }
        )
    else:
        write(_told(made, _recorded(records)))
    changed = turn_deadline is not None or serial or no_early_start
    return 0 if made.same or changed else 1


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise UsageError(f"--turn-deadline {text!r}: must be seconds over 0, such as 30")
    return seconds


def _recorded(records: list[Record]) -> Seconds | None:
    ended = records[-1].event if records else None
    return ended.answer.seconds if isinstance(ended, RunEnded) else None


def _told(made: Replay, then: Seconds | None) -> str:
    lines = [
        f"run {made.answer.run_id}",
        f"transcript {made.hash[:16]}: "
        + (
            "the same as recorded"
            if made.same
            else f"not that of the record, {made.recorded_hash[:16]}"
        ),
        "",
        f"{'seconds':16}{'replayed':>12}{'recorded':>12}",
    ]
    for name in ("wall", "critical_path", "serial"):
        was = "-" if then is None else f"{getattr(then, name):.2f}"
        label = name.replace("_", " ")
        lines.append(f"{label:16}{getattr(made.seconds, name):>12.2f}{was:>12}")
    return "\n".join([*lines, "", NOTE])
