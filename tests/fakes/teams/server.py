"""The local Teams itself: its server in a thread of its own, and what a test sets and sees."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from aiohttp import web

from tests.fakes.teams.api import Api, Hook
from tests.fakes.teams.faults import Fault, Waiting, Windows
from tests.fakes.teams.records import Call, Conversation, Message, Operation, Person
from tests.fakes.teams.streams import Streams
from tests.fakes.teams.user_activities import Said, Saying
from tests.fakes.teams.world import TENANT, World

APP_ID = "0a0b0c00-0000-4000-8000-00000000000b"
PASSWORD = "local-secret"
WAIT = 60.0
"""Seconds after which a test that waits has failed; it only guards against hanging."""

T = TypeVar("T")


class LocalTeams:
    """A Teams with one organisation. It may be used from any thread; only what says so waits.

    app_id, password, tenant: of the app. bot: its id in conversations. service_url: ends in /amer/. token_url: where
    tokens are had. saying: what people do, as activities.
    """

    def __init__(self) -> None:
        self.app_id, self.password, self.tenant = APP_ID, PASSWORD, TENANT
        self.bot = f"28:{APP_ID}"
        self.world = World(self.bot)
        self.streams = Streams(self.world)
        self.api = Api(self.world, self.streams, APP_ID, PASSWORD)
        self.service_url = ""
        self.token_url = ""
        self.saying = Saying(self.world, "")

    # who and what there is

    def add_person(self, name: str, *, email: str | None = None, guest: bool = False, tenant: str = TENANT) -> Person:
        """Somebody, with an address at example.com unless one is given; an empty one is none."""
        return self.world.add_person(name, email=email, guest=guest, tenant=tenant)

    def personal(self, person: Person) -> Conversation:
        """The app's chat with somebody."""
        return self.world.personal(person)

    def add_group(self, people: Iterable[Person], name: str = "Group", **fields: Any) -> Conversation:
        """A chat of several people with the app; fields as of Conversation."""
        return self.world.add("groupChat", list(people), name, **fields)

    def add_channel(self, name: str, people: Iterable[Person], **fields: Any) -> Conversation:
        """A channel with the app; fields as of Conversation."""
        return self.world.add("channel", list(people), name, **fields)

    # what a test sees

    def seen(self, conversation: str, thread: str = "") -> list[Message]:
        """The app's messages that are there, in order. conversation: with or without its thread, which makes no
        difference. thread: the root's id."""
        return self.world.seen(conversation, thread)

    def typing(self, conversation: str) -> int:
        """How often the app was seen writing there."""
        return self.world.typing.get(conversation.partition(";")[0], 0)

    def calls(self, operation: Operation | None = None) -> list[Call]:
        """What the app asked for, in order."""
        with self.world.changed:
            return [call for call in self.world.calls if operation in (None, call.operation)]

    def until(self, holds: Callable[[], T | None], seconds: float = WAIT) -> T:
        """Blocks until something holds; gives what it gave. Not for the loop that the app runs in."""
        return self.world.until(holds, seconds)

    async def eventually(self, holds: Callable[[], T | None], seconds: float = WAIT) -> T:
        """The same for tests with an event loop."""
        return await asyncio.to_thread(self.until, holds, seconds)

    # what people do

    def say(
        self, person: Person, place: Conversation, text: str, *, mention: bool = True, thread: str = "", **more: Any
    ) -> Said:
        """Somebody says something; gives the message and the activity that Teams would post. See Saying."""
        return self.saying.say(person, place, text, mention=mention, thread=thread, **more)

    def press_stop(self, message: Message) -> None:
        """The reader of a stream has enough of it."""
        self.streams.stop(message)

    # what a test sets

    def fail(self, operation: Operation | str, fault: Fault, times: int | None = 1, *, holding: str = "") -> None:
        """The next so many calls of an operation fail, or of any for *, or any in a conversation; None is for good.
        holding: only those of an activity whose text holds this."""
        with self.world.changed:
            self.api.faults[operation].append(Waiting(fault, times, holding))

    def heal(self) -> None:
        """Takes faults back."""
        with self.world.changed:
            self.api.faults.clear()

    def before(self, operation: Operation, callback: Hook) -> None:
        """Calls back before an operation has its effect. ConnectionAbortedError: it has none."""
        self.api.before[operation].append(callback)

    def after(self, operation: Operation, callback: Hook) -> None:
        """Calls back after the effect, before the response is sent."""
        self.api.after[operation].append(callback)

    def unlimited(self) -> None:
        """No limits on how often something may be done, for tests that are about something else."""
        self.api.sending, self.api.reading, self.api.app = Windows(()), Windows(()), Windows(())
        self.streams.seconds = 0.0

    def revoke_tokens(self) -> None:
        """The tokens that were given are good no more."""
        with self.world.changed:
            self.api.tokens.clear()

    # the server

    async def serve(self, runner: web.AppRunner) -> None:
        """Begins to listen on a free port."""
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        base = f"http://127.0.0.1:{runner.addresses[0][1]}"
        self.service_url = self.saying.service_url = f"{base}/amer/"
        self.token_url = f"{base}/{TENANT}/oauth2/v2.0/token"


@contextmanager
def local_teams() -> Iterator[LocalTeams]:
    """A Teams on a free local port, in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    teams = LocalTeams()
    app = web.Application(client_max_size=2**26)
    app.add_routes(teams.api.routes())
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05, handler_cancellation=True)
    try:
        asyncio.run_coroutine_threadsafe(teams.serve(runner), loop).result(10)
        yield teams
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
