"""Scores the answers that were shown, without a language model."""

import asyncio
import logging

from agent.replies.answer_quality import answer_quality
from domain.answer_ports import AnswerQuality, AnswerRecords, UnscoredAnswer

log = logging.getLogger(__name__)

BATCH = 20
"""Answers that are read at one time."""


async def score_answers(records: AnswerRecords) -> int:
    """Scores the next few answers; gives how many. What cannot be scored is not tried again. Raises Transient while
    the database is away."""
    found = await records.unscored(BATCH)
    for each in found:
        await records.score(each.number, await asyncio.to_thread(_quality, each))
    return len(found)


def _quality(answer: UnscoredAnswer) -> AnswerQuality | None:
    try:
        return answer_quality(answer.question, answer.reply, answer.citations)
    except Exception:
        log.exception("The answer to question %s cannot be scored", answer.number)
        return None
