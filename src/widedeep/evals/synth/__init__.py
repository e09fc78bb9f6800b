"""Make questions with gold answers from any corpus: one fact, two hops, comparisons, none."""

from widedeep.evals.synth.making import Set, make
from widedeep.evals.synth.types import KINDS, Kind, Question
from widedeep.evals.synth.writing import write

__all__ = ["KINDS", "Kind", "Question", "Set", "make", "write"]
