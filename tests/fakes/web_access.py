"""The ports of domain.web_access, in memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from domain.web_access import ApiToken, StateAt, TokenScope


@dataclass
class MemoryApiTokens:
    """Tokens, by their digest. now: the time it goes by."""

    kept: dict[bytes, ApiToken] = field(default_factory=dict)
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    async def add(
        self, name: str, email: str, scopes: frozenset[TokenScope], prefix: str, digest: bytes, expires_at: datetime
    ) -> ApiToken:
        number = len(self.kept) + 1
        self.kept[digest] = ApiToken(number, name, email, scopes, prefix, self.now, expires_at, None, None)
        return self.kept[digest]

    async def all(self) -> list[ApiToken]:
        return list(self.kept.values())

    async def find(self, digest: bytes) -> ApiToken | None:
        found = self.kept.get(digest)
        if found is None or not found.is_valid(self.now):
            return None
        self.kept[digest] = replace(found, used_at=self.now.replace(second=0, microsecond=0))
        return found

    async def revoke(self, number: int) -> bool:
        for digest, each in self.kept.items():
            if each.number == number and each.revoked_at is None:
                self.kept[digest] = replace(each, revoked_at=self.now)
                return True
        return False


@dataclass
class MemoryWebSessions:
    """Sessions, by their digest."""

    kept: dict[bytes, tuple[str, datetime]] = field(default_factory=dict)
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    async def begin(self, digest: bytes, person: str, seconds: float) -> None:
        self.kept = {each: of for each, of in self.kept.items() if of[1] > self.now}
        self.kept.setdefault(digest, (person, self.now + timedelta(seconds=seconds)))

    async def person(self, digest: bytes) -> str | None:
        person, until = self.kept.get(digest, ("", self.now))
        return person if until > self.now else None

    async def end(self, digest: bytes) -> None:
        self.kept.pop(digest, None)


@dataclass
class MemoryShownReplies:
    """States, by question. known: the questions that are there; None: all."""

    kept: dict[int, tuple[StateAt, Mapping[str, Any]]] = field(default_factory=dict)
    known: set[int] | None = None

    async def put(self, number: int, at: StateAt, state: Mapping[str, Any]) -> bool:
        if self.known is not None and number not in self.known:
            return False
        if number in self.kept and self.kept[number][0] >= at:
            return False
        self.kept[number] = (at, state)
        return True

    async def newer(self, known: Mapping[int, StateAt]) -> Mapping[int, Mapping[str, Any]]:
        return {
            number: self.kept[number][1]
            for number, at in known.items()
            if number in self.kept and self.kept[number][0] > at
        }

    async def remove(self, number: int) -> None:
        self.kept.pop(number, None)
