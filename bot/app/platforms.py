"""What the composition root asks of a chat platform that is open: to be listened to, and to tell somebody something."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol

from bot.conversation.actions import ConversationActions
from bot.conversation.background_tasks import BackgroundTasks
from bot.conversation.chat_platform import ChatPlatform
from bot.conversation.service import ConversationService
from bot.http_listener import Handler
from domain.conversation import Platform, ReplyAudience
from domain.ledger import Corrections


async def no_trouble() -> str:
    """The trouble of a listener that needs no connection."""
    return ""


@dataclass(frozen=True, slots=True)
class Listener:
    """How a platform's deliveries come in."""

    where: Callable[[str], str]
    """Says in words where it listens; gets the HTTP listener's address."""
    handlers: Mapping[str, Handler] = field(default_factory=dict)
    """What the HTTP listener serves for the platform, by path."""
    connection: AbstractAsyncContextManager[Any] = field(default_factory=nullcontext)
    """Is kept open while the platform is listened to."""
    trouble: Callable[[], Awaitable[str]] = no_trouble
    """Says why nothing can come in now; empty while something can."""


@dataclass(frozen=True, slots=True)
class PlatformDependencies:
    """What a platform hands its deliveries to."""

    conversations: ConversationService
    actions: ConversationActions
    background: BackgroundTasks
    corrections: Corrections


class OpenPlatform(Protocol):
    """A platform that the settings name."""

    @property
    def name(self) -> Platform:
        """As questions have it."""

    @property
    def chat(self) -> ChatPlatform:
        """Replies, and who people are."""

    def listening(self, dependencies: PlatformDependencies) -> AbstractAsyncContextManager[Listener]:
        """What is open while it is listened to.

        Raises:
            Misconfigured: a setting is missing that listening takes.
        """

    async def tell(self, arguments: Mapping[str, object], words: str) -> None:
        """Tells who asked for a job what became of it; what goes wrong is logged, and not told again where it may have
        been. arguments: the job's, see ConversationActions.reindex. words: masked."""

    async def announce(self, channel: str, lines: Sequence[str], handle: Mapping[str, str]) -> None:
        """Says something in a channel or chat. lines: masked. handle: of the last question there, or anywhere; empty
        when nobody has asked. Raises a KbError when it could not be said; OutcomeUnknown, at once, where it may have
        been."""

    async def readers(self, channel: str, handle: Mapping[str, str]) -> ReplyAudience:
        """Who reads what is said in a channel or chat; anybody, where that is not known. handle: as of `announce`."""

    async def is_open(self, channel: str) -> bool:
        """Whether every member of the organisation may read a channel; not where that is not known."""

    async def ids_with(self, address: str, people: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
        """The ids of who has an e-mail address, in lower case; of `people` alone, where the platform does not look
        addresses up. people: who asked or voted here, by id, with the handle of the last question. Raises a KbError
        when the platform does not say."""

    async def check(self) -> None:
        """Raises a KbError when the platform does not let us in, or does not answer."""

    async def close(self) -> None:
        """Ends its connections."""
