"""How a server is reached that an operator names: a model's endpoint, a search engine."""

import ssl
from collections.abc import Mapping
from functools import cache

import httpx


def open_client(headers: Mapping[str, str], transport: httpx.AsyncBaseTransport | None = None) -> httpx.AsyncClient:
    """A client that follows no redirects and reads no proxies from the environment; to be closed by the caller.

    Its requests have no time limit: each caller limits a request as a whole, which also ends one that trickles.
    transport: carries the requests instead of httpx's own.
    """
    return httpx.AsyncClient(
        headers=dict(headers),
        timeout=None,  # noqa: S113 - see above
        transport=transport,
        verify=_certificates(),
        trust_env=False,
    )


@cache
def _certificates() -> ssl.SSLContext:
    """Whose signatures are trusted. It is the same for all connections, and takes 20 ms to read."""
    return httpx.create_ssl_context(trust_env=False)


def server_url(text: str) -> httpx.URL | None:
    """The URL of a server, http or https; None where `text` is none."""
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        return None
    return url if url.scheme in {"http", "https"} and url.host else None


def is_sendable(key: str) -> bool:
    """Whether a header can carry a key. httpx would refuse others too, but quote them."""
    return key.isascii() and key.isprintable()
