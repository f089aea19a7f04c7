"""Who calls: a program by its token, or a person by the cookie of a session."""

import hmac
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_urlsafe
from typing import get_args
from urllib.parse import urlsplit

from aiohttp import web

from bot.web.call_limits import CallLimits
from bot.web.problems import ProblemError
from domain.conversation import Participant
from domain.web_access import ApiTokens, TokenScope, WebSessions

TOKEN_PREFIX = "kba_"  # noqa: S105 - how tokens begin
SHOWN_PREFIX = 9
"""Characters of a token that are kept, to know it by."""

COOKIE = "kb_session"
CSRF_HEADER, CSRF_FIELD = "X-CSRF-Token", "csrf"

LONGEST_TOKEN = 200

ALL_SCOPES: frozenset[TokenScope] = frozenset(get_args(TokenScope))


def new_token() -> str:
    """A token that nobody guesses: 256 bits."""
    return TOKEN_PREFIX + token_urlsafe(32)


def digest(secret: str) -> bytes:
    """What is kept of a token, or of a session: nobody can make it from that again."""
    return sha256(_octets(secret)).digest()


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who may call. csrf: what their requests that change something have to carry; empty for a program, whose
    token no browser sends by itself."""

    person: Participant
    scopes: frozenset[TokenScope]
    csrf: str = ""


@dataclass(frozen=True)
class Callers:
    """Tells who calls. hosts: names with ports under which we are called, known once we listen; a page that another
    name leads here gets nothing. secure: whether browsers reach us by https. seconds: a session lasts."""

    tokens: ApiTokens
    sessions: WebSessions
    hosts: set[str]
    secure: bool = False
    seconds: float = 43_200.0
    limits: CallLimits | None = None
    """How often one person may call; None: as often as they like."""

    def check_host(self, request: web.BaseRequest) -> None:
        """Raises ProblemError for a request to a name that is not ours."""
        if request.headers.get("Host", "").lower() not in self.hosts:
            raise ProblemError(421, "wrong_host", "This service has another name")

    async def find(self, request: web.BaseRequest) -> Caller | None:
        """Who calls; None where nobody says so, or what they say does not hold. Raises Transient when the database is
        away, ProblemError for somebody who calls too often."""
        caller = await self._found(request)
        if caller and self.limits:
            self.limits.take(caller.person.id)
        return caller

    async def _found(self, request: web.BaseRequest) -> Caller | None:
        given = request.headers.getall("Authorization", [])
        if given:
            return await self._by_token(given)
        secret = request.cookies.get(COOKIE, "")
        if not secret or len(secret) > LONGEST_TOKEN:
            return None
        person = await self.sessions.person(digest(secret))
        return None if person is None else Caller(Participant("web", person), ALL_SCOPES, csrf_of(secret))

    async def _by_token(self, given: list[str]) -> Caller | None:
        kind, _, token = given[0].partition(" ")
        if len(given) > 1 or kind.lower() != "bearer" or not token.startswith(TOKEN_PREFIX):
            return None
        if len(token) > LONGEST_TOKEN or not token.isascii():
            return None
        found = await self.tokens.find(digest(token))
        return None if found is None else Caller(Participant("web", found.email), found.scopes)

    def check_origin(self, request: web.BaseRequest, caller: Caller, given: str) -> None:
        """Raises ProblemError for a request that another site makes a browser send. given: the token in it."""
        if not caller.csrf:
            return
        self.check_site(request)
        site = request.headers.get("Sec-Fetch-Site", "same-origin")
        if site not in {"same-origin", "none"} or not hmac.compare_digest(_octets(given), caller.csrf.encode()):
            raise _cross_site()

    def check_site(self, request: web.BaseRequest) -> None:
        """Raises ProblemError for a request that says itself that a page of another site sent it."""
        origin = request.headers.get("Origin")
        if origin is not None and _host_of(origin) not in self.hosts:
            raise _cross_site()

    async def sign_in(self, response: web.StreamResponse, person: str) -> None:
        """Begins a session with a secret of its own: one from before, whoever set it, is worth nothing."""
        secret = token_urlsafe(32)
        await self.sessions.begin(digest(secret), person, self.seconds)
        response.set_cookie(
            COOKIE,
            secret,
            max_age=round(self.seconds),
            path="/",
            httponly=True,
            secure=self.secure,
            samesite="Lax",
        )

    async def sign_out(self, request: web.BaseRequest, response: web.StreamResponse) -> None:
        """Ends a session."""
        await self.sessions.end(digest(request.cookies.get(COOKIE, "")))
        response.del_cookie(COOKIE, path="/", httponly=True, secure=self.secure, samesite="Lax")


def _host_of(origin: str) -> str:
    """The name with port that an Origin states; empty for what is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _cross_site() -> ProblemError:
    return ProblemError(403, "cross_site", "This request did not come from a page of this service")


def csrf_of(secret: str) -> str:
    """What belongs to the session with this secret, and is known to its own pages alone."""
    return sha256(b"csrf\0" + _octets(secret)).hexdigest()


def _octets(sent: str) -> bytes:
    """What a header or a form says, as bytes. What was sent need not be UTF-8."""
    return sent.encode(errors="surrogatepass")


def hosts_of(address: str, public_url: str | None) -> frozenset[str]:
    """The names, with ports, under which a listener is called. address: what it listens on, as a URL."""
    parts = urlsplit(address)
    names = {parts.netloc, f"localhost:{parts.port}", f"127.0.0.1:{parts.port}", f"[::1]:{parts.port}"}
    return frozenset({*names, *({urlsplit(public_url).netloc.lower()} if public_url else ())})
