"""Questions that are changed, deleted and restored, and replies of several pages, in Microsoft's Agents Playground. It
deletes no message of a bot's (501), so each case here is also the one of a service that refuses deletions."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.conversation.texts import PART_REMOVED
from bot.teams import status_messages
from bot.teams.connector import TeamsConnector
from bot.teams.connector_session import ConnectorSession
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.platform import TeamsPlatform
from bot.teams.reply_context import TeamsReplyContext
from domain.answers import Answer
from domain.conversation import AcceptedQuestion, ConversationPlace, MessageKey, Participant
from domain.masked_answer import MaskedAnswer, masked_answer
from domain.masking import Masker
from tests.command import wait_for
from tests.counterparts.harbour import Harbour
from tests.counterparts.playground import Talk, Where, talking
from tests.counterparts.test_playground import (  # noqa: F401 - fixtures
    SOON,
    answered,
    kb,
    served_over_harbour,
    talk,
    view,
)
from tests.fakes.platform import answer
from tests.fakes.teams.received_questions import Strangers
from tests.flows.conftest import handbook_database, indexed  # noqa: F401 - fixtures
from tests.flows.platforms.test_closed_meanwhile import OPENS
from tests.flows.platforms.test_closed_meanwhile import QUESTION as HARBOUR

NO_DELETION = "DeleteActivityAPINotImplemented"


@pytest.mark.parametrize("where", ["personal", "group", "channel"])
def test_a_question_that_is_deleted_and_restored_is_answered_once(data_dir: Path, tmp_path: Path, where: Where) -> None:
    with served_over_harbour(data_dir, tmp_path, f"playground_restored_{where}") as (place, opened):
        asyncio.run(_restored(opened, place, where))


async def _restored(view: str, place: Harbour, where: Where) -> None:  # noqa: F811 - no fixture
    async with talking(view) as talk:  # noqa: F811 - no fixture
        said = await talk.say(where, HARBOUR)
        await asyncio.to_thread(wait_for, place.model.halted.is_set)
        await talk.delete(HARBOUR)
        gone = await talk.until(lambda each: each.text == status_messages.withdrawn(), said, SOON)
        place.model.go.set()
        await talk.undelete(HARBOUR)
        whole = await talk.until(answered(OPENS), said, SOON)
        shown = [each.text for each in talk.here(said) if each is not whole and not each.text.startswith("Hello!")]
        assert shown in ([], [gone.text])
        refused = {each["response"]["body"]["error"]["code"] for each in await talk.refused()}
        assert refused == {NO_DELETION}


# replies of several pages, by the product's own classes at the Playground's connector


def outcome(word: str, parts: int) -> MaskedAnswer:
    """An answer of so many parts, of which two fill a message."""
    texts = [f"{word} part {n}. " + "Everybody knows. " * 200 + "[1]" for n in range(parts)]
    return masked_answer(answer("\n\n".join(texts), "c1"), Masker())


OLD, NEW, SHORT = outcome("Old", 5), outcome("New", 5), outcome("Short", 1)
REMOVED = masked_answer(Answer("This answer was removed.", (), 0.0, ""), Masker())


@asynccontextmanager
async def answered_at_length(talk: Talk) -> AsyncIterator[tuple[TeamsReplyContext, AcceptedQuestion]]:  # noqa: F811 - no fixture
    """A question of the group whose answer takes three messages, as the ledger keeps it."""
    service, place = f"{talk.view}/_connector", talk.place("group")
    reference = TeamsConversation(service, place, "groupChat", str(talk.bot["id"]))
    question = AcceptedQuestion(
        number=1,
        key=MessageKey("teams", place, "1"),
        place=ConversationPlace("teams", "", place, ""),
        asker=Participant("teams", "ann", ""),
        text="How many days?",
        audience="organisation",
        handle=reference.handle,
        attempt=1,
        revision=0,
        received_at=datetime.now(UTC),
        time_left=timedelta(minutes=1),
    )
    shared = TeamsReplyContext(TeamsConnector(ConnectorSession(None, lambda _: True), 5.0), edit_seconds=0.0)
    reply = platform(shared).reply(question, 30.0)
    handle = {**question.handle, **await reply.open()}
    await reply.finish(OLD)
    try:
        yield shared, replace(question, handle={**handle, **reply.correctable()})
    finally:
        await shared.deletions.finish(SOON)
        await shared.connector.close()


def platform(shared: TeamsReplyContext) -> TeamsPlatform:
    return TeamsPlatform(shared, Strangers())


async def texts(talk: Talk, question: AcceptedQuestion) -> list[str]:  # noqa: F811 - no fixture
    """What the messages of its reply say, in order."""
    await talk.log()
    names = [question.handle["activity"], *question.handle["parts"].split()]
    return [talk.bubbles[each].text for each in names]


async def test_a_correction_changes_all_pages(talk: Talk) -> None:  # noqa: F811 - the fixture
    async with answered_at_length(talk) as (shared, kept):
        assert len(before := await texts(talk, kept)) == 3
        assert all("Old" in each for each in before)
        assert await platform(shared).reply(kept, 30.0).correct(NEW) is True
        assert all("New" in each and "Old" not in each for each in await texts(talk, kept))
        assert await talk.refused() == []


async def test_a_page_too_many_that_is_not_deleted_keeps_none_of_its_words(talk: Talk) -> None:  # noqa: F811 - the fixture
    async with answered_at_length(talk) as (shared, kept):
        assert await platform(shared).reply(kept, 30.0).correct(REMOVED) is True
        assert await texts(talk, kept) == ["This answer was removed.", PART_REMOVED, PART_REMOVED]
        codes = [each["response"]["body"]["error"]["code"] for each in await talk.refused()]
        assert codes == [NO_DELETION] * 2


@pytest.mark.parametrize("new", [NEW, SHORT], ids=["long", "short"])
async def test_a_changed_question_shows_its_answer_in_the_pages_of_the_old_one(talk: Talk, new: MaskedAnswer) -> None:  # noqa: F811 - the fixture
    async with answered_at_length(talk) as (shared, kept):
        reply = platform(shared).reply(replace(kept, attempt=2, revision=1), 30.0)
        await reply.resume()
        await reply.finish(new)
        await shared.deletions.finish(SOON)
        assert not any("Old" in each for each in await texts(talk, kept))


async def test_a_page_that_the_service_does_not_know_keeps_no_other_from_its_correction(talk: Talk) -> None:  # noqa: F811 - the fixture
    async with answered_at_length(talk) as (shared, kept):
        first, last = kept.handle["parts"].split()
        lost = replace(kept, handle={**kept.handle, "parts": f"{first} 00000000-0000-4000-8000-000000000000 {last}"})
        assert await platform(shared).reply(lost, 30.0).correct(NEW) is True
        assert not any("Old" in each for each in await texts(talk, kept))
