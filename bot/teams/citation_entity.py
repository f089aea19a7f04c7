"""The label and the citations of an answer, as Teams shows them itself. Pure.

A message has exactly one entity of the type https://schema.org/Message; Teams refuses one with two of them, with more
than 20 citations, or with an empty appearance.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePosixPath

from bot.conversation.texts import updated
from bot.teams.card_elements import address
from bot.teams.escape import short_line
from bot.teams.limits import CITATION_ABSTRACT, CITATION_NAME, CITATIONS, ENTITY, KEYWORD, KEYWORDS, Json, size
from domain.answers import Answer, Citation
from domain.masked_answer import MaskedAnswer

_MARKER = re.compile(r"\[(\d{1,3})\]")
_ICONS = {
    "Microsoft Word": (".doc", ".docx"),
    "Microsoft Excel": (".xls", ".xlsx", ".csv"),
    "Microsoft PowerPoint": (".pptx",),
    "PDF": (".pdf",),
    "Source Code": (".py", ".js", ".ts", ".go", ".java", ".sh", ".sql"),
}
"""The endings of paths, by Teams' names of its icons; what has none of them is a text."""


def answer_entity(answer: MaskedAnswer, text: str, now: datetime) -> Json:
    """The one root entity of a message that shows an answer, or a part of it.

    text: of this message; of the answer's citations it holds those whose marker stands there. now: with a time zone.
    """
    entity: Json = {
        "type": "https://schema.org/Message",
        "@type": "Message",
        "@context": "https://schema.org",
        "@id": "",
        "additionalType": ["AIGeneratedContent"],
    }
    if isinstance(answer.outcome, Answer):
        marked = _marked(answer.outcome.citations, text)
        claims = _fitting([_claim(each, now) for each in marked], ENTITY - size(entity) - 32)
        entity |= {"citation": claims} if claims else {}
    return entity


def _marked(citations: Sequence[Citation], text: str) -> list[Citation]:
    """The citations whose marker stands in a text, in the order of their numbers, no number twice."""
    there = {int(found[1]) for found in _MARKER.finditer(text)}
    named = {each.n: each for each in reversed(citations) if each.n in there}
    return [named[n] for n in sorted(named)][:CITATIONS]


def _fitting(claims: list[Json], room: int) -> list[Json]:
    """The claims as one message takes them: where they are too long, the last ones lose their address, which the list
    of sources has, then their keywords, and then they are left out."""
    for field in ("url", "keywords"):
        for claim in reversed(claims):
            if size(claims) > room:
                claim["appearance"].pop(field, None)
    while size(claims) > room:
        claims.pop()
    return claims


def _claim(citation: Citation, now: datetime) -> Json:
    title = short_line(citation.title or citation.path or citation.url, CITATION_NAME) or f"Source {citation.n}"
    url = address(citation.url)
    ending = PurePosixPath(citation.path.partition("?")[0]).suffix.lower()
    keywords = (
        short_line(each, KEYWORD) for each in (citation.source, citation.place, updated(citation.updated_at, now, ""))
    )
    icon = next((icon for icon, endings in _ICONS.items() if ending in endings), "Text")
    appearance: Json = {
        "@type": "DigitalDocument",
        "name": title,
        **({"url": url} if url else {}),
        "abstract": short_line(citation.quote or citation.section or citation.path, CITATION_ABSTRACT) or title,
        "keywords": [each for each in keywords if each][:KEYWORDS],
        "image": {"@type": "ImageObject", "name": icon},
    }
    return {"@type": "Claim", "position": citation.n, "appearance": appearance}
