"""Samples, answers and results made by hand."""

from widedeep.evals.graders import result
from widedeep.evals.tasks import Sample, Task
from widedeep.messages import (
    Answer,
    Calls,
    Citation,
    Quote,
    Seconds,
    Source,
    Status,
    Usage,
    WidthUsed,
)

SAMPLE = Sample(
    "q1", "Who directed the film?", ("Ada Byron", "A. Byron"), gold=("d1", "d2"), kind="two hops"
)


def source(n, id, text="", title=None):
    return Source(n, id, text, "passage", title, None, 1)


def answer(
    short=None, *, status: Status = "answered", sources=(), quotes=(), citations=(), calls=2
):
    return Answer(
        run_id="run",
        question="?",
        status=status,
        stopped_by="answer",
        text="",
        short_answer=short,
        citations=tuple(Citation(n, "", None, text, verified=True) for n, text in citations),
        sources=tuple(sources),
        turns=1,
        calls=Calls(requested=calls, executed=calls, ok=calls),
        width=(WidthUsed(1, 2, 2, calls, calls),),
        usage=Usage(),
        cost_usd=None,
        seconds=Seconds(1.0, 1.0, 1.0),
        model="scripted",
        schedule="constant:2",
        quotes=tuple(Quote(n, text) for n, text in quotes),
    )


def task(number, **fields):
    samples = tuple(Sample(f"q{n}", f"Question {n}?", ("yes",), **fields) for n in range(number))
    return Task("made", samples, None, "0")


def made(sample, short=None, **fields):
    return result(sample, answer(short, **fields))
