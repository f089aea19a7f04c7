"""The weekly digest of gaps in a channel. It names pages which all readers of the channel may read, and quotes only
questions that these readers could read where they were asked: none that was asked in private."""

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.app.gap_register import MAX_QUESTIONS, Gap, find_gaps
from bot.app.platforms import OpenPlatform
from bot.app.product import Product
from bot.conversation.chat_platform import OutcomeUnknown
from config.schedule import AlertChannel
from domain.access import ORG, PUBLIC, Scope
from domain.answer_ports import KeptAnswer
from domain.cancellation import cancellable_sleep
from domain.conversation import ReplyAudience
from domain.errors import KbError, Transient
from domain.masking import Masker
from domain.model_ports import Embedder
from domain.schedule import DIGEST, SourceTaskKey
from domain.search_ports import DocumentCatalog

log = logging.getLogger(__name__)

BACK = timedelta(days=7)

MAX_GAPS = 10
"""Gaps in one message."""

TRIES, AGAIN_SECONDS = 3, 20.0
"""How often it is tried to send it while the platform is away, and after how many seconds. Where it may have been sent,
it is not tried again."""


@dataclass(frozen=True, slots=True)
class DigestReaders:
    """Who reads the digest."""

    channel: AlertChannel
    audience: ReplyAudience

    @property
    def members(self) -> bool:
        """Whether all of them belong to the organisation, as far as anybody knows."""
        return self.audience.audience == "organisation"

    @property
    def scope(self) -> Scope:
        """What all of them may read."""
        common = frozenset({PUBLIC, ORG} if self.members else {PUBLIC})
        return Scope(common, common)

    def elsewhere(self, answers: Sequence[KeptAnswer]) -> set[str]:
        """The other channels of their platform in which these were asked."""
        here = (self.channel.platform, self.channel.id)
        places = {(each.place.platform, each.place.channel) for each in answers if not each.in_private} - {here}
        return {channel for platform, channel in places if platform == self.channel.platform}

    def may_read(self, answer: KeptAnswer, open_channels: Collection[str]) -> bool:
        """Whether a question may be quoted. open_channels: those that every member may read."""
        place = answer.place
        if answer.in_private or place.platform != self.channel.platform:
            return False
        return place.channel == self.channel.id or (self.members and place.channel in open_channels)


@dataclass(frozen=True, slots=True)
class DigestSources:
    """What a digest is made with."""

    embedder: Embedder
    catalog: DocumentCatalog
    masker: Masker


@dataclass(frozen=True, slots=True)
class DigestMessage:
    """A digest as it is sent."""

    channel: str
    lines: Sequence[str]
    handle: Mapping[str, str]
    """What the platform needs to find the channel."""


def digest_lines(gaps: Sequence[Gap], masker: Masker) -> list[str]:
    """The message, line by line, masked; empty without gaps. Paths are left out: they name the pages above."""
    if not gaps:
        return []
    count = sum(len(each.answers) for each in gaps)
    lines = [f"Asked in the last {BACK.days} days without a good answer ({count}):"]
    for each in gaps:
        times = f" (asked {len(each.answers)} times)" if len(each.answers) > 1 else ""
        lines.append(f"• {_one_line(each.example.record.question)}{times}")
        for near in each.nearest:
            owner = f", owner {_one_line(near.author)}" if near.author else ""
            lines.append(f"   near: {_one_line(near.title)}{owner}")
    return [masker.mask(line).text for line in lines]


async def digest(
    readers: DigestReaders,
    answers: Sequence[KeptAnswer],
    is_open: Callable[[str], Awaitable[bool]],
    sources: DigestSources,
) -> list[str]:
    """What the readers are told of these answers. is_open: whether every member may read a channel."""
    open_channels = {each for each in sorted(readers.elsewhere(answers)) if readers.members and await is_open(each)}
    quoted = [each for each in answers if readers.may_read(each, open_channels)]
    gaps = await find_gaps(quoted, sources.embedder, sources.catalog, readers.scope, MAX_GAPS)
    return digest_lines(gaps, sources.masker)


async def run_digest(
    product: Product, platforms: Sequence[OpenPlatform], channel: AlertChannel, arguments: Mapping[str, object]
) -> None:
    """Sends the digest of a scheduled run, and records what became of it. It is sent once: where a process died at
    sending it, or the platform's answer did not arrive, nobody knows whether it was sent, and it is not sent again."""
    key = SourceTaskKey.from_arguments(arguments)
    table, alerts = product.storage.scheduled_runs(), product.storage.alerts()
    if not await table.start_task(key):
        return
    platform = next(each for each in platforms if each.name == channel.platform)
    try:
        message = await _message(product, platform, channel)
        if not message.lines:
            await table.finish_task(key, "done", "there was nothing to tell")
            return
        if not await _send_once(product, key.run, platform, message):
            if await alerts.sent(DIGEST, key.run):  # also noted where it may have been, see below
                await table.finish_task(key, "done", "it was sent, or may have been")
                return
            words = "it may not have been sent: another process was at it, and did not say what became of it"
            await table.finish_task(key, "attention", words)
            return
    except OutcomeUnknown as error:
        log.warning("The digest may have been sent, and is not sent again: %s (%s)", error.what, error.why)
        await alerts.mark_sent(DIGEST, key.run)
        await table.finish_task(key, "attention", "it may have been sent, and is not sent again")
        return
    except KbError as error:
        log.error("The digest cannot be told where KB_AGENT_DIGEST_CHANNEL says: %s (%s)", error.what, error.why)  # noqa: TRY400
        await table.finish_task(key, "failed", product.masker.mask(error.what).text)
        return
    await alerts.mark_sent(DIGEST, key.run)
    await table.finish_task(key, "done", "sent")


async def _message(product: Product, platform: OpenPlatform, channel: AlertChannel) -> DigestMessage:
    """What is to be sent. Raises a KbError where it cannot be known."""
    storage = product.storage
    since = await storage.scheduled_runs().now() - BACK
    answers = await storage.answer_records().gaps(since, MAX_QUESTIONS, platform=channel.platform, private=False)
    handle = await storage.alerts().last_reply_handle(channel.platform, channel.id)
    readers = DigestReaders(channel, await platform.readers(channel.id, handle))
    sources = DigestSources(product.embedder, storage.document_catalog(), product.masker)
    return DigestMessage(channel.id, await digest(readers, answers, platform.is_open, sources), handle)


async def _send_once(product: Product, run: str, platform: OpenPlatform, message: DigestMessage) -> bool:
    """Sends it; False where another process has begun to. It is claimed while it is being sent and no longer, so that
    a process which is stopped before, or between two attempts, leaves it to the next one.

    Raises a KbError when it could not be sent; OutcomeUnknown where it may have been.
    """
    left, alerts = TRIES, product.storage.alerts()
    while await alerts.claim(DIGEST, run, again=False):
        left -= 1
        try:
            await platform.announce(message.channel, message.lines, message.handle)
        except OutcomeUnknown:
            raise
        except KbError as error:
            await alerts.release(DIGEST, run)
            if not left or not isinstance(error, Transient):
                raise
        else:
            return True
        await cancellable_sleep(AGAIN_SECONDS)
    return False


def _one_line(text: str) -> str:
    return " ".join(text.split())
