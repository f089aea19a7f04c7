"""Where a reply in Teams goes, in plain texts: kept with a question, so that any process can reply at any time."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, get_args

Kind = Literal["personal", "groupChat", "channel"]

_ROOT = ";messageid="


@dataclass(frozen=True, slots=True)
class Reference:
    """A conversation as the service knows it.

    service_url: where the service of this conversation is. conversation: its id, in channels with the thread's root.
    bot: our id there. tenant: whose conversation it is. user: the id of who spoke, as the service has it. reply_to: the
    message that was said; empty for none. locale: what language the other side's client has; empty for unknown.
    """

    service_url: str
    conversation: str
    kind: Kind
    bot: str
    tenant: str = ""
    user: str = ""
    reply_to: str = ""
    locale: str = ""

    @classmethod
    def of(cls, handle: Mapping[str, str]) -> "Reference":
        """The reference that a handle holds, among whatever else. Raises KeyError when it holds none."""
        kind = handle["kind"]
        if kind not in get_args(Kind):
            raise KeyError("kind")
        texts = {name: handle.get(name, "") for name in ("tenant", "user", "reply_to", "locale")}
        return cls(handle["service_url"], handle["conversation"], kind, handle["bot"], **texts)  # type: ignore[arg-type] # looked up just now

    @property
    def handle(self) -> dict[str, str]:
        """The same as texts by name, without empty ones."""
        return {name: text for name, text in asdict(self).items() if text}

    @property
    def channel(self) -> str:
        """The conversation without the thread."""
        return self.conversation.partition(_ROOT)[0]

    @property
    def root(self) -> str:
        """Id of the thread's first message; empty where there are no threads."""
        return self.conversation.partition(_ROOT)[2]


def in_thread(channel: str, root: str) -> str:
    """The id of a conversation in a channel's thread."""
    return f"{channel}{_ROOT}{root}"
