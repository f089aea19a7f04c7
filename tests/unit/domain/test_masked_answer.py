import copy
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from domain.masked_answer import WITHHELD, MaskedAnswer, masked_answer
from domain.masking import MaskedText, Masker

KEY = "ghp_" + "k9T2" * 9
MASKER = Masker()
TRACE = Trace(
    iterations=1,
    tool_calls=(
        ToolCall(
            f"tool {KEY}",
            {"query": KEY, "many": [KEY, 1, {"deep": (KEY, None, True)}], KEY: 0.5, "odd": KeyError(KEY)},
            1.5,
            2,
            error=KEY,
            note=f"read {KEY}",
        ),
    ),
    reasoning=(f"part 1: {KEY}", "nothing here"),
    timings_ms={"total": 3.0},
    evidence=(EvidenceNote("c1", "d1", f"{KEY}.md", ("hybrid_search",), 0.5, 0.25, 1),),
)
CITATION = Citation(1, KEY, f"https://x/{KEY}", KEY, KEY, "d1", KEY, KEY, KEY, datetime(2026, 1, 2, tzinfo=UTC))
NEAREST = NearestDocument(KEY, KEY, KEY, KEY, None, quotes=(NearQuote(KEY, "c"),))
OUTCOMES: tuple[Outcome, ...] = (
    Answer(f"It is {KEY}. [1]", (CITATION,), 0.5, KEY, TRACE, (f"And {KEY}?",)),
    NotFound(KEY, TRACE, (NEAREST,), KEY),
    Declined(KEY, TRACE),
    Failed(KEY, TRACE, misconfigured=True),
)


def texts(value: object) -> list[str]:
    """Every text in a value, whatever it is made of."""
    match value:
        case str():
            return [value]
        case dict():
            return [text for pair in value.items() for part in pair for text in texts(part)]
        case list() | tuple() | set():
            return [text for each in value for text in texts(each)]
        case _ if is_dataclass(value):
            return [text for field in fields(value) for text in texts(getattr(value, field.name))]
        case _:
            return [repr(value)]


class Withholds(Masker):
    """Gives up on texts that hold a word."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self._word = word

    def mask(self, text: str) -> MaskedText:
        return MaskedText("[withheld]", withheld=True) if self._word in text else super().mask(text)


@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda each: type(each).__name__)
def test_every_text_of_every_outcome_is_masked(outcome: Outcome) -> None:
    assert any(KEY in text for text in texts(outcome))
    shown = masked_answer(outcome, MASKER).outcome
    assert type(shown) is type(outcome)
    assert not [text for text in texts(shown) if KEY in text]
    assert any("[masked: github token]" in text for text in texts(shown))


@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda each: type(each).__name__)
def test_masking_once_more_changes_nothing(outcome: Outcome) -> None:
    once = masked_answer(outcome, MASKER)
    assert masked_answer(once.outcome, MASKER) == once


def test_what_is_no_text_stays() -> None:
    shown = masked_answer(OUTCOMES[0], MASKER).outcome
    assert isinstance(shown, Answer)
    assert (shown.confidence, shown.trace.iterations, shown.trace.timings_ms) == (0.5, 1, {"total": 3.0})
    (citation,), (note,), (call,) = shown.citations, shown.trace.evidence, shown.trace.tool_calls
    assert (citation.n, citation.document_id, citation.updated_at) == (1, "d1", CITATION.updated_at)
    assert (note.chunk_id, note.score, note.grade, note.tools) == ("c1", 0.5, 0.25, ("hybrid_search",))
    many = call.args["many"]
    assert many == [MASKER.mask(KEY).text, 1, {"deep": [MASKER.mask(KEY).text, None, True]}]
    failed = masked_answer(OUTCOMES[3], MASKER).outcome
    assert isinstance(failed, Failed)
    assert failed.misconfigured


def test_an_answer_that_cannot_be_checked_fails_in_plain_words() -> None:
    shown = masked_answer(OUTCOMES[0], Withholds("It is")).outcome
    assert isinstance(shown, Failed)
    assert shown.words.startswith("The answer was withheld: it could not be checked for secrets. Ask again in other")
    assert shown.message == WITHHELD
    assert not [text for text in texts(shown) if KEY in text]


def test_another_text_that_cannot_be_checked_is_its_notice() -> None:
    strange = replace(CITATION, quote="strange", title="fine")
    shown = masked_answer(Answer("Yes. [1]", (strange,), 1.0), Withholds("strange")).outcome
    assert isinstance(shown, Answer)
    assert (shown.text, shown.citations[0].title, shown.citations[0].quote) == ("Yes. [1]", "fine", "[withheld]")


@pytest.mark.parametrize("seal", [None, object(), True, MASKER])
def test_nobody_else_makes_one(seal: object) -> None:
    made: Any = MaskedAnswer
    with pytest.raises(TypeError):
        made(OUTCOMES[0], seal)
    with pytest.raises(TypeError):
        made(OUTCOMES[0])


def test_another_outcome_cannot_be_put_into_one() -> None:
    shown = masked_answer(OUTCOMES[2], MASKER)
    with pytest.raises((TypeError, ValueError)):
        replace(shown, outcome=OUTCOMES[0])  # type: ignore[call-arg] # that is what is tried
    with pytest.raises(AttributeError):
        shown.outcome = OUTCOMES[0]  # type: ignore[misc] # that is what is tried
    assert copy.copy(shown) == shown


WORDS = st.text(max_size=40) | st.sampled_from([KEY, f"the token {KEY} is", "password=tr0ub4dor&3", "a@b"])


@settings(max_examples=60)
@given(WORDS, WORDS, WORDS)
def test_whatever_the_texts_what_is_shown_would_not_be_masked_again(text: str, quote: str, word: str) -> None:
    trace = Trace(tool_calls=(ToolCall("search", {"q": [word, {word: quote}]}, 1.0, 0),), reasoning=(word,))
    outcome = Answer(text, (replace(CITATION, quote=quote),), 1.0, word, trace, (quote,))
    shown = masked_answer(outcome, MASKER)
    assert masked_answer(shown.outcome, MASKER) == shown
    assert not [each for each in texts(shown.outcome) if KEY in each]
