"""The digest as a scheduled job: to the channel that the settings name, once."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from bot.app.digest import digest_lines, run_digest
from bot.app.gap_register import Gap, find_gaps
from bot.app.platforms import OpenPlatform
from bot.app.product import Product
from bot.app.scheduled_jobs import source_names, triggers_of
from bot.conversation.chat_platform import OutcomeUnknown
from config.load import load
from config.schedule import AlertChannel
from domain.access import Scope
from domain.answer_records import AnswerRecord
from domain.answers import Trace, Turn
from domain.conversation import MEMBERS, RecordedOutcome, ReplyAudience
from domain.errors import KbError, Refused, Transient
from domain.masking import Masker
from domain.schedule import DIGEST, SourceTaskKey
from tests.contract.conversations import MANY, incoming
from tests.fakes.kept_answers import kept
from tests.fakes.masking import github_token

CHANNEL = AlertChannel("slack:C1")
KEY = SourceTaskKey(DIGEST, "2026-11-23T09:00", DIGEST)
DUE = datetime(2026, 11, 23, 9, tzinfo=UTC)


@dataclass
class Chat:
    """A platform that notes what is announced."""

    said: list[Sequence[str]] = field(default_factory=list)
    error: KbError | None = None
    tried: int = 0
    name: str = "slack"
    held: str = ""
    """The method in which whoever calls it waits for ever, when it has done its part."""
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    """Something was said, refused or held."""

    async def readers(self, channel: str, handle: Mapping[str, str]) -> ReplyAudience:
        assert (channel, handle) == (CHANNEL.id, {"team": "T1"})
        await self._hold("readers")
        return MEMBERS

    async def is_open(self, channel: str) -> bool:
        raise AssertionError(f"nobody asked in {channel}")

    async def announce(self, channel: str, lines: Sequence[str], handle: Mapping[str, str]) -> None:
        assert (channel, handle) == (CHANNEL.id, {"team": "T1"})
        self.tried += 1
        if self.error:
            self.reached.set()
            raise self.error
        self.said.append(lines)
        await self._hold("announce")

    async def _hold(self, method: str) -> None:
        if self.held == method:
            self.reached.set()
            await asyncio.Event().wait()


async def asked(product: Product, words: str = "Which colour has the walrus?") -> None:
    """A question without an answer, and a digest that is due."""
    ledger = product.storage.ledger()
    number = (await ledger.claim(incoming(), MANY)).number
    await ledger.enqueue(number, {})
    begun = await ledger.begin_attempt(number)
    assert begun is not None
    record = AnswerRecord("not_found", "", words, 0, (), Trace())
    assert await ledger.close(number, begun.attempt, RecordedOutcome("not_found", Turn(words, "-"), record=record))
    await due(product, KEY)


async def due(product: Product, key: SourceTaskKey) -> None:
    names = await source_names(product.storage.sources, DIGEST)
    assert await product.storage.scheduled_runs().claim(DIGEST, key.run, DUE, names, queue="index")


async def run(product: Product, *chats: Chat) -> tuple[str, str]:
    """What became of it, when one process for each chat is at it."""
    platforms = [[cast("OpenPlatform", chat)] for chat in chats]
    await asyncio.gather(*(run_digest(product, each, CHANNEL, KEY.arguments) for each in platforms))
    found = await product.storage.scheduled_runs().latest(DIGEST)
    assert found is not None
    return found.state, found.progress.tasks[DIGEST].summary


async def test_it_is_sent_once_by_whichever_process(product: Product) -> None:
    chats = [Chat(), Chat()]
    await asked(product)
    await run(product, *chats)
    (said,) = [lines for chat in chats for lines in chat.said]
    assert said == ["Asked in the last 7 days without a good answer (1):", "• Which colour has the walrus?"]
    await run(product, *chats)
    assert sum(len(chat.said) for chat in chats) == 1


async def test_what_keeps_it_from_being_sent_is_recorded(product: Product) -> None:
    await asked(product)
    assert await run(product, Chat(error=Refused("The bot is not in the channel"))) == (
        "failed",
        "The bot is not in the channel",
    )


async def test_what_may_have_been_sent_is_not_sent_again(product: Product) -> None:
    chat = Chat(error=OutcomeUnknown("Slack did not answer chat.postMessage"))
    await asked(product)
    for _ in range(2):
        assert await run(product, chat) == ("attention", "it may have been sent, and is not sent again")
    assert chat.tried == 1


async def stopped(product: Product, chat: Chat) -> None:
    """A process that is told to end at what the chat holds, or in the pause after what it refuses."""
    running = asyncio.create_task(run_digest(product, [cast("OpenPlatform", chat)], CHANNEL, KEY.arguments))
    async with asyncio.timeout(30):
        await chat.reached.wait()
        while chat.error and await tried(product):  # noqa: ASYNC110 - the database tells nobody
            await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def tried(product: Product) -> str:
    row = await product.storage.pool.fetch_one(b"SELECT tried FROM alerts WHERE topic = 'digest'")
    return str(row.tried) if row else ""


@pytest.mark.parametrize("chat", [Chat(held="readers"), Chat(error=Transient("Slack is away"))])
async def test_one_that_is_stopped_before_it_is_sent_leaves_it_to_the_next(product: Product, chat: Chat) -> None:
    await asked(product)
    await stopped(product, chat)
    after = Chat()
    assert await run(product, after) == ("done", "sent")
    assert (len(chat.said), len(after.said)) == (0, 1)


async def test_of_one_that_is_stopped_while_it_sends_it_is_said_that_it_may_not_have_been_sent(
    product: Product,
) -> None:
    await asked(product)
    await stopped(product, Chat(held="announce"))
    after = Chat()
    state, summary = await run(product, after)
    assert (state, after.tried) == ("attention", 0)
    assert summary.startswith("it may not have been sent: ")


async def test_nor_is_it_sent_again_by_a_process_that_comes_much_later(product: Product) -> None:
    await asked(product)
    await stopped(product, Chat(held="announce"))
    await product.storage.pool.execute(b"UPDATE alerts SET tried_at = tried_at - interval '6 hours'")
    after = Chat()
    state, _ = await run(product, after)
    assert (state, after.tried) == ("attention", 0)


async def test_one_that_was_sent_is_done_though_the_process_ended_before_it_said_so(product: Product) -> None:
    await asked(product)
    await stopped(product, Chat(held="announce"))
    await product.storage.alerts().mark_sent(DIGEST, KEY.run)
    after = Chat()
    assert await run(product, after) == ("done", "it was sent, or may have been")
    assert after.tried == 0


async def test_without_a_gap_nothing_is_said(product: Product) -> None:
    await due(product, KEY)
    chat = Chat()
    chat.readers = _members  # type: ignore[method-assign] # nobody has asked there
    assert await run(product, chat) == ("done", "there was nothing to tell")
    assert chat.said == []


async def _members(channel: str, handle: Mapping[str, str]) -> ReplyAudience:
    assert (channel, handle) == (CHANNEL.id, {})
    return MEMBERS


def test_a_secret_is_masked_and_a_question_stays_in_its_line() -> None:
    example = kept(1, f"What is\n• {github_token()}?")
    said = digest_lines([Gap(example, (example, example), ())], Masker())
    assert len(said) == 2
    assert github_token() not in said[1]
    assert said[1].endswith("(asked 2 times)")
    assert digest_lines([], Masker()) == []


async def test_the_example_is_one_that_was_not_asked_in_private(product: Product) -> None:
    answers = [kept(3, "Where is the walrus?", private=True), kept(2, "Where is the walrus?", audience="asker")]
    answers.append(kept(1, "Where is the walrus?"))
    (gap,) = await find_gaps(answers, product.embedder, product.storage.document_catalog(), Scope.member(), 5)
    assert (gap.example.number, len(gap.answers), gap.unanswered) == (1, 3, 3)


@pytest.mark.parametrize(
    ("given", "on"),
    [
        ({}, False),
        ({"DIGEST_CHANNEL": "slack:C1"}, True),
        ({"DIGEST_CHANNEL": "slack:C1", "SCHEDULE_DIGEST": ""}, False),
    ],
)
def test_it_is_off_without_a_channel(given: dict[str, Any], on: bool, tmp_path: Path) -> None:
    found = triggers_of(load({f"KB_AGENT_{name}": value for name, value in given.items()}, tmp_path))
    assert (DIGEST in found) == on
