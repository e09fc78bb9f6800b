"""What does `widedeep config show` print?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from widedeep.cli.options import ConfigOption, JsonFlag, StoreOption
from widedeep.errors import UsageError


def show(*, json: JsonFlag = False, store: StoreOption = None, config: ConfigOption = None) -> int:
    """Show each setting, its value, and where that comes from."""
    from widedeep.cli.output import write, write_json
    from widedeep.cli.wiring import read_settings

    made = read_settings(config, store)
    rows = made.rows()
    if json:
        origins = {key: origin for key, _, origin in rows}
        values = made.settings.model_dump(mode="json")
        file = None if made.file is None else str(made.file)
        write_json({"schema": 1, "file": file, "settings": values, "origins": origins})
        return 0
    where = str(made.file) if made.file else f"none{_looked_for()}"
    lines = [f"{key:<22}{_shown(value):<28}  {origin}".rstrip() for key, value, origin in rows]
    write("\n".join((f"file: {where}", *lines)))
    return 0


def _looked_for() -> str:
    from widedeep import settings

    try:
        return f" (looked for {settings.default_config()})"
    except UsageError:
        return ""  # no home directory, and so no place to look


def _shown(value: Any) -> str:
    if value is None:
        return "no limit"
    return str(value) if isinstance(value, Path) else f"{value}"
