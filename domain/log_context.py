"""What lines of the log say of themselves: for which question the code runs, and that something waits."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

WAITING = {"waiting": True}
"""The `extra` of a line that tells again and again that something waits for what is away: a log has each kind of them
once a minute."""

_QUESTION: ContextVar[int | None] = ContextVar("question", default=None)


def current_question() -> int | None:
    """The number of the question that is worked for; None outside of one."""
    return _QUESTION.get()


@contextmanager
def for_question(number: int) -> Iterator[None]:
    """Inside, and in tasks that are begun there, `current_question` is this number."""
    token = _QUESTION.set(number)
    try:
        yield
    finally:
        _QUESTION.reset(token)
