"""What both clients share of httpx."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from .errors import NotInTime, NotReached

TIMES = httpx.Timeout(60.0, connect=10.0, read=60.0)
"""Seconds. A stream says every ten that it still works, so a connection that is silent for a minute is lost."""


def headers_of(token: str) -> dict[str, str]:
    """Of every request."""
    return {"Authorization": f"Bearer {token}", "User-Agent": "kb-agent-client"}


@contextmanager
def no_connection() -> Iterator[None]:
    """Raises our errors in the place of httpx's."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise NotInTime("The service did not reply in time") from error
    except httpx.TransportError as error:
        raise NotReached(f"The service cannot be reached: {error}") from error


def no_outcome() -> NotReached:
    """A stream ended without an outcome, which Following does not let happen."""
    return NotReached("The reply has no outcome")
