"""Does writing an index over an older one keep files of the user, and always a whole index?"""

import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from widedeep.errors import CorpusError
from widedeep.retrieval import open_index, write_index


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    root = tmp_path / "corpus"
    root.mkdir()
    (root / "a.txt").write_text("Lake Baikal lies in Siberia.")
    return root


@pytest.mark.parametrize("name", ["thesis.docx", "sub/thesis.docx", "entries/mine.txt", "empty/"])
def test_a_folder_that_holds_more_than_an_index_is_refused(corpus: Path, tmp_path: Path, name: str):
    out = tmp_path / "out"
    write_index(corpus, out)
    mine = out / name
    if name.endswith("/"):
        mine.mkdir()
    else:
        mine.parent.mkdir(exist_ok=True)
        mine.write_text("mine")
    first = name.split("/", maxsplit=1)[0] if not name.startswith("entries") else name
    with pytest.raises(CorpusError, match=rf"out' holds '{first}', .*new directory"):
        write_index(corpus, out)
    assert mine.exists()
    assert open_index([out], tmp_path / "store").documents == 1


def test_an_index_keeps_its_place_when_a_new_one_cannot_be_built(corpus: Path, tmp_path: Path):
    out = tmp_path / "out"
    write_index(corpus, out)
    (corpus / "a.txt").write_text("")
    with pytest.raises(CorpusError, match="no document"):
        write_index(corpus, out)
    assert open_index([out], tmp_path / "store").documents == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["corpus", "out"]


def test_a_link_to_a_folder_is_followed(corpus: Path, tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for _ in range(2):
        write_index(corpus, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert open_index([tmp_path / "real"], tmp_path / "store").documents == 1


def test_an_empty_folder_is_replaced_without_a_trace(corpus: Path, tmp_path: Path):
    (tmp_path / "out").mkdir()
    write_index(corpus, tmp_path / "out")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["corpus", "out"]


@pytest.mark.parametrize("out", [".", "..", "../here"])
def test_the_working_directory_is_never_replaced(
    corpus: Path, tmp_path: Path, out: str, monkeypatch: pytest.MonkeyPatch
):
    here = tmp_path / "around" / "here"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    before = here.stat().st_ino
    with pytest.raises(CorpusError, match=r"working directory: give a new directory"):
        write_index(corpus, Path(out))
    assert here.stat().st_ino == before
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("name", ["", "entries"])
def test_no_link_leads_to_the_removal_of_another_index(corpus: Path, tmp_path: Path, name: str):
    other, aside = tmp_path / "other", tmp_path / ".out.replaced"
    write_index(corpus, tmp_path / "out")
    write_index(corpus, other)
    if name:
        aside.mkdir()
    (aside / name).symlink_to(other / name)
    with pytest.raises(CorpusError, match=r"replaced.* is a link"):
        write_index(corpus, tmp_path / "out")
    for each in (other, tmp_path / "out"):
        assert open_index([each], tmp_path / "store").documents == 1


def test_an_index_is_as_open_to_others_as_the_user_wants(corpus: Path, tmp_path: Path):
    before = os.umask(0o077)
    try:
        write_index(corpus, tmp_path / "out")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700


KILLED = """
import os, signal, sys
from pathlib import Path
from widedeep.retrieval import write_index

left = int(sys.argv[3])

def watch(event, args):
    global left
    old = event in ("os.rename", "os.remove", "os.rmdir") and ".replaced" in f"{args[0]} {args[1]}"
    new = event == "os.rename" and ".building-" in str(args[0]) and str(args[1]) == sys.argv[2]
    if old or new:
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(watch)
write_index(sys.argv[1], Path(sys.argv[2]))
"""


@pytest.mark.parametrize("step", [4, 5, 6, 8, 99])
def test_a_kill_while_an_index_is_replaced_leaves_one(corpus: Path, tmp_path: Path, step: int):
    out, aside = tmp_path / "out", tmp_path / ".out.replaced"
    write_index(corpus, out)
    (corpus / "b.txt").write_text("Lake Toba fills a caldera.")
    command = [sys.executable, "-c", KILLED, str(corpus), str(out), str(step)]
    done = subprocess.run(command, check=False, timeout=60)
    assert done.returncode == (0 if step == 99 else -signal.SIGKILL)
    left = out if out.exists() else aside
    assert open_index([left], tmp_path / "store").documents == (1 if step < 6 else 2)

    shutil.rmtree(corpus)
    corpus.mkdir()
    with pytest.raises(CorpusError, match="no document"):
        write_index(corpus, out)
    assert open_index([out], tmp_path / "store").documents == (1 if step < 6 else 2)
    (corpus / "c.txt").write_text("Lake Chad")
    assert write_index(corpus, out).documents == 1
    assert not aside.exists()
