"""What an answer amounts to at its end: what is added to it, and what is kept of it."""

from dataclasses import replace

from domain.answers import Answer, Declined, Failed, NotFound, Turn
from domain.conversation import Asked, CitedPassage, Ending, result_of
from domain.masking import Masker
from domain.masking.shown import MaskedAnswer, masked_answer
from domain.text.encodable import encodable


def with_remarks(answer: MaskedAnswer, asked: Asked, masker: Masker) -> MaskedAnswer:
    """The outcome, saying which attached files were not looked into."""
    outcome = answer.outcome
    if not asked.unread or isinstance(outcome, Failed):
        return answer
    remark = f"I cannot read what is attached to a question: {', '.join(asked.unread)}."
    if isinstance(outcome, Declined):
        return masked_answer(replace(outcome, reason=f"{outcome.reason} {remark}"), masker, asked.text)
    notice = f"{outcome.notice} {remark}" if outcome.notice else remark
    return masked_answer(replace(outcome, notice=notice), masker, asked.text)


def ending(answer: MaskedAnswer, asked: Asked, masker: Masker, *, twice: bool) -> Ending:
    """How a question has ended that this was shown for. twice: whether it may be seen so often."""
    outcome = answer.outcome
    cited = outcome.citations if isinstance(outcome, Answer) else ()
    passages = tuple(CitedPassage(each.n, each.chunk_id) for each in cited if each.chunk_id)
    return Ending(result_of(outcome), _turn(answer, asked, masker), passages, twice)


def _turn(answer: MaskedAnswer, asked: Asked, masker: Masker) -> Turn | None:
    """What is remembered: what was shown, and the question as it may be shown."""
    question = masker.mask(encodable(asked.text)).text
    match answer.outcome:
        case Answer() as outcome:
            return Turn(question, outcome.text)
        case NotFound() as outcome:
            return Turn(question, f"Not found. Searched {outcome.searched}.")
        case _:
            return None
