"""Is every question asked once, many at a time, and none again after a stop?"""

import asyncio

import pytest
from tests.evals.made import answer, task
from tests.fakes.tools import look

from widedeep import Agent
from widedeep.errors import JournalError, TaskError
from widedeep.evals.log import open_log
from widedeep.evals.runner import Arm, run
from widedeep.models.scripted import Scripted

CONFIGURATION = {"schedule": "constant:2", "max_turns": 3}


class Asked:
    """Answers yes, counts who is asked, and stops when told."""

    def __init__(self, stop_after=None):
        self.ids = []
        self.now = self.peak = 0
        self.stop_after = stop_after

    async def __call__(self, sample):
        if self.stop_after == len(self.ids):
            raise JournalError("full")
        self.ids.append(sample.id)
        self.now += 1
        self.peak = max(self.peak, self.now)
        await asyncio.sleep(0)
        self.now -= 1
        return answer("yes")


def test_many_are_asked_at_once_but_no_more_and_told_of():
    asked, told = Asked(), []
    arms = [Arm("a", asked), Arm("b", asked)]
    both = asyncio.run(
        run(task(30), arms, at_once=7, on=lambda arm, made: told.append((arm.name, made.id)))
    )
    assert asked.peak == 7
    assert sorted(told) == sorted((arm, f"q{n}") for arm in "ab" for n in range(30))
    assert [made.id for made in both["a"]] == [f"q{n}" for n in range(30)]
    assert asked.ids[:4] == ["q0", "q0", "q1", "q1"]  # arms take turns


def test_a_stopped_evaluation_goes_on_where_it_was(tmp_path):
    path = tmp_path / "results.jsonl"
    first = Asked(stop_after=4)
    with pytest.raises(JournalError, match="full"):
        asyncio.run(run(task(9), [Arm("a", first, open_log(path, CONFIGURATION))], at_once=1))
    with path.open("ab") as stream:
        stream.write(b'{"id": "q4", "cut": ')  # a crash while it was writing
    second, told = Asked(), []
    log = open_log(path, CONFIGURATION)
    done = asyncio.run(
        run(task(9), [Arm("a", second, log)], on=lambda _, made: told.append(made.id))
    )
    assert first.ids + second.ids == [f"q{n}" for n in range(9)]
    assert told[:4] == first.ids
    again = open_log(path, CONFIGURATION)
    assert tuple(again.results.values()) == done["a"]


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ({"max_turns": 4}, "holds results with max_turns 3, not 4"),
        ({"seed": 1}, "holds results with seed None, not 1"),
    ],
)
def test_results_of_another_configuration_are_never_mixed(tmp_path, head, said):
    open_log(tmp_path / "log", CONFIGURATION)
    with pytest.raises(TaskError, match=said):
        open_log(tmp_path / "log", CONFIGURATION | head)


@pytest.mark.parametrize(
    "text",
    [
        "{}\n",
        "[]\n",
        "no log\n",
        pytest.param("[" * 9999 + "\n", id="deep"),
        '{"schema": 1, "configuration": 3}\n',
    ],
)
def test_another_file_is_not_taken_for_a_log(tmp_path, text):
    (tmp_path / "log").write_text(text, encoding="utf-8")
    with pytest.raises(TaskError, match="is not a log of results"):
        open_log(tmp_path / "log", CONFIGURATION)


def test_a_failed_run_is_a_result():
    agent = Agent(Scripted([ValueError("broken"), [("look", {"query": "x"})], "yes [1]."]), [look])
    arm = Arm("a", lambda sample: agent.run(sample.question))
    done = asyncio.run(run(task(2), [arm], at_once=1))
    failed, answered = done["a"]
    assert (failed.status, failed.scores.f1) == ("failed", 0.0)
    assert failed.notes == ("The run failed: ValueError: broken",)
    assert (answered.calls, answered.documents, answered.width[0].executed) == (1, 1, 1)
