"""Texts that stand where an answer is not, or not yet. Pure."""

from domain.answers import Progress
from domain.conversation import Excess


def waiting() -> str:
    """The first visible sign that a question has come in."""
    return "Reading your question…"


def progress(progress: Progress) -> str:
    """What is being done now."""
    return f"{progress.percent} % — {progress.text}"


def busy(excess: Excess) -> str:
    """A question is not taken now."""
    return f"I am busy ({excess}). Please ask again in a minute."


def late(number: int) -> str:
    """An answer took longer than it may."""
    return f"This took too long and was stopped. Reference: Q{number}"
