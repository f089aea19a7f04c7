"""Fetches from a local web site, within limits of its own."""

import ssl
from dataclasses import replace

from net.fetch import FetchedPage, FetchPolicy, SafeFetcher
from tests.fakes.web_site import WebSite

PUBLIC_IP = "93.184.215.14"
OTHER_PUBLIC_IP = "1.1.1.1"
TLS = ssl.create_default_context()  # made once: it reads many certificates


def policy(site: WebSite, **changes: object) -> FetchPolicy:
    """One that reaches `site` as 127.0.0.1 and by the names that lead there."""
    allow = (f"127.0.0.1:{site.port}", f"site.test:{site.port}", "127.0.0.0/8")
    return replace(FetchPolicy(allow=allow, max_seconds=5), **changes)  # type: ignore[arg-type]


async def get(site: WebSite, path: str = "/", **changes: object) -> FetchedPage:
    async with SafeFetcher(policy(site, **changes), tls=TLS) as fetcher:
        return await fetcher.get(site.url(path))
