"""What a reply shows on the way to its outcome."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from bot.conversation.texts import PART_REMOVED
from bot.teams import status_messages
from bot.teams.platform import TeamsPlatform
from bot.teams.reply_context import TeamsReplyContext
from domain.answers import Answer, Progress, ReplyPart
from domain.conversation import AcceptedQuestion
from domain.errors import Transient
from domain.masked_answer import masked_answer
from domain.masking import Masker
from tests.fakes.platform import answer
from tests.fakes.teams import Conversation, Fault, Message, Person
from tests.fakes.teams.received_questions import Strangers, talked
from tests.flows.teams.led import Led, leading

MASKER = Masker()
PARTS = ("Everybody has thirty days. [1]\n\n", "Interns have ten. [1]\n\n", "Nobody has more. [1]")


@pytest.fixture
async def led() -> AsyncIterator[Led]:
    async with leading() as opened:
        yield opened


@pytest.fixture
def ann(led: Led) -> Person:
    return led.teams.add_person("ann")


def asked(led: Led, person: Person, place: Conversation, **fields: object) -> AcceptedQuestion:
    incoming = talked(led.teams.say(person, place, "How many days?"))
    base = AcceptedQuestion(
        number=1,
        key=incoming.key,
        place=incoming.place,
        asker=incoming.asker,
        text=incoming.text,
        audience=incoming.audience,
        handle=incoming.handle,
        attempt=1,
        revision=0,
        received_at=datetime.now(UTC),
        time_left=timedelta(minutes=1),
    )
    return replace(base, **fields)  # type: ignore[arg-type] # of the test


def platform(led: Led, **fields: float) -> TeamsPlatform:
    shared = TeamsReplyContext(led.connector, **{"edit_seconds": 0.0, "stream_seconds": 0.0, **fields})  # type: ignore[arg-type] # of the test
    return TeamsPlatform(shared, Strangers())


def going(percent: int) -> Progress:
    return Progress(MASKER.mask("Looking for <at>days</at>"), percent)


def only(led: Led, place: Conversation) -> Message:
    (message,) = led.teams.seen(place.id)
    return message


async def test_a_stream_tells_then_writes_then_ends(led: Led, ann: Person) -> None:
    place = led.teams.personal(ann)
    reply = platform(led).reply(asked(led, ann, place), 30.0)
    await reply.open()
    await reply.progress(going(30))
    for part in PARTS:
        await reply.write(ReplyPart(MASKER.mask(part)))
    await reply.progress(going(90))
    assert await reply.finish(masked_answer(answer("".join(PARTS), "c1"), MASKER)) is False
    message = only(led, place)
    assert message.stream == "done"
    texts = [each["text"] for each in message.versions]
    assert "30 %" in texts[1]
    assert not any("90 %" in text for text in texts)
    streamed = texts[2:]
    assert len(streamed) >= 2
    assert all(later.startswith(earlier) for earlier, later in pairwise(streamed))
    sequences = [call.body["entities"][0].get("streamSequence") for call in led.teams.calls("stream")]
    assert sequences == list(range(1, len(sequences) + 1))


async def test_an_answer_that_begins_otherwise_takes_the_place_of_the_stream(led: Led, ann: Person) -> None:
    place = led.teams.personal(ann)
    reply = platform(led).reply(asked(led, ann, place), 30.0)
    await reply.open()
    for part in PARTS:
        await reply.write(ReplyPart(MASKER.mask(part)))
    await reply.finish(masked_answer(answer("Ten days, in fact. [1]", "c1"), MASKER))
    assert only(led, place).text.startswith("Ten days")
    assert not led.teams.calls("final")


async def test_a_question_that_is_shown_above_its_reply_is_masked(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    question = asked(led, ann, place, text="Is ana.silva@example.com on leave?")
    reply = platform(led).reply(replace(question, handle={**question.handle, "echo": "1"}), 30.0)
    await reply.open()
    await reply.finish(masked_answer(answer("Until Monday. [1]", "c1"), MASKER))
    assert "on leave?" in only(led, place).text
    assert "ana.silva" not in only(led, place).text


async def test_a_stream_is_not_called_too_often(led: Led, ann: Person) -> None:
    reply = platform(led, stream_seconds=60.0).reply(asked(led, ann, led.teams.personal(ann)), 30.0)
    await reply.open()
    for percent in range(0, 100, 10):
        await reply.progress(going(percent))
    await reply.finish(masked_answer(answer("Thirty. [1]", "c1"), MASKER))
    assert len(led.teams.calls("stream")) == 1


async def test_a_message_is_not_changed_too_often(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    reply = platform(led, edit_seconds=60.0).reply(asked(led, ann, place), 30.0)
    await reply.open()
    for percent in range(0, 100, 10):
        await reply.progress(going(percent))
    await reply.finish(masked_answer(answer("Thirty. [1]", "c1"), MASKER))
    assert len(led.teams.calls("update")) == 2
    assert "<at>" not in only(led, place).versions[1]["text"]


async def test_progress_takes_no_outcomes_place(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    question = asked(led, ann, place)
    reply = platform(led).reply(question, 30.0)
    handle = await reply.open()
    await reply.finish(masked_answer(answer("Thirty. [1]", "c1"), MASKER))
    again = platform(led).reply(replace(question, attempt=2, handle={**question.handle, **handle}), 30.0)
    await again.resume()
    await again.progress(going(10))
    assert only(led, place).text.startswith("Thirty")
    changed = replace(question, attempt=2, revision=1, handle={**question.handle, **handle})
    await platform(led).reply(changed, 30.0).progress(going(10))
    assert "10 %" in only(led, place).text, "the outcome of another text is none of this one"


async def test_typing_is_repeated_until_there_is_an_outcome(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    shop = platform(led)
    shop._shared.typing._seconds = 0.05
    reply = shop.reply(asked(led, ann, place), 30.0)
    await reply.resume()
    await led.teams.eventually(lambda: led.teams.typing(place.id) > 3 or None)
    await reply.late()
    seen = led.teams.typing(place.id)
    await asyncio.sleep(0.3)
    assert led.teams.typing(place.id) == seen


async def test_who_accepts_a_question_shows_typing_once(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    shop = platform(led)
    shop._shared.typing._seconds = 0.05
    await shop.reply(asked(led, ann, place, attempt=0), 30.0).open()
    await asyncio.sleep(0.3)
    assert led.teams.typing(place.id) == 1


async def test_two_questions_of_a_group_share_the_sign_of_typing(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    shop = platform(led)
    shop._shared.typing._seconds = 0.05
    one = shop.reply(asked(led, ann, place), 30.0)
    other = shop.reply(asked(led, ann, place, number=2), 30.0)
    await one.resume()
    await other.resume()
    await one.late()
    seen = led.teams.typing(place.id)
    await led.teams.eventually(lambda: led.teams.typing(place.id) > seen + 2 or None)
    await other.late()


async def test_an_old_stream_gives_way_to_a_message_of_whoever_goes_on(led: Led, ann: Person) -> None:
    place = led.teams.personal(ann)
    question = asked(led, ann, place)
    handle = {**question.handle, **await platform(led).reply(question, 30.0).open()}
    old = replace(question, handle=handle, received_at=datetime.now(UTC) - timedelta(minutes=3))
    shop = platform(led)
    reply = shop.reply(old, 30.0)
    await reply.resume()
    await reply.finish(masked_answer(answer("Thirty. [1]", "c1"), MASKER))
    await shop._shared.deletions.finish(30.0)
    assert only(led, place).text.startswith("Thirty")
    assert not only(led, place).stream
    assert not led.teams.calls("final") + led.teams.calls("update")


async def test_parts_that_nobody_knows_of_may_be_seen_twice_and_that_is_said(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    long = "\n\n".join(f"Part {number}. " + "Everybody knows. " * 200 + "[1]" for number in range(9))
    outcome = masked_answer(answer(long, "c1"), MASKER)
    question = asked(led, ann, place)
    one = platform(led).reply(question, 30.0)
    handle = {**question.handle, **await one.open()}
    assert await one.finish(outcome) is False
    parts = len(led.teams.seen(place.id))
    assert parts > 2
    elsewhere = platform(led).reply(replace(question, attempt=2, handle=handle), 30.0)
    await elsewhere.resume()
    assert await elsewhere.finish(outcome) is True
    texts = [each.text for each in led.teams.seen(place.id)]
    assert len(texts) == 2 * parts - 1, "the first is known to whoever goes on"
    assert max(map(texts.count, texts)) == 2


@pytest.mark.parametrize("kind", ["personal", "group"])
async def test_what_cannot_be_deleted_says_that_the_question_is_gone(led: Led, ann: Person, kind: str) -> None:
    place = led.teams.personal(ann) if kind == "personal" else led.teams.add_group([ann])
    reply = platform(led).reply(asked(led, ann, place), 30.0)
    await reply.open()
    led.teams.fail("delete", Fault.status_of(403, "Forbidden"))
    await reply.withdraw()
    assert only(led, place).text == status_messages.withdrawn()


LONG = masked_answer(
    answer("\n\n".join(f"Old part {n}. " + "Everybody knows. " * 200 + "[1]" for n in range(5)), "c1"), MASKER
)
"""Of several messages."""
REMOVED = "This answer was removed."
LESS = masked_answer(Answer(REMOVED, (), 0.0, ""), MASKER)
UNCORRECTED = "Question 1: a part of its reply may stand uncorrected"


async def answered_at_length(led: Led, ann: Person, place: Conversation) -> AcceptedQuestion:
    """A question whose answer takes several messages, as the ledger keeps it."""
    question = asked(led, ann, place)
    reply = platform(led).reply(question, 30.0)
    handle = {**question.handle, **await reply.open()}
    await reply.finish(LONG)
    assert len(led.teams.seen(place.id)) == 3
    return replace(question, handle={**handle, **reply.correctable()})


@pytest.mark.parametrize("fault", [Fault.status_of(403, "Forbidden"), Fault.status_of(501)])
async def test_a_page_that_a_correction_cannot_delete_keeps_none_of_its_words(
    led: Led, ann: Person, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    place = led.teams.add_group([ann])
    kept = await answered_at_length(led, ann, place)
    led.teams.fail("delete", fault, times=None)
    assert await platform(led).reply(kept, 30.0).correct(LESS) is True
    assert [each.text for each in led.teams.seen(place.id)] == [REMOVED, PART_REMOVED, PART_REMOVED]
    assert UNCORRECTED not in caplog.messages


async def test_a_page_that_can_neither_be_deleted_nor_changed_is_told_of(
    led: Led, ann: Person, caplog: pytest.LogCaptureFixture
) -> None:
    place = led.teams.add_group([ann])
    kept = await answered_at_length(led, ann, place)
    led.teams.fail("delete", Fault.status_of(403, "Forbidden"), times=None)
    led.teams.fail("update", Fault.status_of(403, "Forbidden"), times=None, holding=PART_REMOVED)
    assert await platform(led).reply(kept, 30.0).correct(LESS) is True
    assert UNCORRECTED in caplog.messages


async def test_a_correction_is_taken_up_again_where_teams_is_away_for_a_deletion(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    kept = await answered_at_length(led, ann, place)
    led.teams.fail("delete", Fault.gateway(503), times=None)
    with pytest.raises(Transient):
        await platform(led).reply(kept, 0.0).correct(LESS)
    led.teams.heal()
    assert await platform(led).reply(kept, 30.0).correct(LESS) is True
    assert only(led, place).text == REMOVED


async def test_a_page_that_somebody_deleted_keeps_no_other_from_its_correction(
    led: Led, ann: Person, caplog: pytest.LogCaptureFixture
) -> None:
    place = led.teams.add_group([ann])
    kept = await answered_at_length(led, ann, place)
    new = masked_answer(
        answer("\n\n".join(f"New part {n}. " + "Nobody knows. " * 200 + "[1]" for n in range(5)), "c1"), MASKER
    )
    led.teams.seen(place.id)[0].deleted = True
    assert await platform(led).reply(kept, 30.0).correct(new) is True
    left = led.teams.seen(place.id)
    assert len(left) == 2
    assert not any("Old part" in each.text for each in left)
    assert await platform(led).reply(kept, 30.0).correct(LESS) is True
    assert led.teams.seen(place.id) == []
    assert UNCORRECTED in caplog.messages


async def test_a_page_that_cannot_be_changed_is_deleted(
    led: Led, ann: Person, caplog: pytest.LogCaptureFixture
) -> None:
    place = led.teams.add_group([ann])
    kept = await answered_at_length(led, ann, place)
    new = masked_answer(
        answer("\n\n".join(f"New part {n}. " + "Nobody knows. " * 200 + "[1]" for n in range(5)), "c1"), MASKER
    )
    led.teams.fail("update", Fault.status_of(403, "Forbidden"))
    assert await platform(led).reply(kept, 30.0).correct(new) is True
    left = led.teams.seen(place.id)
    assert len(left) == 2
    assert not any("Old part" in each.text for each in left)
    assert UNCORRECTED not in caplog.messages


async def test_where_teams_refuses_everything_nothing_is_corrected(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    kept = await answered_at_length(led, ann, place)
    led.teams.fail("*", Fault.status_of(403, "BotNotInConversationRoster"), times=None)
    assert await platform(led).reply(kept, 30.0).correct(LESS) is False


async def test_a_changed_question_leaves_no_part_of_its_old_answer_to_another_process(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    kept = await answered_at_length(led, ann, place)
    changed = replace(kept, attempt=2, revision=1)
    shop = platform(led)
    reply = shop.reply(changed, 30.0)
    await reply.resume()
    await reply.finish(masked_answer(answer("Thirty days. [1]", "c1"), MASKER))
    await shop._shared.deletions.finish(30.0)
    assert only(led, place).text.startswith("Thirty days")
    assert {**kept.handle, **reply.correctable()}["parts"] == "", "what is gone is not corrected later"


async def test_pages_of_a_changed_question_that_cannot_be_deleted_keep_none_of_their_words(
    led: Led, ann: Person
) -> None:
    place = led.teams.add_group([ann])
    kept = await answered_at_length(led, ann, place)
    led.teams.api.deletes = False
    shop = platform(led)
    reply = shop.reply(replace(kept, attempt=2, revision=1), 30.0)
    await reply.resume()
    await reply.finish(masked_answer(answer("Thirty days. [1]", "c1"), MASKER))
    await shop._shared.deletions.finish(30.0)
    first, *others = led.teams.seen(place.id)
    assert first.text.startswith("Thirty days")
    assert [each.text for each in others] == [PART_REMOVED, PART_REMOVED]


async def test_a_changed_question_shows_its_long_answer_in_the_pages_of_the_old_one(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    kept = await answered_at_length(led, ann, place)
    reply = platform(led).reply(replace(kept, attempt=2, revision=1), 30.0)
    await reply.resume()
    await reply.finish(LONG)
    assert len(led.teams.seen(place.id)) == 3
    assert reply.correctable()["parts"] == kept.handle["parts"]


async def test_pages_that_another_process_showed_meanwhile_go_with_those_of_this_one(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    shop, question = platform(led), asked(led, ann, place)
    reply = shop.reply(question, 30.0)
    handle = {**question.handle, **await reply.open()}
    await reply.finish(LONG)
    led.teams.fail("update", Fault.status_of(403, "Forbidden"), times=None)
    first = replace(question, handle={**handle, **reply.correctable()}, attempt=2, revision=1)
    other = platform(led)
    elsewhere = other.reply(first, 30.0)
    await elsewhere.resume()
    await elsewhere.finish(LONG)
    led.teams.heal()
    second = replace(first, handle={**first.handle, **elsewhere.correctable()}, attempt=3, revision=2)
    again = shop.reply(second, 30.0)
    await again.resume()
    await again.finish(masked_answer(answer("Thirty days. [1]", "c1"), MASKER))
    for each in (shop, other):
        await each._shared.deletions.finish(30.0)
    assert only(led, place).text.startswith("Thirty days")


async def test_a_changed_question_that_is_deleted_takes_all_its_pages_with_it(led: Led, ann: Person) -> None:
    place = led.teams.add_group([ann])
    kept = await answered_at_length(led, ann, place)
    changed = replace(kept, attempt=2, revision=1)
    first, *others = [each.id for each in led.teams.seen(place.id)]
    await platform(led).reply(changed, 30.0).withdraw({"activity": first})
    assert len(led.teams.seen(place.id)) == 3, "others go on with them"
    await platform(led).reply(changed, 30.0).withdraw({"activity": "other", "parts": others[0]})
    assert [each.id for each in led.teams.seen(place.id)] == others[:1]
    await platform(led).reply(changed, 30.0).withdraw()
    assert led.teams.seen(place.id) == []
