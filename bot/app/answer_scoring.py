"""The quality of answers is scored in the background, when they are shown: nobody waits for it."""

import logging

from bot.conversation.answer_scoring import score_answers
from domain.answer_ports import AnswerRecords
from domain.errors import KbError
from domain.log_context import WAITING
from domain.tasks import pause

log = logging.getLogger(__name__)

LOOK_SECONDS = 15.0
"""Seconds between two looks for answers that are not scored yet."""


async def keep_scoring(records: AnswerRecords) -> None:
    """Scores answers again and again, until it is cancelled. The database may go away and come back. Any number of
    processes may do so: two that score the same answer come to the same."""
    while True:
        try:
            while await score_answers(records):
                continue
        except KbError as error:
            log.warning("The scoring of answers waits: %s", error.what, extra=WAITING)
        await pause(LOOK_SECONDS)
