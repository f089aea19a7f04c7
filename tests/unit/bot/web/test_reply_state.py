"""The events that lead from one state of a reply to another."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.web.models import CitedSource, NearestBody, NearQuoteBody, OutcomeBody, OutcomeEvent, SentenceEvent
from bot.web.reply_state import NOTHING, ReplyState, events, state_of

WORKING = ReplyState(1, 3, stage="search", iteration=1, percent=20, words="Searching")
WRITING = replace(WORKING, step=5, stage="write", words="Writing", percent=80, written="One. [1] ")
ENDED = replace(
    WRITING, step=7, written="One. [1] Two. [2]", outcome=OutcomeBody(result="answered", text="One. [1] Two. [2]")
)


def names(before: ReplyState, now: ReplyState) -> list[str]:
    return [name for name, _ in events(before, now, 7, "c")]


def test_who_follows_from_the_beginning_hears_each_step() -> None:
    assert names(NOTHING, WORKING) == ["stage", "progress"]
    assert names(WORKING, replace(WORKING, step=4)) == []
    assert names(WORKING, WRITING) == ["stage", "progress", "sentence"]
    assert names(WRITING, ENDED) == ["sentence", "sources", "outcome"]


def test_who_comes_late_hears_the_outcome_with_all_sentences() -> None:
    assert names(NOTHING, ENDED) == ["sentence", "sources", "outcome"]
    (_, said), *_, (_, outcome) = events(NOTHING, ENDED, 7, "c")
    assert isinstance(said, SentenceEvent)
    assert isinstance(outcome, OutcomeEvent)
    assert (said.text, outcome.replaces, outcome.number) == ("One. [1] Two. [2]", False, 7)


def test_an_outcome_that_leaves_out_what_was_said_says_that_it_replaces_it() -> None:
    closed = replace(ENDED, outcome=OutcomeBody(result="answered", text="Two. [1]"))
    *_, (_, outcome) = events(WRITING, closed, 7, "c")
    assert isinstance(outcome, OutcomeEvent)
    assert outcome.replaces


def test_another_attempt_takes_back_what_the_one_before_said() -> None:
    again = replace(WRITING, attempt=2, step=1, written="")
    assert names(WRITING, again)[0] == "again"
    anew = replace(again, step=2, written="Other. [1]")
    assert [each.text for _, each in events(WRITING, anew, 7, "c") if isinstance(each, SentenceEvent)] == ["Other. [1]"]


def test_a_state_is_read_as_it_was_kept() -> None:
    for each in (NOTHING, WORKING, ENDED):
        assert state_of(each.as_json()) == each


SOURCE = CitedSource(
    n=1, title="t", url="", path="", source="", document_id="", chunk_id="", section="", place="", quote="",
    updated_at=None,
)  # fmt: skip
NEAREST = NearestBody(
    title="t",
    url="",
    path="",
    owner="",
    document_id="",
    updated_at=None,
    quotes=(NearQuoteBody(words="w", chunk_id=""),),
)
FULL = replace(ENDED, outcome=OutcomeBody(result="answered", text="One.", sources=(SOURCE,), nearest=(NEAREST,)))


def with_a_new_field(kept: Mapping[str, Any], *place: str | int) -> dict[str, Any]:
    """A kept state with a field more at a place in it."""
    changed: Any = json.loads(json.dumps(kept))
    at = changed
    for each in place:
        at = at[each]
    at["of_a_newer_release"] = {"any": 1}
    return dict(changed)


@pytest.mark.parametrize(
    "place",
    [
        (),
        ("outcome",),
        ("outcome", "sources", 0),
        ("outcome", "nearest", 0),
        ("outcome", "nearest", 0, "quotes", 0),
    ],
)
def test_a_field_that_a_newer_release_keeps_is_left_out(place: tuple[str | int, ...]) -> None:
    assert state_of(with_a_new_field(FULL.as_json(), *place)) == FULL
