"""Which question the code that runs now works for, so that each line of the log can say so."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

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
