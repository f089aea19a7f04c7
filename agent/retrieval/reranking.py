"""Candidates of a search ranked anew by a reranker, before they are cut to as many as are wanted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from agent.retrieval.fusion import min_max
from agent.retrieval.retriever import Retrieved, Retriever
from domain.access import Scope
from domain.masking import Masker
from domain.model_ports import Reranker
from domain.search import Filters, Method, Passage


@dataclass(frozen=True, slots=True)
class RerankOptions:
    """How a reranker is used."""

    candidates: int = 50
    """Passages that are ranked anew at most, the best by retrieval."""
    minimum: int = 10
    """Fewer passages than that are not reranked."""
    blend: float = 0.5
    """Weight of the reranker's score, 0 to 1; retrieval's score has the rest."""


def blend(retrieval: Sequence[float], rerank: Sequence[float], weight: float) -> list[float]:
    """Convex sum of retrieval scores, min-max normalised, and a reranker's scores.

    Args:
        retrieval: of each candidate, on any scale; higher is better.
        rerank: of the same candidates in the same order, 0 to 1; they are taken as they are.
        weight: share of `rerank`, 0 to 1.

    Returns:
        One score in 0..1 for each candidate, in order.

    Raises:
        ValueError: there are not as many of one as of the other, or `weight` is not in 0..1.
    """
    if not 0 <= weight <= 1:
        raise ValueError(f"the weight of a reranker is between 0 and 1, not {weight}")
    pairs = zip(min_max(retrieval), rerank, strict=True)
    return [(1 - weight) * first + weight * second for first, second in pairs]


async def rerank_scores(
    reranker: Reranker, query: str, candidates: Mapping[str, tuple[Passage, float]], options: RerankOptions
) -> dict[str, float]:
    """Blended scores, 0 to 1, of the best `options.candidates` by their scores, best first; the others are left out.

    candidates: passages with the scores that retrieval gave them, by any key. The passages are without secrets: a
    reranker may be another company's server. It gets no passage that holds text addressed to machines: such a one
    counts as if the reranker had found nothing in it.

    Raises:
        Misconfigured, Transient: see domain.model_ports.Reranker.
    """
    best = sorted(candidates, key=lambda key: (-candidates[key][1], key))[: options.candidates]
    shown = [key for key in best if not candidates[key][0].injection]
    answered = await reranker.scores(query, [candidates[key][0] for key in shown]) if shown else []
    given = dict(zip(shown, answered, strict=True))
    blended = blend([candidates[key][1] for key in best], [given.get(key, 0.0) for key in best], options.blend)
    scores = dict(zip(best, blended, strict=True))
    return dict(sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))


@dataclass(frozen=True, slots=True)
class RerankingRetriever:
    """A retriever whose candidates are ranked anew before they are cut."""

    retriever: Retriever
    reranker: Reranker
    options: RerankOptions
    masker: Masker

    async def rank(
        self,
        text: str,
        scope: Scope,
        *,
        method: Method = "hybrid+graph",
        limit: int = 10,
        filters: Filters | None = None,
    ) -> Retrieved:
        """The best `limit` chunks for `text` that `scope` may see: candidates in the reranker's order, then the rest of
        the retriever's ranking below them. Fewer candidates than `options.minimum` keep the retriever's order.

        Raises:
            Misconfigured, Transient: see Retriever.rank and domain.model_ports.Reranker.
        """
        wanted = max(limit, self.options.candidates)
        found = await self.retriever.rank(text, scope, method=method, limit=wanted, filters=filters)
        return await self.again(text, found, scope, limit)

    async def again(self, text: str, found: Retrieved, scope: Scope, limit: int) -> Retrieved:
        """What the retriever found for `text`, ranked anew and cut as by `rank`.

        Raises:
            Misconfigured, Transient: see domain.model_ports.Reranker.
        """
        pool = found.ranked[: self.options.candidates]
        passages = await self.retriever.passages(pool, scope)
        if len(passages) < self.options.minimum:
            return replace(found, ranked=found.ranked[:limit])
        known = {item.chunk_id: item for item in pool}
        candidates = {
            each.chunk_id: (passage_without_secrets(each, self.masker), known[each.chunk_id].score) for each in passages
        }
        scores = await rerank_scores(self.reranker, text, candidates, self.options)
        first = [replace(known[chunk_id], score=score) for chunk_id, score in scores.items()]
        lowest = min(scores.values())
        rest = [replace(item, score=min(item.score, lowest)) for item in found.ranked if item.chunk_id not in scores]
        return replace(found, ranked=(*first, *rest)[:limit])


_NO_DOCUMENT_TEXT = {"chunk_id", "document_id", "source", "injection"}
"""Fields of a passage that hold digests, the name that an administrator gave to a source, and words of ours."""

_MASKED_ALONE = [
    each.name
    for each in fields(Passage)
    if each.type in (str, tuple[str, ...]) and each.name not in {"before", "text", "after", *_NO_DOCUMENT_TEXT}
]
"""All other texts of a passage but those that are masked as one sequence."""


def passage_without_secrets(passage: Passage, masker: Masker) -> Passage:
    """The passage with the secrets in all its texts masked."""
    # a secret may begin in one chunk and end in the next
    texts = tuple(part.text for part in masker.secrets_in([*passage.before, passage.text, *passage.after]))
    place = len(passage.before)
    clean: dict[str, Any] = {"before": texts[:place], "text": texts[place], "after": texts[place + 1 :]}
    for name in _MASKED_ALONE:
        value = getattr(passage, name)
        several = (value,) if isinstance(value, str) else value
        masked = tuple(masker.secrets(each).text for each in several)
        clean[name] = masked[0] if isinstance(value, str) else masked
    return replace(passage, **clean)
