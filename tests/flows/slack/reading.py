"""What tests look at: the bot's messages in a thread, and what the database holds of questions."""

from typing import Any

from tests.command import Kb, rows
from tests.fakes.slack import LocalSlack, Message, plain

QUESTION = "How many days of vacation?"
ANSWER = "thirty days"


def replies(slack: LocalSlack, channel: str, thread: str) -> list[Message]:
    """What the bot shows in a thread now."""
    return [each for each in slack.thread(channel, thread) if each.user == slack.bot]


def answered(slack: LocalSlack, channel: str, thread: str, words: str = ANSWER) -> list[Message] | None:
    """What the bot shows in a thread, once the last of it is an outcome with these words."""
    shown = replies(slack, channel, thread)
    done = shown and shown[-1].streaming_state != "in_progress" and words in plain(shown[-1])
    return shown if done and ("Sources" in plain(shown[-1]) or words != ANSWER) else None


def questions(kb: Kb, fields: str = "state, result") -> list[tuple[Any, ...]]:
    """Fields of all questions in the ledger, in order."""
    return rows(kb.env["KB_AGENT_DATABASE_URL"], f"SELECT {fields} FROM questions ORDER BY question_no")


def settled(kb: Kb) -> bool:
    """Whether nothing is left to be done."""
    open_jobs = "SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')"
    ended = all(state in {"posted", "failed", "withdrawn"} for (state,) in questions(kb, "state"))
    return ended and rows(kb.env["KB_AGENT_DATABASE_URL"], open_jobs) == [(0,)]
