"""The quality of answers is scored in the background, when they are shown, without a language model: nobody waits."""

import asyncio
import logging

from agent.replies.answer_quality import answer_quality
from bot.app.recurring import run_periodically
from domain.answer_ports import AnswerQuality, AnswerRecords, UnscoredAnswer

log = logging.getLogger(__name__)

BATCH = 20
"""Answers that are read at one time."""

LOOK_SECONDS = 15.0
"""Seconds between two looks for answers that are not scored yet."""


async def run_scoring(records: AnswerRecords, seconds: float = LOOK_SECONDS) -> None:
    """Scores answers again and again, until it is cancelled. The database may go away and come back. Any number of
    processes may do so: two that score the same answer come to the same. seconds: between two looks."""

    async def score() -> None:
        while found := await records.unscored(BATCH):
            for each in found:
                await records.score(each.number, await asyncio.to_thread(_quality, each))

    await run_periodically("The scoring of answers waits", score, seconds)


def _quality(answer: UnscoredAnswer) -> AnswerQuality | None:
    """None for what cannot be scored, which is not tried again."""
    try:
        return answer_quality(answer.question, answer.reply, answer.citations)
    except Exception:
        log.exception("The answer to question %s cannot be scored", answer.number)
        return None
