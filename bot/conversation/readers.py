"""Who reads the reply to a question, while it is answered: looked up at its beginning, and again before it is shown."""

from dataclasses import dataclass
from time import monotonic

from bot.conversation.chat_platform import ChatPlatform
from domain.access import Scope
from domain.answers import Readers
from domain.conversation import AcceptedQuestion, Identity, ReplyAudience, scope_of, scope_reason_of
from domain.scope_reason import ScopeReason


@dataclass(frozen=True, slots=True)
class ReplyReaders(Readers):
    """The readers of one reply. identity: the asker's. domains: see domain.conversation.scope_of."""

    platform: ChatPlatform
    asked: AcceptedQuestion
    identity: Identity
    domains: tuple[str, ...] = ()

    async def now(self, *, max_age: float = 0.0) -> tuple[Scope, ScopeReason]:
        """See domain.answers.Readers."""
        return self.rights(await self.platform.audience(self.asked, since=monotonic() - max_age))

    def rights(self, found: ReplyAudience) -> tuple[Scope, ScopeReason]:
        """What these readers may read, and why no more."""
        scope = scope_of(self.identity, found.audience, self.domains)
        return scope, scope_reason_of(self.identity, found, self.domains)
