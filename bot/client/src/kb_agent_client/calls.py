"""The requests, and how their replies are read. Pure: both clients send what stands here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import urlsplit

from .errors import ApiProblem, NotReached, problem_of
from .reading import json_of, read
from .replies import AskedQuestion, PassagesFound

T = TypeVar("T")

API = "/api/v1"

Method = Literal["hybrid+graph", "hybrid", "lexical", "dense", "graph"]
Vote = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class ClientCall(Generic[T]):
    """One request. path: below API. read: makes the value out of the reply's JSON."""

    method: str
    path: str
    read: Callable[[Any], T]
    params: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def received(self, status: int, headers: Mapping[str, str], content: bytes) -> T:
        """The value of a reply. Raises ApiProblem, or NotReached for what is no reply of the service."""
        if not 200 <= status < 300:
            raise refused(status, headers, content)
        return self.read(json_of(content))


def refused(status: int, headers: Mapping[str, str], content: bytes) -> ApiProblem:
    """The error that a reply tells of; also of a proxy that sends no JSON."""
    try:
        body = json_of(content)
    except NotReached:
        body = None
    return problem_of(status, body, headers.get("Retry-After"))


def base_of(address: str) -> str:
    """The address of the API out of that of the service. Raises ValueError."""
    parts = urlsplit(address)
    plain = address.isprintable() and " " not in address
    if not plain or parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
        raise ValueError(f"{address!r} is no address such as https://ask.example.com")
    return address.rstrip("/").removesuffix(API) + API


def key_of(given: str | None) -> str:
    """The key by which a question is asked once, however often it is sent. Raises ValueError."""
    return checked_header(given, "key") if given else token_urlsafe(24)


def checked_header(given: str, name: str) -> str:
    """What is sent as a part of a header. Raises ValueError, which does not show it, for what no header holds."""
    if not (given and given.isascii() and given.isprintable()) or " " in given:
        raise ValueError(f"The {name} has to be of printable ASCII characters, without a blank or a line end")
    return given


def search(q: str, limit: int, method: Method, source: str | None, rerank: bool | None) -> ClientCall[PassagesFound]:
    """Passages by words."""
    wanted = {"q": q, "limit": limit, "method": method, "source": source, "rerank": rerank}
    given = {name: value for name, value in wanted.items() if value is not None}
    return ClientCall("GET", "/search", lambda found: read(PassagesFound, found), given)


def question(number: int) -> ClientCall[AskedQuestion]:
    """A question with its trace."""
    return ClientCall("GET", f"/questions/{number}", lambda found: read(AskedQuestion, found))


def feedback(number: int, vote: Vote, reason: str | None) -> ClientCall[bool]:
    """A vote; gives whether it was noted."""
    body = {"number": number, "vote": vote, "reason": reason}
    return ClientCall("POST", "/feedback", _flag("done"), body=body)


def reindex(source: str) -> ClientCall[bool]:
    """A source is to be read again; gives whether that was queued, False where it waits already."""
    return ClientCall("POST", "/reindex", _flag("queued"), body={"source": source})


def _flag(name: str) -> Callable[[Any], bool]:
    def flag(found: Any) -> bool:
        value = found.get(name) if isinstance(found, dict) else None
        if not isinstance(value, bool):
            raise NotReached(f"The reply does not say whether it was {name}")
        return value

    return flag
