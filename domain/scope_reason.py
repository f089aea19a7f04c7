"""Why a search is limited to what is public, or to what all readers may read, and what is said then. Pure.

What is said follows from who asks, from where, and from whether there is anything at all that such a reader may read:
never from a document that they may not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from domain.translation import translated

PublicReason = Literal[
    "",
    "shared_channel",
    "guests",
    "open_to_outsiders",
    "too_many_members",
    "lookup_unfinished",
    "lookup_failed",
    "missing_scope",
    "unknown_channel",
]
"""Why a reply is held to what is public. Empty: it is not. shared_channel: another organisation is in the channel.
guests: somebody is there who is no member of ours, or not known to be one. open_to_outsiders: such a one may open it
without being there. too_many_members: more than can be looked up. lookup_unfinished: more than can be looked up so
soon; it goes on meanwhile. lookup_failed: the platform did not say who reads it; a later question may go better.
missing_scope: it will not, until an operator gives the bot a permission. unknown_channel: the bot is not told of that
conversation."""

OutsiderReason = Literal[
    "",
    "guest",
    "stranger",
    "bot",
    "deactivated",
    "unknown_person",
    "no_address",
    "unverified_address",
    "foreign_domain",
    "lookup_failed",
    "missing_scope",
]
"""Why somebody counts as no member. Empty: they are one. guest: a guest of ours. stranger: of another organisation.
unknown_person: the platform knows nobody of that id. foreign_domain: the address is of none of our domains.
lookup_failed, missing_scope: see PublicReason."""

_ASKER: Mapping[OutsiderReason, tuple[str, str]] = {
    "guest": ("You are a guest here", "Ask a member of the organisation."),
    "stranger": ("You belong to another organisation", "Ask a member of this one."),
    "bot": ("You are an app", "Ask as a person."),
    "deactivated": ("Your account is deactivated", "An administrator of the chat platform can activate it."),
    "unknown_person": ("The chat platform does not know you", "Tell whoever runs this service."),
    "no_address": (
        "I am not told your e-mail address",
        "Add one to your profile; if it is there, tell whoever runs this service that I cannot see it.",
    ),
    "unverified_address": ("Your e-mail address is not confirmed", "Confirm it on the chat platform, then ask again."),
    "foreign_domain": (
        "Your e-mail address is none of this organisation's",
        "If it should count as one, tell whoever runs this service.",
    ),
    "lookup_failed": ("I could not find out who you are", "Ask again in a minute."),
    "missing_scope": (
        "I am not permitted to see who you are",
        "Whoever runs this service has to give me that permission: please tell them.",
    ),
}
"""Why an asker sees what is public alone, and what helps."""

_PRIVATELY = "Ask me in a direct message: there I use all that you may read."

_OPEN_TO_MEMBERS = (
    "For answers here, whoever runs this service can make them guests of the workspace, or name the domain of their"
    " addresses as the organisation's."
)

_READERS: Mapping[PublicReason, tuple[str, str]] = {
    "shared_channel": ("People of another organisation read this conversation", _PRIVATELY),
    "guests": ("Guests, or people who are not known to be members, read this conversation", _PRIVATELY),
    "open_to_outsiders": (
        "This channel is open to people who are not known to be members of the organisation",
        f"{_PRIVATELY} {_OPEN_TO_MEMBERS}",
    ),
    "too_many_members": ("More people read this conversation than I can look up", _PRIVATELY),
    "lookup_unfinished": (
        "I am still finding out who reads this conversation",
        "Ask again in a few minutes. Or ask me in a direct message: there I use all that you may read.",
    ),
    "lookup_failed": (
        "I could not find out who reads this conversation",
        "Ask again in a minute. Or ask me in a direct message: there I use all that you may read.",
    ),
    "missing_scope": (
        "I am not permitted to see who reads this conversation",
        f"{_PRIVATELY} For answers here, whoever runs this service has to give me that permission.",
    ),
    "unknown_channel": ("I am not told who reads this conversation", _PRIVATELY),
}
"""Why a reply is held to what is public, and what helps."""


@dataclass(frozen=True, slots=True)
class ScopeReason:
    """Why a scope is limited, for the text of the reply."""

    asker: OutsiderReason = ""
    """Why the asker sees only what is public."""
    readers: PublicReason = ""
    """Why the reply uses only what is public."""
    shared: bool = False
    """Whether others read the reply, so that it uses only what all of them may read."""

    @property
    def codes(self) -> tuple[str, ...]:
        """What holds it, for programs and the log: `asker:guest`, `readers:shared_channel`."""
        named = (("asker", self.asker), ("readers", self.readers))
        return tuple(f"{who}:{reason}" for who, reason in named if reason)

    @property
    def private_helps(self) -> bool:
        """Whether the asker may read more in private."""
        return self.shared and not self.asker

    @property
    def limit(self) -> str:
        """A sentence that says why only what is public was used; empty where more was."""
        why, _ = self._restriction
        return translated("{why}, so I use only what is public.", why=translated(why)) if why else ""

    @property
    def advice(self) -> str:
        """What helps against `limit`."""
        return translated(self._restriction[1])

    @property
    def unknown(self) -> str:
        """What is said beside an answer that may lack something, because a look-up failed or is not permitted."""
        why = self.asker or self.readers
        return f"{self.limit} {self.advice}" if why in {"lookup_failed", "missing_scope"} else ""

    @property
    def nothing(self) -> str:
        """What is said where there is no document at all to be searched."""
        if self.limit:
            return f"{self.limit} {translated('Nothing that is indexed is public.')} {self.advice}"
        if self.shared:
            here = translated("Here I use only what all members may read, and nothing of that kind is indexed.")
            return f"{here} {translated(_PRIVATELY)}"
        return translated(
            "There is nothing for me to search: nothing is indexed yet, or nothing that you may read."
            " Whoever runs this service can tell you which."
        )

    @property
    def _restriction(self) -> tuple[str, str]:
        """The asker's own rights go first: where they are few, another place gives no more."""
        return _ASKER.get(self.asker) or _READERS.get(self.readers) or ("", "")


UNRESTRICTED = ScopeReason()
"""Nothing limits the search but the asker's own rights."""
