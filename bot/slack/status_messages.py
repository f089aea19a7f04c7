"""Messages that stand where an answer is not, or not yet: waiting, progress, refusals, time-outs. Pure."""

from bot.conversation import texts
from bot.slack.block_kit import SlackMessage, name, text_message
from bot.slack.limits import TASK_TITLE
from bot.slack.mrkdwn import plain_text
from domain.answers import Progress
from domain.masking import MaskedText
from domain.translation import translated

_WORDS = 500
_QUESTION = 400


def waiting(before: int | None = None) -> SlackMessage:
    """The first status message of a question. before: see AcceptedQuestion.queue_ahead."""
    return text_message(f":hourglass_flowing_sand: {texts.waiting(before)}")


def progress(progress: Progress) -> SlackMessage:
    """What is being done now, on one line with a bar."""
    return text_message(
        f":hourglass_flowing_sand: {texts.progress_bar(progress.percent)} — {name(progress.text, _WORDS)}"
    )


def task(progress: Progress) -> dict[str, str]:
    """The same as the `id`, `title` and `status` of a task_update chunk of a stream. The title is on one line, of at
    most 256 characters."""
    percent = min(100, max(0, progress.percent))
    title = str(plain_text(f"{percent} % — {progress.text}", TASK_TITLE)["text"])
    status = "complete" if progress.percent >= 100 else "in_progress"
    return {"id": f"{progress.stage}-{progress.iteration}", "title": title, "status": status}


def with_question(message: SlackMessage, asked: MaskedText) -> SlackMessage:
    """A message below the question that it answers, which nobody sees otherwise: 400 characters of it, as plain text,
    in which nothing is live."""
    question = translated("Question: {text}", text=asked.text)
    if not message.blocks:
        return SlackMessage(f"{name(question, _QUESTION)}\n\n{message.text}", ())
    words = plain_text(question, _QUESTION)
    return SlackMessage(message.text, ({"type": "context", "elements": [words | {"emoji": False}]}, *message.blocks))


def busy(why: str) -> SlackMessage:
    """A question is not taken now. why: a sentence for the asker that says when to come again."""
    return text_message(f":hourglass: {name(why, _WORDS)}")


def timed_out(number: int) -> SlackMessage:
    """An answer took longer than it may. number: of the question in the ledger."""
    return text_message(f":warning: {texts.late(number)}")
