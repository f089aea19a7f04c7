"""What may be shown of an outcome: every text of it masked. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import InitVar, dataclass, fields, replace
from re import escape
from typing import Any, TypeVar, final

from domain.answers import (
    Answer,
    Citation,
    Declined,
    EvidenceNote,
    Failed,
    NearestDocument,
    NearQuote,
    NotFound,
    Outcome,
    ToolCall,
    Trace,
)
from domain.masking import Masker
from domain.patterns import LinearRegex
from domain.text.encodable import encodable
from domain.translation import translated

WITHHELD = "The answer was withheld: it could not be checked for secrets"
IN_OTHER_WORDS = "Ask again in other words; if it stays so, tell whoever runs this service."
"""What stands in the place of an answer that the masker gave up on."""

_SEAL = object()
"""Known to this module alone: what has it was masked here."""

Text = Callable[[str], str]
T = TypeVar("T", Answer, NotFound, Declined, Failed, Citation, NearestDocument, NearQuote, ToolCall, EvidenceNote)

_IDS = {"document_id", "chunk_id"}
"""Texts of a citation or a near document that only the product reads."""


@final
@dataclass(frozen=True, slots=True)
class MaskedAnswer:
    """An outcome that may leave: whatever renders one takes nothing else. Only `masked_answer` makes them.

    Raises:
        TypeError: somebody else tries to.
    """

    outcome: Outcome
    seal: InitVar[object]

    def __post_init__(self, seal: object) -> None:
        if seal is not _SEAL:
            raise TypeError("only domain.masked_answer.masked_answer makes a MaskedAnswer")


def masked_answer(outcome: Outcome, masker: Masker, asked: str = "") -> MaskedAnswer:
    """The outcome with every text masked, its trace included. Masking what was masked before changes nothing.

    asked: the question. Searches take it apart, and a part of an address or a number is none any more: what of it is
    secret or personal is hidden in the trace and in what was searched for word by word.

    An answer whose own text the masker withholds becomes Failed; any other text that it withholds is its notice.
    """

    def text(given: str) -> str:
        return masker.mask(encodable(given)).text if given else ""

    pieces = _pieces(asked, masker)

    def without_pieces(given: str) -> str:
        return pieces.sub("[masked: personal data]", text(given)) if pieces else text(given)

    trace = _trace(outcome.trace, without_pieces)
    match outcome:
        case Answer():
            reply = masker.mask(encodable(outcome.text))
            shown: Outcome = (
                Failed(translated(WITHHELD), trace, advice=translated(IN_OTHER_WORDS))
                if reply.withheld
                else _answer(outcome, reply.text, trace, text)
            )
        case NotFound():
            near = tuple(_near(each, text) for each in outcome.nearest)
            searched = without_pieces(outcome.searched)
            shown = _with_texts(outcome, text, "notice", searched=searched, trace=trace, nearest=near)
        case Declined():
            shown = _with_texts(outcome, text, "reason", trace=trace)
        case Failed():
            shown = _with_texts(outcome, text, "message", "advice", "why", "next_step", trace=trace)
    return MaskedAnswer(shown, _SEAL)


def _pieces(asked: str, masker: Masker) -> LinearRegex | None:
    """The words of what is masked in a question; None where nothing is."""
    found = (asked[each.start : each.end] for each in masker.mask(encodable(asked)).findings)
    words = {word for part in found for word in _LONG_OR_NUMBER.findall(part)}
    if not words:
        return None
    either = "|".join(escape(word) for word in sorted(words, key=len, reverse=True))
    return LinearRegex(either, before=r"^|\W|\\b", after=r"\W|\Z", ignore_case=True)


_LONG_OR_NUMBER = LinearRegex(r"\w{4,}|\d{2,}")


def _answer(answer: Answer, reply: str, trace: Trace, text: Text) -> Answer:
    return Answer(
        text=reply,
        citations=tuple(_with_texts(each, text, *_shown(each)) for each in answer.citations),
        confidence=answer.confidence,
        notice=text(answer.notice),
        trace=trace,
        follow_ups=tuple(text(each) for each in answer.follow_ups),
        partial=answer.partial,
    )


def _shown(value: Citation | NearestDocument) -> list[str]:
    """The names of the fields with text that a reader sees: all that are not ids, so that a new one is masked, too."""
    return [each.name for each in fields(value) if isinstance(getattr(value, each.name), str) and each.name not in _IDS]


def _near(near: NearestDocument, text: Text) -> NearestDocument:
    quotes = tuple(_with_texts(each, text, "words") for each in near.quotes)
    return _with_texts(near, text, *_shown(near), quotes=quotes)


def _with_texts(value: T, text: Text, *names: str, **others: Any) -> T:
    """A value with the texts of these fields masked, and other fields as given."""
    masked: dict[str, Any] = {name: text(getattr(value, name)) for name in names}
    return replace(value, **masked, **others)


def _trace(trace: Trace, text: Text) -> Trace:
    return replace(
        trace,
        tool_calls=tuple(_call(each, text) for each in trace.tool_calls),
        reasoning=tuple(text(line) for line in trace.reasoning),
        evidence=tuple(_with_texts(each, text, "path") for each in trace.evidence),
    )


def _call(call: ToolCall, text: Text) -> ToolCall:
    args = {text(name): _value(value, text) for name, value in call.args.items()}
    return _with_texts(call, text, "name", "note", "error", args=args)


def _value(value: object, text: Text) -> object:
    """A value of any kind with its texts masked; what is no text, number, list or table becomes a masked text."""
    match value:
        case str():
            return text(value)
        case None | bool() | int() | float():
            return value
        case list() | tuple() | set() | frozenset():
            return [_value(each, text) for each in value]
        case Mapping():
            return {text(str(name)): _value(each, text) for name, each in value.items()}
        case _:
            return text(str(value))
