"""Are the usual ways to write questions down read, and bad ones named?"""

import gzip
import json

import pytest
from tests.data import data

from widedeep.errors import TaskError
from widedeep.evals.datasets import load, take

ROWS = [
    {"_id": "a", "text": "Who?", "metadata": {"answers": ["Ada", "A."], "type": "bridge"}},
    {"_id": "b", "text": "Never?", "metadata": {"answers": [], "answerable": False}},
]


def lines(path, rows, *, packed=False):
    text = "\n".join(json.dumps(row) for row in rows).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text) if packed else text)
    return path


def folder(tmp_path, qrels, name="qrels.tsv"):
    lines(tmp_path / "queries.jsonl.gz", ROWS, packed=True)
    lines(tmp_path / "corpus.jsonl", [{"_id": "d1", "text": "Ada."}])
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(qrels, encoding="utf-8")
    return load(tmp_path)


def test_a_beir_folder(tmp_path):
    task = folder(tmp_path, "query-id\tcorpus-id\tscore\na\td1\t1\na\td1\t2\na\td2\t0\n")
    first, second = task.samples
    assert (first.id, first.question, first.answers) == ("a", "Who?", ("Ada", "A."))
    assert (first.gold, first.kind, first.answerable) == (("d1",), "bridge", True)
    assert (second.answers, second.gold, second.answerable) == ((), (), False)
    assert (task.corpus, task.name) == (tmp_path / "corpus.jsonl", tmp_path.name)


def test_of_a_split_only_judged_questions_are_asked(tmp_path):
    task = folder(tmp_path, "a 0 d1 1\n", "qrels/test.tsv")
    assert [(sample.id, sample.gold) for sample in task.samples] == [("a", ("d1",))]


@pytest.mark.parametrize(
    ("row", "answers"),
    [
        ({"question": "Q", "answer": "x"}, ("x",)),
        ({"question": "Q", "answers": "x"}, ("x",)),
        ({"text": "Q", "answers": ["x", "y", "x", ""]}, ("x", "y")),
        ({"query": "Q", "answer": 7}, ("7",)),
        ({"question": "Q", "answer": True}, ("yes",)),
        ({"question": "Q", "answer": ["x", "y"]}, ("x, y",)),
        ({"question": "Q", "answer": {"a": 1, "b": ["c", "d"]}}, ("a: 1, b: c, d",)),
        ({"question": "Q", "answer": "x", "answer_aliases": ["ex"]}, ("x", "ex")),
        ({"question": "Q"}, ()),
    ],
)
def test_a_file_of_questions(tmp_path, row, answers):
    [sample] = load(lines(tmp_path / "questions.jsonl", [row])).samples
    assert (sample.id, sample.question, sample.answers) == ("1", "Q", answers)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no questions"),
        ("{", r"bad.jsonl, line 1: not JSON: '\{'"),
        ("\n[1]", "line 2: not an object"),
        ('{"title": 1}', r"no question in \['title'\]; give it as `question` or `text`"),
        ('{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}', "two questions have the id '1'"),
        ("\udcff", "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, text, said):
    path = tmp_path / "bad.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(TaskError, match=said):
        load(path)


def test_places_without_questions_are_named(tmp_path):
    with pytest.raises(TaskError, match="no questions at"):
        load(tmp_path / "nowhere")
    with pytest.raises(TaskError, match=r"has no queries\.jsonl"):
        load(tmp_path)
    with pytest.raises(TaskError, match=r"qrels.tsv, line 2: 'a\\td1\\tmany' cannot be"):
        folder(tmp_path, "query-id\tcorpus-id\tscore\na\td1\tmany\n")


def test_a_larger_limit_adds_to_a_smaller_one(tmp_path):
    rows = [{"id": n, "question": f"Q{n}"} for n in range(50)]
    task = load(lines(tmp_path / "many.jsonl", rows))
    few, more = ([s.id for s in take(task, n, 1).samples] for n in (5, 20))
    assert (len(few), len(more)) == (5, 20)
    assert set(few) < set(more)
    assert more == sorted(more, key=int)
    assert few != [s.id for s in take(task, 5, 2).samples]
    assert take(task, 99, 1) == task
    assert take(task, 5, 1).fingerprint == task.fingerprint


def test_documents_that_must_not_be_found_are_named(tmp_path):
    row = {"question": "Q", "metadata": {"answerable": False, "removed": ["d1", 2]}}
    [sample] = load(lines(tmp_path / "one.jsonl", [row])).samples
    assert (sample.removed, sample.answerable) == (("d1", "2"), False)


def test_other_questions_have_another_fingerprint(tmp_path):
    one = load(lines(tmp_path / "one.jsonl", [{"question": "Q", "answer": "x"}]))
    other = load(lines(tmp_path / "other.jsonl", [{"question": "Q", "answer": "y"}]))
    assert one.fingerprint != other.fingerprint


@pytest.mark.parametrize(
    ("name", "number"), [("musique100", 50), ("2wikimultihopqa", 51), ("hotpotqa100", 50)]
)
def test_real_sets_are_read_whole(name, number):
    task = load(data(name))
    assert len(task.samples) == number
    assert all(sample.answers and len(sample.gold) >= 2 for sample in task.samples)
    assert task.corpus is not None
