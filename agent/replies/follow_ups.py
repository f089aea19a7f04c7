"""Questions that may come next: what the sources of an answer speak of beside it. Pure."""

from collections.abc import Iterable, Sequence

from agent.state import Evidence
from agent.wording import follow_up
from domain.search import Passage

MOST = 3


def follow_ups(cited: Sequence[Passage], evidence: Iterable[Evidence]) -> tuple[str, ...]:
    """Up to three: other sections of the cited documents that were found, in the order of their score; none whose
    text is addressed to machines: what a button says is asked."""
    documents = {passage.document_id for passage in cited}
    answered = {(passage.document_id, passage.heading_path[-1:]) for passage in cited}
    asked: dict[str, None] = {}
    for item in sorted(evidence, key=lambda each: (-each.grade, -each.score, each.key)):
        passage = item.passage
        section = passage.heading_path[-1:]
        new = (
            not passage.injection
            and section
            and section[0] != passage.title
            and (passage.document_id, section) not in answered
        )
        if passage.document_id in documents and new:
            asked[follow_up(section[0], passage.title)] = None
    return tuple(asked)[:MOST]
