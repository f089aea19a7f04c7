"""Safe GET for URLs that operators, users or pages give.

The rules (design: security.md, section 3, SSRF):

- http on port 80 and https on port 443, unless the allow-list names host and port;
- the name is resolved once, every address must be public or opened by the allow-list, and one of these very
  addresses is connected to, with Host, SNI and the certificate check of the name;
- redirects are followed by hand under the same rules, never from https to http;
- no proxies, netrc, cookies or credentials; a new connection each time;
- where the policy names hosts, every hop's host must be one of them, before its name is even looked up;
- limits on the unpacked body, the headers and the total time hold while bytes arrive.
"""

import asyncio
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Self

import httpcore
import httpx

from domain.errors import Bug, Refused, Transient
from net.addresses import AllowList, vet
from net.hosts import OnlyHosts
from net.inflate import DamagedError, Gunzip, Plain, TooLargeError, TruncatedError
from net.pinned import PinnedResponse, exchange, headers_too_large
from net.targets import Target, redirected, target_of

MAX_HEADER_BYTES = 64 * 1024
"""Eight times what nginx takes from an upstream (proxy_buffer_size, 8 KiB). httpcore stops at 100 KiB."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})  # RFC 9110, section 15.4
_LATER = frozenset({408, 425, 429})  # RFC 9110, 8470 and 6585: the client may repeat the request

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Host and port in, every address of the host out. Raises Refused or Transient."""


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """What may be fetched, and how much of it."""

    allow: tuple[str, ...] = ()
    """Hosts, `host:port` and CIDR networks that may be reached although private or on another port."""
    max_bytes: int = 20_000_000
    """Of the unpacked body."""
    max_seconds: float = 30.0
    """For one `get`, redirects included."""
    max_redirects: int = 5
    """RFC 9110 names no number, RFC 2068 (section 10.3) said 5."""
    user_agent: str = "kb-agent"
    only: tuple[str, ...] | None = None
    """The hosts that may be asked, redirects included: `example.com`, or `.example.com` for every host below it;
    `allow` is then needed besides for those that are private. None: any public host; empty: none at all."""


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """What a URL gave."""

    url: str
    """After redirects."""
    status: int
    media_type: str
    """In lower case, as the charset; both empty when the server does not say."""
    charset: str
    raw: bytes
    """The unpacked body; empty unless the status is 2xx, so that an error page is never taken for content."""
    last_modified: str
    """As the server says it; empty when it does not."""


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """Every address that the system knows for `host`, asked for in a thread.

    Raises:
        Refused: there is no such name.
        Transient: no name server answered.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as error:
        if isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN:
            raise Transient(f"the name {host} could not be looked up", next_step="try again later") from error
        raise Refused(f"the name {host} is not known", next_step="check the spelling of the host") from error
    return [str(address[0]) for *_, address in found]


class SafeFetcher:
    """Fetches URLs under one policy; use it as an async context manager. `get` may run many times at once.

    policy: the limits. resolve: looks names up. tls: what certificates are checked against, by default the
    authorities that certifi lists. dial: opens connections to addresses, by default straight to the network.

    Raises:
        Misconfigured: an entry of a list of hosts cannot be used.
        Bug: `tls` does not check certificates.
    """

    def __init__(
        self,
        policy: FetchPolicy | None = None,
        *,
        resolve: Resolver = system_resolver,
        tls: ssl.SSLContext | None = None,
        dial: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        if tls is not None and not (tls.check_hostname and tls.verify_mode == ssl.CERT_REQUIRED):
            raise Bug("a fetcher needs an SSL context that checks certificates and host names")
        self.policy = policy or FetchPolicy()
        self._allow = AllowList.parse(self.policy.allow)
        self._only = None if self.policy.only is None else OnlyHosts.parse(self.policy.only)
        self._resolve = resolve
        self._tls = tls
        self._dial = dial or httpcore.AnyIOBackend()

    async def __aenter__(self) -> Self:
        if self._tls is None:  # reads and parses some 140 certificates
            self._tls = await asyncio.to_thread(httpx.create_ssl_context, trust_env=False)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Nothing stays open between two calls of `get`."""

    async def get(self, url: str) -> FetchedPage:
        """What `url` gives.

        Raises:
            Refused: the URL, an address behind it, a redirect or the answer is not acceptable.
            Transient: time-out, reset, an answer that breaks off, status 5xx, 408, 425 or 429.
        """
        try:
            async with asyncio.timeout(self.policy.max_seconds):
                return await self._follow(target_of(url))
        except TimeoutError as error:
            raise Transient(
                f"{target_of(url).shown} could not be fetched",
                why=f"it took more than {self.policy.max_seconds:g} s",
                next_step="try again later, or raise KB_AGENT_FETCH_SECONDS",
            ) from error

    async def _follow(self, target: Target) -> FetchedPage:
        """The page at the end of the redirects that begin at `target`."""
        first = target
        for _ in range(self.policy.max_redirects + 1):
            found = await self._ask(target)
            if isinstance(found, FetchedPage):
                return found
            target = redirected(target, found)
        raise Refused(
            f"{first.shown} was not fetched",
            why=f"it redirects more than {self.policy.max_redirects} times",
            next_step="use the URL of the page itself",
        )

    async def _ask(self, target: Target) -> FetchedPage | str:
        """The page at `target`, or where a redirect leads."""
        if self._tls is None:
            raise Bug("a SafeFetcher was used outside `async with`")
        if self._only is not None:
            self._only.check(target)
        literal = target.literal
        found = [str(literal)] if literal else await self._resolve(target.host, target.port)
        addresses = vet(target, found, self._allow)
        headers = {"User-Agent": self.policy.user_agent, "Accept": "*/*", "Accept-Encoding": "gzip"}
        async with exchange(target, addresses, headers, tls=self._tls, dial=self._dial) as answer:
            _check_head(target, answer)
            if answer.status in _REDIRECTS:
                location: str = answer.headers.get("location", "")
                if not location:
                    raise Refused(f"{target.shown} was not fetched", why="it redirects without saying where to")
                return location
            return await self._page(target, answer)

    async def _page(self, target: Target, answer: PinnedResponse) -> FetchedPage:
        media_type, charset = _content_type(answer.headers.get("content-type", ""))
        return FetchedPage(
            str(target.url),
            answer.status,
            media_type,
            charset,
            await self._body(target, answer) if 200 <= answer.status < 300 else b"",
            answer.headers.get("last-modified", ""),
        )

    async def _body(self, target: Target, answer: PinnedResponse) -> bytes:
        """The body of `answer`, unpacked."""
        try:
            sink = self._sink(target, answer)
            async for piece in answer.body:
                sink.feed(piece)
            return sink.content()
        except TooLargeError as error:
            raise Refused(
                f"{target.shown} was not fetched",
                why=f"it is larger than {self.policy.max_bytes:,} bytes",
                next_step="raise KB_AGENT_FETCH_MAX_MB, or leave it out",
            ) from error
        except TruncatedError as error:
            raise Transient(f"{target.shown} broke off", next_step="try again later") from error
        except DamagedError as error:
            raise Refused(f"{target.shown} was not fetched", why="its body is not valid gzip") from error

    def _sink(self, target: Target, answer: PinnedResponse) -> Plain | Gunzip:
        """What takes the body in. Raises TooLargeError at once when the announced length passes the limit."""
        length = answer.headers.get("content-length", "")
        if length.isdecimal() and int(length) > self.policy.max_bytes:
            raise TooLargeError
        coding = answer.headers.get("content-encoding", "identity").strip().lower()
        if coding in {"", "identity"}:
            return Plain(self.policy.max_bytes)
        if coding in {"gzip", "x-gzip"}:
            return Gunzip(self.policy.max_bytes)
        raise Refused(f"{target.shown} was not fetched", why="its body is packed in a way that was not asked for")


def _check_head(target: Target, answer: PinnedResponse) -> None:
    """Raises Refused for too large headers, Transient for a status that asks to come back later."""
    if sum(len(name) + len(value) for name, value in answer.headers.raw) > MAX_HEADER_BYTES:
        raise headers_too_large(target)
    if answer.status >= 500 or answer.status in _LATER:
        wait = answer.headers.get("retry-after", "")
        raise Transient(
            f"{target.shown} answered with status {answer.status}",
            why=f"it asks to wait {wait} s" if re.fullmatch("[0-9]{1,6}", wait) else "",
            next_step="try again later",
        )


def _content_type(header: str) -> tuple[str, str]:
    """Media type and charset of a Content-Type header, in lower case; empty where it does not say."""
    media_type, _, parameters = header.lower().partition(";")
    charset = re.search(r"(?:\A|;)\s*charset\s*=\s*[\"']?([a-z0-9._:-]{1,40})", parameters)
    return media_type.strip(), charset[1] if charset else ""
