"""The part of the composition root that serves people and programs over HTTP."""

import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from aiohttp import web

from agent.retrieval.reranking import RerankingRetriever
from agent.retrieval.retriever import Retriever
from bot.app.operating.operator import ProductOperator
from bot.app.platforms import Listener, PlatformDependencies
from bot.app.product import Product
from bot.app.reranked_search import open_if_any
from bot.conversation.actions import ConversationActions
from bot.conversation.chat_platform import ChatPlatform
from bot.conversation.service import ConversationService
from bot.http_listener import http_listener
from bot.web.api import api_routes, refusing
from bot.web.asking import WebAsking
from bot.web.call_limits import CallLimits
from bot.web.callers import Callers, hosts_of
from bot.web.dependencies import Search, SearchFound, WebDependencies
from bot.web.live_replies import LiveReplies
from bot.web.openid import LOOPBACK, OpenIdClient, is_private_way, open_openid
from bot.web.pages.operate.routes import OperatePages
from bot.web.pages.routes import WebPages
from bot.web.platform import WebPlatform
from bot.web.reading import WebReading
from bot.web.sign_in import SignIn
from bot.web.trial_sign_in import TrialSignIn
from config.chat import WebSettings
from domain.access import Scope
from domain.conversation import Platform, ReplyAudience
from domain.errors import KbError, Misconfigured, Refused
from domain.search import Filters, Method

log = logging.getLogger(__name__)

IF_TAKEN = "set KB_AGENT_API_PORT to another port; 0 takes a free one, which is printed."

NOT_RERANKED = "There is no reranker here that answers: the passages stand in the order of the search."


@dataclass(frozen=True)
class OpenWeb:
    """See bot.app.platforms.OpenPlatform."""

    product: Product
    live: LiveReplies
    chat: ChatPlatform
    opened: Callable[[str], None] | None = None
    """Is told each address that opens a trial; None where it is none."""
    name: Platform = "web"
    address: list[str] = field(default_factory=list)
    """Where it listens; empty while it does not."""

    @asynccontextmanager
    async def listening(self, dependencies: PlatformDependencies) -> AsyncIterator[Listener]:
        """On a listener of its own."""
        wanted = self.product.settings.web
        more = (", with pages" if wanted.oidc_issuer else "") + (", MCP at /mcp" if wanted.api_mcp else "")
        yield Listener(lambda _: f"API at {self.address[0]}/api/v1{more}", connection=self._listen(dependencies))

    @asynccontextmanager
    async def _listen(self, given: PlatformDependencies) -> AsyncIterator[None]:
        wanted = self.product.settings.web
        async with AsyncExitStack() as stack:
            needs = await self.needs(given.conversations, given.actions, stack)
            callers = needs.callers
            asking = WebAsking(needs)
            reading = WebReading(needs, asking)
            routes = api_routes(needs, asking, reading)
            gets, posts = routes.gets, routes.posts
            trial = TrialSignIn(callers, self._tell_address) if self.opened else None
            turned_away: Callable[[], web.StreamResponse] | None = None
            if trial:
                gets[TrialSignIn.PATH], turned_away = trial.handler(), trial.turned_away
            elif wanted.oidc_issuer:
                sign_in = SignIn(
                    callers, await stack.enter_async_context(self._openid()), self._base, given.actions.note_sign_in
                )
                gets, turned_away = {**gets, **sign_in.routes()}, sign_in.turned_away
            if wanted.api_mcp:
                from bot.mcp.http_endpoint import PATH, mcp_endpoint
                from bot.mcp.tools import McpTools

                tools = McpTools(asking, reading, self.product.masker)
                posts[PATH] = await stack.enter_async_context(mcp_endpoint(tools, callers))
                gets[PATH] = routes.others[PATH] = refusing("POST")
            if turned_away:
                pages = WebPages(needs, asking, reading, turned_away)
                for more_gets, more_posts in (OperatePages(pages).routes(), pages.routes()):
                    gets, posts = {**gets, **more_gets}, {**posts, **more_posts}
            serving = http_listener(
                wanted.api_host, wanted.api_port or 0, posts, pages=gets, others=routes.others, if_taken=IF_TAKEN
            )
            at = await stack.enter_async_context(serving)
            callers.hosts.update(hosts_of(at, wanted.api_public_url))
            self.address.append(at)
            if trial:
                trial.renew()
            yield
            self.address.clear()

    def _openid(self) -> AbstractAsyncContextManager[OpenIdClient]:
        wanted = self.product.settings.web
        secret = wanted.oidc_client_secret.reveal() if wanted.oidc_client_secret else None
        return open_openid(wanted.oidc_issuer or "", wanted.oidc_client_id or "", secret)

    def _base(self) -> str:
        return (self.product.settings.web.api_public_url or self.address[0]).rstrip("/")

    def _tell_address(self, path: str) -> None:
        if self.opened:
            self.opened(f"{self.address[0]}{path}")

    def _callers(self) -> Callers:
        wanted, storage = self.product.settings.web, self.product.storage
        secure = (wanted.api_public_url or "").startswith("https://")
        seconds = wanted.web_session_hours * 3600
        limits = CallLimits(wanted.api_requests_minute)
        return Callers(storage.api_tokens(), storage.web_sessions(), set(), secure, seconds, limits)

    async def needs(
        self, conversations: ConversationService, actions: ConversationActions, stack: AsyncExitStack
    ) -> WebDependencies:
        """What operations work with. The stack closes what is opened for them."""
        product = self.product
        reranking = await open_if_any(product, stack)
        return WebDependencies(
            conversations,
            actions,
            self.live,
            self._callers(),
            product.storage.answer_records(),
            product.storage.document_catalog(),
            search_with(product.retriever, reranking, by_default=product.settings.tools.rerank),
            product.graph,
            ProductOperator(product),
        )

    async def tell(self, arguments: Mapping[str, object], words: str) -> None:  # noqa: ARG002 - the log is nobody's
        """Into the log: who asked looks at the runs."""
        log.info("A reading that was asked for over HTTP has ended: %s", words)

    async def announce(self, channel: str, lines: Sequence[str], handle: Mapping[str, str]) -> None:  # noqa: ARG002 - there is no channel
        """See bot.app.platforms.OpenPlatform. There is no channel here."""
        raise Refused("Nothing can be announced over HTTP", next_step="Name a channel of a chat.")

    async def readers(self, channel: str, handle: Mapping[str, str]) -> ReplyAudience:  # noqa: ARG002 - as above
        """See bot.app.platforms.OpenPlatform."""
        return ReplyAudience("public", "unknown_channel")

    async def ids_with(self, address: str, people: Mapping[str, Mapping[str, str]]) -> frozenset[str]:  # noqa: ARG002 - nobody has to be asked
        """See bot.app.platforms.OpenPlatform. Somebody's id is their address."""
        return frozenset({address})

    async def is_open(self, channel: str) -> bool:  # noqa: ARG002 - as above
        """See bot.app.platforms.OpenPlatform."""
        return False

    async def check(self) -> None:
        """See bot.app.platforms.OpenPlatform. Nobody else has to let us in."""

    async def close(self) -> None:
        """See bot.app.platforms.OpenPlatform."""
        await self.live.close()


def open_for_web(product: Product, opened: Callable[[str], None] | None = None) -> OpenWeb:
    """HTTP, as the settings name it. opened: for a trial on this machine; it is told each address that opens it.

    Raises Misconfigured where what is set would send tokens in clear over a network, or let strangers sign in.
    """
    check_settings(product.settings.web, product.settings.access.email_domains)
    live = LiveReplies(product.storage.shown_replies())
    return OpenWeb(product, live, WebPlatform(live, trial=opened is not None), opened)


def check_settings(wanted: WebSettings, domains: Sequence[str]) -> None:
    """Raises Misconfigured where what is set would send tokens in clear over a network, lead people elsewhere, or make
    members of all whom an issuer knows. domains: of the organisation's addresses."""
    public = urlsplit(wanted.api_public_url or "")
    if wanted.api_public_url and (
        public.scheme not in {"http", "https"} or not public.hostname or public.path.strip("/")
    ):
        raise Misconfigured(
            "KB_AGENT_API_PUBLIC_URL is no address of a host",
            next_step="Set it to the address that people type, such as https://ask.example.com",
        )
    if wanted.oidc_issuer and not (wanted.oidc_client_id and is_private_way(wanted.oidc_issuer)):
        raise Misconfigured(
            "People cannot sign in by what is set",
            why="KB_AGENT_OIDC_ISSUER has to begin with https://, and KB_AGENT_OIDC_CLIENT_ID has to be set.",
            next_step="Set both as the issuer has them; docs/web.md says where they come from.",
        )
    if wanted.oidc_issuer and not domains:
        raise Misconfigured(
            "Anybody whom KB_AGENT_OIDC_ISSUER knows could sign in as a member",
            why="KB_AGENT_EMAIL_DOMAINS is empty, which admits every address.",
            next_step="Name the domains of your organisation's addresses, such as KB_AGENT_EMAIL_DOMAINS=example.com.",
        )
    if wanted.api_host in LOOPBACK:
        return
    if public.scheme != "https" and public.hostname not in LOOPBACK:
        raise Misconfigured(
            "KB_AGENT_API_HOST takes an API that is reached by https",
            why=f"It is {wanted.api_host}, which others reach; tokens and answers would cross the network in clear.",
            next_step="Put a proxy with TLS before it, and set KB_AGENT_API_PUBLIC_URL to its https:// address.",
        )


def search_with(retriever: Retriever, reranking: RerankingRetriever | None, *, by_default: bool) -> Search:
    """Searching by the retriever of questions. by_default: whether candidates are ranked anew where nobody says."""

    async def search(
        words: str, scope: Scope, filters: Filters, method: Method, limit: int, rerank: bool | None
    ) -> SearchFound:
        again, notice = (by_default if rerank is None else rerank), ""
        wide = max(limit, reranking.options.candidates) if again and reranking else limit
        found = await retriever.rank(words, scope, method=method, limit=wide, filters=filters)
        if again:
            try:
                found = await reranking.again(words, found, scope, limit) if reranking else found
                notice = "" if reranking else NOT_RERANKED
            except KbError as error:
                log.warning("Nothing was ranked a second time: %s (%s)", error.what, error.why)
                found, notice = replace(found, ranked=found.ranked[:limit]), NOT_RERANKED
        passages = {each.chunk_id: each for each in await retriever.passages(found.ranked, scope)}
        ranked = [(each.score, passages[each.chunk_id]) for each in found.ranked if each.chunk_id in passages]
        return SearchFound(ranked, " ".join(filter(None, (found.degraded, notice))))

    return search
