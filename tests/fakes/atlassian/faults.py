"""What goes wrong on the way to an answer, in it, or between the pages of a listing."""

import asyncio
import json
import random
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from aiohttp import web

from tests.fakes.slack.faults import cut

Part = Literal["headers", "body", "chunk"]
"""Of an answer that comes slowly; a chunk is one that has the whole body."""
LOGIN = "<!DOCTYPE html><html><head><title>Log in</title></head><body><form>Log in to continue</form></body></html>"


@dataclass(frozen=True)
class Fault:
    """What is done instead of an answer, or to a listing. kind: answer, reset, hang, slow, or one for listings."""

    kind: str
    status: int = 200
    text: str = ""
    media_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    seconds: float = 3600.0
    by: int = 0
    over: threading.Event | None = None
    part: Part = "body"

    @classmethod
    def ratelimited(cls, retry_after: float | None = 1, reason: str = "jira-burst-based") -> "Fault":
        """429, with Retry-After unless that is None."""
        wait = () if retry_after is None else (("Retry-After", f"{retry_after:g}"),)
        text = json.dumps({"errorMessages": ["Rate limit exceeded."], "errors": {}})
        return cls("answer", 429, text, headers=(*wait, ("RateLimit-Reason", reason), ("X-RateLimit-Remaining", "0")))

    @classmethod
    def error(
        cls, status: int = 500, message: str = "Internal server error", *, retry_after: float | None = None
    ) -> "Fault":
        """An error with a body in JSON: 500, 502, 503 …"""
        wait = () if retry_after is None else (("Retry-After", f"{retry_after:g}"),)
        return cls("answer", status, json.dumps({"message": message, "status-code": status}), headers=wait)

    @classmethod
    def unauthorized(cls) -> "Fault":
        """401 as of a token that expired."""
        return cls("answer", 401, "Client must be authenticated to access this resource.", "text/plain")

    @classmethod
    def forbidden(cls) -> "Fault":
        """403."""
        return cls(
            "answer", 403, json.dumps({"message": "Request rejected because caller cannot access this resource."})
        )

    @classmethod
    def login_page(cls) -> "Fault":
        """A page to log in, in HTML with status 200."""
        return cls("answer", 200, LOGIN, "text/html")

    @classmethod
    def garbage(cls, text: str = '{"results": [{"id"') -> "Fault":
        """200 with broken JSON."""
        return cls("answer", 200, text)

    @classmethod
    def wrong(cls, body: object = None) -> "Fault":
        """200 with JSON of another form: {} unless given."""
        return cls("answer", 200, json.dumps({} if body is None else body))

    @classmethod
    def reset(cls) -> "Fault":
        """The connection is reset instead of an answer."""
        return cls("reset", 0)

    @classmethod
    def hang(cls, seconds: float = 3600.0, over: threading.Event | None = None) -> "Fault":
        """No answer for so long, or until that is over; then a reset."""
        return cls("hang", 0, seconds=seconds, over=over)

    @classmethod
    def slow(cls, seconds: float, part: Part = "body") -> "Fault":
        """The right answer, a part of it byte by byte over so many seconds."""
        return cls("slow", seconds=seconds, part=part)

    @classmethod
    def empty(cls) -> "Fault":
        """A listing without rows that looks complete."""
        return cls("empty")

    @classmethod
    def short(cls, lost: int) -> "Fault":
        """A page without its last rows; the next page begins where it would have."""
        return cls("short", by=lost)

    @classmethod
    def shifted(cls, by: int) -> "Fault":
        """A page that begins so many rows later, as after deletions, or earlier for less than 0, as after additions."""
        return cls("shifted", by=by)

    @classmethod
    def loop(cls) -> "Fault":
        """A page that leads to itself, or a listing by offset that begins anew without end."""
        return cls("loop")

    @classmethod
    def endless(cls) -> "Fault":
        """A page without rows that leads to a further one."""
        return cls("endless")

    async def respond(self, request: web.Request) -> web.StreamResponse:
        """Carries out one that stands for an answer."""
        if self.kind == "hang":
            await (asyncio.to_thread(self.over.wait, self.seconds) if self.over else asyncio.sleep(self.seconds))
        if self.kind in {"hang", "reset"}:
            cut(request)
            return web.Response(status=500)
        return web.Response(
            text=self.text, status=self.status, content_type=self.media_type, headers=dict(self.headers)
        )


async def drip(request: web.Request, response: web.Response, fault: Fault) -> web.StreamResponse:
    """Sends a response as a slow fault says: by the connection itself, as aiohttp sends headers and chunks whole."""
    content = bytes(response.body) if isinstance(response.body, bytes | bytearray) else b""
    length, body = f"Content-Length: {len(content)}", content
    if fault.part == "chunk":
        length, body = "Transfer-Encoding: chunked", b"%x\r\n%b\r\n0\r\n\r\n" % (len(content), content)
    head = f"HTTP/1.1 {response.status} Slow\r\nContent-Type: {response.content_type}\r\n{length}\r\n\r\n".encode()
    slow = head if fault.part == "headers" else body
    connection = request.transport
    if connection is not None:
        connection.write(head if slow is body else b"")
        for at in range(len(slow)):
            connection.write(slow[at : at + 1])
            await asyncio.sleep(fault.seconds / len(slow))
        connection.write(body if slow is head else b"")
        connection.close()
    return web.Response(status=500)


@dataclass
class _Planned:
    fault: Fault
    pattern: re.Pattern[str]
    left: int | None
    after: int
    rate: float
    method: str
    chance: random.Random

    def takes(self, method: str, path: str) -> bool:
        """Whether it happens to this request; counts the request."""
        if self.left == 0 or self.method not in ("", method) or not self.pattern.search(path):
            return False
        if self.after > 0:
            self.after -= 1
            return False
        if self.chance.random() >= self.rate:
            return False
        self.left = None if self.left is None else self.left - 1
        return True


@dataclass
class Plan:
    """The faults that are to come, and what a test does in between."""

    faults: list[_Planned] = field(default_factory=list)
    hooks: list[_Planned] = field(default_factory=list)
    callbacks: dict[int, Callable[[], object]] = field(default_factory=dict)

    def add(
        self,
        pattern: str,
        fault: Fault,
        times: int | None,
        *,
        after: int = 0,
        rate: float = 1.0,
        method: str = "",
        seed: int = 0,
    ) -> None:
        """As LocalAtlassian.fail."""
        chance = random.Random(seed)
        self.faults.append(_Planned(fault, re.compile(pattern), times, after, rate, method, chance))

    def hook(self, pattern: str, callback: Callable[[], object], times: int | None, after: int) -> None:
        """As LocalAtlassian.before."""
        planned = _Planned(Fault("hook"), re.compile(pattern), times, after, 1.0, "", random.Random(0))
        self.hooks.append(planned)
        self.callbacks[id(planned)] = callback

    def fault(self, method: str, path: str) -> Fault | None:
        """What happens to a request."""
        return next((each.fault for each in self.faults if each.takes(method, path)), None)

    def run_hooks(self, method: str, path: str) -> None:
        """Calls back what is due before a request is answered."""
        for each in [each for each in self.hooks if each.takes(method, path)]:
            self.callbacks[id(each)]()

    def heal(self) -> None:
        """Takes all faults back."""
        self.faults.clear()
        self.hooks.clear()
