"""What comes near to a question without an answer: documents, with the words of theirs that a reader may look at."""

from collections.abc import Sequence
from textwrap import shorten

from agent.reasoner import Reasoner
from agent.retrieval.selection import current
from agent.state import Evidence, NearPassage
from domain.masking import Masker
from domain.text.sentences import LIST_ITEM

NEAREST = 3
"""Documents that are named where nothing was found."""

MAX_QUOTE_CHARACTERS = 600
"""Characters that are quoted in one piece."""


async def near_passages(
    question: str, evidence: Sequence[Evidence], reasoner: Reasoner, masker: Masker
) -> tuple[NearPassage, ...]:
    """Passages of the documents that come near: first those with words near to the question, then by grade and
    retrieval's score together, which where nothing answers tell more than either. Text to machines is not quoted."""
    ordered = sorted(current(evidence), key=lambda item: (-item.grade - item.score, item.iteration, item.key))
    plain = [item.passage for item in ordered if not item.passage.injection]
    told = await reasoner.near(question, plain) if plain else []
    quoted = [NearPassage(plain[place], _short(text, masker)) for place, text in told]
    found: dict[str, list[NearPassage]] = {}
    for each in quoted:
        found.setdefault(each.passage.document_id, []).append(each)
    for item in ordered:
        found.setdefault(item.passage.document_id, [NearPassage(item.passage)])
    return tuple(each for several in list(found.values())[:NEAREST] for each in several)


def _short(text: str, masker: Masker) -> str:
    """A text in one line, without the mark of a list before it, cut between words where it is long. It is masked
    first: no mask would know half a number."""
    masked = masker.mask(text)
    text = "" if masked.withheld else masked.text
    item = LIST_ITEM.match(text)
    line = " ".join(text[item.end() if item else 0 :].split())
    cut = shorten(line, MAX_QUOTE_CHARACTERS, placeholder="…")
    return cut if cut != "…" else f"{line[: MAX_QUOTE_CHARACTERS - 1]}…"
