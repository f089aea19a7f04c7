"""One GET over a connection to addresses that were chosen beforehand.

The name stays the name everywhere else: in the Host header, in SNI and in the check of the certificate. Nothing
below this module resolves names, reads proxies or credentials from the environment, or keeps a connection.
"""

import ssl
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpcore
import httpx

from domain.errors import KbError, Refused, Transient
from net.addresses import Address
from net.targets import Target

CONNECT_SECONDS = 10.0
"""For TCP to one address, and once more for TLS. A SYN lost three times is sent again after 7 s (RFC 6298)."""


class PinnedBackend(httpcore.AsyncNetworkBackend):
    """Connects to the first of `addresses` that answers, whatever host it is asked for, by means of `dial`."""

    def __init__(self, addresses: Sequence[Address], dial: httpcore.AsyncNetworkBackend) -> None:
        self._addresses = addresses
        self._dial = dial
        self._opened: list[httpcore.AsyncNetworkStream] = []

    async def connect_tcp(
        self,
        host: str,  # noqa: ARG002 - the very thing that is not resolved again
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A stream to the first address that answers. Raises the last ConnectError or ConnectTimeout."""
        failure: httpcore.ConnectError | httpcore.ConnectTimeout = httpcore.ConnectError("no address")
        for address in self._addresses:
            try:
                stream = await self._dial.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                self._opened.append(stream)
                return stream
        raise failure

    async def aclose(self) -> None:
        """Closes what was opened; httpcore by itself leaves the stream of a cancelled TLS handshake open."""
        for stream in self._opened:
            await stream.aclose()


@dataclass(frozen=True, slots=True)
class PinnedResponse:
    """What a server says. status, headers: as received. body: the bytes on the wire, still packed."""

    status: int
    headers: httpx.Headers
    body: AsyncIterator[bytes]


@asynccontextmanager
async def exchange(
    target: Target,
    addresses: Sequence[Address],
    headers: Mapping[str, str],
    *,
    tls: ssl.SSLContext,
    dial: httpcore.AsyncNetworkBackend,
) -> AsyncIterator[PinnedResponse]:
    """Sends GET for `target` to one of `addresses` and gives the answer while the connection is open.

    Raises (also while the body is read):
        Refused: the certificate does not fit the name; the headers are too large.
        Transient: no connection, a reset, an answer that breaks off or is not HTTP.
    """
    url = target.url
    backend = PinnedBackend(addresses, dial)
    origin = httpcore.Origin(url.raw_scheme, url.raw_host, target.port)
    connection = httpcore.AsyncHTTPConnection(origin, ssl_context=tls, network_backend=backend)
    request = httpcore.Request(
        "GET",
        httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=target.port, target=url.raw_path),
        headers=[("Host", url.netloc), *headers.items()],
        extensions={"timeout": {"connect": CONNECT_SECONDS}},
    )
    try:
        response = await connection.handle_async_request(request)
        yield PinnedResponse(response.status, httpx.Headers(response.headers), response.aiter_stream())
    except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.RemoteProtocolError) as error:
        raise _told(target, error) from error
    finally:
        await backend.aclose()


def _told(target: Target, error: Exception) -> KbError:
    """An error of httpcore as one of ours."""
    cause = error.__cause__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return Refused(
            f"{target.shown} was not fetched",
            why=f"the server's certificate is not valid for {target.host}: {cause.verify_message}",
            next_step="check the host name; a company's own authority has to be among the trusted ones",
        )
    if getattr(cause, "error_status_hint", 0) == 431:  # h11: more header bytes than httpcore's 100 KiB
        return headers_too_large(target)
    why = (
        "the server did not accept the connection in time"
        if isinstance(error, httpcore.TimeoutException)
        else str(error)
    )
    return Transient(f"{target.shown} could not be fetched", why=why, next_step="try again later")


def headers_too_large(target: Target) -> Refused:
    """What is raised when a server sends more header bytes than are read."""
    return Refused(f"{target.shown} was not fetched", why="the headers of the answer are too large")
