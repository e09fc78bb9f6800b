"""What does a run look like as a picture (SVG), as the terminal showed it?"""

from __future__ import annotations

import io
import re

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from widedeep.report.blocks import WIDEST
from widedeep.report.inert import one_line
from widedeep.report.terminal import run_block
from widedeep.report.timeline import Timeline

_REMOTE_FONT = re.compile(r"@font-face \{.*?\n    \}\n", re.DOTALL)


def svg(timeline: Timeline, *, width: int = WIDEST) -> str:
    """Return the run's turns and answer as an SVG of `width` columns that loads nothing."""
    console = Console(
        record=True,
        width=width,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
        _environ={},
    )
    question = timeline.started.question if timeline.started else ""
    console.print(Text(f'$ widedeep ask "{one_line(question)}"\n', style="dim"))
    console.print(run_block(timeline, console))
    name = timeline.started.run_id if timeline.started else "run"
    picture = console.export_svg(
        title="widedeep", theme=MONOKAI, unique_id=f"run-{re.sub(r'[^A-Za-z0-9-]', '', name)}"
    )
    return _REMOTE_FONT.sub("", picture)
