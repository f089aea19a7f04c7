"""Who reads the reply to a question, while it is answered: looked up at its beginning, and again before it is shown."""

import asyncio
from dataclasses import dataclass
from time import monotonic

from bot.conversation.chat_platform import ChatPlatform
from domain.access import Scope
from domain.answers import Readers
from domain.conversation import AcceptedQuestion, Identity, ReplyAudience, scope_of, scope_reason_of
from domain.scope_reason import ScopeReason

PATIENCE_SECONDS = 8.0
"""For so long a look-up that fails is made again: without it an answer that is ready would give way to the news that
nothing is public."""

AGAIN_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class ReplyReaders(Readers):
    """The readers of one reply. identity: the asker's. domains: see domain.conversation.scope_of. patience: see
    PATIENCE_SECONDS."""

    platform: ChatPlatform
    asked: AcceptedQuestion
    identity: Identity
    domains: tuple[str, ...] = ()
    patience: float = PATIENCE_SECONDS

    async def now(self, *, max_age: float = 0.0) -> tuple[Scope, ScopeReason]:
        """See domain.answers.Readers."""
        began = monotonic()
        found = await self.platform.audience(self.asked, since=began - max_age)
        while found.reason == "lookup_failed" and monotonic() - began < self.patience:
            await asyncio.sleep(AGAIN_SECONDS)
            found = await self.platform.audience(self.asked, since=began - max_age)
        return self.rights(found)

    def rights(self, found: ReplyAudience) -> tuple[Scope, ScopeReason]:
        """What these readers may read, and why no more."""
        scope = scope_of(self.identity, found.audience, self.domains)
        return scope, scope_reason_of(self.identity, found, self.domains)
