"""How is the building of an index shown, and what of a corpus was odd?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from widedeep.cli.output import remark, terminal

if TYPE_CHECKING:
    from rich.console import Console

    from widedeep.retrieval import Index

Progress = Callable[[int, int], None]

_MOST_NAMED = 5


@contextmanager
def indexing(*, quiet: bool) -> Generator[Progress | None]:
    """Show the bytes read on stderr while an index is built; nothing when it need not be."""
    if quiet:
        yield None
    elif console := terminal(sys.stderr):
        with _bar(console) as progress:
            yield progress
    else:
        yield _said_once()


def warn(index: Index, *, quiet: bool) -> None:
    """Name what of a corpus could not be read, and count that and the ids given anew."""
    if quiet:
        return
    if index.renamed:
        remark(
            f"renamed {index.renamed:,} of {index.documents:,} documents: "
            "each had the id of an earlier one"
        )
    total = sum(each.count for each in index.skipped)
    for each in index.skipped[:_MOST_NAMED]:
        remark(f"skipped {each}")
    if total > 1:
        remark(f"skipped {total:,} files or rows in all, {index.documents:,} documents are used")


@contextmanager
def _bar(console: Console) -> Generator[Progress]:
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    columns = (TextColumn("Indexing the corpus"), BarColumn(40), TaskProgressColumn())
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("index", total=None, visible=False)

        def progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, visible=True)

        yield progress


def _said_once() -> Progress:
    """Return a progress that says one line when it begins."""
    said = False

    def progress(_: int, total: int) -> None:
        nonlocal said
        if not said:
            remark(f"indexing the corpus ({total / 2**20:.1f} MB)")
        said = True

    return progress
