"""What the composition root asks of a chat platform that is open: to be listened to, and to tell somebody something."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from bot.conversation.background import Background
from bot.conversation.platform import ChatPlatform
from bot.listener import Handler
from domain.conversation import Platform

if TYPE_CHECKING:
    from bot.serving import Service


async def in_order() -> str:
    """The trouble of what has none."""
    return ""


@dataclass(frozen=True, slots=True)
class Ears:
    """How a platform is listened to.

    where: says it in words; gets the HTTP listener's address. handlers: what that listener serves for it, by path.
    connection: is kept open while it is listened to. trouble: says why nothing is heard now; empty while something is.
    """

    where: Callable[[str], str]
    handlers: Mapping[str, Handler] = field(default_factory=dict)
    connection: AbstractAsyncContextManager[Any] = field(default_factory=nullcontext)
    trouble: Callable[[], Awaitable[str]] = in_order


class OpenPlatform(Protocol):
    """A platform that the settings name."""

    @property
    def name(self) -> Platform:
        """As questions have it."""

    @property
    def chat(self) -> ChatPlatform:
        """Replies, and who people are."""

    def listening(self, service: "Service", background: Background) -> AbstractAsyncContextManager[Ears]:
        """What is open while it is listened to.

        Raises:
            Misconfigured: a setting is missing that listening takes.
        """

    async def tell(self, arguments: Mapping[str, object], words: str) -> None:
        """Tells who asked for a job what became of it; what goes wrong is logged. arguments: the job's, see
        bot.conversation.desk.Desk.reindex. words: masked."""

    async def announce(self, channel: str, lines: Sequence[str], handle: Mapping[str, str]) -> None:
        """Says something in a channel or chat. lines: masked. handle: of the last question there, or anywhere; empty
        when nobody has asked. Raises a KbError when it could not be said."""

    async def check(self) -> None:
        """Raises a KbError when the platform does not let us in, or does not answer."""

    async def close(self) -> None:
        """Ends its connections."""
