"""What listens to requests from outside: the platforms' endpoints, webhooks, and the pages for operators."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn, get_args
from urllib.parse import urlsplit

from bot.app.webhooks import PATH as WEBHOOKS
from bot.app.webhooks import SignedSource, Webhooks
from bot.http_listener import http_listener
from bot.mcp.http_endpoint import mcp_endpoint
from bot.mcp.tools import McpTools
from bot.slack import http_endpoint as slack
from bot.teams import http_endpoint as teams
from bot.teams.request_auth import RequestVerifier, TrustPolicy
from bot.teams.signing_keys import SigningKey
from bot.web.api import api_routes
from bot.web.asking import WebAsking
from bot.web.callers import Callers, digest
from bot.web.dependencies import WebDependencies
from bot.web.pages.operate.routes import OperatePages
from bot.web.pages.routes import WebPages
from bot.web.reading import WebReading
from bot.web.trial_sign_in import TrialSignIn
from domain.conversation import Participant
from domain.masking import Masker
from domain.web_access import TokenScope
from indexer.sources.registry import source_kinds
from storage.index.sources import Source
from tests.attacks import requests_http, requests_slack, requests_web
from tests.attacks.requests_http import Delivery, posted
from tests.attacks.requests_teams import Forged as ForgedActivity
from tests.attacks.requests_web import Uninvited
from tests.attacks.surface import Meet
from tests.fakes.jobs import MemoryJobs
from tests.fakes.slack.http_mode import RIGHT, Forged, signature
from tests.fakes.teams_keys import TeamsKeys, private_key
from tests.fakes.web_access import MemoryApiTokens, MemoryWebSessions
from tests.flows.teams.talk import Answer, Post

SECONDS = 60
"""Until an answer has to be there: a limit against hanging."""


@dataclass
class Unreached:
    """What handles requests that were let in. reached: by what."""

    reached: str = ""

    def __getattr__(self, name: str) -> NoReturn:
        self.reached = name
        raise ValueError(f"{name} was reached")


class Ordinary:
    """Somebody who administers nothing, before what handles requests that were let in."""

    def __init__(self, app: Unreached) -> None:
        self._app = app

    async def administers(self, _person: Participant) -> bool:
        return False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._app, name)


async def answered(base: str, request: bytes) -> Answer:
    """Status and body for bytes as they are."""
    address = urlsplit(base)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        writer.write(request)
        answer = await asyncio.wait_for(reader.read(), SECONDS)
    except ConnectionError:  # it is not even read to its end
        return Answer(413, b"")
    finally:
        writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return Answer(int(head.split()[1]), body)


def differing(found: Answer, status: int, app: Unreached) -> str:
    """What is wrong with an answer: it has words, or another status, or somebody was reached."""
    reached, app.reached = app.reached, ""
    return reached or ("" if found == Answer(status, b"") else f"{found}, not {status}")


@asynccontextmanager
async def slack_requests(_folder: Path) -> AsyncIterator[Meet]:
    """Slack's request URL."""
    app: Any = Unreached()
    handler = slack.slack_handler(app, requests_slack.SECRET, lambda: requests_slack.NOW)
    async with http_listener("127.0.0.1", 0, {slack.PATH: handler}) as base:

        async def meet(attack: tuple[int, Forged]) -> str:
            status, forged = attack
            body = requests_slack.BODY if forged.body is None else forged.body
            stamp = str(requests_slack.NOW) if forged.timestamp == RIGHT else forged.timestamp
            secret = forged.secret if forged.secret == "another" else requests_slack.SECRET
            signed = signature(secret, stamp or "", body) if forged.signature == RIGHT else forged.signature
            headers = [f"X-Slack-Request-Timestamp: {stamp}"] * (stamp is not None)
            headers += [f"X-Slack-Signature: {signed}"] * (signed is not None)
            return differing(await answered(base, posted(slack.PATH, *headers, body=body)), status, app)

        yield meet


APP, TENANT, SERVICE = "0a0b", "tenant-1", "https://smba.trafficmanager.net/emea/"
ACTIVITY: Mapping[str, Any] = {
    "type": "message",
    "id": "1",
    "text": "How many days of leave?",
    "serviceUrl": SERVICE,
    "channelId": "msteams",
    "from": {"id": "29:x", "aadObjectId": "5a7b1c00-0000-4000-8000-000000000001"},
    "recipient": {"id": f"28:{APP}"},
    "conversation": {"id": "a:1", "conversationType": "personal", "tenantId": TENANT},
    "channelData": {"tenant": {"id": TENANT}},
}


async def _key(name: str) -> SigningKey | None:
    """Two keys are known, one of them endorsed for another channel alone."""
    endorsed = {"first": "msteams", "web": "webchat"}
    return SigningKey(private_key(name).public_key(), frozenset({endorsed[name]})) if name in endorsed else None


@asynccontextmanager
async def teams_requests(_folder: Path) -> AsyncIterator[Meet]:
    """Teams' endpoint."""
    app: Any = Unreached()
    verifier = RequestVerifier(_key, TrustPolicy(APP, TENANT, ("smba.trafficmanager.net",)))
    handler = teams.teams_handler(verifier, app, app, app)
    async with http_listener("127.0.0.1", 0, {teams.PATH: handler}) as base:
        local: Any = SimpleNamespace(app_id=APP, service_url=SERVICE)
        post = Post(base, local, TeamsKeys())

        async def meet(attack: ForgedActivity) -> str:
            return differing(await asyncio.to_thread(attack.sent, post, dict(ACTIVITY)), attack.status, app)

        yield meet


def webhooks(kind: str) -> Callable[[Path], AbstractAsyncContextManager[Meet]]:
    """Webhooks of a kind of source: no work is queued."""

    @asynccontextmanager
    async def opened(_folder: Path) -> AsyncIterator[Meet]:
        jobs, format_ = MemoryJobs(), source_kinds()[kind].webhook
        assert format_ is not None

        async def hooks() -> Mapping[str, SignedSource]:
            return {"desk": SignedSource(Source("desk", kind, {}), format_, requests_http.SECRET)}

        async with http_listener("127.0.0.1", 0, {WEBHOOKS: Webhooks(hooks, jobs).handle}) as base:

            async def meet(attack: Delivery) -> str:
                signed = [f"X-Hub-Signature: {attack.signature}"] * (attack.signature is not None)
                path = WEBHOOKS.replace("{source}", attack.source)
                found = await answered(base, posted(path, *signed, *attack.headers, body=attack.body))
                return differing(found, attack.status, Unreached("work is queued" if jobs.jobs else ""))

            yield meet

    return opened


@asynccontextmanager
async def pages(_folder: Path) -> AsyncIterator[Meet]:
    """The listener for operators, which has pages alone."""
    async with http_listener("127.0.0.1", 0, {}) as base:

        async def meet(request: bytes) -> str:
            found = await answered(base, request)
            silent = found.status in {404, 405} or not found.body
            return "" if found.status in {400, 404, 405} and silent else f"{found}"

        yield meet


@asynccontextmanager
async def slow_bodies(_folder: Path) -> AsyncIterator[Meet]:
    """A body that does not come is not waited for."""
    app: Any = Unreached()
    handler = slack.slack_handler(app, requests_slack.SECRET, time.time)
    async with http_listener("127.0.0.1", 0, {slack.PATH: handler}) as base:

        async def meet(request: bytes) -> str:
            return differing(await answered(base, request), 408, app)

        yield meet


@asynccontextmanager
async def web_requests(_folder: Path) -> AsyncIterator[Meet]:
    """The API, pages, tools and sign-in link of a trial; a token to ask, one to search, and somebody signed in."""
    app: Any = Unreached()
    tokens, sessions, until = MemoryApiTokens(), MemoryWebSessions(), datetime.now(UTC) + timedelta(days=1)
    for token, scope in ((requests_web.ASKING, "ask"), (requests_web.READING, "search")):
        await tokens.add(scope, "ann@example.com", frozenset({scope}), token[:9], digest(token), until)  # type: ignore[arg-type] # a literal
    everything: frozenset[TokenScope] = frozenset(get_args(TokenScope))
    for token, ends in ((requests_web.REVOKED, until), (requests_web.EXPIRED, until - timedelta(days=2))):
        kept = await tokens.add("x", "ann@example.com", everything, token[:9], digest(token), ends)
        if token == requests_web.REVOKED:
            await tokens.revoke(kept.number)
    for secret in (requests_web.SECRET, requests_web.ENDED):
        await sessions.begin(digest(secret), "ann@example.com", 3600)
    await sessions.end(digest(requests_web.ENDED))
    callers = Callers(tokens, sessions, {"here"})
    conversations: Any = SimpleNamespace(masker=Masker(), ledger=app, memory=app)
    actions: Any = Ordinary(app)
    given = WebDependencies(conversations, actions, app, callers, app, app, _unsearched, app, app)
    asking = WebAsking(given)
    reading = WebReading(given, asking)
    routes = api_routes(given, asking, reading)
    trial = TrialSignIn(callers, lambda _: None)
    pages = WebPages(given, asking, reading, trial.turned_away)
    (operate_gets, operate_posts), (more_gets, more_posts) = OperatePages(pages).routes(), pages.routes()
    async with (
        mcp_endpoint(McpTools(asking, reading, Masker()), callers) as tools,
        http_listener(
            "127.0.0.1",
            0,
            {**routes.posts, **operate_posts, **more_posts, "/mcp": tools},
            pages={**routes.gets, TrialSignIn.PATH: trial.handler(), **operate_gets, **more_gets},
            others=routes.others,
        ) as base,
    ):

        async def meet(attack: Uninvited) -> str:
            found = await answered(base, attack.request)
            reached, app.reached = app.reached, ""
            words = found.body.decode()
            told = [each for each in ("evil.example", "etc/passwd", requests_web.SECRET, "Traceback") if each in words]
            wrong = "" if found.status == attack.status else f"{found.status}, not {attack.status}: {words[:200]}"
            return reached or wrong or ", ".join(told)

        yield meet


async def _unsearched(*_: object) -> NoReturn:
    raise AssertionError("it is searched")


SLOW: Mapping[str, bytes] = {
    "a body that breaks off": posted(slack.PATH, body=b"x", length=100),
    "a body that never begins": posted(slack.PATH, length=100),
}
