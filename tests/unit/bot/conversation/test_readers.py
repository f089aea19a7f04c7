"""Who reads a reply is looked up again where a look-up fails that may pass."""

from dataclasses import dataclass, field

from bot.conversation.readers import ReplyReaders
from domain.access import ORG, PUBLIC
from domain.conversation import AcceptedQuestion, Identity, ReplyAudience
from tests.fakes.platform import MemoryPlatform
from tests.unit.bot.conversation.conversations import Desk, incoming

FAILED = ReplyAudience("public", "lookup_failed")


@dataclass
class FailingPlatform(MemoryPlatform):
    """A platform that does not say at first who reads a reply. found: what it says, in order; then what is asked for.
    since: how old that might have been."""

    found: list[ReplyAudience] = field(default_factory=list)
    since: list[float | None] = field(default_factory=list)

    async def audience(self, asked: AcceptedQuestion, *, since: float | None = None) -> ReplyAudience:
        self.since.append(since)
        return self.found.pop(0) if self.found else await MemoryPlatform.audience(self, asked, since=since)


async def readers(platform: FailingPlatform, patience: float) -> ReplyReaders:
    claim = await Desk().service.receive(incoming())
    return ReplyReaders(platform, claim, Identity("ann@example.com", member=True), patience=patience)


async def test_a_look_up_that_fails_for_a_moment_does_not_cost_the_answer() -> None:
    platform = FailingPlatform(found=[FAILED, FAILED])
    scope, reason = await (await readers(platform, 5.0)).now(max_age=1.0)
    assert (reason.readers, scope.audience) == ("", frozenset({PUBLIC, ORG}))
    assert len(platform.since) == 3
    assert len(set(platform.since)) == 1, "a look-up that is under way is waited for, not begun again"


async def test_one_that_fails_for_good_holds_the_reply_to_what_is_public() -> None:
    platform = FailingPlatform(found=[FAILED] * 100)
    _, reason = await (await readers(platform, 0.5)).now()
    assert reason.readers == "lookup_failed"
    assert 2 <= len(platform.since) <= 4


async def test_who_reads_it_for_certain_is_asked_once() -> None:
    platform = FailingPlatform(found=[ReplyAudience("public", "guests")])
    _, reason = await (await readers(platform, 5.0)).now()
    assert (reason.readers, len(platform.since)) == ("guests", 1)
