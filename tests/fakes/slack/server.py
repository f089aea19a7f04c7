"""The local Slack itself: its server in a thread of its own, and what a test sets and sees."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from aiohttp import web

from tests.fakes.slack import reading, tiers
from tests.fakes.slack.api import Hook, WebApi
from tests.fakes.slack.delivery import EVENTS, WAIT, Attempt, Courier, Delivery
from tests.fakes.slack.events import SUBSCRIPTIONS
from tests.fakes.slack.faults import Bucket, Fault
from tests.fakes.slack.http_mode import SECRET, Forged, Poster
from tests.fakes.slack.people import People
from tests.fakes.slack.records import AssistantThread, Body, Call, Channel, Message, User, View, Workspace
from tests.fakes.slack.response_urls import ResponseUrls
from tests.fakes.slack.socket_mode import Hub
from tests.fakes.slack.world import World

APP_TOKEN = "xapp-1-local"

T = TypeVar("T")


class LocalSlack(People):
    """A Slack with one workspace at first. It may be used from any thread; only what says so waits.

    base_url: for clients, ends in /api/. bot_token, app_token, signing_secret: of the app in `workspace`.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.world = World(app_tokens={APP_TOKEN}, on_message=self._echo)
        self.workspace = self.world.add_workspace("Local")
        self.hub = Hub(self.world)
        self.api = WebApi(self.world, self.hub.ticket)
        self.urls = ResponseUrls(self.world)
        self.poster = Poster()
        self.courier = Courier(loop, self._carry)
        self.subscriptions = set(SUBSCRIPTIONS)
        self.echoes = False
        self.loop = loop
        self.base_url = ""
        self.app_token, self.bot_token, self.signing_secret = APP_TOKEN, self.workspace.token, SECRET
        self.plain, self.notified, self.links = reading.plain, reading.notified, reading.links

    # who and what there is

    @property
    def bot(self) -> str:
        """The app's user in `workspace`."""
        return self.workspace.bot_user

    def add_workspace(self, name: str) -> Workspace:
        """Another workspace that has the app."""
        return self.world.add_workspace(name)

    def add_user(self, name: str, *, team: str | None = None, **fields: Any) -> User:
        """A person; fields as of User."""
        return self.world.add_user(name, team or self.workspace.id, **fields)

    def add_crowd(self, count: int, domain: str = "example.com") -> list[User]:
        """So many more members of the workspace."""
        return self.world.add_crowd(count, self.workspace.id, domain)

    def add_channel(
        self, name: str = "general", members: Iterable[User] = (), *, bot: bool = True, **fields: Any
    ) -> Channel:
        """A channel; fields as of Channel. bot: whether the app is in it, in each of its teams."""
        teams = fields.pop("teams", [self.workspace.id])
        bots = [self.world.workspaces[each].bot_user for each in teams if bot and each in self.world.workspaces]
        return self.world.add_channel(name, teams, [*(each.id for each in members), *bots], **fields)

    def dm(self, user: User, team: str | None = None) -> Channel:
        """The app's conversation with a person."""
        return self.world.dm(user.id, team or self.workspace.id)

    # what a test sees

    def channel(self, channel: str) -> list[Message]:
        """All messages of a channel and its threads that are there, in order."""
        with self.world.changed:
            every = sorted(self.world.channel(channel).messages.values(), key=lambda each: each.ts)
            return [message for message in every if not message.deleted]

    def thread(self, channel: str, ts: str) -> list[Message]:
        """The messages of a thread that are there, the parent first."""
        with self.world.changed:
            return self.world.thread(self.world.channel(channel), ts)

    def message(self, channel: str, ts: str) -> Message:
        """One message, also a deleted one."""
        return self.world.channel(channel).messages[ts]

    def ephemerals(self, channel: str, user: User | str) -> list[Message]:
        """What only this person sees there, in order."""
        with self.world.changed:
            return self.world.sees_ephemeral(channel, self._user(user).id)

    @property
    def views(self) -> list[View]:
        """The modals that are open, oldest first."""
        with self.world.changed:
            return [view for view in self.world.views.values() if view.state == "open"]

    def view(self, view_id: str) -> View:
        """A modal, also a closed one."""
        return self.world.views[view_id]

    def homes(self, user: User | str, team: str | None = None) -> list[Body]:
        """All home tabs that were published for a person."""
        with self.world.changed:
            return list(self.world.homes.get((team or self.workspace.id, self._user(user).id), ()))

    def home(self, user: User | str, team: str | None = None) -> Body | None:
        """The home tab that a person sees."""
        found = self.homes(user, team)
        return found[-1] if found else None

    def assistant(self, channel: str, thread: str) -> AssistantThread:
        """Status, title and prompts of a thread."""
        with self.world.changed:
            return self.world.threads.get((channel, thread)) or AssistantThread()

    def calls(self, method: str | None = None) -> list[Call]:
        """The calls of the Web API, in order."""
        with self.world.changed:
            return [call for call in self.world.calls if method in (None, call.method)]

    @property
    def deliveries(self) -> list[Delivery]:
        """All that was sent to the app, in order."""
        return list(self.courier.sent)

    def until(self, holds: Callable[[], T | None], seconds: float = WAIT) -> T:
        """Blocks until something holds; gives what it gave. Not for the loop that the app runs in."""
        found: T = self.world.until(holds, seconds)
        return found

    async def eventually(self, holds: Callable[[], T | None], seconds: float = WAIT) -> T:
        """The same for tests with an event loop."""
        return await asyncio.to_thread(self.until, holds, seconds)

    # what a test sets

    def fail(self, method: str, fault: Fault, times: int | None = 1) -> None:
        """The next so many calls of a method, or of all for *, fail; None is for good."""
        with self.world.changed:
            self.api.faults[method].append((fault, times))

    def heal(self, method: str | None = None) -> None:
        """Takes faults back."""
        with self.world.changed:
            for name in [method] if method else list(self.api.faults):
                self.api.faults[name].clear()

    def limit(self, method: str, per_minute: float, burst: float | None = None, *, per_channel: bool = False) -> None:
        """A rate limit, for each workspace: 429 beyond it."""
        self.api.buckets[method] = Bucket(per_minute, per_minute if burst is None else burst, per_channel)

    def keep_tiers(self) -> None:
        """Slack's own limits for all methods from now on, those of this minute unused."""
        self.api.buckets = tiers.buckets()

    def before(self, method: str, callback: Hook) -> None:
        """Calls back before a method has its effect, after faults and limits. ConnectionAbortedError: it has none."""
        self.api.before[method].append(callback)

    def after(self, method: str, callback: Hook) -> None:
        """Calls back after the effect, before the response is sent."""
        self.api.after[method].append(callback)

    def latency(self, method: str, seconds: float) -> None:
        """How long a method takes before it does anything."""
        self.api.latency[method] = seconds

    # how things reach the app

    def use_http(self, *urls: str) -> None:
        """Sends to these request URLs in turn; none is back to sockets."""
        self.poster.urls = list(urls)

    def verify_url(self, url: str, challenge: str = "challenge") -> Delivery:
        """Asks a request URL for the challenge."""
        return self.forge(url, Forged(), {"token": "local", "challenge": challenge, "type": "url_verification"})

    def forge(self, url: str, forged: Forged, payload: Body | None = None, kind: str = EVENTS) -> Delivery:
        """One request that differs from a real one; its attempt has the status and the answer."""
        body = payload or {"type": "event_callback", "event": {}, "team_id": self.workspace.id, "event_id": "EvFORGED"}

        async def carry(delivery: Delivery, attempt: Attempt, seconds: float) -> str:
            return await self.poster.post(url, delivery, attempt, seconds, forged)

        return self.courier.send(Delivery(kind, body), retries=0, carry=carry)

    @property
    def connections(self) -> list[str]:
        """The names of the open sockets."""
        with self.world.changed:
            return [each.name for each in self.hub.connections]

    def disconnect(self, reason: str) -> None:
        """Tells the sockets to connect anew. reason: refresh_requested, warning or too_many_websockets."""
        asyncio.run_coroutine_threadsafe(self.hub.refresh(reason), self.loop)

    def cut(self, name: str | None = None) -> None:
        """Drops the sockets, or one, without a word."""
        asyncio.run_coroutine_threadsafe(self.hub.cut(name), self.loop)

    async def _carry(self, delivery: Delivery, attempt: Attempt, seconds: float) -> str:
        way = self.poster.carry if self.poster.urls else self.hub.carry
        return await way(delivery, attempt, seconds)

    # the server

    async def serve(self, runner: web.AppRunner) -> None:
        """Begins to listen on a free port."""
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        base = f"http://127.0.0.1:{runner.addresses[0][1]}"
        self.base_url, self.hub.base, self.urls.base = f"{base}/api/", base, base

    def application(self) -> web.Application:
        """The server's paths."""
        app = web.Application(client_max_size=2**26)
        app.router.add_route("*", "/api/{method}", self.api.handle)
        app.router.add_get("/link/", self.hub.handle)
        app.router.add_post("/response/{token}", self.urls.handle)
        return app

    async def close(self, runner: web.AppRunner) -> None:
        """Ends everything."""
        await self.courier.close()
        await self.hub.close()
        await self.poster.close()
        await runner.cleanup()
        await self.loop.shutdown_default_executor()


@contextmanager
def local_slack() -> Iterator[LocalSlack]:
    """A Slack on a free local port, in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    slack = LocalSlack(loop)
    app = slack.application()
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05, handler_cancellation=True)
    try:
        asyncio.run_coroutine_threadsafe(slack.serve(runner), loop).result(10)
        yield slack
    finally:
        asyncio.run_coroutine_threadsafe(slack.close(runner), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
