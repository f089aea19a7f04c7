"""What Memory promises, held against every implementation."""

from dataclasses import replace

from domain.answers import Citation, Turn
from domain.conversation import ConversationPlace, Participant, PostedReply, RecordedOutcome, RememberedQuestion
from tests.contract.conversations import ADA, BOB, HOUR, PLACE, Conversations, in_thread, incoming

ABROAD = replace(ADA, workspace="T2")
"""The same person, as another workspace of the same enterprise knows her."""


async def asked(
    conversations: Conversations,
    message: str,
    person: Participant = ADA,
    place: ConversationPlace = PLACE,
    question: str = "",
) -> Turn:
    """A turn, remembered."""
    turn = Turn(question or f"question {message}", f"reply {message}")
    await conversations.ended(incoming(message, asker=person, place=place), RecordedOutcome("answered", turn))
    return turn


async def test_turns_are_a_persons_in_a_conversation_oldest_first(conversations: Conversations) -> None:
    mine = [await asked(conversations, str(number)) for number in range(3)]
    await asked(conversations, "10", BOB)
    await asked(conversations, "11", place=in_thread("100.2"))
    await asked(conversations, "12", place=replace(PLACE, channel="C2"))
    await asked(
        conversations, "13", Participant("teams", ADA.id), ConversationPlace("teams", "T1", PLACE.channel, PLACE.thread)
    )
    since = conversations.now() - HOUR
    assert await conversations.memory.turns(ADA, PLACE, limit=10, since=since) == tuple(mine)
    assert await conversations.memory.turns(ADA, PLACE, limit=2, since=since) == tuple(mine[1:])
    assert await conversations.memory.turns(ADA, PLACE, limit=0, since=since) == ()
    assert await conversations.memory.turns(Participant("slack", "U9"), PLACE, limit=10, since=since) == ()


async def test_turns_from_before_are_left_out(conversations: Conversations) -> None:
    await asked(conversations, "1")
    await conversations.pass_time(2 * HOUR)
    young = await asked(conversations, "2")
    since = conversations.now() - HOUR
    assert await conversations.memory.turns(ADA, PLACE, limit=10, since=since) == (young,)
    assert len(await conversations.memory.turns(ADA, PLACE, limit=10, since=since - 2 * HOUR)) == 2


async def test_all_of_a_private_conversation_belongs_together(conversations: Conversations) -> None:
    private = replace(PLACE, channel="D1", private=True)
    mine: tuple[Turn, ...] = (await asked(conversations, "1", place=private),)
    mine += (await asked(conversations, "2", place=replace(private, thread="200.2")),)
    since = conversations.now() - HOUR
    assert await conversations.memory.turns(ADA, replace(private, thread=""), limit=10, since=since) == mine


async def test_a_person_is_the_same_in_each_workspace(conversations: Conversations) -> None:
    home = await asked(conversations, "1")
    abroad = await asked(conversations, "2", ABROAD, replace(PLACE, workspace="T2"))
    since = conversations.now() - HOUR
    for person in (ADA, ABROAD):
        assert await conversations.memory.turns(person, PLACE, limit=10, since=since) == (home, abroad)
        assert [each.question for each in await conversations.memory.recent(person, limit=10)] == [
            abroad.question,
            home.question,
        ]
    assert await conversations.memory.forget(ABROAD) == 2


async def test_a_question_without_a_turn_is_not_remembered(conversations: Conversations) -> None:
    await conversations.ended(incoming("1"), RecordedOutcome("failed"))
    await conversations.begun(incoming("2"))
    assert await conversations.memory.recent(ADA, limit=10) == []


async def test_recent_are_a_persons_last_questions_newest_first(conversations: Conversations) -> None:
    await asked(conversations, "1")
    await conversations.pass_time(HOUR)
    await asked(conversations, "2", place=in_thread("100.2"))
    await asked(conversations, "3", BOB)
    await conversations.pass_time(HOUR)
    await asked(conversations, "4", place=replace(PLACE, channel="D1", private=True))
    found = await conversations.memory.recent(ADA, limit=10)
    keys = [incoming(*each).key for each in [("4",), ("2",), ("1",)]]
    keys[0] = replace(keys[0], channel="D1")
    assert found == [
        RememberedQuestion(f"question {key.message}", key, each.asked_at, each.number)
        for key, each in zip(keys, found, strict=True)
    ]
    known = [await conversations.ledger.find(each.number) for each in found]
    assert [each.key for each in known if each] == keys
    ages = [(conversations.now() - each.asked_at + HOUR / 2) // HOUR for each in found]
    assert ages == [0, 1, 2]
    assert await conversations.memory.recent(ADA, limit=1) == found[:1]
    assert await conversations.memory.recent(ADA, limit=0) == []


async def test_a_person_is_forgotten(conversations: Conversations) -> None:
    for message in ("1", "2"):
        await asked(conversations, message)
    others = await asked(conversations, "3", BOB)
    number = await conversations.claimed(incoming("4"))
    assert await conversations.memory.forget(ADA) == 2
    assert await conversations.memory.forget(ADA) == 0
    since = conversations.now() - HOUR
    assert await conversations.memory.turns(ADA, PLACE, limit=10, since=since) == ()
    assert await conversations.memory.recent(ADA, limit=10) == []
    assert await conversations.memory.turns(BOB, PLACE, limit=10, since=since) == (others,)
    assert [await text_of(conversations, each) for each in range(1, 5)] == ["", "", "question 3", "when?"]
    begun = await conversations.ledger.begin_attempt(number)
    assert begun is not None
    assert begun.text == "when?"


async def test_a_forgotten_question_may_be_asked_anew(conversations: Conversations) -> None:
    await asked(conversations, "1")
    await conversations.memory.forget(ADA)
    assert await conversations.ledger.change_text(incoming("1").key, "when?") == 1


async def test_what_is_old_goes(conversations: Conversations) -> None:
    await asked(conversations, "1")
    await conversations.claimed(incoming("2"))
    await conversations.pass_time(2 * HOUR)
    young = await asked(conversations, "3")
    before = conversations.now() - HOUR
    assert await conversations.memory.prune(before=before) == 1
    assert await conversations.memory.prune(before=before) == 0
    assert await conversations.memory.turns(ADA, PLACE, limit=10, since=before - 24 * HOUR) == (young,)
    assert [await text_of(conversations, each) for each in (1, 2, 3)] == ["", "when?", "question 3"]


async def text_of(conversations: Conversations, number: int) -> str:
    known = await conversations.ledger.find(number)
    assert known is not None
    return known.text


async def test_a_turn_names_the_passages_that_its_reply_cites(conversations: Conversations) -> None:
    cited = Citation(1, "Gate", "", "gate", "docs", "document-1", "", "line 1", "Words.", None, "chunk-1")
    posted = PostedReply("Words. [1]", (cited,), 1.0)
    await conversations.ended(incoming("1"), RecordedOutcome("answered", Turn("q", "Words. [1]"), (), False, posted))
    (turn,) = await conversations.memory.turns(ADA, PLACE, limit=1, since=conversations.now() - HOUR)
    assert turn == Turn("q", "Words. [1]", (("chunk-1", "document-1"),))
