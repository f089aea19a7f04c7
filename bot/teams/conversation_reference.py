"""Where a reply in Teams goes, in plain texts: kept with a question, so that any process can reply at any time."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from domain.conversation import Audience

ConversationKind = Literal["personal", "groupChat", "channel"]

_ROOT = ";messageid="
_ORIGIN = "origin_"
"""Before the names in a question's handle that say in which conversation it was first asked."""
_OPTIONAL = ("tenant", "user", "reply_to", "locale", "team", "form")


@dataclass(frozen=True, slots=True)
class TeamsConversation:
    """A conversation as the service knows it. Texts that were not said are empty."""

    service_url: str
    """Where the service of this conversation is."""
    conversation: str
    """Its id, in channels with the thread's root."""
    kind: ConversationKind
    bot: str
    """Our id there."""
    tenant: str = ""
    user: str = ""
    """Id of who spoke, as the service has it."""
    reply_to: str = ""
    """The message that was said."""
    locale: str = ""
    """The language of the other side's client."""
    team: str = ""
    """Of a channel, the id of its team."""
    form: str = ""
    """Of a channel: `standard`, `private` or `shared`."""

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


def with_origin(reference: TeamsConversation, audience: Audience) -> dict[str, str]:
    """What a handle holds besides, for a question that came from there. audience: of that conversation."""
    return {f"{_ORIGIN}{name}": text for name, text in {**reference.handle, "audience": audience}.items()}


def origin_of(handle: Mapping[str, str]) -> TeamsConversation | None:
    """Where a question was first asked; None where it was asked in its personal chat."""
    try:
        return TeamsConversation.of(
            {name.removeprefix(_ORIGIN): text for name, text in handle.items() if name.startswith(_ORIGIN)}
        )
    except KeyError:
        return None


def audience_of(handle: Mapping[str, str]) -> Audience:
    """Who reads along there, as far as it was told."""
    return "public" if handle.get(f"{_ORIGIN}audience") == "public" else "organisation"
