"""Where a reply in Teams goes, in plain texts: kept with a question, so that any process can reply at any time."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, get_args

ConversationKind = Literal["personal", "groupChat", "channel"]

_ROOT = ";messageid="
_OPTIONAL = ("tenant", "user", "reply_to", "locale", "team", "form")


@dataclass(frozen=True, slots=True)
class TeamsConversation:
    """A conversation as the service knows it.

    service_url: where the service of this conversation is. conversation: its id, in channels with the thread's root.
    bot: our id there. tenant: whose conversation it is. user: the id of who spoke, as the service has it. reply_to: the
    message that was said; empty for none. locale: what language the other side's client has; empty for unknown. team,
    form: of a channel, the id of its team, and whether it is `standard`, `private` or `shared`; empty where it was not
    said.
    """

    service_url: str
    conversation: str
    kind: ConversationKind
    bot: str
    tenant: str = ""
    user: str = ""
    reply_to: str = ""
    locale: str = ""
    team: str = ""
    form: str = ""

    @classmethod
    def of(cls, handle: Mapping[str, str]) -> "TeamsConversation":
        """The reference that a handle holds, among whatever else. Raises KeyError when it holds none."""
        kind = handle["kind"]
        if kind not in get_args(ConversationKind):
            raise KeyError("kind")
        texts = {name: handle.get(name, "") for name in _OPTIONAL}
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
    def rosters(self) -> tuple[str, ...]:
        """The ids whose members together are all who read along; none where that is not known.

        A standard channel is read by its whole team, and Teams may list a part of them only for the channel's own id. A
        channel that may be a standard one or a shared one is read by no others than both lists hold.
        """
        if self.kind != "channel":
            return (self.channel,)
        if not self.team:
            return ()
        match self.form:
            case "standard":
                return (self.team,)
            case "private" | "shared":
                return (self.channel,)
            case _:
                return tuple(dict.fromkeys((self.team, self.channel)))

    @property
    def root(self) -> str:
        """Id of the thread's first message; empty where there are no threads."""
        return self.conversation.partition(_ROOT)[2]


def in_thread(channel: str, root: str) -> str:
    """The id of a conversation in a channel's thread."""
    return f"{channel}{_ROOT}{root}"
