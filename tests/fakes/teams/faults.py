"""What goes wrong on the way to the connector or back, and how much it takes."""

import asyncio
import gzip
import time
from collections import deque
from dataclasses import dataclass, field

from aiohttp import web

from tests.fakes.slack.faults import cut
from tests.fakes.teams.records import Body, TeamsError

SENDING = ((1.0, 7), (2.0, 8), (30.0, 60), (3600.0, 1800))
"""Seconds, and how many operations Teams takes in them, in one conversation."""
READING = ((1.0, 14), (2.0, 16), (30.0, 120), (3600.0, 3600))
"""The same for members."""
APP = ((1.0, 50),)
"""Of the app in one tenant."""


@dataclass(frozen=True)
class Fault:
    """An answer in the place of the real one. late: given after the effect, which the app does not hear of."""

    kind: str
    status: int = 500
    code: str = ""
    retry_after: float | None = None
    seconds: float = 3600.0
    late: bool = False
    body: bytes = b""

    @classmethod
    def status_of(cls, status: int, code: str = "", *, late: bool = False) -> "Fault":
        """An error with a status: 412 PreconditionFailed, 403 BotNotInConversationRoster …"""
        return cls("json", status, code or f"Error{status}", late=late)

    @classmethod
    def throttled(cls, retry_after: float | None = 1.0) -> "Fault":
        """429, with Retry-After where it is given."""
        return cls("json", 429, "TooManyRequests", retry_after)

    @classmethod
    def gateway(cls, status: int = 502, *, late: bool = False) -> "Fault":
        """A gateway's page of HTML."""
        return cls("html", status, late=late)

    @classmethod
    def garbage(cls) -> "Fault":
        """200 with a broken body, after it was done."""
        return cls("garbage", 200, late=True)

    @classmethod
    def saying(cls, body: bytes, *, packed: bool = False) -> "Fault":
        """200 with another body, after it was done. packed: with gzip."""
        return cls("gzip" if packed else "plain", 200, late=True, body=body)

    @classmethod
    def reset(cls, *, late: bool = False) -> "Fault":
        """The connection is reset."""
        return cls("reset", 0, late=late)

    @classmethod
    def hang(cls, seconds: float = 3600.0, *, late: bool = False) -> "Fault":
        """No answer for so long, then a reset."""
        return cls("hang", 0, seconds=seconds, late=late)

    async def respond(self, request: web.Request) -> web.StreamResponse:
        """Carries it out."""
        if self.kind == "hang":
            await asyncio.sleep(self.seconds)
        if self.kind in {"hang", "reset"}:
            cut(request)
            return web.Response(status=500)
        if self.kind == "plain":
            return web.Response(body=self.body, content_type="application/json")
        if self.kind == "gzip":
            packed = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
            return web.Response(body=gzip.compress(self.body), headers=packed)
        if self.kind == "json":
            return refusal(TeamsError(self.status, self.code, retry_after=self.retry_after))
        text = '{"id": "17' if self.kind == "garbage" else "<html><body>Bad Gateway</body></html>"
        kind = "application/json" if self.kind == "garbage" else "text/html"
        return web.Response(text=text, status=self.status, content_type=kind)


@dataclass(eq=False)
class Waiting:
    """A fault that is to come. times: how often; None for good. holding: what the text of an activity holds then."""

    fault: Fault
    times: int | None = 1
    holding: str = ""


def refusal(error: TeamsError) -> web.Response:
    """An error as Teams writes it."""
    headers = {} if error.retry_after is None else {"Retry-After": f"{error.retry_after:g}"}
    body: Body = {"error": {"code": error.code, "message": error.message}}
    return web.json_response(body, status=error.status, headers=headers)


@dataclass
class Windows:
    """Sliding windows. limits: seconds, and how many fit into them. What is refused does not count."""

    limits: tuple[tuple[float, int], ...]
    _taken: dict[str, deque[float]] = field(default_factory=dict)

    def take(self, name: str) -> float:
        """Takes a place; gives the seconds until there is one, 0 when there was."""
        now = time.monotonic()
        taken = self._taken.setdefault(name, deque())
        while taken and now - taken[0] > max((seconds for seconds, _ in self.limits), default=0.0):
            taken.popleft()
        waits = [taken[-most] + seconds - now for seconds, most in self.limits if len(taken) >= most]
        wait = max([0.0, *waits])
        if not wait:
            taken.append(now)
        return wait
