"""The ports of conversations: which questions were accepted and what became of them, what is remembered, and what
people thought of it. tests/contract holds every implementation to them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from domain.answers import Turn
from domain.conversation import (
    AcceptedQuestion,
    ConversationPlace,
    Incoming,
    MessageKey,
    Participant,
    Platform,
    PostedReply,
    QuestionLimits,
    RecordedOutcome,
    RememberedQuestion,
)

MAX_TEXT_CHANGES = 5
"""After so many, a question is answered as it is: each change costs as much as a question."""


class Ledger(Protocol):
    """Every question once. All methods raise Transient when the database is away."""

    async def claim(self, incoming: Incoming, limits: QuestionLimits) -> AcceptedQuestion:
        """Accepts a question, or gives the one that was accepted under the same key. Of simultaneous callers exactly
        one gets `fresh`.

        A question beyond a limit is accepted too: `excess` names the first limit, in the order of `QuestionLimits`,
        and it counts against none. `before` is the number of questions that are answered first: live workers have so
        many slots, and a thread has one answer at a time. Of SENT_AGAIN, a question that ended as beyond a limit is
        accepted anew, as another one, when it comes again with the same text. Limits count by the database's clock.
        Characters that the database cannot store are replaced, here and wherever a text is stored."""

    async def enqueue(self, number: int, handle: Mapping[str, str]) -> bool:
        """Adds `handle`, which says where the reply will be, to the question's handle, and queues the question. Returns
        False, and does nothing, if it was begun already or has ended."""

    async def begin_attempt(self, number: int) -> AcceptedQuestion | None:
        """Starts an attempt: the state becomes `running`, earlier attempts are void. None if the question has ended."""

    async def update_handle(self, number: int, attempt: int, handle: Mapping[str, str]) -> bool:
        """Adds to the handle during an attempt. False if the attempt is void or the question has ended."""

    async def begin_posting(self, number: int, attempt: int, revision: int) -> bool:
        """Called just before the outcome is shown. False if the attempt is void, the text changed, or it has ended."""

    async def close(self, number: int, attempt: int, ending: RecordedOutcome) -> bool:
        """Ends the question and adds its turn to the memory, in one transaction. The handle's entry `response_url` is
        removed; the text becomes the turn's question, or empty. Returns False, and changes nothing, if the attempt is
        void or the question has ended. Attempt 0 closes a question that nobody has begun.

        If the text was changed since the attempt began, and `change_text` would queue a question with this outcome
        again, it is queued again instead of ended."""

    async def change_text(self, key: MessageKey, text: str, *, restored: bool = False) -> int | None:
        """Gives a question another text, without secrets. If it had ended as answered, not_found, declined, failed or
        late, it is queued again with a whole deadline, and its turn is removed from the memory, with the votes on its
        reply and what says that it was sent to an owner. Returns its number; None, and changes nothing, if it is
        unknown, ended in another way, was beyond a limit, was changed MAX_TEXT_CHANGES times, or has this text already.
        restored: the asker took a deletion back: one that was withdrawn is queued again, too."""

    async def withdraw(self, key: MessageKey) -> AcceptedQuestion | None:
        """Called when the asker deleted the message: an open question becomes `withdrawn`; text and turn are removed in
        any case. Returns the question as it was before; None if unknown."""

    async def find(self, number: int) -> AcceptedQuestion | None:
        """The question with this number; None if there is none (any more)."""

    async def has_question_in_thread(self, place: ConversationPlace, *, before: int | None = None) -> bool:
        """Whether this thread has an accepted question, not withdrawn. before: only those with lower numbers count."""

    async def find_by_reply(self, platform: Platform, channel: str, message: str) -> int | None:
        """The number of the question whose reply in this channel is this message (`activity` in its handle)."""

    async def last_reply(self, person: Participant, channel: str) -> int | None:
        """The number of this person's question in this channel that was replied to last, in whatever way."""

    async def requeue_lost(self, platforms: Collection[Platform], patience: timedelta) -> list[int]:
        """Queues again the open questions that have no waiting or running job and were accepted, queued and begun
        longer than `patience` ago. Returns their numbers. Many processes may call it at once."""

    async def close_abandoned(self, patience: timedelta) -> Mapping[Platform, int]:
        """Ends as `late`, with an empty text, the open questions of all platforms whose deadline passed longer than
        `patience` ago, as those of a platform that nobody serves any more; their askers are told nothing. Returns how
        many of each platform."""

    async def prune(self, *, ended_before: datetime) -> int:
        """Removes questions that ended before then, with their votes, and jobs that failed before then. Returns how
        many questions."""


@dataclass(frozen=True, slots=True)
class ReplyToCheck:
    """A posted answer whose sources are not as they were."""

    asked: AcceptedQuestion
    posted: PostedReply
    state: str
    """Of the index's documents that it cites, as one value."""
    rewritten: bool
    """Whether a passage that it cites stands in the index no more, though its document does."""
    claimed_until: datetime
    """Until then it is given to nobody else."""


class Corrections(Protocol):
    """Which posted answers may have to be corrected. All methods raise Transient when the database is away."""

    async def due(
        self, platforms: Collection[Platform], *, window: timedelta, lease: timedelta, limit: int = 20
    ) -> list[ReplyToCheck]:
        """Answers that ended no longer than `window` ago and cite documents of the index that are not as they were when
        this was settled last: gone, hidden, with other readers, or with another text; or whose asker is in other groups
        of their sources; or of whose place `readers_changed` was told. None of them is given to somebody else before
        `lease` has passed, and each that was not settled until then is due again. What cites a document of a source
        whose permissions are too old to be relied on waits."""

    async def note_changes(self) -> None:
        """Finds the answers that cite what changed in the index since this was called last, or whose asker's groups
        changed: `due` looks at these, and at new ones. Several processes may call it; one does the work."""

    async def readers_changed(self, platform: Platform, place: str) -> None:
        """Somebody joined or left a channel, or the team of a channel, or it is shared with others now: what was posted
        there is due once more. place: the platform's id of the channel or team."""

    async def settle(self, due: ReplyToCheck, posted: PostedReply) -> None:
        """Records the corrected reply as settled for the documents as `due` found them. The conversation memory and the
        cited passages are updated with it; a reply without text leaves the memory as it is. Does nothing if the
        question has another answer by now, or the check was given to another process."""

    async def give_up(self, due: ReplyToCheck, left: PostedReply) -> None:
        """Records that an answer cannot be changed where it was shown: it is not due any more. left: what of it may
        still be read; only that is remembered of the conversation, and only its references are kept, with the numbers
        that stand where it was shown. Changes nothing where the question has another answer by now, or somebody else
        was given it since."""


class Memory(Protocol):
    """What was asked and replied, by person and conversation, masked, as it was shown. Written by Ledger.close."""

    async def turns(
        self, person: Participant, place: ConversationPlace, *, limit: int, since: datetime
    ) -> tuple[Turn, ...]:
        """The last turns of this person in this conversation since then, oldest first, with the passages that their
        replies cite as they are posted now."""

    async def recent(self, person: Participant, *, limit: int) -> list[RememberedQuestion]:
        """The person's last questions in whatever place that are remembered, newest first."""

    async def forget(self, person: Participant) -> int:
        """Removes all turns of a person, the texts of their ended questions with the names of files, and the reasons
        of their votes. Returns how many turns."""

    async def prune(self, *, before: datetime) -> int:
        """Removes turns and reasons of votes from before then, and the texts of questions that ended before then, with
        the names of files. Returns how many turns."""


class Feedback(Protocol):
    """What readers think of replies: one vote a person and reply, the last one counts."""

    async def vote(self, number: int, person: Participant, value: int, reason: str | None = None) -> bool | None:
        """Stores a vote of 1 or -1. reason: masked; None leaves the one that was given for the same vote before.
        Returns whether the person's vote is another one now; None for an unknown question."""

    async def totals(self, since: datetime) -> Mapping[int, int]:
        """How many votes of each value, 1 and -1, were given or changed since then."""
