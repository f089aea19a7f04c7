"""What a chat platform gives to a conversation: who somebody is, and a place for one reply."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from domain.answers import Progress, Question, ReplyPart
from domain.conversation import AcceptedQuestion, ExceededLimit, Identity, Participant, ReplyAudience, Result
from domain.errors import KbError, Refused, Transient
from domain.ledger import Ledger
from domain.masked_answer import MaskedAnswer
from domain.masking import MaskedText

log = logging.getLogger(__name__)


class OutcomeUnknown(Transient):
    """Whether a platform did what it was asked is unknown: its answer did not arrive, or could not be read."""


class ReplyChannel(Protocol):
    """The reply to one question, where it is shown. Everything shown is masked by its type, or words of our own. A
    platform implements what it can show: what it inherits shows nothing.

    Methods raise Transient when the platform was away for longer than it is worth waiting, and Refused when there is
    no way to show anything there: the channel is gone, or we were removed from it.
    """

    async def open(self) -> Mapping[str, str]:
        """Shows a status message. Gives what has to be known to change it later, from another process too."""
        return {}

    async def resume(self) -> Mapping[str, str]:
        """The same for a worker: finds the status message of before, whoever showed it, and shows one where there is
        none. Gives what has to be known from now on."""
        return {}

    async def outcome(self) -> Result | None:
        """How the question ended, as it is asked now, where an earlier attempt has shown that; None where none has, or
        the platform does not say."""
        return None

    async def progress(self, progress: Progress) -> None:  # noqa: ARG002 - for platforms that show it
        """Shows how far it is in the place of what was shown before, unless that was done a moment ago. Never raises;
        never waits for its turn."""
        return

    async def write(self, written: ReplyPart) -> None:  # noqa: ARG002 - for platforms that show it
        """Shows a further part of the reply, where the platform has a way to that takes the place of nothing. Never
        raises."""
        return

    async def finish(self, answer: MaskedAnswer) -> bool:
        """Shows the outcome in place of the status message. Done twice, it shows it once. Returns whether it may be
        seen twice, because the platform does not say what an earlier attempt has shown."""

    def correctable(self) -> Mapping[str, str]:
        """What has to be known to correct the outcome later, beside what `open` and `resume` gave."""
        return {}

    async def correct(self, answer: MaskedAnswer) -> bool:  # noqa: ARG002 - for platforms that can
        """Shows an answer in the place of the outcome of before, which it is a part of. Done twice, it shows it once.
        Returns False where what was shown cannot be changed."""
        return False

    async def refuse(self, excess: ExceededLimit) -> bool:
        """Says that the question is beyond a limit, in place of the status message. Returns what `finish` does."""

    async def late(self) -> bool:
        """Says that there was no answer in time, in place of the status message. Returns what `finish` does."""

    async def withdraw(self, kept: Mapping[str, str] | None = None) -> None:  # noqa: ARG002 - for platforms that can
        """Takes back what was shown, unless it is what `kept` leads to: others go on with that. Never raises.

        kept: what an `open` or `resume` gave."""
        return


def lookup_seconds(calls: int) -> float:
    """Seconds for which somebody who waits for an answer waits for a look-up of who reads it, by the calls it takes."""
    return max(1.0, 0.25 * calls)


class ChatPlatform(Protocol):
    """One platform, for the service and its workers."""

    def reply(self, asked: AcceptedQuestion, patience: float) -> ReplyChannel:
        """The reply to a question. patience: seconds from now after which nothing that fails is tried again."""

    async def identity(self, person: Participant) -> Identity:
        """Who somebody is.

        Raises:
            Transient: the platform does not say at the moment. Never guessed: rights hang on it.
        """

    async def audience(self, asked: AcceptedQuestion, *, since: float | None = None) -> ReplyAudience:
        """Who will read the reply, as far as the platform says now: what `asked` says, or wider. Never raises what a
        platform that is away raises: then anybody may read it, and the reason says so.

        since: a moment of the monotonic clock: who is there is asked for anew, unless that was done after it, and the
        platform has lookup_seconds to say so."""

    async def find_person(self, address: str, asked: AcceptedQuestion) -> Participant | None:  # noqa: ARG002 - of platforms that can
        """The member of the organisation with that e-mail address, as far as the platform tells; None for nobody, or
        who is no member. asked: a question asked there. Raises Transient when the platform is away."""
        return None

    async def prepare_message(
        self,
        person: Participant,
        words: MaskedText,  # noqa: ARG002 - of platforms that can
        asked: AcceptedQuestion,  # noqa: ARG002
    ) -> Callable[[], Awaitable[None]]:
        """Makes ready to tell a person that `find_person` gave something in a direct message, and who asked: the asker
        of a question. Gives what posts it: that raises a KbError when it was not posted, OutcomeUnknown where it may
        have been. Nothing is posted before; raises a KbError when it cannot be."""
        raise Refused(f"Nobody can be told anything on {person.platform}")

    def narrowed_question(self, asked: AcceptedQuestion, question: Question) -> Question:  # noqa: ARG002 - some platforms need it
        """The question with what this platform adds to it: filters and overrides, where it has any."""
        return question


async def show_if_possible(call: Awaitable[object]) -> None:
    """Does what may fail without harm, such as showing progress."""
    try:
        await call
    except KbError as error:
        log.info("Not shown: %s (%s)", error.what, error.why)


async def withdraw_reply(reply: ReplyChannel, ledger: Ledger, number: int) -> None:
    """Takes back what somebody has shown who may not go on, unless it is what the ledger leads others to."""
    known = await ledger.find(number)
    await reply.withdraw(known.handle if known is not None and known.state != "withdrawn" else None)
