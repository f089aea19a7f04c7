"""What comes near to a question without an answer: documents, with the words of theirs that a reader may look at."""

from collections.abc import Mapping
from textwrap import shorten

from agent.reasoner import Reasoner
from agent.state import Evidence, NearPassage
from domain.search import Passage
from domain.text.sentences import LIST_ITEM

NEAREST = 3
"""Documents that are named where nothing was found."""

LONGEST = 250
"""Characters that are quoted in one piece."""


async def near_passages(question: str, evidence: Mapping[str, Evidence], reasoner: Reasoner) -> tuple[NearPassage, ...]:
    """One passage each of the documents that come near: first those with words near to the question, then by grade and
    retrieval's score together, which where nothing answers tell more than either. Text to machines is not quoted."""
    ordered = sorted(evidence.values(), key=lambda item: (-item.grade - item.score, item.iteration, item.key))
    plain = [item.passage for item in ordered if not item.passage.injection]
    told = await reasoner.near(question, plain) if plain else []
    words: dict[str, list[str]] = {}
    for place, text in told:
        words.setdefault(plain[place].document_id, []).append(_short(text))
    found: dict[str, Passage] = {}
    for passage in (*(plain[place] for place, _ in told), *(item.passage for item in ordered)):
        found.setdefault(passage.document_id, passage)
    return tuple(NearPassage(each, " … ".join(words.get(name, ()))) for name, each in found.items())[:NEAREST]


def _short(text: str) -> str:
    """A text in one line, without the mark of a list before it, cut between words where it is long."""
    item = LIST_ITEM.match(text)
    line = " ".join(text[item.end() if item else 0 :].split())
    cut = shorten(line, LONGEST, placeholder="…")
    return cut if cut != "…" else f"{line[: LONGEST - 1]}…"
