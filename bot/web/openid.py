"""Signing people in by OpenID Connect: authorization code with PKCE, at whatever issuer the operator names.

Who somebody is is what the issuer signs: an address that it has verified. Nothing of a token is kept.
"""

import asyncio
import hmac
import json
import logging
from base64 import b64encode, urlsafe_b64encode
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import aiohttp
import jwt

from bot.response_body import read_body
from domain.access import email_of
from domain.errors import Misconfigured, Refused, Transient

log = logging.getLogger(__name__)

SECONDS, LARGEST = 10.0, 1_000_000
"""For a request to the issuer, and bytes of its answer."""

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""With keys that only the issuer has: none at all, and secrets that both have, are not among them."""

LEEWAY = 60
"""Seconds by which clocks may differ."""

SCOPES = "openid email"

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class Attempt:
    """A sign-in that was begun: what binds the way back to it. A browser keeps it until then."""

    state: str
    nonce: str
    verifier: str

    @classmethod
    def new(cls) -> "Attempt":
        """One that nobody guesses."""
        return cls(token_urlsafe(24), token_urlsafe(24), token_urlsafe(48))

    @classmethod
    def of(cls, kept: str) -> "Attempt | None":
        """What `kept` gives back; None for anything else."""
        parts = kept.split(".")
        return cls(*parts) if len(parts) == 3 and all(parts) and len(kept) < 300 else None

    @property
    def kept(self) -> str:
        """For the browser."""
        return f"{self.state}.{self.nonce}.{self.verifier}"

    @property
    def challenge(self) -> str:
        """What the issuer is told of the verifier."""
        return urlsafe_b64encode(sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()


@dataclass(frozen=True, slots=True)
class Provider:
    """Addresses of an issuer, as its discovery document has them."""

    authorization: str
    token: str
    keys: str
    ending: str = ""
    """Where it ends what it keeps of a sign-in; empty where it names no such place."""


class OpenIdClient:
    """Signs in at one issuer. secret: None for a public client. session: for requests."""

    def __init__(self, issuer: str, client_id: str, secret: str | None, session: aiohttp.ClientSession) -> None:
        self._issuer = issuer
        self._client_id = client_id
        self._secret = secret
        self._session = session
        self._provider: Provider | None = None

    async def address(self, attempt: Attempt, back: str) -> str:
        """Where a browser is sent to. back: where it comes back to. Raises Transient, Misconfigured."""
        asked = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": back,
            "scope": SCOPES,
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": attempt.challenge,
            "code_challenge_method": "S256",
        }
        return _with_query((await self._discover()).authorization, asked)

    async def end_address(self, back: str) -> str:
        """Where somebody goes who wants to sign out at the issuer, too; empty where it names no such place. back: where
        they come back to. Raises Transient, Misconfigured."""
        place = (await self._discover()).ending
        asked = {"client_id": self._client_id, "post_logout_redirect_uri": back}
        return _with_query(place, asked) if place else ""

    async def email(self, given: Mapping[str, str], attempt: Attempt, back: str) -> str:
        """The verified address of who comes back, in lower case. given: what the browser brings.

        Raises:
            Refused: it is not the way back of this attempt, or the issuer has verified no address.
            Transient: the issuer does not answer. Misconfigured: it does not accept us.
        """
        if not hmac.compare_digest(given.get("state", "").encode(), attempt.state.encode()):
            raise Refused("This sign-in was not begun here", next_step="Begin again.")
        if given.get("iss", self._issuer) != self._issuer:
            raise Refused("Another issuer answered", next_step="Begin again.")
        if "error" in given or not given.get("code"):
            raise Refused("The sign-in was not completed", next_step="Begin again.")
        provider = await self._discover()
        token = await self._redeem(provider, given["code"], attempt, back)
        claims = self._claims(token, await self._fetch(provider.keys), attempt)
        address = email_of(str(claims.get("email", "")))
        if address is None or claims.get("email_verified") is not True:
            raise Refused(
                "Your e-mail address is not verified",
                next_step="Have it verified where you sign in; without that, nobody knows what you may read.",
            )
        return address

    def _claims(self, token: str, keys: object, attempt: Attempt) -> Mapping[str, Any]:
        """What the issuer says, where that holds."""
        try:
            name = jwt.get_unverified_header(token).get("kid")
            known = jwt.PyJWKSet.from_dict(keys if isinstance(keys, dict) else {}).keys
            usable = [each for each in known if name is None or each.key_id == name]
            if len(usable) != 1:
                raise jwt.InvalidKeyError("there is no one key of that name")
            claims: Mapping[str, Any] = jwt.decode(
                token,
                usable[0].key,
                algorithms=[each for each in ALGORITHMS if each == jwt.get_unverified_header(token).get("alg")],
                audience=self._client_id,
                issuer=self._issuer,
                leeway=LEEWAY,
                options={"require": ["exp", "iat", "iss", "aud", "sub", "nonce"]},
            )
        except (jwt.PyJWTError, ValueError, TypeError, ArithmeticError, RecursionError, AttributeError) as error:
            log.warning("A token of a sign-in does not hold: %s", type(error).__name__)
            raise Refused("What the issuer says does not hold", next_step="Begin again.") from None
        party = claims.get("azp", self._client_id)
        if party != self._client_id or not hmac.compare_digest(str(claims["nonce"]).encode(), attempt.nonce.encode()):
            raise Refused("What the issuer says is not for this sign-in", next_step="Begin again.")
        return claims

    async def _redeem(self, provider: Provider, code: str, attempt: Attempt, back: str) -> str:
        """The token for a code. Raises Refused where the issuer does not take it."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": back,
            "code_verifier": attempt.verifier,
        }
        headers = {"Accept": "application/json"}
        if self._secret is None:
            form["client_id"] = self._client_id
        else:
            pair = f"{quote(self._client_id, safe='')}:{quote(self._secret, safe='')}"
            headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        status, body = await self._request("POST", provider.token, data=form, headers=headers)
        if status == 401:
            raise Misconfigured(
                "The issuer does not accept us",
                why="It answers 401 to our id and secret.",
                next_step="Set KB_AGENT_OIDC_CLIENT_ID and KB_AGENT_OIDC_CLIENT_SECRET to what it has.",
            )
        token = body.get("id_token") if isinstance(body, dict) and status == 200 else None
        if not isinstance(token, str):
            log.warning("A code of a sign-in was not taken: status %s", status)
            raise Refused("The sign-in was not completed", next_step="Begin again.")
        return token

    async def _discover(self) -> Provider:
        """The issuer's addresses. Raises Misconfigured where its document is not the issuer's own."""
        if self._provider is None:
            place = f"{self._issuer.rstrip('/')}/.well-known/openid-configuration"
            found = await self._fetch(place)
            document = found if isinstance(found, dict) else {}
            names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
            places = [str(document.get(name, "")) for name in names]
            if document.get("issuer") != self._issuer or not all(map(is_private_way, places)):
                raise Misconfigured(
                    "The issuer of sign-ins says that it is another",
                    why="Its discovery document names another issuer, or an address that is not https.",
                    next_step="Set KB_AGENT_OIDC_ISSUER to exactly what the document says.",
                )
            ending = str(document.get("end_session_endpoint", ""))  # it is optional, and nobody signs in there
            self._provider = Provider(*places, *([ending] if is_private_way(ending) else []))
        return self._provider

    async def _fetch(self, url: str) -> object:
        status, body = await self._request("GET", url)
        if status != 200:
            raise Transient("The issuer of sign-ins does not answer", why=f"It answers {status}.")
        return body

    async def _request(self, method: str, url: str, **more: Any) -> tuple[int, object]:
        """Status and JSON. Raises Transient."""
        try:
            async with (
                asyncio.timeout(SECONDS),
                self._session.request(method, url, allow_redirects=False, **more) as answer,
            ):
                raw = await read_body(answer, LARGEST)
            if raw is None:
                raise Transient("The issuer of sign-ins does not answer", why="Its answer is too large.")
            return answer.status, json.loads(raw) if raw else None
        except (aiohttp.ClientError, TimeoutError, ValueError, RecursionError) as error:
            raise Transient("The issuer of sign-ins does not answer", why=type(error).__name__) from error


def _with_query(place: str, asked: Mapping[str, str]) -> str:
    return f"{place}{'&' if '?' in place else '?'}{urlencode(asked)}"


def is_private_way(url: str) -> bool:
    """Whether nobody reads along on the way to an address: https, or this machine."""
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and (
            parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
        )
    except ValueError:
        return False


@asynccontextmanager
async def open_openid(issuer: str, client_id: str, secret: str | None) -> AsyncIterator[OpenIdClient]:
    """A client with connections of its own, which reads no proxy from the environment."""
    async with aiohttp.ClientSession(trust_env=False, cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield OpenIdClient(issuer, client_id, secret, session)
