"""What both clients share of httpx, which quotes what it cannot send: its words are not shown then."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from .calls import checked_header
from .errors import NotInTime, NotReached, NotValid

TIMES = httpx.Timeout(60.0, connect=10.0, read=60.0)
"""Seconds. A stream says every ten that it still works, so a connection that is silent for a minute is lost."""


def headers_of(token: str) -> dict[str, str]:
    """Of every request. Raises ValueError for what is no token."""
    return {"Authorization": f"Bearer {checked_header(token, 'token')}", "User-Agent": "kb-agent-client"}


@contextmanager
def no_unsendable() -> Iterator[None]:
    """Raises NotValid in the place of errors about a request that cannot be sent as it is."""
    try:
        yield
    except (UnicodeEncodeError, httpx.LocalProtocolError):
        wrong = {"code": "invalid", "title": "The request cannot be sent", "errors": ["It holds what is no text"]}
        raise NotValid(422, wrong) from None


@contextmanager
def no_connection() -> Iterator[None]:
    """Raises our errors in the place of httpx's."""
    try:
        with no_unsendable():
            yield
    except httpx.TimeoutException as error:
        raise NotInTime("The service did not reply in time") from error
    except httpx.RequestError as error:
        raise NotReached(f"The service cannot be reached: {error}") from error


def no_outcome() -> NotReached:
    """A stream ended without an outcome, which Following does not let happen."""
    return NotReached("The reply has no outcome")
