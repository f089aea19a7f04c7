"""What is said to the bot on a chat platform, and what became of it: the same for all platforms."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from domain.access import ORG, PUBLIC, Principal, Scope
from domain.answer_records import AnswerRecord
from domain.answers import Answer, Citation, Declined, NotFound, Outcome, Turn
from domain.errors import KbError, Misconfigured
from domain.scope_reason import OutsiderReason, PublicReason, ScopeReason

Platform = Literal["slack", "teams", "terminal", "web"]

Audience = Literal["asker", "organisation", "public"]
"""Who reads the reply: the asker alone; others, all of them members of the organisation; anybody else too."""

State = Literal["received", "running", "posting", "posted", "failed", "withdrawn"]
"""received: accepted, nobody works on it yet. running: a worker does. posting: its outcome is being shown. posted: the
outcome is shown. failed: shown, or given up, without one of the agent's. withdrawn: the asker deleted the question."""

Result = Literal["answered", "not_found", "declined", "failed", "busy", "late", "unreachable", "withdrawn"]
"""How a question ended. busy: beyond a limit. late: not in time. unreachable: there was no place to reply to."""


@dataclass(frozen=True, slots=True)
class MessageKey:
    """Names a message: the same for each delivery of it."""

    platform: Platform
    channel: str
    """The platform's own id, as that of the message."""
    message: str

    def __str__(self) -> str:
        return f"{self.platform}:{self.channel}:{self.message}"


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody on a platform."""

    platform: Platform
    id: str
    """The platform's own id."""
    workspace: str = ""
    """The workspace or tenant in which the id is known; empty where ids are known everywhere."""


@dataclass(frozen=True, slots=True)
class ConversationPlace:
    """Where a conversation takes place."""

    platform: Platform
    workspace: str
    channel: str
    thread: str = ""
    """Id of the thread's first message; empty where there are no threads."""
    private: bool = False
    """Whether only the asker and the bot are there."""

    @property
    def conversation(self) -> str:
        """Turns with the same value belong together: those of a thread, or of a private conversation."""
        return self.channel if self.private else f"{self.channel}:{self.thread}"

    @property
    def lock_key(self) -> str:
        """Of the questions with the same value, one is answered at a time."""
        return f"{self.platform}:{self.channel}:{self.thread}"


@dataclass(frozen=True, slots=True)
class Incoming:
    """A question as a platform delivered it; it may be delivered again."""

    key: MessageKey
    place: ConversationPlace
    asker: Participant
    text: str
    audience: Audience
    """Who will read the reply."""
    handle: Mapping[str, str] = field(default_factory=dict)
    """What the platform needs in order to reply, beyond the place."""
    unread: tuple[str, ...] = ()
    """Names of attached files, which are not looked into."""


@dataclass(frozen=True, slots=True)
class QuestionLimits:
    """How many questions are accepted."""

    user_minute: int = 10
    """Of one person in a minute."""
    channel_minute: int = 60
    """In one channel in a minute."""
    user_day: int = 500
    """Of one person in 24 hours."""
    waiting: int = 100
    """Of everybody on one platform, accepted and not ended."""
    deadline: timedelta = timedelta(seconds=180)
    """The time in which each question has to end."""


ExceededLimit = Literal["user_minute", "channel_minute", "user_day", "waiting"]
"""The limit of `QuestionLimits` that a question is beyond."""

SENT_AGAIN: frozenset[Platform] = frozenset({"web"})
"""Where callers send a question that was beyond a limit again by themselves, under the same key, to have it answered.
Other platforms deliver a message again on their own, after it was turned down, too."""


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """Which chunk the reference `n` of a reply was to."""

    n: int
    chunk_id: str


@dataclass(frozen=True, slots=True)
class AcceptedQuestion:
    """A question in the ledger, as it is when it is read: for who accepted it, for a worker, for buttons below its
    reply."""

    number: int
    """Its own, from when it was accepted."""
    key: MessageKey
    place: ConversationPlace
    asker: Participant
    text: str
    """Without secrets while the question is open, masked once it is answered, empty when it is forgotten."""
    audience: Audience
    handle: Mapping[str, str]
    """See Incoming; with what the platform added when it showed the status message."""
    attempt: int
    """How often a worker began it: an earlier attempt's results do not count any more."""
    revision: int
    """How often its text was changed."""
    received_at: datetime
    time_left: timedelta
    """Until its deadline, by the ledger's clock; negative when that has passed."""
    waited: timedelta = timedelta()
    """Since it was accepted, or queued again with another text after it had ended, by the ledger's clock."""
    unread: tuple[str, ...] = ()
    """Names of attached files, which are not looked into."""
    excess: ExceededLimit | None = None
    """The limit that it is beyond, for which it has to be turned down."""
    state: State = "received"
    result: Result | None = None
    """How it ended; None while it is open."""
    cited: tuple[CitedPassage, ...] = ()
    """The passages behind the references of its reply."""
    fresh: bool = False
    """Whether the call that read it accepted it; else it had been accepted before. Only `Ledger.claim` sets it."""
    other_text: bool = False
    """Whether it had been accepted before with another text than that of the call. Only `Ledger.claim` sets it; where
    the text was forgotten, nobody knows."""
    queue_ahead: int | None = None
    """Questions that are begun before it, one of each other thread; None if a worker is free for it. Only a fresh claim
    says so."""
    free_in: timedelta | None = None
    """Until the asker's next question within the limit of 24 hours, for one that is beyond it. Only `Ledger.claim` sets
    it."""


@dataclass(frozen=True, slots=True)
class PostedReply:
    """An answer as it is shown, masked, for when one of its sources is gone."""

    text: str
    """With markers `[n]`; empty when it is forgotten."""
    citations: tuple[Citation, ...]
    confidence: float
    address: str = ""
    """Of who asked, in lower case; empty where nobody knows it, or when it is forgotten."""


@dataclass(frozen=True, slots=True)
class RecordedOutcome:
    """How a question ended, as the ledger keeps it."""

    result: Result
    turn: Turn | None = None
    """What the conversation remembers, masked; None for nothing."""
    cited: tuple[CitedPassage, ...] = ()
    """The passages behind the references of the reply."""
    duplicate_possible: bool = False
    """Whether the reply may be seen twice, since the platform could not say what an earlier attempt has shown."""
    posted: PostedReply | None = None
    """The answer with its sources; None for an outcome without sources."""
    handle: Mapping[str, str] = field(default_factory=dict)
    """What has to be known to change the message later, beside what the handle holds already."""
    record: AnswerRecord | None = None
    """How it came about; None for what is no outcome of the agent."""

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
class RememberedQuestion:
    """An earlier question of a person, masked."""

    question: str
    key: MessageKey
    """Its message."""
    asked_at: datetime
    number: int
    """Its number in the ledger."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a platform says about a person."""

    email: str | None
    """Verified by the platform, in lower case; None where there is none."""
    member: bool
    """Whether the person belongs to the organisation that runs the bot: no guest, no stranger, no bot."""
    name: str = ""
    reason: OutsiderReason = ""
    """Why they do not belong to it; empty for members."""
    anybody: bool = False
    """Whether it is any member, of whom no address is asked: what every member may read, and nothing by name."""


@dataclass(frozen=True, slots=True)
class ReplyAudience:
    """Who reads a reply."""

    audience: Audience
    reason: PublicReason = ""
    """Why anybody may read it, where that is so."""


ASKER_ALONE, MEMBERS = ReplyAudience("asker"), ReplyAudience("organisation")


def lookup_failure(error: KbError) -> Literal["lookup_failed", "missing_scope"]:
    """The reason to give when a platform fails to say who somebody is, or who reads along."""
    return "missing_scope" if isinstance(error, Misconfigured) else "lookup_failed"


def outsider(identity: Identity, domains: tuple[str, ...] = ()) -> OutsiderReason:
    """Why somebody sees what is public alone; empty for a member. domains: see `scope_of`."""
    if not identity.member:
        return identity.reason or "unknown_person"
    if identity.anybody:
        return ""
    if not identity.email:
        return identity.reason or "no_address"
    return "" if not domains or identity.email.rpartition("@")[2] in domains else "foreign_domain"


def scope_reason_of(identity: Identity, readers: ReplyAudience, domains: tuple[str, ...] = ()) -> ScopeReason:
    """What a reply is held to, in words of reasons; the same that `scope_of` says in rights."""
    restricted = readers.audience == "public"
    why = (readers.reason or "unknown_channel") if restricted else ""
    return ScopeReason(outsider(identity, domains), why, shared=readers.audience != "asker")


def scope_of(identity: Identity, audience: Audience, domains: tuple[str, ...] = ()) -> Scope:
    """What may be used for a reply.

    domains: of the organisation's addresses, in lower case; empty admits any. Who is no member, has no verified
    address or one of another domain sees what is public; where others read the reply, it holds what all may read.
    """
    asker = frozenset({PUBLIC})
    if not outsider(identity, domains):
        asker = Scope.member(identity.email).asker
    readers: dict[Audience, frozenset[Principal] | None] = {
        "asker": None,
        "organisation": frozenset({PUBLIC, ORG}),
        "public": frozenset({PUBLIC}),
    }
    return Scope(asker, readers[audience])
