"""Who wrote, owns or decided what a document is about, as the document says it in a line of its own: `Author: Femi`.
Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.questions.patterns import kind
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
        LinearRegex(rf"[*_]{{0,2}}(?:{label})[*_]{{0,2}} ?:[*_]{{0,2}} +.{{2,120}}", ignore_case=True),
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
        r"who reviewed|who (?:is|are|was|were) the reviewers?",
        r"reviewers?|reviewed by",
        "reviewed reviewer reviewers",
    ),
    _role(
        r"who (?:approved|signed off)|who (?:is|are|was|were) the approvers?",
        r"approvers?|approved by",
        "approved approver approvers signed off",
    ),
)
_OTHER_OBJECT = LinearRegex(r"\s*(?:to|about|in|at|on|for|with)", after=r"\W|\Z", ignore_case=True)
"""Behind `who wrote`: no document that was written."""
_PARTED = LinearRegex(r"[\n·|]")
_NEXT_LABEL = LinearRegex(r"\s+[*_]{0,2}[A-ZÄÖÜ][\w-]{1,20}(?: [a-zäöü]{1,12}){0,2}[*_]{0,2} ?:")
"""Lines of one paragraph may stand in one line."""


def labelled(asked: str, part: AnswerPart, items: Sequence[Evidence], measure: Retrieved) -> list[ReplyPiece]:
    """Who has the role that a question asks for, quoted from the one document that its other words name; nothing where
    it asks for no role, or where no document, or more than one, is meant and says it.

    asked: the question, or the part of it that asks. items: the evidence for the part. measure: of all its words.
    """
    matches = ((each, each.asks.search(asked)) for each in _ROLES)
    role, match = next(((each, match) for each, match in matches if match), (None, None))
    if role is None or match is None or not _asks_who(asked) or _OTHER_OBJECT.match(asked[match.end() :]):
        return []
    analyzer = Analyzer(measure.stemming)
    light = set(analyzer.tokens(" ".join((_GENERIC, *(each.words for each in _ROLES)))))
    weights = {term: weight for term, weight in without_light_words(measure).term_idf.items() if term not in light}
    found: dict[str, ReplyPiece] = {}
    for position, item in zip(part.items, items, strict=True):
        passage = item.passage
        lines = [] if passage.injection else [each for each in _lines(passage.text) if role.label.fullmatch(each)]
        if len(lines) == 1 and weights and _is_meant(passage, asked, weights, measure, analyzer):
            piece = ReplyPiece(f"{passage.title} – {lines[0]}", lines[0], source=position, confidence=item.score)
            found.setdefault(passage.document_id, piece)
    return list(found.values()) if len(found) == 1 else []


def _lines(text: str) -> Iterator[str]:
    """The lines of a text without marks of lists, and their parts that begin with a label."""
    for line in _PARTED.split(text):
        places = [0, *(match.start() for match in _NEXT_LABEL.finditer(line)), len(line)]
        yield from (line[start:end].strip(" \t-•") for start, end in pairwise(places))


def _asks_who(asked: str) -> bool:
    """Whether a question is for a person alone: `When was it, and who led it?` is not."""
    return asked.strip().lower().startswith(("who ", "wer ")) or kind(asked) == "person"


def _is_meant(
    passage: Passage, asked: str, weights: Mapping[str, float], measure: Retrieved, analyzer: Analyzer
) -> bool:
    """Whether the title and headings of a passage hold what a question names."""
    named = (passage.title, *passage.heading_path)
    held = measure.widened(analyzer.tokens(" ".join(named)))
    return coverage(held, weights) >= NAMED and code_keys([asked]) <= code_keys(named)
