"""What the run has met and whether its answer rests on it."""

from widedeep.evidence.citations import check, cited
from widedeep.evidence.novelty import PATIENCE, Novelty
from widedeep.evidence.quotes import kept
from widedeep.evidence.sources import Sources

__all__ = ["PATIENCE", "Novelty", "Sources", "check", "cited", "kept"]
