"""Teams is busy, breaks off, is silent, or does not want what it gets: one visible outcome, as far as can be known."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from domain.answers import Answer, Outcome, Question
from tests.fakes.teams import Conversation, Fault, Message, Person, citations, labelled, plain
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


def outcomes(shown: list[Message]) -> list[Message]:
    """What is seen of outcomes, each checked."""
    found = [each for each in shown if SAID in each.text]
    assert all(labelled(each) and citations(each) for each in found)
    assert all(plain(each).count(SAID) == 1 for each in found)
    return found


@pytest.mark.parametrize("operation", ["send", "update"])
@pytest.mark.parametrize("fault", CLEAR | LATE)
async def test_a_changed_message_survives(
    led: Led, ann: Person, group: Conversation, operation: str, fault: str
) -> None:
    led.teams.fail(operation, (CLEAR | LATE)[fault])
    shown = await led.answered(ann, group)
    assert await led.ending() == ("posted", "answered")
    assert len(outcomes(shown)) == 1
    lost = operation == "send" and fault in LATE
    assert len(shown) == 1 + lost, "a sign of which nobody knows the id stays"
    assert led.twice() is (operation == "send" and not {"412", "429", "429 without a word"} & {fault})


@pytest.mark.parametrize("operation", ["stream", "final"])
@pytest.mark.parametrize("fault", CLEAR | LATE)
async def test_a_stream_survives(led: Led, ann: Person, operation: str, fault: str) -> None:
    led.teams.fail(operation, (CLEAR | LATE)[fault])
    shown = await led.answered(ann, led.teams.personal(ann))
    assert await led.ending() == ("posted", "answered")
    assert len(outcomes(shown)) == 1
    assert len(shown) == 1 + (operation == "stream" and fault in LATE)


@pytest.mark.parametrize("fault", CLEAR | LATE)
async def test_chunks_of_a_stream_may_get_lost(led: Led, ann: Person, fault: str) -> None:
    number = await led.asked(led.teams.say(ann, led.teams.personal(ann), "How many days?"))
    led.teams.fail("stream", (CLEAR | LATE)[fault])
    await led.service.answer(number)
    (only,) = led.teams.seen(led.teams.personal(ann).id)
    assert outcomes([only]) == [only]
    assert not led.twice()


@pytest.mark.parametrize("kind", ["message", "stream"])
async def test_what_is_too_large_comes_as_plain_text(led: Led, ann: Person, group: Conversation, kind: str) -> None:
    for operation in ("update", "final"):
        led.teams.fail(operation, Fault.status_of(413, "MessageSizeTooBig"))
    shown = await led.answered(ann, group if kind == "message" else led.teams.personal(ann))
    assert await led.ending() == ("posted", "answered")
    assert [SAID in each.text for each in shown] == [True]


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
    await led.service.answer(number)
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
    await led.service.answer(number)
    (only,) = led.teams.seen(place.id)
    assert outcomes([only]) == [only]


async def test_a_stream_that_took_too_long_is_changed(led: Led, ann: Person) -> None:
    place = led.teams.personal(ann)
    number = await led.asked(led.teams.say(ann, place, "How many days?"))
    led.teams.streams.longest = 0.0
    await led.service.answer(number)
    (only,) = led.teams.seen(place.id)
    assert outcomes([only]) == [only]


async def test_a_second_question_in_a_chat_does_without_a_stream(led: Led, ann: Person) -> None:
    place = led.teams.personal(ann)
    first = await led.asked(led.teams.say(ann, place, "How many days?"))
    second = await led.asked(led.teams.say(ann, place, "And for interns?"))
    await led.service.answer(second)
    await led.service.answer(first)
    shown = led.teams.seen(place.id)
    assert len(outcomes(shown)) == len(shown) == 2
    assert [each.stream for each in shown] == ["done", ""]


async def test_a_token_that_is_not_accepted_any_more_is_had_anew(led: Led, ann: Person, group: Conversation) -> None:
    number = await led.asked(led.teams.say(ann, group, "How many days?"))
    led.teams.revoke_tokens()
    await led.service.answer(number)
    assert await led.ending() == ("posted", "answered")
    assert len(led.teams.calls("token")) == 2


async def test_what_is_typed_is_seen_while_it_is_answered(led: Led, ann: Person, group: Conversation) -> None:
    await led.answered(ann, group)
    assert led.teams.typing(group.id) >= 1
