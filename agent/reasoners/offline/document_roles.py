"""Who wrote, owns or decided what a document is about, as the document says it in a line of its own: `Author: Femi`.
Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.reasoner import AnswerPart
from agent.reasoners.offline.bearing import without_light_words
from agent.retrieval.relevance import coverage
from agent.retrieval.retriever import Retrieved
from agent.state import Evidence, ReplyPiece
from domain.patterns import LinearRegex
from domain.search import Passage
from domain.text.codes import code_keys
from domain.text.tokens import Analyzer

NAMED = 0.9
"""Share of the question's words, by weight, that the title and headings of a document hold, from which it is meant."""

_GENERIC = "page document doc file article text paper who its their this that during seite dokument datei artikel"


@dataclass(frozen=True, slots=True)
class _Role:
    """How a question asks for a role, and how documents label who has it."""

    asks: LinearRegex
    label: LinearRegex
    words: str
    """What of the question names the role."""


def _role(asks: str, label: str, words: str) -> _Role:
    return _Role(
        LinearRegex(asks, before=r"^|\W", after=r"\W|\Z", ignore_case=True),
        LinearRegex(
            rf"[*_]{{0,2}}(?:{label})[*_]{{0,2}} ?:[*_]{{0,2}} +[^\n·|]{{2,120}}",
            before=r"(?:^|\n|[·|]) *(?:[-*•] +)?",
            after=r"\n|[·|]|\Z",
            ignore_case=True,
        ),
        words,
    )


_ROLES = (
    _role(
        r"who (?:wrote|authored|drafted)|who (?:is|are|was|were) the (?:authors?|writers?) of"
        r"|wer (?:hat .{2,120} (?:geschrieben|verfasst)|ist der (?:autor|verfasser) |schrieb)",
        r"(?:written by|authors?|writers?|autor(?:in)?|verfasser(?:in)?)",
        "wrote write written author authors authored writer drafted hat geschrieben verfasst autor verfasser schrieb",
    ),
    _role(
        r"who (?:is|was) (?:the |its )?(?:incident )?(?:lead|leader|commander)|who led",
        r"(?:incident )?(?:lead|leader|commander)|led by",
        "lead leader led commander incident",
    ),
    _role(
        r"who (?:decided|made the decision)|who (?:is|are|was|were) the (?:deciders?|decision[- ]makers?)",
        r"deciders?|decided by|decision makers?",
        "decided decision deciders decider made makers",
    ),
    _role(
        r"who (?:reviewed|approved|signed off)|who (?:is|are|was|were) the (?:reviewers?|approvers?)",
        r"reviewers?|reviewed by|approvers?|approved by",
        "reviewed reviewer reviewers approved approver approvers signed off",
    ),
)


def labelled(asked: str, part: AnswerPart, items: Sequence[Evidence], measure: Retrieved) -> list[ReplyPiece]:
    """Who has the role that a question asks for, quoted from the one document that its other words name; nothing where
    it asks for no role, or where no document, or more than one, is meant and says it.

    asked: the question, or the part of it that asks. items: the evidence for the part. measure: of all its words.
    """
    role = next((each for each in _ROLES if each.asks.search(asked)), None)
    if role is None:
        return []
    analyzer = Analyzer(measure.stemming)
    light = set(analyzer.tokens(" ".join((_GENERIC, *(each.words for each in _ROLES)))))
    weights = {term: weight for term, weight in without_light_words(measure).term_idf.items() if term not in light}
    found: dict[str, ReplyPiece] = {}
    for position, item in zip(part.items, items, strict=True):
        passage = item.passage
        line = None if passage.injection else role.label.search(passage.text)
        if line and weights and _is_meant(passage, asked, weights, measure, analyzer):
            said = line[0].strip()
            piece = ReplyPiece(f"{passage.title} – {said}", said, source=position, confidence=item.score)
            found.setdefault(passage.document_id, piece)
    return list(found.values()) if len(found) == 1 else []


def _is_meant(
    passage: Passage, asked: str, weights: Mapping[str, float], measure: Retrieved, analyzer: Analyzer
) -> bool:
    """Whether the title and headings of a passage hold what a question names."""
    named = (passage.title, *passage.heading_path)
    held = measure.widened(analyzer.tokens(" ".join(named)))
    return coverage(held, weights) >= NAMED and code_keys([asked]) <= code_keys(named)
