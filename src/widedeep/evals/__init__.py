"""Is it good: questions with known answers, graded and counted with intervals."""

from widedeep.evals.datasets import load
from widedeep.evals.graders import grade
from widedeep.evals.runner import Arm, run
from widedeep.evals.tasks import Result, Sample, Scores, Task

__all__ = ["Arm", "Result", "Sample", "Scores", "Task", "grade", "load", "run"]
