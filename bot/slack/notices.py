"""Messages that stand where an answer is not, or not yet: waiting, progress, refusals, time-outs. Pure."""

from bot.conversation import words
from bot.slack.kit import Message, name, note
from bot.slack.limits import TASK_TITLE
from bot.slack.mrkdwn import plain_text
from domain.answers import Progress
from domain.masking import MaskedText

_BAR = 10
_WORDS = 500
_QUESTION = 400


def waiting(before: int | None = None) -> Message:
    """The first visible sign that a question has come in. before: see domain.conversation.Claim."""
    return note(f":hourglass_flowing_sand: {words.waiting(before)}")


def progress(progress: Progress) -> Message:
    """What is being done now, on one line with a bar."""
    percent = min(100, max(0, progress.percent))
    done = percent * _BAR // 100
    bar = "▓" * done + "░" * (_BAR - done)
    line = f":hourglass_flowing_sand: {bar} {percent} % — {name(progress.text, _WORDS)}"
    return note(line)


def task(progress: Progress) -> dict[str, str]:
    """The same as the `id`, `title` and `status` of a task_update chunk of a stream. The title is on one line, of at
    most 256 characters."""
    percent = min(100, max(0, progress.percent))
    title = str(plain_text(f"{percent} % — {progress.text}", TASK_TITLE)["text"])
    status = "complete" if progress.percent >= 100 else "in_progress"
    return {"id": f"{progress.stage}-{progress.iteration}", "title": title, "status": status}


def with_question(message: Message, asked: MaskedText) -> Message:
    """A message below the question that it answers, which nobody sees otherwise: 400 characters of it, as plain text,
    in which nothing is live."""
    words = plain_text(f"Question: {asked.text}", _QUESTION)
    return Message(message.text, ({"type": "context", "elements": [words | {"emoji": False}]}, *message.blocks))


def busy(why: str) -> Message:
    """A question is not taken now. why: a sentence for the asker that says when to come again."""
    return note(f":hourglass: {name(why, _WORDS)}")


def timed_out(number: int) -> Message:
    """An answer took longer than it may. number: of the question in the ledger."""
    return note(
        f":warning: This took too long and was stopped. Ask again, or ask for less at once. Reference: Q{number}"
    )
