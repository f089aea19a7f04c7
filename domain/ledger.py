"""The ports of conversations: which questions were accepted and what became of them, what is remembered, what people
thought of it, and the queue of work. tests/contract holds every implementation to them."""

from collections.abc import Awaitable, Callable, Collection, Mapping
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
    QuestionLimits,
    RecordedOutcome,
    RememberedQuestion,
)

MAX_TEXT_CHANGES = 5
"""After so many, a question is answered as it is: each change costs as much as a question."""


class Ledger(Protocol):
    """Every question once. All methods raise Transient when the database is away."""

    async def claim(self, incoming: Incoming, limits: QuestionLimits) -> AcceptedQuestion:
        """Accepts a question, unless its key is known: then it says what became of it. Of many callers at one time
        exactly one gets a fresh claim. A question beyond a limit is claimed too, and carries the limit, the first in
        the order of `QuestionLimits`; it counts against none. A claim says whether it has to wait, and for how many
        questions: as many are answered at one time as the live workers say, and one of each thread. The limits count
        by the database's clock. What the database has no text for is replaced, here and wherever a text is kept."""

    async def placed(self, number: int, handle: Mapping[str, str]) -> bool:
        """Notes where the reply will be (`handle` is added to what the question came with) and queues the question.
        Returns False, and does nothing, when somebody has begun it already, or it has ended."""

    async def begin(self, number: int, handle: Mapping[str, str] | None = None) -> AcceptedQuestion | None:
        """Starts an attempt: the state becomes `running`, and any earlier attempt is void. None when it has ended."""

    async def moved(self, number: int, attempt: int, handle: Mapping[str, str]) -> bool:
        """Adds to the handle during an attempt. False when the attempt is void, or the question has ended."""

    async def posting(self, number: int, attempt: int, revision: int) -> bool:
        """The outcome is about to be shown. False when the attempt is void, the text was changed, or it has ended."""

    async def close(self, number: int, attempt: int, ending: RecordedOutcome) -> bool:
        """Ends the question, and adds its turn to the memory in the same transaction. What only replying needed goes:
        the handle's entries named `response_url`; the text becomes the turn's question, or empty. False, and nothing
        is changed, when the attempt is void or the question has ended. An attempt of 0 closes what nobody has begun.

        A text that was changed since the attempt began is not lost: where `amend` would queue a question that ended so
        anew, this does, instead of ending it."""

    async def amend(self, key: MessageKey, text: str) -> int | None:
        """Another text for a question, without secrets: it is queued anew when it had ended as answered, not_found,
        declined, failed or late; its turn is forgotten then, and it has a whole deadline again. Gives its number; None,
        and nothing is changed, for a question that is unknown or ended otherwise, one beyond a limit or changed
        MOST_CHANGES times, or the same text."""

    async def withdraw(self, key: MessageKey) -> AcceptedQuestion | None:
        """The asker deleted it: what had not ended becomes `withdrawn`; its text and its turn go, ended or not. Gives
        the question as it stood before, None when unknown."""

    async def known(self, number: int) -> AcceptedQuestion | None:
        """The question of that number, as it is now; None when there is none, or it was removed."""

    async def in_thread(self, place: ConversationPlace, *, before: int | None = None) -> bool:
        """Whether a question was accepted in this thread, and not withdrawn. before: only those of a lower number."""

    async def shown_as(self, platform: Platform, channel: str, message: str) -> int | None:
        """The number of the question whose handle says that its reply in this channel is this message: its entry
        `activity`."""

    async def left_over(self, platforms: Collection[Platform], patience: timedelta) -> list[int]:
        """Queues again what nobody would come back to: what has not ended, waits in no queue, is worked on by nobody,
        and was accepted, queued and begun longer than `patience` ago. Gives their numbers. Safe to call from many
        processes at once."""

    async def waiting(self) -> int:
        """Questions that are accepted and not ended."""

    async def prune(self, *, ended_before: datetime) -> int:
        """Removes questions that ended before then, with what was thought of them, and jobs that failed before then.
        Gives how many questions."""


class Memory(Protocol):
    """What was asked and replied, by person and conversation, masked, as it was shown. Written by Ledger.close."""

    async def turns(
        self, person: Participant, place: ConversationPlace, *, limit: int, since: datetime
    ) -> tuple[Turn, ...]:
        """The last turns of this person in this conversation since then, oldest first."""

    async def recent(self, person: Participant, *, limit: int) -> list[RememberedQuestion]:
        """The person's last questions in whatever place that are remembered, newest first."""

    async def forget(self, person: Participant) -> int:
        """Removes all turns of a person, the texts of their ended questions with the names of files, and the reasons
        of their votes. Gives how many turns."""

    async def prune(self, *, before: datetime) -> int:
        """Removes turns and reasons of votes from before then, and the texts of questions that ended before then, with
        the names of files. Gives how many turns."""


class Feedback(Protocol):
    """What readers think of replies: one vote a person and reply, the last one counts."""

    async def give(self, number: int, person: Participant, value: int, reason: str | None = None) -> bool:
        """Notes 1 or -1; a reason (masked) is added to it, or kept when none is given. False for an unknown
        question."""

    async def totals(self, since: datetime) -> Mapping[int, int]:
        """How many votes of each value, 1 and -1, were given or changed since then."""


JobHandler = Callable[[Mapping[str, object]], Awaitable[None]]
"""Does one job; gets its arguments. An exception makes the job fail; it is logged, and never tried again."""


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """How a worker works."""

    queues: tuple[str, ...]
    """Queues that it serves."""
    concurrency: int = 4
    """Jobs at one time."""
    heartbeat: float = 5.0
    """Seconds between its signs of life."""
    lost: float = 20.0
    """Seconds without a sign of life after which others take over its jobs."""
    grace: float = 20.0
    """Seconds that running jobs get when it stops; then they are given back."""
    cut_off: float = 20.0
    """Seconds that such a job gets to put its things in order; then nobody waits for it."""


class JobQueue(Protocol):
    """Work that any process over the database may do. Question jobs (task `answer`, arguments {"number": …}, queue: the
    platform's name, one at a time a lock_key) are put by the ledger."""

    async def put(
        self,
        task: str,
        arguments: Mapping[str, object],
        *,
        queue: str,
        lock_key: str,
        unique_key: str,
        priority: int = 0,
    ) -> bool:
        """Queues a job. lock_key: of jobs with the same one, one runs at a time, in order. unique_key: while a job with
        this one waits, another one is refused: False. priority: jobs with a higher one come first, in a queue and among
        those with one lock key."""

    async def waiting(self, task: str, *, lock_key: str) -> int:
        """How many jobs of a task wait with a lock key. Raises Transient when the database is away."""

    async def take(self, task: str, *, lock_key: str) -> list[Mapping[str, object]]:
        """Takes the jobs of a task that wait with a lock key out of the queue, in order; the caller does them. Raises
        Transient when the database is away."""

    async def work(self, tasks: Mapping[str, JobHandler], options: WorkerOptions) -> None:
        """Does jobs until it is cancelled, then waits for the running ones as long as the options say; what is cut
        off then is queued again. Jobs of workers that gave no sign of life are taken over. A job may therefore be done
        twice; one whose worker was wrongly taken for dead, at one time. A short absence of the database is sat out.

        Raises:
            Transient: the database was away for as long as `lost` says, or others took this worker for dead.
        """
