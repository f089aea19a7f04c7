"""Questions that may come next: what the sources of an answer speak of beside it. Pure."""

from collections.abc import Iterable, Sequence

from agent.state import Evidence
from agent.wording import follow_up
from domain.patterns import LinearRegex
from domain.search import Passage
from domain.text.languages import language_of

MAX_FOLLOW_UPS = 3

_NUMBERED = LinearRegex(r"\A\s*(?:\d{1,2}(?:\.\d{1,2}){0,3}[.)]?|[A-Z][.)])\s+(?P<bare>[A-Za-zÀ-ÿ].*)")
"""A heading with a number before its words."""

_SAMPLE = 300
"""Characters of a passage by which its language is told."""


def follow_ups(cited: Sequence[Passage], evidence: Iterable[Evidence]) -> tuple[str, ...]:
    """Up to three: other sections of the cited documents that were found, in the order of their score; none whose
    text is addressed to machines: what a button says is asked."""
    documents = {passage.document_id for passage in cited}
    answered = {(passage.document_id, passage.heading_path[-1:]) for passage in cited}
    asked: dict[str, None] = {}
    for item in sorted(evidence, key=lambda each: (-each.grade, -each.score, each.key)):
        passage = item.passage
        section = passage.heading_path[-1:]
        new = not passage.injection and section and (passage.document_id, section) not in answered
        # a heading that begins with the title says no more than it
        if passage.document_id in documents and new and not section[0].startswith(passage.title):
            asked[follow_up(_within_a_sentence(section[0], passage), passage.title)] = None
    return tuple(asked)[:MAX_FOLLOW_UPS]


def _within_a_sentence(heading: str, passage: Passage) -> str:
    """A heading without its number; its first word small where English writes it so."""
    numbered = _NUMBERED.match(heading)
    bare = numbered["bare"] if numbered else heading
    first = bare.split()[0]
    is_word = first.isalpha() and first[1:].islower() and not bare.endswith(("?", "？"))
    return bare[0].lower() + bare[1:] if is_word and language_of(passage.text[:_SAMPLE]) == "en" else bare
