"""Messages that stand where an answer is not, or not yet: waiting, progress, refusals, time-outs. Pure."""

from bot.slack.kit import Message, context, name, note
from bot.slack.limits import TASK_TITLE
from bot.slack.mrkdwn import plain_text
from domain.answers import Progress

_BAR = 10
_ASKED = 300
_WORDS = 500


def waiting() -> Message:
    """The first visible sign that a question has come in."""
    return note(":hourglass_flowing_sand: Reading your question…")


def progress(progress: Progress, asked: str = "") -> Message:
    """What is being done now, on one line with a bar. asked: the question, which is shown above it if given."""
    percent = min(100, max(0, progress.percent))
    done = percent * _BAR // 100
    bar = "▓" * done + "░" * (_BAR - done)
    line = f":hourglass_flowing_sand: {bar} {percent} % — {name(progress.text, _WORDS)}"
    above = (context(f"Question: {name(asked, _ASKED)}"),) if asked.strip() else ()
    return Message(line, (*above, *note(line).blocks))


def task(progress: Progress) -> dict[str, str]:
    """The same as the `id`, `title` and `status` of a task_update chunk of a stream. The title is on one line, of at
    most 256 characters."""
    percent = min(100, max(0, progress.percent))
    title = str(plain_text(f"{percent} % — {progress.text}", TASK_TITLE)["text"])
    status = "complete" if progress.percent >= 100 else "in_progress"
    return {"id": f"{progress.stage}-{progress.iteration}", "title": title, "status": status}


def busy(why: str) -> Message:
    """A question is not taken now. why: a sentence for the asker that says when to come again."""
    return note(f":hourglass: {name(why, _WORDS)}")


def withdrawn() -> Message:
    """The question was deleted or changed while its answer was being made."""
    return note("This question was withdrawn; its answer was not finished.")


def timed_out(number: int) -> Message:
    """An answer took longer than it may. number: of the question in the ledger."""
    return note(
        f":warning: This took too long and was stopped. Ask again, or ask for less at once. Reference: Q{number}"
    )
