"""Does the built-in policy research a small corpus through the agent?"""

import pytest
from tests.models.builtin.histories import ARDENIA, BORLAND, ISLES

from widedeep.agent import Agent
from widedeep.models.builtin import Builtin
from widedeep.retrieval import open_index
from widedeep.tools.corpus import corpus_tools

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    for title, text in (ARDENIA, BORLAND, ISLES):
        (folder / f"{title}.md").write_text(f"# {title}\n\n{text}", encoding="utf-8")
    return open_index([folder], tmp_path_factory.mktemp("store"))


@pytest.mark.parametrize("schedule", ["constant:1", "constant:3", "descending", "automatic"])
@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("How many people live in Ardenia?", "1,204,500"),
        ("What is the area of the country whose capital is Port Bor?", "5,100 sq km"),
        ("Which has more people: Ardenia, Borland or the Cress and Dole Islands?", "Borland"),
    ],
)
async def test_it_finds_cites_and_is_verified(index, schedule, question, short):
    agent = Agent(Builtin(), corpus_tools(index), schedule=schedule)
    answer = await agent.run(question)
    assert (answer.status, answer.short_answer) == ("answered", short)
    assert all(citation.verified for citation in answer.citations)


async def test_what_is_not_there_ends_as_no_evidence(index):
    answer = await Agent(Builtin(), corpus_tools(index)).run("Who is the king of Zubrowka?")
    assert answer.status == "no_evidence"
