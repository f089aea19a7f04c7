"""How a reply is followed over lost connections, without any connection."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from kb_agent_client import (
    Accepted,
    ApiProblem,
    Event,
    Finished,
    NothingThere,
    NotInTime,
    NotReached,
    Restart,
    Spoken,
    TooManyRequests,
)
from kb_agent_client.following import MAX_LOSSES, Following

OUTCOME = {"number": 7, "conversation": "c", "outcome": {"result": "answered", "text": "One. Two."}, "added later": 1}


def lines(*events: tuple[str, Any]) -> list[str]:
    return [line for name, data in events for line in (f"event: {name}", f"data: {json.dumps(data)}", "")]


def heard(following: Following, *events: tuple[str, Any]) -> list[Event]:
    return [event for line in lines(*events) for event in following.hear(line)]


ACCEPTED = ("question", {"number": 7, "conversation": "c"})


@pytest.fixture
def following() -> Following:
    return Following.asking(100.0, "How many?", None, None)


def test_a_question_is_sent_again_with_the_same_key_until_it_is_accepted(following: Following) -> None:
    first = following.call()
    following.lost()
    again = following.call()
    assert (again.method, again.path, again.headers["Idempotency-Key"]) == (
        "POST",
        "/ask",
        first.headers["Idempotency-Key"],
    )
    assert heard(following, ACCEPTED) == [Accepted(7, "c")]
    following.lost()
    assert (following.call().method, following.call().path) == ("GET", "/questions/7/events")
    assert heard(following, ACCEPTED) == []


def test_each_part_is_said_once(following: Following) -> None:
    assert heard(following, ACCEPTED, ("sentence", {"text": "One. "}))[1:] == [Spoken("One. ")]
    following.lost()
    following.call()
    assert heard(following, ACCEPTED, ("sentence", {"text": "One. Two."})) == [Spoken("Two.")]
    (last,) = heard(following, ("outcome", {**OUTCOME, "replaces": False, "corrected": False}))
    assert isinstance(last, Finished)
    assert last.outcome.answered
    assert following.ended()


def test_what_does_not_hold_any_more_is_said_anew(following: Following) -> None:
    heard(following, ACCEPTED, ("sentence", {"text": "One. "}))
    following.lost()
    assert heard(following, ("sentence", {"text": "Three."})) == [Restart(), Spoken("Three.")]
    assert heard(following, ("again", {"attempt": 2}), ("sentence", {"text": "Four."})) == [Restart(), Spoken("Four.")]


def test_comments_and_kinds_of_a_later_service_are_no_events(following: Following) -> None:
    assert list(following.hear(": waiting")) == []
    assert heard(following, ("dance", {"steps": 3})) == []


def test_a_service_that_is_away_is_given_up(following: Following) -> None:
    for _ in range(MAX_LOSSES):
        following.lost(OSError("no way"))
    with pytest.raises(NotReached, match="no way"):
        following.lost(OSError("no way"))


def test_an_event_between_losses_counts(following: Following) -> None:
    for _ in range(3 * MAX_LOSSES):
        following.lost()
        heard(following, ("stage", {"stage": "plan", "iteration": 1}))


def ticking() -> Iterator[float]:
    yield from (0.0, 1.0, 11.0, 11.0)


def test_a_reply_that_takes_too_long_has_its_number() -> None:
    moments = ticking()
    following = Following(10.0, 7, clock=lambda: next(moments))
    assert list(following.hear("")) == []
    with pytest.raises(NotInTime) as raised:
        list(following.hear(""))
    assert raised.value.number == 7


def test_problems_are_raised_by_their_kind(following: Following) -> None:
    problem = json.dumps({"title": "Too much", "status": 429, "code": "too_many_requests"}).encode()
    with pytest.raises(TooManyRequests, match="Too much") as raised:
        following.refused(429, {"Retry-After": "60"}, problem)
    assert (raised.value.code, raised.value.retry_after) == ("too_many_requests", 60.0)
    heard(following, ACCEPTED)
    following.refused(503, {"Retry-After": "5"}, b"<html>of a proxy")
    assert following.pause == 5.0, "a reply that was followed before is followed again"
    with pytest.raises(NothingThere):
        following.refused(404, {}, b"{}")
    with pytest.raises(ApiProblem, match="no answer in time"):
        heard(following, ("problem", {"title": "There was no answer in time", "status": 503, "code": "late"}))


def test_what_is_no_event_is_no_event(following: Following) -> None:
    no_questions: list[Any] = [{"number": "seven", "conversation": "c"}, {"number": 7}, [], None]
    for wrong in no_questions:
        with pytest.raises(NotReached):
            heard(following, ("question", wrong))
