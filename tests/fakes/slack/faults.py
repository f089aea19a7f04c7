"""What goes wrong on the way to a Web API method or back, and how many calls a minute it takes."""

import asyncio
import socket
import struct
import time
from dataclasses import dataclass, field

from aiohttp import web

from tests.fakes.slack.records import Body


@dataclass(frozen=True)
class Fault:
    """An answer in place of the method's own. late: given after the method has had its effect, which is then lost."""

    kind: str
    status: int = 200
    code: str = ""
    text: str = ""
    retry_after: float | None = None
    seconds: float = 3600.0
    late: bool = False

    @classmethod
    def ratelimited(cls, retry_after: float = 1) -> "Fault":
        """429 with Retry-After."""
        return cls("json", 429, "ratelimited", retry_after=retry_after)

    @classmethod
    def error(cls, code: str, status: int = 200, *, late: bool = False) -> "Fault":
        """An error code such as account_inactive; fatal_error and internal_error are answered with 500."""
        return cls("json", 500 if code in {"fatal_error", "internal_error"} else status, code, late=late)

    @classmethod
    def unavailable(cls, *, late: bool = False) -> "Fault":
        """503 with a page of HTML."""
        return cls("html", 503, text="<!DOCTYPE html><html><body>Service Unavailable</body></html>", late=late)

    @classmethod
    def word(cls, code: str, status: int = 400) -> "Fault":
        """An error code and nothing else, as a response URL has it."""
        return cls("html", status, text=code)

    @classmethod
    def garbage(cls, text: str = '{"ok": tr') -> "Fault":
        """200 with a broken body."""
        return cls("garbage", 200, text=text)

    @classmethod
    def reset(cls, *, late: bool = False) -> "Fault":
        """The connection is reset instead of an answer."""
        return cls("reset", 0, late=late)

    @classmethod
    def hang(cls, seconds: float = 3600.0, *, late: bool = False) -> "Fault":
        """No answer for so long, then a reset."""
        return cls("hang", 0, seconds=seconds, late=late)

    def body(self) -> Body | None:
        """The response that the caller gets, if it can read it."""
        return {"ok": False, "error": self.code} if self.kind == "json" else None

    async def respond(self, request: web.Request) -> web.StreamResponse:
        """Carries it out."""
        if self.kind == "hang":
            await asyncio.sleep(self.seconds)
        if self.kind in {"hang", "reset"}:
            cut(request)
            return web.Response(status=500)
        if self.kind == "json":
            headers = {} if self.retry_after is None else {"Retry-After": f"{self.retry_after:g}"}
            return web.json_response(self.body(), status=self.status, headers=headers)
        kind = "text/html" if self.kind == "html" else "application/json"
        return web.Response(text=self.text, status=self.status, content_type=kind)


def cut(request: web.Request) -> None:
    """Drops a request's connection with RST."""
    transport = request.transport
    if transport is None:
        return
    raw = transport.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


@dataclass
class Bucket:
    """A token bucket. per_minute: how fast it fills. burst: what it holds. per_channel: one for each channel."""

    per_minute: float
    burst: float
    per_channel: bool = False
    _left: dict[tuple[str, ...], tuple[float, float]] = field(default_factory=dict)

    def wait(self, *key: str) -> float:
        """Takes one token; the seconds until there is one, 0 when it was there."""
        now = time.monotonic()
        left, at = self._left.get(key, (self.burst, now))
        left = min(self.burst, left + (now - at) * self.per_minute / 60)
        taken = left >= 1
        self._left[key] = (left - taken, now)
        return 0.0 if taken else (1 - left) * 60 / self.per_minute
