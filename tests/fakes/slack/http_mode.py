"""HTTP mode: signed requests to the app's request URLs, and forged ones."""

import hashlib
import hmac
import json
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

import aiohttp

from tests.fakes.slack.delivery import EVENTS, NO_RETRY, SLASH, Attempt, Delivery
from tests.fakes.slack.records import Body

SECRET = "local-signing-secret"
RIGHT = "right"


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """What Slack sends in X-Slack-Signature."""
    signed = b"v0:" + timestamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def encoded(delivery: Delivery) -> tuple[bytes, str]:
    """The body of a request, and its content type."""
    if delivery.kind == EVENTS:
        return json.dumps(delivery.payload).encode(), "application/json"
    form = delivery.payload if delivery.kind == SLASH else {"payload": json.dumps(delivery.payload)}
    return urlencode(form).encode(), "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Forged:
    """How a request differs from a real one. None leaves a header out; `right` is as Slack would send it."""

    signature: str | None = RIGHT
    timestamp: str | None = RIGHT
    secret: str = SECRET
    body: bytes | None = None
    content_type: str | None = None


@dataclass
class Poster:
    """Posts to the request URLs in turn. urls: where the app listens."""

    urls: list[str] = field(default_factory=list)
    secret: str = SECRET
    _turn: int = 0
    _session: aiohttp.ClientSession | None = None

    async def carry(self, delivery: Delivery, attempt: Attempt, seconds: float) -> str:
        """Sends a request as Slack does."""
        url = self.urls[self._turn % len(self.urls)]
        self._turn += 1
        return await self.post(url, delivery, attempt, seconds, Forged(secret=self.secret))

    async def post(self, url: str, delivery: Delivery, attempt: Attempt, seconds: float, forged: Forged) -> str:
        """Sends a request; gives the reason for another attempt, empty when it was taken."""
        attempt.to = url
        body, kind = encoded(delivery)
        body = body if forged.body is None else forged.body
        headers = self._headers(attempt, body, forged.content_type or kind, forged)
        self._session = self._session or aiohttp.ClientSession()
        try:
            limit = aiohttp.ClientTimeout(total=seconds)
            async with self._session.post(url, data=body, headers=headers, timeout=limit, allow_redirects=False) as got:
                text = await got.text()
                attempt.status = got.status
                if 200 <= got.status < 300:
                    attempt.acknowledge(_read(text))
                    delivery.taken(attempt.answer)
                    return ""
                attempt.answer = _read(text)
                return NO_RETRY if got.headers.get("X-Slack-No-Retry") == "1" else "http_error"
        except TimeoutError:
            return "http_timeout"
        except aiohttp.ClientError:
            return "connection_failed"

    def _headers(self, attempt: Attempt, body: bytes, kind: str, forged: Forged) -> dict[str, str]:
        headers = {"Content-Type": kind, "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)"}
        timestamp = str(int(time.time())) if forged.timestamp == RIGHT else forged.timestamp
        if timestamp is not None:
            headers["X-Slack-Request-Timestamp"] = timestamp
        if forged.signature == RIGHT:
            headers["X-Slack-Signature"] = signature(forged.secret, timestamp or "", body)
        elif forged.signature is not None:
            headers["X-Slack-Signature"] = forged.signature
        if attempt.number:
            reason = "http_timeout" if attempt.reason == "timeout" else attempt.reason
            headers |= {"X-Slack-Retry-Num": str(attempt.number), "X-Slack-Retry-Reason": reason}
        return headers

    async def close(self) -> None:
        """Closes the connections."""
        if self._session:
            await self._session.close()


def _read(text: str) -> Body | str | None:
    try:
        found: Body | str = json.loads(text)
        return found
    except ValueError:
        return text or None
