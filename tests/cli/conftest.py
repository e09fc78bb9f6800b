"""What tests of the command share: a small corpus, a store, the command in this process."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.command import FACTS, Command


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name, text in FACTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def widedeep(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    monkeypatch.setenv("WIDEDEEP_STORE", str(store))
    return Command(capsys)
