"""Does bench/policy.py keep its own rules?"""

import asyncio
import subprocess
import sys

from bench.policy_runs import DOCUMENTS, Change, Metered, Rationed, Searched
from tests.data import data
from tests.tree import ROOT

from widedeep.messages import Outcome, Reply, Results, Source, ToolCall, ToolResult, User, Width
from widedeep.retrieval.types import Document
from widedeep.seams import Context, Hit, ModelInfo, Query, Request
from widedeep.tools.corpus import corpus_tools


def corpus():
    def search(text, k):
        first = int(text)
        return [Hit(f"d{n}", None, "text", 1.0, 0) for n in range(first, first + k)]

    return Searched(search, lambda _: [])


def test_no_run_meets_more_documents_than_allowed():
    found = corpus()
    search = Rationed(corpus_tools(found)[0], {})

    async def met(run):
        context = Context(run, "1.1", "key", 1.0)
        outputs = [await search.call({"query": str(n), "k": 20}, context) for n in range(0, 90, 4)]
        return [[one.id for one in output.sources or ()] for output in outputs]

    batches = asyncio.run(met("a"))
    assert batches[0] == ["d0", "d1", "d2", "d3", "d4"]
    assert batches[-1] == []
    assert len({id for ids in batches for id in ids}) == DOCUMENTS
    assert asyncio.run(met("b")) == batches


def test_a_run_that_has_read_enough_must_answer():
    seen = []

    class Policy:
        info = ModelInfo("policy")

        async def reply(self, request, on):
            seen.append(request.choice)
            return Reply("answer")

    def request(number):
        sources = tuple(Source(n, f"d{n}", "", "passage", None, None, 1) for n in range(number))
        result = ToolResult(ToolCall("search", {}), Outcome.OK, "", sources)
        return Request(2, (User("?"), Results((result,))), None, (), Width(3, 3))

    for number in (DOCUMENTS - 1, DOCUMENTS):
        model = Metered(Policy())
        asyncio.run(model.reply(request(number), print))
        assert model.full is (number == DOCUMENTS)
    assert seen == ["auto", "none"]


def test_a_question_and_a_corpus_are_changed_as_told():
    change = Change(gold_out=True, blank_titles=True, lower=True, prefix="Tell me: ", suffix=" Ok?")
    assert change.asked("Who is Ada?") == "Tell me: who is ada? Ok?"
    assert change.kept(Document("d1", "Ada", "text"), frozenset({"d1"})) is None
    assert change.kept(Document("d2", "Ada", "text"), frozenset({"d1"})) == Document(
        "d2", None, "text"
    )


def test_the_baseline_returns_as_many_documents():
    found = corpus()
    assert found.ranked("7")[:3] == ["d7", "d8", "d9"]
    assert len(asyncio.run(found.search(Query("7"), 20))) == 5


def test_arms_of_equal_widths_are_merged_and_pairs_compared():
    command = [sys.executable, "bench/policy.py", "--data", str(data("hotpotqa100").parent)]
    options = ["--sets", "hotpotqa100", "--limit", "3", "--turns", "2", "6"]
    arms = ["--arms", "constant:1!", "constant:3!", "1:3,2:1", "descending"]
    done = subprocess.run(
        [*command, *options, *arms], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert "1:3,2:1 x2 = descending x2" in done.stdout
    assert "constant:3! x2 minus constant:1! x6" in done.stdout
    assert "questions: hotpotqa100 3" in done.stdout
