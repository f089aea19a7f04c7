"""Teams is busy, breaks off, is silent, or does not want what it gets: one visible outcome, as far as can be known."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from domain.answers import Answer, NotFound, Outcome, Question
from domain.scope_reason import ScopeReason
from tests.fakes.teams import Conversation, Fault, Message, Person, citations, labelled, plain
from tests.fakes.teams.records import Call, Operation, TeamsError
from tests.flows.teams.led import SAID, Led, cited, leading

CLEAR = {
    "412": Fault.status_of(412, "PreconditionFailed"),
    "429": Fault.throttled(0.2),
    "429 without a word": Fault.throttled(None),
    "502": Fault.gateway(502),
    "504": Fault.gateway(504),
    "500": Fault.status_of(500, "ServiceError"),
    "reset": Fault.reset(),
    "hang": Fault.hang(0.3),
}
"""What is not done."""

LATE = {
    "502 late": Fault.gateway(502, late=True),
    "504 late": Fault.gateway(504, late=True),
    "garbage": Fault.garbage(),
    "reset late": Fault.reset(late=True),
    "hang late": Fault.hang(0.3, late=True),
}
"""What is done although it seems otherwise."""

EVERYDAY = {"412", "429", "502", "reset", "garbage", "hang late"}
"""One of each kind; what is met with the others is recovered in the same way."""
FAULTS = pytest.mark.parametrize(
    "fault", [pytest.param(each, marks=() if each in EVERYDAY else pytest.mark.slow) for each in CLEAR | LATE]
)


@pytest.fixture
async def led() -> AsyncIterator[Led]:
    async with leading() as opened:
        yield opened


@pytest.fixture
def ann(led: Led) -> Person:
    return led.teams.add_person("ann")


@pytest.fixture
def group(led: Led, ann: Person) -> Conversation:
    return led.teams.add_group([ann])


def failed(led: Led, operation: Operation) -> int:
    """How many calls of an operation that held the outcome failed."""
    return len([each for each in led.teams.calls(operation) if SAID in str(each.body.get("text")) and not each.ok])


def outcomes(shown: list[Message]) -> list[Message]:
    """What is seen of outcomes, each checked."""
    found = [each for each in shown if SAID in each.text]
    assert all(labelled(each) and citations(each) for each in found)
    assert all(plain(each).count(SAID) == 1 for each in found)
    return found


@FAULTS
async def test_a_sign_survives(led: Led, ann: Person, group: Conversation, fault: str) -> None:
    led.teams.fail("send", (CLEAR | LATE)[fault])
    shown = await led.answered(ann, group)
    assert await led.ending() == ("posted", "answered")
    assert len(outcomes(shown)) == 1
    assert len(shown) == 1 + (fault in LATE), "a sign of which nobody knows the id stays"
    assert led.twice() is not fault.startswith(("412", "429"))


@FAULTS
async def test_a_changed_message_survives(led: Led, ann: Person, group: Conversation, fault: str) -> None:
    led.teams.fail("update", (CLEAR | LATE)[fault], holding=SAID)
    (only,) = await led.answered(ann, group)
    assert await led.ending() == ("posted", "answered")
    assert failed(led, "update") == 1
    assert outcomes([only]) == [only]
    assert not led.twice()


@pytest.mark.parametrize("operation", ["stream", "final"])
@FAULTS
async def test_a_stream_survives(led: Led, ann: Person, operation: str, fault: str) -> None:
    led.teams.fail(operation, (CLEAR | LATE)[fault])
    shown = await led.answered(ann, led.teams.personal(ann))
    assert await led.ending() == ("posted", "answered")
    assert len(outcomes(shown)) == 1
    assert len(shown) == 1 + (operation == "stream" and fault in LATE)


@FAULTS
async def test_chunks_of_a_stream_may_get_lost(led: Led, ann: Person, fault: str) -> None:
    number = await led.asked(led.teams.say(ann, led.teams.personal(ann), "How many days?"))
    led.teams.fail("stream", (CLEAR | LATE)[fault], holding="%")
    await led.answer(number)
    assert not led.teams.api.faults["stream"]
    (only,) = led.teams.seen(led.teams.personal(ann).id)
    assert outcomes([only]) == [only]
    assert not led.twice()


TOO_BIG = Fault.status_of(413, "MessageSizeTooBig")
UNKNOWN = Fault.status_of(400, "BadArgument")


@pytest.mark.parametrize("kind", ["message", "stream"])
async def test_what_is_too_large_comes_as_labelled_text(led: Led, ann: Person, group: Conversation, kind: str) -> None:
    for operation in ("update", "final"):
        led.teams.fail(operation, TOO_BIG, holding=SAID)
    (only,) = await led.answered(ann, group if kind == "message" else led.teams.personal(ann))
    assert await led.ending() == ("posted", "answered")
    assert (failed(led, "update"), failed(led, "final")) == (1, kind == "stream")
    assert SAID in only.text
    assert labelled(only)
    assert not citations(only)
    assert not only.body.get("attachments")


async def test_what_comes_as_text_has_nothing_alive_in_it(led: Led, ann: Person, group: Conversation) -> None:
    bait = "![x](https://evil.example/p.png) <at>all</at> **b** https://evil.example"
    code = "\n".join(["```", *(f"{number} {bait}" for number in range(300)), "```"])

    def long(question: Question) -> Outcome:
        found = cited(question)
        assert isinstance(found, Answer)
        return replace(found, text=f"{SAID} [1]\n\n{code}\n\nAnd {bait} `{bait}`")

    led.answers.outcome = long
    whole = await led.answered(ann, group)
    led.teams.fail("update", TOO_BIG, holding=SAID)
    shown = [each for each in await led.answered(ann, group) if each not in whole]
    assert len(shown) > 2
    assert all(labelled(each) for each in shown)
    assert not any(each.body.get("attachments") for each in shown)
    words = "\n".join(spoken(each.text) for each in shown)
    assert "evil.example" not in words
    assert "<at" not in "\n".join(each.text for each in shown)


def spoken(text: str) -> str:
    """A message's text without its code."""
    return re.sub(r"`[^`\n]+`", "", re.sub(r"(?ms)^```\n.*?\n```$", "", text))


@pytest.mark.parametrize("status", [400, 403])
async def test_a_card_that_teams_does_not_take_costs_the_reply_nothing(
    led: Led, ann: Person, group: Conversation, status: int
) -> None:
    def refuse(call: Call) -> None:
        if call.body.get("attachments"):
            raise TeamsError(status, "BadArgument", "No cards here")

    led.teams.before("send", refuse)
    led.answers.outcome = lambda _: NotFound("all", scope_reason=ScopeReason(shared=True))
    (shown,) = await led.answered(ann, group)
    assert "nothing good enough" in shown.text
    shows = [each for each in led.teams.calls("update") if "nothing good enough" in str(each.body.get("text"))]
    assert len(shows) == 1, "it is shown once"
    assert await led.ending() == ("posted", "not_found")


@pytest.mark.parametrize("times", [1, 9])
async def test_a_change_that_is_bad_for_teams_becomes_a_new_message(
    led: Led, ann: Person, group: Conversation, times: int
) -> None:
    led.teams.fail("update", UNKNOWN, times, holding=SAID)
    (only,) = await led.answered(ann, group)
    assert failed(led, "update") == 1
    assert await led.ending() == ("posted", "answered")
    assert outcomes([only]) == [only]


async def test_a_sign_that_teams_does_not_know_any_more_is_followed_by_the_answer(
    led: Led, ann: Person, group: Conversation
) -> None:
    number = await led.asked(led.teams.say(ann, group, "How many days?"))
    group.messages.pop(led.teams.seen(group.id)[0].id)
    await led.answer(number)
    (only,) = led.teams.seen(group.id)
    assert outcomes([only]) == [only]
    assert await led.ending() == ("posted", "answered")


async def test_a_long_answer_comes_in_parts(led: Led, ann: Person, group: Conversation) -> None:
    paragraphs = [f"Part {number}. " + "Everybody knows that. " * 40 + "[1]" for number in range(40)]

    def long(question: Question) -> Outcome:
        found = cited(question)
        assert isinstance(found, Answer)
        return replace(found, text="\n\n".join(paragraphs))

    led.answers.outcome = long
    shown = await led.answered(ann, group)
    assert len(shown) > 2
    words = "\n".join(each.text for each in shown)
    assert [words.count(f"Part {number}.") for number in range(40)] == [1] * 40
    assert not led.twice()


async def test_where_the_bot_was_removed_the_question_is_unreachable(
    led: Led, ann: Person, group: Conversation
) -> None:
    said = led.teams.say(ann, group, "How many days?")
    group.installed = False
    await led.asked(said)
    assert await led.ending() == ("failed", "unreachable")


async def test_removed_while_it_is_answered(led: Led, ann: Person, group: Conversation) -> None:
    number = await led.asked(led.teams.say(ann, group, "How many days?"))
    group.installed = False
    await led.answer(number)
    assert await led.ending() == ("failed", "unreachable")


@pytest.mark.parametrize("status", [403, 404])
async def test_a_sign_that_cannot_be_changed_gives_way(led: Led, ann: Person, group: Conversation, status: int) -> None:
    led.teams.fail("update", Fault.status_of(status, "ActivityNotFoundInConversation"), None)
    (only,) = await led.answered(ann, group)
    assert outcomes([only]) == [only]


async def test_without_streams_a_message_is_changed(led: Led, ann: Person) -> None:
    led.teams.personal(ann).streams = False
    (only,) = await led.answered(ann, led.teams.personal(ann))
    assert outcomes([only]) == [only]
    assert not only.stream
    assert led.teams.calls("update")


async def test_a_reader_who_stops_the_stream_sees_the_answer_in_its_place(led: Led, ann: Person) -> None:
    place = led.teams.personal(ann)
    number = await led.asked(led.teams.say(ann, place, "How many days?"))
    led.teams.press_stop(led.teams.seen(place.id)[0])
    await led.answer(number)
    (only,) = led.teams.seen(place.id)
    assert outcomes([only]) == [only]


async def test_a_stream_that_took_too_long_is_followed_by_a_message(led: Led, ann: Person) -> None:
    place = led.teams.personal(ann)
    number = await led.asked(led.teams.say(ann, place, "How many days?"))
    led.teams.streams.longest = 0.0
    await led.answer(number)
    (only,) = led.teams.seen(place.id)
    assert outcomes([only]) == [only]
    assert not only.stream
    assert not led.teams.calls("update")


async def test_a_second_question_in_a_chat_does_without_a_stream(led: Led, ann: Person) -> None:
    place = led.teams.personal(ann)
    first = await led.asked(led.teams.say(ann, place, "How many days?"))
    second = await led.asked(led.teams.say(ann, place, "And for interns?"))
    await led.answer(second)
    await led.answer(first)
    shown = led.teams.seen(place.id)
    assert len(outcomes(shown)) == len(shown) == 2
    assert [each.stream for each in shown] == ["done", ""]


async def test_a_token_that_is_not_accepted_any_more_is_had_anew(led: Led, ann: Person, group: Conversation) -> None:
    number = await led.asked(led.teams.say(ann, group, "How many days?"))
    led.teams.revoke_tokens()
    await led.answer(number)
    assert await led.ending() == ("posted", "answered")
    assert len(led.teams.calls("token")) == 2


async def test_a_secret_that_ends_while_serving_costs_no_question(
    led: Led, ann: Person, group: Conversation, caplog: pytest.LogCaptureFixture
) -> None:
    number = await led.asked(led.teams.say(ann, group, "How many days?"))
    led.teams.revoke_tokens()
    led.teams.api.password = "the next secret"
    await led.answer(number)
    assert (await led.ending())[1] is None
    assert any(each.levelname == "ERROR" and "id and secret" in each.getMessage() for each in caplog.records)
    led.teams.api.password = led.teams.password
    await led.answer(number)
    assert await led.ending() == ("posted", "answered")
    (only,) = led.teams.seen(group.id)
    assert outcomes([only]) == [only]


async def test_what_is_typed_is_seen_while_it_is_answered(led: Led, ann: Person, group: Conversation) -> None:
    await led.answered(ann, group)
    assert led.teams.typing(group.id) >= 1


async def test_where_nothing_can_be_deleted_no_answer_waits_for_that(
    led: Led, ann: Person, group: Conversation
) -> None:
    led.teams.api.deletes = False
    led.teams.fail("update", UNKNOWN, None)
    for text in ("How many days?", "And for interns?"):
        number = await led.asked(led.teams.say(ann, group, text))
        await asyncio.wait_for(led.service.answer(number), 5.0)  # a deletion is tried for ten seconds, if at all
    assert len(outcomes([each for each in led.teams.seen(group.id) if SAID in each.text])) == 2
    await led.shared.deletions.finish(30.0)
    calls = [
        each.operation for each in led.teams.calls() if SAID in str(each.body.get("text")) or each.operation == "delete"
    ]
    assert calls.count("delete") == 2, "what is not known is asked for once"


async def test_a_slow_deletion_comes_after_the_answer_and_holds_up_no_other(
    led: Led, ann: Person, group: Conversation
) -> None:
    led.teams.fail("delete", Fault.hang(), None)
    led.teams.fail("update", UNKNOWN, 1, holding=SAID)
    for text in ("How many days?", "And for interns?"):
        number = await led.asked(led.teams.say(ann, group, text))
        await asyncio.wait_for(led.service.answer(number), 5.0)
    assert len(outcomes([each for each in led.teams.seen(group.id) if SAID in each.text])) == 2
    await led.shared.deletions.finish(0.0)
