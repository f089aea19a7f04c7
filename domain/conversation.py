"""What is said to the bot on a chat platform, and what became of it: the same for all platforms."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from domain.access import ORG, PUBLIC, Principal, Scope
from domain.answers import Answer, Declined, NotFound, Outcome, Turn
from domain.errors import KbError, Misconfigured
from domain.reach import OutsiderReason, PublicReason, Reach

Platform = Literal["slack", "teams", "terminal"]

Audience = Literal["asker", "organisation", "public"]
"""Who reads the reply: the asker alone; others, all of them members of the organisation; anybody else too."""

State = Literal["received", "running", "posting", "posted", "failed", "withdrawn"]
"""received: accepted, nobody works on it yet. running: a worker does. posting: its outcome is being shown. posted: the
outcome is shown. failed: shown, or given up, without one of the agent's. withdrawn: the asker deleted the question."""

Result = Literal["answered", "not_found", "declined", "failed", "busy", "late", "unreachable", "withdrawn"]
"""How a question ended. busy: beyond a limit. late: not in time. unreachable: there was no place to reply to."""


@dataclass(frozen=True, slots=True)
class MessageKey:
    """Names a message, whoever delivers it and however often. channel, message: ids of the platform's own."""

    platform: Platform
    channel: str
    message: str

    def __str__(self) -> str:
        return f"{self.platform}:{self.channel}:{self.message}"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on a platform. id: the platform's own. workspace: where the platform knows the id."""

    platform: Platform
    id: str
    workspace: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a conversation goes on.

    thread: id of the thread's first message; empty where there are no threads. private: only the asker and the bot are
    there.
    """

    platform: Platform
    workspace: str
    channel: str
    thread: str = ""
    private: bool = False

    @property
    def conversation(self) -> str:
        """What turns belong together by: a thread, or all of a private conversation."""
        return self.channel if self.private else f"{self.channel}:{self.thread}"

    @property
    def lane(self) -> str:
        """What one answer at a time is written in."""
        return f"{self.platform}:{self.channel}:{self.thread}"


@dataclass(frozen=True, slots=True)
class Incoming:
    """A question as it came in.

    audience: of the reply. handle: what the platform needs in order to reply, beyond the place. unread: names of
    attached files, which are not looked into.
    """

    key: MessageKey
    place: Place
    asker: Person
    text: str
    audience: Audience
    handle: Mapping[str, str] = field(default_factory=dict)
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """What is accepted.

    user_minute, channel_minute: questions of one person, and in one channel, a minute. user_day: of one person in 24
    hours. waiting: questions that are accepted and not ended, of all. deadline: within which each ends.
    """

    user_minute: int = 10
    channel_minute: int = 60
    user_day: int = 500
    waiting: int = 100
    deadline: timedelta = timedelta(seconds=180)


Excess = Literal["user_minute", "channel_minute", "user_day", "waiting"]
"""The limit of `Limits` that a question is beyond."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What became of an attempt to claim a question.

    number: its own, from now on. fresh: whether this call claimed it; else somebody has it already. excess: the limit
    that it is beyond, for which it has to be turned down. before: how many questions that were accepted earlier have to
    be begun first, where it has to wait; None where a worker is free for it, or nothing is known of that any more. Of
    each other thread it counts one.
    """

    number: int
    fresh: bool
    state: State = "received"
    excess: Excess | None = None
    before: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """An accepted question, as a worker gets it.

    attempt: how often it was begun, this time included. revision: how often its text was changed. text: without
    secrets. handle: see Incoming, and what the platform added when it showed its first sign. left: until its deadline,
    by the ledger's clock at that moment; negative when that has passed. excess, before: see Claim; a worker has no
    `before`.
    """

    number: int
    key: MessageKey
    place: Place
    asker: Person
    text: str
    audience: Audience
    handle: Mapping[str, str]
    attempt: int
    revision: int
    received_at: datetime
    left: timedelta
    unread: tuple[str, ...] = ()
    excess: Excess | None = None
    before: int | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a question stands now: whether a worker should go on with it."""

    state: State
    attempt: int
    revision: int


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """Which chunk the reference `n` of a reply was to."""

    n: int
    chunk_id: str


@dataclass(frozen=True, slots=True)
class Ending:
    """How a question ended.

    turn: what the conversation remembers, masked; None for nothing. cited: see CitedPassage. duplicate_possible: the
    platform could not say whether an earlier attempt was shown already.
    """

    result: Result
    turn: Turn | None = None
    cited: tuple[CitedPassage, ...] = ()
    duplicate_possible: bool = False

    @property
    def state(self) -> State:
        """The state that this leaves."""
        if self.result == "withdrawn":
            return "withdrawn"
        return "posted" if self.result in {"answered", "not_found", "declined"} else "failed"


def result_of(outcome: Outcome) -> Result:
    """How a question has ended whose outcome this is."""
    match outcome:
        case Answer():
            return "answered"
        case NotFound():
            return "not_found"
        case Declined():
            return "declined"
        case _:
            return "failed"


@dataclass(frozen=True, slots=True)
class Known:
    """A question that was accepted once, as buttons below its reply need it. text: without secrets while it is open,
    masked once it is answered, and empty when it is forgotten."""

    number: int
    key: MessageKey
    place: Place
    asker: Person
    audience: Audience
    text: str
    state: State
    result: Result | None
    cited: tuple[CitedPassage, ...]
    handle: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Remembered:
    """An earlier question of a person, masked. key: of its message. number: of the question."""

    question: str
    key: MessageKey
    asked_at: datetime
    number: int


@dataclass(frozen=True, slots=True)
class Identity:
    """What a platform says about a person.

    email: verified by the platform, in lower case; None where there is none. member: whether the person belongs to
    the organisation that runs the bot: no guest, no stranger, no bot. reason: why they do not.
    """

    email: str | None
    member: bool
    name: str = ""
    reason: OutsiderReason = ""


@dataclass(frozen=True, slots=True)
class Readers:
    """Who reads a reply. reason: why that is anybody, where it is."""

    audience: Audience
    reason: PublicReason = ""


ASKER_ALONE, MEMBERS = Readers("asker"), Readers("organisation")


def failed_lookup(error: KbError) -> Literal["lookup_failed", "missing_scope"]:
    """The reason to give when a platform fails to say who somebody is, or who reads along."""
    return "missing_scope" if isinstance(error, Misconfigured) else "lookup_failed"


def outsider(identity: Identity, domains: tuple[str, ...] = ()) -> OutsiderReason:
    """Why somebody sees what is public alone; empty for a member. domains: see `scope_of`."""
    if not identity.member:
        return identity.reason or "unknown_person"
    if not identity.email:
        return identity.reason or "no_address"
    return "" if not domains or identity.email.rpartition("@")[2] in domains else "foreign_domain"


def reach_of(identity: Identity, readers: Readers, domains: tuple[str, ...] = ()) -> Reach:
    """What a reply is held to, in words of reasons; the same that `scope_of` says in rights."""
    held = readers.audience == "public"
    why = (readers.reason or "unknown_channel") if held else ""
    return Reach(outsider(identity, domains), why, shared=readers.audience != "asker")


def scope_of(identity: Identity, audience: Audience, domains: tuple[str, ...] = ()) -> Scope:
    """What may be used for a reply.

    domains: of the organisation's addresses, in lower case; empty admits any. Who is no member, has no verified
    address or one of another domain sees what is public; where others read the reply, it holds what all may read.
    """
    asker = frozenset({PUBLIC})
    if identity.email and not outsider(identity, domains):
        asker = Scope.member(identity.email).asker
    readers: dict[Audience, frozenset[Principal] | None] = {
        "asker": None,
        "organisation": frozenset({PUBLIC, ORG}),
        "public": frozenset({PUBLIC}),
    }
    return Scope(asker, readers[audience])
