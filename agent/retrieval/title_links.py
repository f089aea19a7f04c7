"""A document whose title the best passages name counts a little more: a page that says "see the Leave policy", or that
speaks of the author of a book, leads to the page of that name. Pure."""

import re
from collections.abc import Mapping, Sequence

from agent.retrieval.fusion import best_first
from domain.patterns import LinearRegex
from domain.search import Passage

NAMING_SHARE = 0.1
"""Of the naming in the score of a candidate; see docs/decisions/fusion.md."""

NAMING = 3
"""Best passages, of different documents, whose words are looked at."""

FADES = 0.8
"""What is named by the second of them counts for so much, by the third for the square of it."""

SHORTEST = 6
"""Letters and digits of a title: a shorter one is a common word too often."""

_WORD = re.compile(r"[^\W_]+")
_BRACKETS = LinearRegex(r"\([^()]{0,80}\)")


def with_named_titles(fused: Mapping[str, float], passages: Sequence[Passage]) -> dict[str, float]:
    """The fused scores by chunk id, each with its share of being named, best first; as they were where no title is
    named. passages: of the best candidates, best first."""
    naming: list[tuple[str, str]] = []
    for each in passages:
        if len(naming) < NAMING and all(each.document_id != document for document, _ in naming):
            naming.append((each.document_id, _words(f"{each.title} {each.text}")))
    found = {each.chunk_id: score for each in passages if (score := _named(each, naming))}
    if not found:
        return dict(fused)
    return best_first(
        {name: (1 - NAMING_SHARE) * score + NAMING_SHARE * found.get(name, 0.0) for name, score in fused.items()}
    )


def _named(passage: Passage, naming: Sequence[tuple[str, str]]) -> float:
    title = _words(_BRACKETS.sub(" ", passage.title))
    if len(title.replace(" ", "")) < SHORTEST:
        return 0.0
    for place, (document, words) in enumerate(naming):
        if document != passage.document_id and title in words:
            return FADES**place
    return 0.0


def _words(text: str) -> str:
    """The words of a text in small letters, with one blank around each."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "
