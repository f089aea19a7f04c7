"""The keys that requests of Teams are signed with, as their publisher says now.

They are kept: a key server that is away, or hangs, costs those nothing whose key is known. It is asked by one task at a
time, with a bound on its time and size, and not again for every name that somebody makes up.
"""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from jwt.algorithms import RSAAlgorithm

from bot.response_body import read_body
from bot.teams.json_reading import each_table, table, text
from domain.cancellation import cancel_and_wait
from domain.errors import KbError, Misconfigured, Transient

log = logging.getLogger(__name__)

LARGEST = 1_000_000
"""Bytes of a document. The real one's keys take some thousands."""

MOST = 200
"""Keys that are looked at."""

LEAST_BITS = 2048


@dataclass(frozen=True, slots=True)
class KeyFetchTimes:
    """How the key server is asked, in seconds."""

    answer: float = 5.0
    """That it has for all."""
    fresh: float = 86_400.0
    """For which keys are taken for its present ones."""
    again: float = 60.0
    """Between two requests for a name that it did not know."""
    mended: float = 5.0
    """The same, where it failed."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A public key. endorsements: the channels whose requests it may sign."""

    public: RSAPublicKey
    endorsements: frozenset[str]


FetchJson = Callable[[str], Any]
"""Gets the JSON at an address, awaited. Raises Transient."""


class SigningKeys:
    """Keys by name. url: of the OpenID document. fetch: see FetchJson. clock: seconds."""

    def __init__(
        self,
        url: str,
        fetch: FetchJson,
        patience: KeyFetchTimes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = url
        self._fetch = fetch
        self._patience = patience or KeyFetchTimes()
        self._clock = clock
        self._keys: Mapping[str, SigningKey] = {}
        self._fetched_at = self._asked_at = float("-inf")
        self._failed = False
        self._asking: asyncio.Task[None] | None = None

    async def find(self, name: str) -> SigningKey | None:
        """The key of that name; None where there is none, or nobody says so in time."""
        found = self._keys.get(name)
        if found is not None:
            if self._clock() - self._fetched_at > self._patience.fresh:
                self._ask()
            return found
        asking = self._ask()
        if asking is None:
            return None
        await asyncio.wait({asking}, timeout=self._patience.answer)
        return self._keys.get(name)

    def warm(self) -> None:
        """Begins to ask, so that the first request need not wait."""
        self._ask()

    async def close(self) -> None:
        """Stops what is under way."""
        if self._asking is not None:
            await cancel_and_wait(self._asking)

    def _ask(self) -> "asyncio.Task[None] | None":
        """The task that asks now; None where that was done a moment ago."""
        if self._asking is not None and not self._asking.done():
            return self._asking
        pause = self._patience.mended if self._failed else self._patience.again
        if self._clock() - self._asked_at < pause:
            return None
        self._asked_at = self._clock()
        self._asking = asyncio.create_task(self._refresh())
        return self._asking

    async def _refresh(self) -> None:
        """Takes the present keys in, where they can be had; else those from before stay."""
        try:
            async with asyncio.timeout(self._patience.answer):
                document = table(await self._fetch(self._url))
                keys = keys_of(await self._fetch(_same_trust(self._url, text(document.get("jwks_uri")))))
        except (KbError, TimeoutError) as error:
            self._failed = True
            log.warning("The keys of Teams cannot be read now: %s", error if isinstance(error, KbError) else "time-out")
            return
        self._failed = not keys
        if keys:
            self._keys, self._fetched_at = keys, self._clock()
        else:
            log.warning("The key server of Teams publishes no key that can be used")


def keys_of(document: Any) -> dict[str, SigningKey]:
    """The RSA keys of a JWKS document by name; what is none, or too short, is left out."""
    found = {}
    for each in [*each_table(table(document).get("keys"))][:MOST]:
        public, name = _public(each), text(each.get("kid"))
        if public is not None and name:
            told = each.get("endorsements")
            endorsements = frozenset(map(text, told if isinstance(told, list) else ()))
            found[name] = SigningKey(public, endorsements - {""})
    return found


def _public(jwk: Mapping[str, Any]) -> RSAPublicKey | None:
    if jwk.get("kty") != "RSA" or jwk.get("use", "sig") != "sig":
        return None
    public_part = {name: jwk[name] for name in ("kty", "n", "e") if name in jwk}
    try:
        key = RSAAlgorithm.from_jwk(json.dumps(public_part))
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    return key if isinstance(key, RSAPublicKey) and key.key_size >= LEAST_BITS else None


def _same_trust(document: str, keys: str) -> str:
    """The address of the keys, which may be no less protected than that of the document that names it."""
    try:
        scheme = urlsplit(keys).scheme
    except ValueError:
        scheme = ""
    if scheme != "https" and not (scheme == "http" == urlsplit(document).scheme):
        raise Transient("The OpenID document names no address of keys that can be used")
    return keys


@asynccontextmanager
async def open_keys(
    url: str, patience: KeyFetchTimes | None = None, *, needed: bool = True
) -> AsyncIterator[SigningKeys]:
    """The keys that the OpenID document at `url` leads to; they are asked for from now on, unless requests need none.

    Raises:
        Misconfigured: that is no address.
    """
    if not url.startswith(("https://", "http://")):
        raise Misconfigured(
            "KB_AGENT_TEAMS_OPENID_URL is no address", next_step="Unset it, or give one that begins with https://"
        )
    limit = aiohttp.ClientTimeout(total=(patience or KeyFetchTimes()).answer)
    async with aiohttp.ClientSession(timeout=limit, connector=aiohttp.TCPConnector(limit=2)) as session:
        keys = SigningKeys(url, partial(_json, session), patience)
        if needed:
            keys.warm()
        try:
            yield keys
        finally:
            await keys.close()


async def _json(session: aiohttp.ClientSession, address: str) -> Any:
    """The JSON at an address. Raises Transient."""
    try:
        async with session.get(address, allow_redirects=False) as response:
            if response.status != 200:
                raise Transient("The key server does not answer as it should", why=f"status {response.status}")
            body = await read_body(response, LARGEST)
        if body is None:
            raise Transient("The key server's document is too large")
        return json.loads(body)
    except (aiohttp.ClientError, OSError, ValueError, RecursionError) as error:
        raise Transient("The key server cannot be read", why=type(error).__name__) from error
