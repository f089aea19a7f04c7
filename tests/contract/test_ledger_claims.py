"""What Ledger promises of a question that comes in: it is claimed once, and within limits. Held against every
implementation."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from domain.answers import Turn
from domain.conversation import ConversationPlace, MessageKey, Participant, QuestionLimits, RecordedOutcome
from tests.contract.conversations import ADA, BOB, HOUR, MANY, MINUTE, PLACE, Conversations, incoming


async def test_a_question_is_claimed_once(conversations: Conversations) -> None:
    first = await conversations.ledger.claim(incoming(), MANY)
    assert (first.fresh, first.state, first.excess) == (True, "received", None)
    again = await conversations.ledger.claim(incoming(), MANY)
    assert replace(again, time_left=first.time_left, waited=first.waited) == replace(first, fresh=False)
    await conversations.ledger.begin_attempt(first.number)
    begun = await conversations.ledger.claim(incoming(), MANY)
    assert (begun.number, begun.fresh, begun.state) == (first.number, False, "running")


async def test_a_claim_with_another_text_is_known_until_the_text_is_forgotten(conversations: Conversations) -> None:
    first = await conversations.ledger.claim(incoming(), MANY)
    assert not first.other_text
    assert not (await conversations.ledger.claim(incoming(), MANY)).other_text
    other = replace(incoming(), text="Another question?")
    again = await conversations.ledger.claim(other, MANY)
    assert (again.number, again.fresh, again.other_text) == (first.number, False, True)
    assert again.text == first.text
    await conversations.ledger.withdraw(other.key)
    assert not (await conversations.ledger.claim(other, MANY)).other_text


async def test_of_many_callers_one_gets_a_fresh_claim(conversations: Conversations) -> None:
    claims = await asyncio.gather(*(conversations.ledger.claim(incoming(), MANY) for _ in range(50)))
    assert sum(claim.fresh for claim in claims) == 1
    assert len({claim.number for claim in claims}) == 1


async def test_the_workspace_is_not_part_of_the_key(conversations: Conversations) -> None:
    """A message in a channel of two workspaces is delivered from both."""
    number = await conversations.claimed(incoming())
    elsewhere = incoming(place=replace(PLACE, workspace="T2"), asker=replace(ADA, workspace="T2"))
    claim = await conversations.ledger.claim(elsewhere, MANY)
    assert (claim.number, claim.fresh) == (number, False)


@pytest.mark.parametrize(
    "key", [MessageKey("slack", "C1", "2"), MessageKey("slack", "C2", "1"), MessageKey("teams", "C1", "1")]
)
async def test_another_message_is_another_question(conversations: Conversations, key: MessageKey) -> None:
    number = await conversations.claimed(incoming())
    assert await conversations.claimed(replace(incoming(), key=key)) != number


@pytest.mark.parametrize(
    ("limits", "later", "excess"),
    [
        (QuestionLimits(user_minute=2), [("C2", ADA)], "user_minute"),
        (QuestionLimits(channel_minute=2), [("C1", BOB)], "channel_minute"),
        (QuestionLimits(user_day=2), [("C2", ADA)], "user_day"),
        (QuestionLimits(waiting=2), [("C2", BOB)], "waiting"),
        (QuestionLimits(user_minute=2, channel_minute=2, user_day=2, waiting=2), [("C1", ADA)], "user_minute"),
    ],
)
async def test_a_question_beyond_a_limit_says_which(
    conversations: Conversations, limits: QuestionLimits, later: list[tuple[str, Participant]], excess: str
) -> None:
    for message in ("1", "2"):
        assert (await conversations.ledger.claim(incoming(message), limits)).excess is None
    for channel, person in later:
        claim = await conversations.ledger.claim(
            incoming("3", place=replace(PLACE, channel=channel), asker=person), limits
        )
        assert (claim.fresh, claim.excess) == (True, excess)
    again = incoming("3", place=replace(PLACE, channel=later[0][0]), asker=later[0][1])
    assert (await conversations.ledger.claim(again, limits)).excess == excess


async def test_limits_of_others_do_not_matter(conversations: Conversations) -> None:
    limits = QuestionLimits(user_minute=1, channel_minute=1, user_day=1)
    await conversations.claimed(incoming("1"), limits)
    others = [
        incoming("2", asker=BOB, place=replace(PLACE, channel="C2")),
        incoming("3", asker=Participant("teams", ADA.id), place=ConversationPlace("teams", "T1", PLACE.channel)),
    ]
    for other in others:
        assert (await conversations.ledger.claim(other, limits)).excess is None


async def test_another_platforms_questions_keep_nobody_waiting(conversations: Conversations) -> None:
    for number in range(3):
        place = ConversationPlace("teams", "T1", f"C{number}")
        await conversations.claimed(incoming("1", asker=Participant("teams", f"U{number}"), place=place))
    claim = await conversations.ledger.claim(incoming("2"), QuestionLimits(waiting=1))
    assert (claim.excess, claim.queue_ahead) == (None, None)


async def test_a_person_is_the_same_in_each_workspace(conversations: Conversations) -> None:
    await conversations.claimed(incoming("1"), QuestionLimits(user_minute=1))
    elsewhere = incoming("2", asker=replace(ADA, workspace="T2"), place=ConversationPlace("slack", "T2", "C9"))
    assert (await conversations.ledger.claim(elsewhere, QuestionLimits(user_minute=1))).excess == "user_minute"


async def test_what_is_beyond_a_limit_counts_against_none(conversations: Conversations) -> None:
    limits = QuestionLimits(user_minute=1, channel_minute=2, user_day=2, waiting=2)
    for message in ("1", "2", "3"):
        await conversations.claimed(incoming(message), limits)
    assert (await conversations.ledger.claim(incoming("4", asker=BOB), limits)).excess is None


async def test_limits_of_a_minute_and_a_day_pass(conversations: Conversations) -> None:
    limits = QuestionLimits(user_minute=1, channel_minute=1, user_day=2)
    await conversations.claimed(incoming("1"), limits)
    assert (await conversations.ledger.claim(incoming("2"), limits)).excess == "user_minute"
    await conversations.pass_time(MINUTE)
    assert (await conversations.ledger.claim(incoming("3"), limits)).excess is None
    await conversations.pass_time(MINUTE)
    assert (await conversations.ledger.claim(incoming("4"), limits)).excess == "user_day"
    await conversations.pass_time(24 * HOUR - MINUTE)
    assert (await conversations.ledger.claim(incoming("5"), limits)).excess is None


WEB, FAY = ConversationPlace("web", "", "c1", private=True), Participant("web", "fay@example.com")
BUSY = RecordedOutcome("busy")


async def test_who_is_turned_down_over_http_may_send_the_question_again(conversations: Conversations) -> None:
    limits, ledger = QuestionLimits(user_minute=1), conversations.ledger
    await conversations.claimed(incoming("1", asker=FAY, place=WEB), limits)
    again = incoming("2", asker=FAY, place=WEB)
    refused = await ledger.claim(again, limits)
    open_yet = await ledger.claim(again, limits)
    assert (open_yet.number, open_yet.fresh, open_yet.excess) == (refused.number, False, "user_minute")
    assert await ledger.close(refused.number, 0, BUSY)
    still = await ledger.claim(again, limits)
    assert (still.fresh, still.excess) == (True, "user_minute"), "the limit is looked at anew"
    assert await ledger.close(still.number, 0, BUSY)
    await conversations.pass_time(MINUTE)
    assert (await ledger.claim(replace(again, text="Another question?"), limits)).other_text
    claims = await asyncio.gather(*(ledger.claim(again, limits) for _ in range(5)))
    assert {claim.excess for claim in claims} == {None}
    assert sum(claim.fresh for claim in claims) == 1
    assert len({claim.number for claim in claims}) == 1
    assert await ledger.find(still.number) is None
    assert (await ledger.claim(incoming("3", asker=FAY, place=WEB), limits)).excess == "user_minute", "it counts once"


async def test_a_message_that_is_delivered_again_is_turned_down_once(conversations: Conversations) -> None:
    limits, ledger = QuestionLimits(user_minute=1), conversations.ledger
    await conversations.claimed(incoming("1"), limits)
    refused = await ledger.claim(incoming("2"), limits)
    assert await ledger.close(refused.number, 0, BUSY)
    await conversations.pass_time(MINUTE)
    again = await ledger.claim(incoming("2"), limits)
    assert (again.number, again.fresh, again.excess) == (refused.number, False, "user_minute")


async def test_when_the_limit_of_a_day_is_free_again_is_said(conversations: Conversations) -> None:
    limits, ledger = QuestionLimits(user_day=2), conversations.ledger
    for message, later in (("1", HOUR), ("2", HOUR), ("3", timedelta())):
        await conversations.claimed(incoming(message), MANY)
        await conversations.pass_time(later)
    for _ in range(2):
        claim = await ledger.claim(incoming("4"), limits)
        assert claim.free_in is not None
        assert abs(claim.free_in - 23 * HOUR) < MINUTE, "when the last but one of them is a day old"
    other = await ledger.claim(incoming("5"), QuestionLimits(user_minute=1))
    assert (other.excess, other.free_in) == ("user_minute", None)


async def test_many_claims_at_once_keep_to_a_limit(conversations: Conversations) -> None:
    limits = QuestionLimits(user_minute=7, channel_minute=1000, waiting=1000)
    claims = await asyncio.gather(*(conversations.ledger.claim(incoming(str(n)), limits) for n in range(40)))
    assert sum(claim.excess is None for claim in claims) == 7
    assert len({claim.number for claim in claims}) == 40


async def test_what_has_ended_does_not_wait(conversations: Conversations) -> None:
    number = await conversations.ended(incoming("1"))
    assert await conversations.state(number) == "posted"
    assert (await conversations.ledger.claim(incoming("2"), QuestionLimits(waiting=1))).excess is None


async def test_an_odd_text_never_fails(conversations: Conversations) -> None:
    odd = "nul \0, half \ud83d, \U0001f600"
    asked = replace(incoming(words=odd), handle={"a": odd}, unread=(odd,))
    begun = await conversations.begun(asked)
    assert begun.text == begun.handle["a"] == begun.unread[0] == "nul \ufffd, half \ufffd, \U0001f600"
    assert await conversations.ledger.close(begun.number, 1, RecordedOutcome("answered", Turn(odd, odd)))
    since = conversations.now() - HOUR
    turns = await conversations.memory.turns(ADA, PLACE, limit=1, since=since)
    assert turns == (Turn(begun.text, begun.text),)
