"""How right is an answer, and did the run find and quote its evidence?

Exact match and F1 are SQuAD's (arXiv 1606.05250, evaluate-v1.1.py) with HotpotQA's rule that yes
and no earn nothing in part (arXiv 1809.09600, hotpot_evaluate_v1.py).
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence

from widedeep import text as words
from widedeep.evals.tasks import Result, Sample, Scores
from widedeep.messages import Answer, Quote

QUOTED_WORDS = 250
"""Words of quotes that are looked at, best first; more would be reading for the reader."""

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ALL_OR_NOTHING = frozenset({"yes", "no", "noanswer"})


def normal(text: str) -> str:
    """Return the text in lower case without ASCII punctuation, articles and extra white space."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact(given: str | None, answers: Sequence[str]) -> float:
    """Return 1 when the given answer is one of the right ones after normalisation, else 0."""
    return _best(given, answers, lambda one, right: float(one == right))


def f1(given: str | None, answers: Sequence[str]) -> float:
    """Return the harmonic mean of token precision and recall with the closest right answer."""
    return _best(given, answers, _overlap)


def recall(met: Sequence[str], gold: Sequence[str]) -> float | None:
    """Return the share of the gold documents that were met; None when none are known."""
    return len(set(gold) & set(met)) / len(set(gold)) if gold else None


def holds(texts: Sequence[str], answers: Sequence[str]) -> bool:
    """Say whether a right answer stands, word by word, in one of the texts."""
    spans = [f" {span} " for answer in answers if (span := normal(answer))]
    return any(span in f" {normal(text)} " for text in texts for span in spans)


def yes_no(sample: Sample) -> bool:
    """Say whether the question is one of yes or no."""
    return any(normal(answer) in _ALL_OR_NOTHING for answer in sample.answers)


def is_open(sample: Sample) -> bool:
    """Say whether the answer must be found: it is not yes or no, and not in the question."""
    return not yes_no(sample) and not holds([sample.question], sample.answers)


def quoted(answer: Answer, most_words: int = QUOTED_WORDS) -> list[str]:
    """Return the quoted sentences, best first, up to a number of words.

    Titles are left out. A sentence that the run did not read in the source it names keeps its
    place as an empty one: it takes room and proves nothing.
    """
    sources = {source.n: source for source in answer.sources}
    kept: list[str] = []
    room = most_words
    for quote in _ranked(answer):
        source = sources.get(quote.n)
        read = normal(source.text) if source else ""
        title = normal(source.title or "") if source else ""
        for sentence in words.sentences(quote.text):
            plain = normal(sentence)
            if not plain or plain == title or sentence in kept:
                continue
            room -= len(sentence.split())
            if room < 0:
                return kept
            kept.append(sentence if plain in read else "")
    return kept


def grade(sample: Sample, answer: Answer) -> Scores:
    """Return the scores of an answer to a sample."""
    known = bool(sample.answers) and sample.answerable
    met = recall([source.id for source in answer.sources], sample.gold)
    spans = known and not yes_no(sample)
    sentences = quoted(answer) if spans else []
    given = None if answer.status == "failed" else answer.short_answer
    return Scores(
        exact=exact(given, sample.answers) if known else None,
        f1=f1(given, sample.answers) if known else None,
        recall=met,
        all_found=None if met is None else float(met == 1.0),
        ev3=float(holds(sentences[:3], sample.answers)) if spans else None,
        ev10=float(holds(sentences[:10], sample.answers)) if spans else None,
        abstained=answer.status == "no_evidence",
        open=spans and is_open(sample),
    )


def result(sample: Sample, answer: Answer) -> Result:
    """Return what is kept of a run on a sample."""
    return Result(
        id=sample.id,
        kind=sample.kind,
        answerable=sample.answerable,
        status=answer.status,
        stopped_by=answer.stopped_by,
        short_answer=answer.short_answer,
        scores=grade(sample, answer),
        turns=answer.turns,
        calls=answer.calls.executed,
        documents=len({source.id for source in answer.sources}),
        width=answer.width,
        seconds=answer.seconds.wall,
        cost_usd=answer.cost_usd,
        run_id=answer.run_id,
        notes=answer.notes,
    )


def _ranked(answer: Answer) -> Sequence[Quote]:
    """Return the run's own quotes, best first; without them those of its citations."""
    return answer.quotes or [Quote(one.n, one.quote) for one in answer.citations]


def _best(given: str | None, answers: Sequence[str], score: Callable[[str, str], float]) -> float:
    if given is None or not answers:
        return 0.0
    return max(score(normal(given), normal(answer)) for answer in answers)


def _overlap(given: str, right: str) -> float:
    if given != right and _ALL_OR_NOTHING & {given, right}:
        return 0.0
    ours, theirs = given.split(), right.split()
    common = sum((Counter(ours) & Counter(theirs)).values())
    return 2 * common / (len(ours) + len(theirs)) if common else float(given == right)
