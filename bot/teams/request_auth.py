"""Whether a request comes from Teams, for us, from a tenant of ours: decided here, before anything reads what it says.

The library's own check answers 500 to most forged requests, and asks for keys in a way that stops the event loop.
"""

import ipaddress
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import jwt

from bot.teams.activities import tenants_of
from bot.teams.json_reading import Json, text
from bot.teams.signing_keys import SigningKey

CHANNEL = "msteams"
SKEW = 300
"""Seconds by which clocks may differ."""

_BEARER = re.compile(r"[Bb]earer ([A-Za-z0-9_.=-]{1,16384})")


class ForgedError(Exception):
    """A request is not to be trusted; says why, in words of ours, for the log alone."""


@dataclass(frozen=True, slots=True)
class TrustPolicy:
    """Whom we trust."""

    app_id: str
    """Ours; empty, in development alone, for anybody."""
    tenant: str
    """Whose people are served; empty for any, in development alone."""
    hosts: tuple[str, ...]
    """Of services that replies may be sent to; `.name` for all below a name."""
    loopback: bool = False
    """Whether a service on this machine may be one."""
    issuer: str = "https://api.botframework.com"
    """Of the tokens of requests."""


@dataclass(frozen=True, slots=True)
class RequestToken:
    """What a token that was checked says. endorsements: of the key that signed it."""

    service_url: str
    endorsements: frozenset[str]


@dataclass(frozen=True, slots=True)
class RequestVerifier:
    """Checks requests. All methods raise ForgedError."""

    find_key: Callable[[str], Awaitable[SigningKey | None]]
    """Gives the key of a name; see bot.teams.signing_keys.SigningKeys."""
    trust: TrustPolicy

    async def token(self, authorization: str | None) -> RequestToken | None:
        """What the token in a request's Authorization header says; None where nobody needs one."""
        if not self.trust.app_id:
            return None
        found = _BEARER.fullmatch(authorization or "")
        if found is None:
            raise ForgedError("there is no bearer token")
        name = _key_name(found[1])
        key = await self.find_key(name)
        if key is None:
            raise ForgedError("nobody knows the key")
        return RequestToken(text(self._claims(found[1], key).get("serviceurl")), key.endorsements)

    def activity(self, token: RequestToken | None, activity: Json) -> None:
        """Checks that an activity is what the token was made for, and may be served."""
        service = text(activity.get("serviceUrl"))
        if token is not None:
            if not service or service.rstrip("/") != token.service_url.rstrip("/"):
                raise ForgedError("the token is for another service")
            if text(activity.get("channelId")) not in token.endorsements & {CHANNEL}:
                raise ForgedError("the key is not endorsed for this channel")
        if not may_reply_to(service, self.trust):
            raise ForgedError("the service's host is not allowed")
        tenants = tenants_of(activity)
        if self.trust.tenant and (not tenants or {each.lower() for each in tenants} != {self.trust.tenant.lower()}):
            raise ForgedError("it is from another tenant")

    def _claims(self, token: str, key: SigningKey) -> Mapping[str, Any]:
        try:
            return jwt.decode(
                token,
                key.public,
                algorithms=["RS256"],
                audience=self.trust.app_id,
                issuer=self.trust.issuer,
                leeway=SKEW,
                options={"require": ["exp", "iss", "aud"], "strict_aud": True},
            )
        except (jwt.PyJWTError, ValueError, TypeError, ArithmeticError, RecursionError) as error:
            raise ForgedError(f"the token does not hold: {type(error).__name__}") from error


def _key_name(token: str) -> str:
    """The name of the key that a token claims to be signed with, by the only algorithm that there is for us."""
    try:
        header = jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError) as error:
        raise ForgedError("the token cannot be read") from error
    if header.get("alg") != "RS256":
        raise ForgedError("the token is signed otherwise")
    name = text(header.get("kid"))
    if not 0 < len(name) <= 200:
        raise ForgedError("the token names no key")
    return name


def may_reply_to(url: str, trust: TrustPolicy) -> bool:
    """Whether replies may be sent to a service: it gets a token of ours with each."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return False
    if not host or parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        return False
    if trust.loopback and is_loopback(host):
        return parts.scheme in {"http", "https"}
    if parts.scheme != "https" or port not in {None, 443}:
        return False
    return any(host.endswith(each) if each.startswith(".") else host == each for each in map(str.lower, trust.hosts))


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name or number."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
