"""Texts that stand where an answer is not, or not yet: waiting, progress, refusals, time-outs, greetings. Pure.

All of them are Markdown as Teams shows it, with what is not ours escaped.
"""

from collections.abc import Sequence

from bot.conversation import texts
from bot.teams.escape import escaped
from domain.answers import Progress
from domain.conversation import ExceededLimit
from domain.masking import MaskedText

_WORDS = 300
_ERROR = 1_000
_NAME = 150
_FILES = 10
_OWNER = 2_500

PICTURE = "a picture"
"""What a picture without a name is called."""

HOW = (
    "Ask me in this chat, or mention me in a channel or a group chat.",
    "Answers come from your company's documents, with numbered sources. What you may not read is not used.",
    "Where others read along, an answer holds only what all of them may read.",
    "Go on in the same chat or thread: a follow-up question is understood with what was said before.",
    "Judge answers with the thumbs below them: that is how they get better.",
)
"""How the bot is used, a sentence a line."""


def waiting(before: int | None = None) -> str:
    """The first status message of a question. before: see AcceptedQuestion.queue_ahead."""
    return f"⏳ {texts.waiting(before)}"


def progress(progress: Progress) -> str:
    """What is being done now, on one line with a bar; at most 1 kB."""
    return f"⏳ {texts.progress_bar(progress.percent)} — {escaped(progress.text, _WORDS)}"


def busy(excess: ExceededLimit) -> str:
    """A question is beyond a limit, and when to come again."""
    return f"⌛ {texts.excess(excess)}"


def late(number: int) -> str:
    """An answer took longer than it may. number: of the question in the ledger."""
    return f"⚠️ {texts.late(number)}"


def withdrawn() -> str:
    """Stands in the place of what cannot be deleted."""
    return "The question was deleted."


def refused(why: str) -> str:
    """Something cannot be done. why: in sentences, which may hold names."""
    return escaped(why, _ERROR)


def owner_message(words: MaskedText) -> str:
    """What the owner of a document is told of a question."""
    return escaped(words.text, _OWNER)


def greeting(*, private: bool) -> str:
    """Said once, when the bot is installed or meets somebody. private: in a chat with one person."""
    where = "Ask me anything" if private else "Mention me with a question"
    return (
        f"Hello! I answer questions from your company's documents, with numbered sources. {where}, "
        "for example: *How do I request leave?* Type **help** to see what else I can do."
    )


def unread(files: Sequence[str]) -> str:
    """Somebody sent what is not read, and no words. files: their names."""
    if all(each == PICTURE for each in files):
        return "I cannot read pictures. Put your question into words, and I look it up."
    named = ", ".join(escaped(each, _NAME) for each in files[:_FILES])
    return f"I cannot read what is attached to a message ({named}). Put your question into words, and I look it up."


def meant(command: str, typed: str) -> str:
    """Something that was typed looks like a command."""
    return f"Did you mean **{command}**? To ask it anyway: **ask** {escaped(typed, _WORDS)}"
