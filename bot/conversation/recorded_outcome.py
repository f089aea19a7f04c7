"""What an answer amounts to at its end: what is added to it, and what is kept of it."""

import asyncio
import logging
from collections.abc import Mapping

from domain.answer_records import answer_record
from domain.answers import Answer, Declined, Failed, NotFound, Outcome, Turn, with_remark
from domain.conversation import AcceptedQuestion, CitedPassage, PostedReply, RecordedOutcome, result_of
from domain.ledger import Ledger
from domain.masked_answer import MaskedAnswer, masked_answer
from domain.masking import Masker
from domain.text.encodable import encodable
from domain.translation import translated

log = logging.getLogger(__name__)


LOOKS, LOOK_SECONDS = 15, 0.2
"""How often, and after how many seconds each time, it is looked whether a reply that is shown is recorded."""


async def recorded_question(ledger: Ledger, number: int) -> AcceptedQuestion | None:
    """A question whose reply is shown: what it cites is kept a moment after that. None if there is none (any more)."""
    for _ in range(LOOKS):
        known = await ledger.find(number)
        if known is None or known.state not in {"running", "posting"}:
            break
        await asyncio.sleep(LOOK_SECONDS)
    return known


def with_unread_files(answer: MaskedAnswer, asked: AcceptedQuestion, masker: Masker) -> MaskedAnswer:
    """The outcome, saying which attached files were not looked into."""
    outcome = answer.outcome
    if not asked.unread or isinstance(outcome, Failed):
        return answer
    remark = translated("I cannot read what is attached to a question: {files}.", files=", ".join(asked.unread))
    return masked_answer(with_remark(outcome, remark), masker, asked.text)


def log_search_limits(number: int, outcome: Outcome) -> None:
    """Into the log, for whoever operates the service, what held a search that found nothing."""
    if not isinstance(outcome, NotFound | Declined):
        return
    held = ", ".join(outcome.scope_reason.codes)
    if isinstance(outcome, Declined) and outcome.cause == "nothing_to_search":
        log.warning("Question %s had nothing to search: no document is readable (%s)", number, held or "to the asker")
    elif held:
        log.info("Question %s was held to what is public (%s) and found nothing", number, held)


def recorded_outcome(
    answer: MaskedAnswer,
    asked: AcceptedQuestion,
    masker: Masker,
    *,
    twice: bool,
    handle: Mapping[str, str],
    address: str = "",
) -> RecordedOutcome:
    """How a question has ended that this was shown for. twice: whether it may be seen so often. handle: what the
    platform needs to change the message. address: the asker's."""
    outcome = answer.outcome
    cited = outcome.citations if isinstance(outcome, Answer) else ()
    passages = tuple(CitedPassage(each.n, each.chunk_id) for each in cited if each.chunk_id)
    record = answer_record(answer, masker.mask(encodable(asked.text)).text)
    turn, posted = _turn(answer, asked, masker), _posted(outcome, address)
    return RecordedOutcome(result_of(outcome), turn, passages, twice, posted, handle, record)


def _posted(outcome: Outcome, address: str) -> PostedReply | None:
    """What is corrected when a source is gone: an answer, or what a reply that found nothing names and
    quotes, with what was searched for its text. None for neither."""
    match outcome:
        case Answer(citations=cited) if cited:
            return PostedReply(outcome.text, cited, outcome.confidence, address)
        case NotFound():
            cited = tuple(cited for each in outcome.nearest for cited in each.cited())
            return PostedReply(outcome.searched, cited, 0.0, address) if cited else None
        case _:
            return None


def _turn(answer: MaskedAnswer, asked: AcceptedQuestion, masker: Masker) -> Turn | None:
    """What is remembered: what was shown, and the question as it may be shown."""
    question = masker.mask(encodable(asked.text)).text
    match answer.outcome:
        case Answer() as outcome:
            return Turn(question, outcome.text)
        case NotFound() as outcome:
            return Turn(question, f"Not found. Searched {outcome.searched}.")
        case _:
            return None
