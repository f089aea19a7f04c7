"""What fetches an address that a question, a page, a redirect or a request named."""

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from pydantic import ValidationError

from agent.tools.live_fetch import LIVE_DOCUMENTS, LiveFetch, UrlArguments, WebFetch
from agent.tools.live_pages import PageReader
from bot.teams.request_auth import TrustPolicy, may_reply_to
from domain.access import ORGANISATION
from domain.errors import KbError, Refused
from domain.masking import Masker
from indexer.live_fetch import LiveItems, LiveSite
from indexer.parse.formats import parse
from indexer.parse.limits import ParseLimits
from indexer.sources.connector import Connector, ListedDocument
from indexer.sources.web.connector import WebConnector
from indexer.sources.web.live_page import LivePages
from net.fetch import FetchPolicy, SafeFetcher
from tests.attacks.surface import Meet
from tests.attacks.urls import PUBLIC, START, WIKI, UrlAttack
from tests.fakes.access import MemoryAccessReader
from tests.fakes.agent import MODEL, a_context, a_passage, an_evidence
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.web_site import Detour, WebSite, page, redirect

TLS = ssl.create_default_context()  # made once: it reads many certificates
Asking = Callable[[SafeFetcher, str], Awaitable[object]]


class InProcess:
    """Parses without a sandbox."""

    async def parse(self, raw: bytes, name: str, media_type: str = "") -> object:
        return parse(raw, name, media_type, ParseLimits())


class MovingNames:
    """A resolver: `public.test` is public, unless it moves, and other names are where the attack says."""

    def __init__(self, attack: UrlAttack) -> None:
        self._next = [*attack.addresses]
        self._fixed = {"localhost": ["127.0.0.1"]}
        if len(attack.addresses) == 1:
            self._fixed["public.test"] = [PUBLIC]

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        if host in self._fixed:
            return self._fixed[host]
        return self._next.pop(0) if len(self._next) > 1 else self._next[0]


def fetching(ask: Asking, *, listed: bool = False) -> Callable[[Path], AbstractAsyncContextManager[Meet]]:
    """A fetcher that dials this process whatever it dials: what is dialled beside PUBLIC was reached. listed: whether
    the host of the URL is one that the operator allows."""

    @asynccontextmanager
    async def opened(_folder: Path) -> AsyncIterator[Meet]:
        async with WebSite() as site:

            async def meet(attack: UrlAttack) -> str:
                body = f"<urlset><url><loc>{escape(attack.url)}</loc></url></urlset>".encode("utf-8", "replace")
                site.routes = {
                    "/": redirect(attack.redirect) if attack.redirect else page("inside"),
                    "/again": page("inside"),
                    "/sitemap.xml": page(body, "Content-Type: application/xml"),
                }
                dial = Detour(site.port)
                only = ("public.test", *_host(attack.url)) if listed else None
                try:
                    policy = FetchPolicy(only=only, max_seconds=5)
                    async with SafeFetcher(policy, resolve=MovingNames(attack), tls=TLS, dial=dial) as fetcher:
                        await ask(fetcher, attack.url)
                except (KbError, ValidationError):
                    return " ".join(each for each in dial.dialled if each != PUBLIC)
                return f"no refusal; dialled {dial.dialled}"

            yield meet

    return opened


def _host(url: str) -> list[str]:
    """The host, where it can stand in the list of allowed ones."""
    try:
        host = urlsplit(url).hostname or ""
        SafeFetcher(FetchPolicy(only=(host,)), tls=TLS)
    except (KbError, ValueError):
        return []
    return [host]


async def _by_tool(fetcher: SafeFetcher, url: str) -> None:
    tool = WebFetch(LivePages(fetcher, InProcess()), PageReader(MODEL, Masker()))  # type: ignore[arg-type]
    context = a_context("What does it say?", evidence=[an_evidence(a_passage("x", url=url))])
    result = await tool.run(UrlArguments.model_validate({"url": url}), context)
    if not result.found:
        raise Refused(result.note)


async def _as_source(fetcher: SafeFetcher, url: str) -> None:
    connector = WebConnector(url, ORGANISATION, fetcher, delay_s=0)
    async for item in connector.listing():
        assert isinstance(item, ListedDocument)
        await connector.fetch(item)


async def _from_sitemap(fetcher: SafeFetcher, url: str) -> None:
    connector = WebConnector(f"{START}sitemap.xml", ORGANISATION, fetcher, delay_s=0)
    for item in [each async for each in connector.listing()]:
        if isinstance(item, ListedDocument):
            await connector.fetch(item)
    raise Refused("every page that it may read was read")


web_fetch = fetching(_by_tool, listed=True)
fetcher = fetching(lambda fetcher, url: fetcher.get(url))
web_source = fetching(_as_source)
sitemap = fetching(_from_sitemap)


@asynccontextmanager
async def confluence_fetch(_folder: Path) -> AsyncIterator[Meet]:
    """No source is even opened for a URL that is not its own."""
    opened: list[str] = []

    def opening() -> AbstractAsyncContextManager[Connector]:
        opened.append(WIKI)
        raise Refused("it was asked")

    async def places() -> list[LiveSite]:
        return [LiveSite("wiki", WIKI, "1", opening)]

    reader = MemoryAccessReader(MemoryKnowledge(MODEL.identity))
    async with LiveItems(places, reader, InProcess()) as items:  # type: ignore[arg-type]
        spec = next(each for each in LIVE_DOCUMENTS if each.name == "confluence_fetch")
        tool = LiveFetch(spec, items, PageReader(MODEL, Masker()))

        async def meet(url: str) -> str:
            opened.clear()
            with suppress(KbError, ValidationError):
                await tool.run(spec.arguments.model_validate({"page": url}), a_context(url))
            return " ".join(opened)

        yield meet


@asynccontextmanager
async def teams_service(_folder: Path) -> AsyncIterator[Meet]:
    """Where replies may be sent."""
    trust = TrustPolicy("0a0b", "tenant-1", ("smba.trafficmanager.net", ".botframework.com"))

    async def meet(url: str) -> str:
        return url if may_reply_to(url, trust) else ""

    yield meet
