"""The gap register: questions without a whole answer, and answers that readers did not like, by what they ask for."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent.providers.cosine_probes import measured_scale
from agent.questions.clusters import SAME, central, clusters
from domain.access import Scope
from domain.answer_ports import KeptAnswer
from domain.errors import Misconfigured
from domain.masking import without_masks
from domain.model_ports import Embedder
from domain.search import DocumentInfo, Filters
from domain.search_ports import DocumentCatalog

MAX_QUESTIONS = 1_000
"""Questions that are looked at, the latest ones."""

MAX_DOCUMENTS = 200
"""Documents near the questions of one gap that are looked up, those first that are near to most of them."""

NEAREST = 3
"""Documents that are named for one gap."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Questions that ask for the same thing."""

    example: KeptAnswer
    """The one in the middle of them; one that was not asked in private, where there is one."""
    answers: tuple[KeptAnswer, ...]
    """All of them, newest first."""
    nearest: tuple[DocumentInfo, ...]
    """Documents that were near, best first; each may be read by whom the register is made for."""

    @property
    def badly_rated(self) -> int:
        """How many were answered, and readers did not like it."""
        return sum(each.record.outcome == "answered" for each in self.answers)

    @property
    def partly(self) -> int:
        """How many were answered in part."""
        return sum(each.record.outcome == "partly" for each in self.answers)

    @property
    def unanswered(self) -> int:
        """How many have no answer."""
        return len(self.answers) - self.badly_rated - self.partly


async def find_gaps(
    answers: Sequence[KeptAnswer], embedder: Embedder, catalog: DocumentCatalog, scope: Scope, limit: int
) -> list[Gap]:
    """The largest gaps, `limit` at most; of equals the one first that was asked for last.

    answers: newest first, see AnswerRecords.gaps. scope: who reads the register; no other document is named.

    Raises Transient when the database or the model's server is away.
    """
    asked = [each for each in answers if without_masks(each.record.question).strip()][:MAX_QUESTIONS]
    if not asked:
        return []
    vectors = await embedder.embed([without_masks(each.record.question) for each in asked], "query")
    same = (await measured_scale(embedder)).own(SAME)
    groups = sorted(clusters(vectors, same), key=lambda rows: (-len(rows), rows[0]))[:limit]
    found = []
    for rows in groups:
        shown = [row for row in rows if not asked[row].in_private] or rows
        members = tuple(asked[row] for row in rows)
        found.append(Gap(asked[central(vectors, shown)], members, await _nearest(members, catalog, scope)))
    return found


async def _nearest(answers: Sequence[KeptAnswer], catalog: DocumentCatalog, scope: Scope) -> tuple[DocumentInfo, ...]:
    weights: defaultdict[str, float] = defaultdict(float)
    for each in answers:
        for place, document in enumerate(each.record.nearest, start=1):
            weights[document] += 1 / place
    wanted = sorted(weights, key=lambda document: (-weights[document], document))[:MAX_DOCUMENTS]
    if not wanted:
        return ()
    try:
        known = await catalog.find("", scope, filters=Filters(documents=tuple(wanted)), limit=len(wanted))
    except Misconfigured:  # nothing is indexed any more
        return ()
    ranks = {document: place for place, document in enumerate(wanted)}
    return tuple(sorted(known, key=lambda info: ranks[info.document_id])[:NEAREST])


def gap_json(gap: Gap) -> dict[str, Any]:
    """A gap as JSON."""
    return {
        "size": len(gap.answers),
        "example": gap.example.record.question,
        "number": gap.example.number,
        "numbers": [each.number for each in gap.answers],
        "unanswered": gap.unanswered,
        "partly": gap.partly,
        "badly_rated": gap.badly_rated,
        "private": sum(each.in_private for each in gap.answers),
        "latest": gap.answers[0].asked_at,
        "reasons": [reason for each in gap.answers for reason in each.reasons],
        "nearest": [
            {"title": near.title, "url": near.url, "path": near.path, "owner": near.author, "id": near.document_id}
            for near in gap.nearest
        ],
    }
