"""For a question that leads from one document to the next, each further place goes to a passage that holds words of the
question which those before it lack. Pure."""

from collections.abc import Mapping, Sequence

from agent.retrieval.relevance import LEAST_WEIGHT
from domain.search import Passage
from domain.text.tokens import Analyzer

COVERED = 20
"""Best candidates whose order may change."""

COVER_SHARE = 0.3
"""Of the words that no better passage holds in the score by which the next place is given; see
docs/decisions/fusion.md."""


def covering(
    fused: Mapping[str, float], passages: Sequence[Passage], term_idf: Mapping[str, float], analyzer: Analyzer
) -> dict[str, float]:
    """The fused scores by chunk id, the best of them in the order of a greedy cover of the question's words: the first
    stays, the next is the one with the highest sum of its score and the share, by weight, of the words that none before
    it holds. The scores themselves stay, in falling order.

    fused: best first. passages: of the best. term_idf: the weights of the question's words.
    """
    texts = {each.chunk_id: each for each in passages}
    best = [name for name in list(fused)[:COVERED] if name in texts]
    words = {name: _words(texts[name], analyzer) for name in best}
    left = {term: max(LEAST_WEIGHT, weight) for term, weight in term_idf.items()}
    whole = sum(left.values())
    if not whole:
        return dict(fused)

    def worth(name: str) -> float:
        new = sum(weight for term, weight in left.items() if term in words[name])
        return (1 - COVER_SHARE) * fused[name] + COVER_SHARE * new / whole

    order: list[str] = []
    while len(order) < len(best):
        waiting = [name for name in best if name not in order]
        order.append(max(waiting, key=worth) if order else waiting[0])
        left = {term: weight for term, weight in left.items() if term not in words[order[-1]]}
    places = iter(order)
    names = [next(places) if name in words else name for name in fused]
    return dict(zip(names, fused.values(), strict=True))


def _words(passage: Passage, analyzer: Analyzer) -> frozenset[str]:
    return frozenset(analyzer.tokens(f"{passage.title} {passage.text}"))
