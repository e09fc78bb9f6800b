import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.require import need

from widedeep.errors import CorpusError
from widedeep.retrieval import Document, Skipped, documents, folder, open_index, write_index


def read(root: Path) -> tuple[list[Document], list[Skipped]]:
    files, skipped = folder.files(root)
    found = [each for file in files for each in documents.read(file)]
    return (
        [each for each in found if isinstance(each, Document)],
        skipped + [each for each in found if isinstance(each, Skipped)],
    )


def rows(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def test_a_folder_is_read_in_order_without_hidden_files(tmp_path):
    for name in ["b.md", "a/z.txt", "a/.secret.txt", ".git/x.txt", "c.HTML", "picture.png"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("# Title\n\nwords")
    found, skipped = read(tmp_path)
    assert [(each.id, each.title) for each in found] == [
        ("a/z.txt", "Title"),
        ("b.md", "Title"),
        ("c.HTML", "Title"),
    ]
    assert skipped == []


def test_rows_keep_their_ids_and_texts(tmp_path):
    (tmp_path / "corpus.jsonl.gz").write_bytes(
        gzip.compress(
            rows(
                {"_id": "MED-1", "title": "T", "text": "one\n\ntwo", "metadata": {"x": 1}},
                {"id": 7, "contents": "three"},
                {"url": "https://a.org/b", "body": ["p1", "p2"]},
                {"name": "Oran", "people": 5, "where": {"country": "Algeria"}},
            )
        )
    )
    found, _ = read(tmp_path)
    assert found == [
        Document("MED-1", "T", "one\n\ntwo"),
        Document("7", None, "three"),
        Document("https://a.org/b", None, "p1\n\np2", "https://a.org/b"),
        Document("corpus.jsonl.gz#4", "Oran", "people: 5\nwhere, country: Algeria"),
    ]


def test_a_json_file_is_a_list_of_rows_or_one_document(tmp_path):
    (tmp_path / "list.json").write_text('[{"id": "x", "text": "t"}, {"text": "u"}]')
    (tmp_path / "one.json").write_text('{"title": "Fès", "facts": {"area": 3}}')
    (tmp_path / "really-lines.json").write_bytes(rows({"id": "l1", "text": "a"}, {"text": "b"}))
    found, skipped = read(tmp_path)
    assert [each.id for each in found] == [
        "x",
        "list.json#2",
        "one.json",
        "l1",
        "really-lines.json#2",
    ]
    assert found[2] == Document("one.json", "Fès", "title: Fès\nfacts, area: 3")
    assert skipped == []


def test_bad_parts_are_named_and_counted_and_cost_nothing_else(tmp_path):
    (tmp_path / "good.txt").write_text("good")
    (tmp_path / "empty.md").write_text("")
    (tmp_path / "cut.pdf").write_bytes(b"%PDF-1.7 cut off")
    (tmp_path / "broken.json").write_text('{"a": ')
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "noise.txt").write_bytes(bytes(range(256)) * 9)
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(rows({"text": "x"}, {"y": 1}))[:-9])
    (tmp_path / "rows.jsonl").write_bytes(
        rows({"text": "a"}) + b"not json\n[1]\n\n{\n" + rows({"text": "b"})
    )
    found, skipped = read(tmp_path)
    assert [each.id for each in found if each.id != "cut.jsonl.gz#1"] == [
        "good.txt",
        "rows.jsonl#1",
        "rows.jsonl#6",
    ]
    by_path = {each.path: each for each in skipped}
    assert set(by_path) == {
        "empty.md",
        "cut.pdf",
        "broken.json",
        "deep.json",
        "noise.txt",
        "cut.jsonl.gz",
        "rows.jsonl:2",
    }
    assert by_path["rows.jsonl:2"].count == 3
    assert str(by_path["rows.jsonl:2"]) == (
        "rows.jsonl:2 is not a JSON object (and 2 more like it)"
    )


@pytest.mark.parametrize("name", ["bad.jsonl.gz", "bad.json.gz"])
@pytest.mark.parametrize("at", [4, 12, 40, -6])
def test_a_damaged_gzip_file_is_named_and_costs_no_other(tmp_path, name, at):
    damaged = bytearray(gzip.compress(rows(*({"text": f"row {n * n}"} for n in range(999)))))
    damaged[at : at + 4] = b"\xff\xff\xff\xff"
    (tmp_path / name).write_bytes(damaged)
    (tmp_path / "good.txt").write_text("good")
    found, skipped = read(tmp_path)
    assert "good.txt" in [each.id for each in found]
    assert at == 4 or [each.path for each in skipped] == [name]  # 4 to 7 is only a time


LONG_LINE = """
import resource, sys
from pathlib import Path
from widedeep.retrieval import documents, folder

[file], _ = folder.files(Path(sys.argv[1]))
print([str(each) if type(each).__name__ == "Skipped" else each.id for each in documents.read(file)])
unit = 2**20 if sys.platform == "darwin" else 2**10
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // unit)
"""


def test_a_line_that_is_too_long_is_never_held_whole(tmp_path):
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as stream:
        stream.write(rows({"id": "first", "text": "a"}) + b'{"text": "')
        for _ in range(400):
            stream.write(b" " * 2**20)
        stream.write(b'"}\n' + rows({"id": "last", "text": "b"}))
    command = [sys.executable, "-c", LONG_LINE, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    found, megabytes = done.stdout.splitlines()
    assert found == "['first', 'last', 'bomb.jsonl.gz:2 is too long a line']"
    assert int(megabytes) < 700  # the line held whole would be over 1,400


def test_links_that_lead_in_circles_end(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.txt").write_text("x")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere.txt")
    found, skipped = read(tmp_path)
    assert [each.id for each in found] == ["a/x.txt"]
    assert [each.path for each in skipped] == ["gone.txt"]


def test_a_pipe_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    assert read(tmp_path) == ([], [])


def test_a_file_nobody_may_read_is_skipped(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may read any file")  # nothing that a machine lacks: CI runs as root
    (tmp_path / "x.txt").write_text("x")
    (tmp_path / "x.txt").chmod(0)
    _, skipped = read(tmp_path)
    assert "Permission denied" in skipped[0].reason


def test_a_name_with_a_line_break_makes_a_title_of_one_line(tmp_path):
    (tmp_path / "two\nlines.txt").write_text("A sentence that is no heading, and says so.")
    (found,), _ = read(tmp_path)
    assert "\n" not in (found.title or "")


def test_a_name_that_is_no_utf8_can_be_shown(tmp_path):
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")).write_text("x")
    except OSError:
        need(there=False, what="file system that takes any bytes as a name")
    [found], _ = read(tmp_path)
    assert found.id.encode("utf-8") == b"caf\\xe9.txt"


def test_a_file_that_is_named_is_read_whatever_its_suffix(tmp_path):
    (tmp_path / "README").write_text("words")
    [found], _ = read(tmp_path / "README")
    assert found == Document("README", "README", "words")


@pytest.mark.parametrize("name", ["f.txt", "zero"])
def test_a_pipe_or_device_that_is_named_is_refused_at_once(tmp_path, name):
    path = tmp_path / name
    if name == "zero":
        path.symlink_to("/dev/zero")
    else:
        os.mkfifo(path)
    with pytest.raises(CorpusError, match=rf"{name}'.*neither a regular file nor a folder"):
        open_index([path], tmp_path / "store")
    with pytest.raises(CorpusError, match=rf"{name}'.*neither a regular file nor a folder"):
        write_index(path, tmp_path / "out")


@pytest.mark.parametrize(
    ("name", "reason"),
    [("x" * 300, "name too long"), ("a\0b", "null"), ("~nouser/x", "No such"), ("loop", "links")],
)
def test_a_path_that_cannot_be_is_named_in_one_line(tmp_path, name, reason):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "good.txt").write_text("good")
    with pytest.raises(CorpusError, match=reason) as raised:
        open_index([tmp_path / name], tmp_path / "store")
    assert "\n" not in str(raised.value)
    with pytest.raises(CorpusError, match=reason):
        write_index(tmp_path / name, tmp_path / "out")
    if name != "~nouser/x":  # a folder may be called so
        with pytest.raises(CorpusError, match="cannot be written to"):
            write_index(tmp_path / "good.txt", tmp_path / name)


def test_a_path_that_is_not_there_says_what_may_be():
    with pytest.raises(CorpusError, match=r"'/nowhere'.*No such file.*\.jsonl"):
        folder.files(Path("/nowhere"))
