"""What can a question still find when some documents are left out for it?"""

from __future__ import annotations

from dataclasses import dataclass

from widedeep.seams import Hit, Query
from widedeep.tools.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Without:
    """A corpus in which some documents can be neither found nor read; the others take their place.

    The index stays as it is, and with it how rare its words are.

    Args:
        corpus: what is searched.
        removed: ids of the documents to leave out.
    """

    corpus: Corpus
    removed: frozenset[str]

    async def search(self, query: Query, k: int) -> list[Hit]:
        """Return at most `k` hits of the documents that are left, best first."""
        deep = k
        while True:
            hits = await self.corpus.search(query, deep)
            kept = [hit for hit in hits if hit.id not in self.removed]
            if len(kept) >= k or len(hits) < deep:
                return kept[:k]
            deep *= 2

    async def passages(self, id: str) -> list[Hit]:
        """Return the passages of document `id`; empty when there is none or it is left out."""
        return [] if id in self.removed else await self.corpus.passages(id)
