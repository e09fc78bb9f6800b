"""Is what was made of a run's history there as long as the run, and right when it changes?"""

import pytest
from tests.models.others.talking import DIALECTS, TOOLS

from widedeep.messages import Assistant, System, User
from widedeep.models.others.runs import Runs

NAMES = ["openai:m", "xai:m"]


def history():
    return [System("You research."), User("How high?"), Assistant("Hm."), User("Go on.")]


@pytest.mark.parametrize("name", NAMES)
def test_a_run_is_kept_as_long_as_its_first_message(name):
    runs, said = Runs(name), history()
    run = runs.of(said)
    run.messages(said, None)
    assert runs.of([*said, Assistant("Yes.")]) is run
    assert len(runs) == 1
    del said, run
    assert len(runs) == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("left", [1, 2, 3])
def test_a_history_that_became_shorter_is_read_anew(name, left):
    runs, said = Runs(name), history()
    runs.of(said).messages(said, None)
    other = [said[0], *history()[1:left]]
    shorter = runs.of(other).messages(other, None)
    parts = [part.content for message in shorter for part in message.parts]
    assert parts == ["You research.", "How high?", "Hm."][:left]


async def test_the_same_tools_in_another_tuple_are_mapped_once():
    async with DIALECTS["responses"].talk([]) as (talk, _):
        mapped = talk.model._parameters(TOOLS)
        assert talk.model._parameters((*TOOLS,)) is mapped
        assert talk.model._parameters(TOOLS[:1]) is not mapped
