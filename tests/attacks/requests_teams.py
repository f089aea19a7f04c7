"""Requests that are not Teams' own."""

import gzip
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jwt.utils import base64url_encode

from tests.flows.teams.talk import Answer, Body, Post

LARGEST = 262_144


@dataclass(frozen=True)
class Forged:
    """A request that is right but for what is given. headers: take the place of the right ones; None leaves one out.
    token: see TeamsKeys.token. change: of the activity. body: instead of it. after: behind the token."""

    status: int = 401
    headers: Mapping[str, str | None] = field(default_factory=dict)
    token: Mapping[str, Any] = field(default_factory=dict)
    change: Callable[[Body], Any] = lambda activity: activity
    body: bytes | None = None
    after: str = ""

    def sent(self, post: Post, activity: Body) -> Answer:
        """What it is answered."""
        right = post.headers(**self.token)
        right["Authorization"] += self.after
        headers = {name: value for name, value in {**right, **self.headers}.items() if value is not None}
        body = json.dumps(self.change(activity)).encode() if self.body is None else self.body
        return post.raw(body, headers)


def tenant(name: str) -> Callable[[Body], Body]:
    def changed(activity: Body) -> Body:
        conversation = {**activity["conversation"], "tenantId": name}
        return {**activity, "conversation": conversation, "channelData": {"tenant": {"id": name}}}

    return changed


def having(**fields: Any) -> Callable[[Body], Body]:
    return lambda activity: {**activity, **fields}


def soon(seconds: float) -> int:
    return int(time.time() + seconds)


FORGED: Mapping[str, Forged] = {
    "no Authorization": Forged(headers={"Authorization": None}),
    "an empty one": Forged(headers={"Authorization": ""}),
    "Basic": Forged(headers={"Authorization": "Basic dXNlcjpwYXNz"}),
    "a garbage bearer": Forged(headers={"Authorization": "Bearer garbage"}),
    "a bearer of three parts of garbage": Forged(headers={"Authorization": "Bearer a.b.c"}),
    "a wrong signing key": Forged(token={"key": "other", "kid": "first"}),
    "an unknown kid": Forged(token={"key": "other"}),
    "a token longer than a header usually is": Forged(headers={"Authorization": f"Bearer {'a' * 9_000}"}),
    "a token longer than any": Forged(headers={"Authorization": f"Bearer {'a' * 20_000}"}),
    "alg none": Forged(token={"algorithm": "none"}),
    "alg HS256": Forged(token={"algorithm": "HS256"}),
    "expired": Forged(token={"exp": soon(-600)}),
    "not yet": Forged(token={"nbf": soon(3_600)}),
    "without an end": Forged(token={"exp": None}),
    "a wrong aud": Forged(token={"aud": "another"}),
    "a wrong iss": Forged(token={"iss": "https://sts.example/"}),
    "serviceurl missing": Forged(token={"serviceurl": None}),
    "serviceurl different": Forged(token={"serviceurl": "https://smba.trafficmanager.net/amer/"}),
    "another serviceUrl": Forged(change=having(serviceUrl="https://evil.example/")),
    "a serviceUrl that is not allowed": Forged(
        token={"serviceurl": "https://evil.example/"}, change=having(serviceUrl="https://evil.example/")
    ),
    "no serviceUrl": Forged(change=having(serviceUrl=None)),
    "a channel that the key is not endorsed for": Forged(token={"key": "web"}),
    "another channel": Forged(change=having(channelId="webchat")),
    "a channel that is a list": Forged(change=having(channelId=["msteams"])),
    "another tenant": Forged(change=tenant("5a7b1c00-0000-4000-8000-00000000000f")),
    "no tenant": Forged(change=having(channelData={}, conversation={"id": "a:1", "conversationType": "personal"})),
    "a header of no token": Forged(headers={"Authorization": "Bearer "}),
    "something behind the token": Forged(after=" more"),
    "a token of deep JSON": Forged(
        headers={"Authorization": f"Bearer {base64url_encode(b'[' * 9_000).decode()}.e30.e30"}
    ),
    "a token whose header is a list": Forged(
        headers={"Authorization": f"Bearer {base64url_encode(b'[]').decode()}.e30.e30"}
    ),
    "a token whose header is empty": Forged(headers={"Authorization": "Bearer e30.e30.e30"}),
    "no key's name": Forged(token={"headers": {"kid": ""}}),
    "alg RS512": Forged(token={"algorithm": "RS512"}),
    "no iss": Forged(token={"iss": None}),
    "no aud": Forged(token={"aud": None}),
    "several aud": Forged(token={"aud": ["0a0b", "another"]}),
    "an end that is no time": Forged(token={"exp": "soon"}),
    "a serviceurl that is a list": Forged(token={"serviceurl": ["https://smba.trafficmanager.net/amer/"]}),
    "no channel": Forged(change=having(channelId=None)),
    "no conversation": Forged(change=having(channelData={}, conversation=None)),
    "two tenants": Forged(change=having(channelData={"tenant": {"id": "another"}})),
    "bad JSON of somebody unknown": Forged(headers={"Authorization": None}, body=b"{"),
    "bad JSON": Forged(400, body=b"{"),
    "a JSON array": Forged(400, body=b"[]"),
    "JSON null": Forged(400, body=b"null"),
    "nothing": Forged(400, body=b""),
    "no UTF-8": Forged(400, body=b"\xff\xfe"),
    "deep JSON": Forged(400, body=b"[" * 100_000),
    "no activity type": Forged(400, change=having(type=None)),
    "an id that is no text": Forged(400, change=having(id=7)),
    "an id that no database takes": Forged(400, change=having(id="7\u0000")),
    "text/plain": Forged(415, headers={"Content-Type": "text/plain"}),
    "no Content-Type": Forged(415, headers={"Content-Type": ""}),
    "another character set": Forged(415, headers={"Content-Type": "application/json; charset=utf-16"}),
    "packed": Forged(415, headers={"Content-Encoding": "gzip"}, body=gzip.compress(b" " * 5_000_000)),
    "too large": Forged(413, body=b" " * (LARGEST + 1)),
    "too large, of somebody unknown": Forged(413, headers={"Authorization": None}, body=b" " * (LARGEST + 1)),
}
