"""Who may call over HTTP, and what is shown there of a reply: the nouns and ports. tests/contract holds each
implementation to them. All methods raise Transient when the database is away."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

TokenScope = Literal["ask", "search", "operate"]
"""What a token is good for. ask: asking, and one's own questions. search: passages, documents and sources. operate:
what administrators do, where the token's address is one's."""


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token of a program, without the token."""

    number: int
    name: str
    """What it is for, in words of who made it."""
    email: str
    """Whom it asks as, in lower case."""
    scopes: frozenset[TokenScope]
    prefix: str
    """Its first characters, to know it by."""
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None
    """When it was used last, to the minute; None for never."""
    revoked_at: datetime | None

    def is_valid(self, now: datetime) -> bool:
        """Whether it opens anything."""
        return self.revoked_at is None and now < self.expires_at


class ApiTokens(Protocol):
    """The tokens of programs. Only a digest of each is kept."""

    async def add(
        self, name: str, email: str, scopes: frozenset[TokenScope], prefix: str, digest: bytes, expires_at: datetime
    ) -> ApiToken:
        """Keeps a new one."""

    async def all(self) -> list[ApiToken]:
        """Those that are kept, oldest first, also those that open nothing any more."""

    async def find(self, digest: bytes) -> ApiToken | None:
        """The valid token with this digest, by the database's clock; that it was used is noted."""

    async def revoke(self, number: int) -> bool:
        """Makes a token open nothing any more, from now on. False where there is none, or it is revoked already."""


class WebSessions(Protocol):
    """Who is signed in. Only a digest of what a browser keeps is kept."""

    async def begin(self, digest: bytes, person: str, seconds: float) -> None:
        """Signs somebody in for so long. What is over is removed."""

    async def person(self, digest: bytes) -> str | None:
        """Who is signed in; None where nobody is, or it is over."""

    async def end(self, digest: bytes) -> None:
        """Signs out."""


StateAt = tuple[int, int]
"""Attempt and step of a shown state: the greater one counts."""


class ShownReplies(Protocol):
    """What is shown of each reply now, for who follows it in another process, or looks at it later."""

    async def put(self, number: int, at: StateAt, state: Mapping[str, Any]) -> bool:
        """Keeps a state in the place of an earlier one. False, and nothing is kept, where a later one is there, or the
        question is gone or forgotten."""

    async def remove(self, number: int) -> None:
        """Forgets what was shown."""

    async def newer(self, known: Mapping[int, StateAt]) -> Mapping[int, Mapping[str, Any]]:
        """By number of the question, the states that are later than those known; (-1, 0) is earlier than any."""
