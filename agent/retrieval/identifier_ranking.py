"""Passages with the identifier that a question names come first: who asks what TW-A09 is wants the passages that name
it. By its parts (`tw`), words and vectors find others that are like it. Pure."""

from collections.abc import Iterable, Mapping, Set

from agent.retrieval.fusion import best_first
from domain.search import Passage
from domain.text.codes import code_keys

IDENTIFIER_SHARE = 0.25
"""Of the identifiers in the score of a candidate, where the question asks for some; see docs/decisions/fusion.md."""

MOSTLY = 0.5
"""Share of the weight (idf) of the question's words from which it asks for identifiers, and does not just name them."""


def asked_identifiers(text: str, term_idf: Mapping[str, float]) -> Set[str]:
    """The identifiers of a question that asks for little else, as `code_keys` gives them; none of any other. term_idf:
    the weights of its words."""
    weight = sum(idf for term, idf in term_idf.items() if any(map(str.isdigit, term)))
    return code_keys([text]) if weight and weight >= MOSTLY * sum(term_idf.values()) else frozenset()


def with_identifiers(
    fused: Mapping[str, float], passages: Iterable[Passage], identifiers: Set[str]
) -> dict[str, float]:
    """The fused scores by chunk id, each with its share of the identifiers, best first; as they were where no passage
    has any. passages: of the candidates. identifiers: of the question, as `code_keys` gives them."""
    found = {each.chunk_id: share for each in passages if (share := _share(each, identifiers))}
    if not found:
        return dict(fused)
    return best_first(
        {
            name: (1 - IDENTIFIER_SHARE) * score + IDENTIFIER_SHARE * found.get(name, 0.0)
            for name, score in fused.items()
        }
    )


def _share(passage: Passage, identifiers: Set[str]) -> float:
    held = code_keys([passage.title, *passage.heading_path, passage.path, passage.text])
    return len(identifiers & held) / len(identifiers)
