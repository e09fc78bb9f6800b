"""The command `widedeep`: options in, exit status out. `main` is all that others use."""

from widedeep.cli.main import main

__all__ = ["main"]
