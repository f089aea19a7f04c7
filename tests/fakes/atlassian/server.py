"""The local Atlassian itself: its servers in a thread of their own, and what a test sets and sees."""

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aiohttp import web

from tests.fakes.atlassian.faults import Fault, Plan
from tests.fakes.atlassian.front import CLOUD_ID, Front, Limit, Media
from tests.fakes.atlassian.records import Account, Call, User
from tests.fakes.atlassian.routing import Addresses
from tests.fakes.atlassian.tracker_records import Holder
from tests.fakes.atlassian.world import World
from tests.fakes.slack.faults import Bucket

FRONTS = ("site", "gateway", "media", "confluence", "jira")


class LocalAtlassian:
    """One company's Atlassian products, Cloud and Data Center, over the same world. To be used from any thread.

    at: the hosts. service: the account that a connector logs in with. Change the world under `world.lock` while
    requests are under way.
    """

    def __init__(self, world: World | None = None) -> None:
        self.world = world or World()
        self.plan = Plan()
        self.at = Addresses()
        self.cloud_id = CLOUD_ID
        self.bot: User = self.world.add_user("Knowledge Bot", kind="app")
        self.service: Account = self.world.add_account(self.bot, "service-token", sees_all=True, admin=True)
        self._fronts = {name: Front(name, self.world, self.plan) for name in FRONTS if name != "media"}
        self._runners: list[web.AppRunner] = []

    # where things are

    @property
    def confluence_cloud(self) -> str:
        """Confluence Cloud's base, ends in /wiki."""
        return f"{self.at.site}/wiki"

    @property
    def jira_cloud(self) -> str:
        """Jira Cloud's base."""
        return self.at.site

    @property
    def confluence_gateway(self) -> str:
        """Confluence Cloud's base for scoped tokens; /wiki/… comes after it."""
        return f"{self.at.gateway}/ex/confluence/{CLOUD_ID}"

    @property
    def jira_gateway(self) -> str:
        """Jira Cloud's base for scoped tokens; /rest/… comes after it."""
        return f"{self.at.gateway}/ex/jira/{CLOUD_ID}"

    @property
    def confluence(self) -> str:
        """Confluence Data Center's base."""
        return self.at.confluence

    @property
    def jira(self) -> str:
        """Jira Data Center's base."""
        return self.at.jira

    def basic(self, account: Account | None = None) -> tuple[str, str]:
        """E-mail and token for Cloud, of the service account unless another is given."""
        chosen = account or self.service
        return self.world.users[chosen.user].email, chosen.secret

    def bearer(self, account: Account | None = None) -> dict[str, str]:
        """The header with a personal access token for Data Center."""
        return {"Authorization": f"Bearer {(account or self.service).secret}"}

    def login(self, user: User, **rights: object) -> Account:
        """Credentials for a person, without any special right unless given; rights: as of Account."""
        return self.world.add_account(user, f"token-{self.world.number('token')}", **({"admin": False} | rights))

    def admit(self) -> None:
        """Gives the service account Browse Projects in every scheme there is, and puts it in every security level."""
        me = Holder("user", self.bot.id)
        with self.world.lock:
            for scheme in self.world.schemes.values():
                self.world.grant(scheme, me)
            for level in (each for one in self.world.security.values() for each in one.levels.values()):
                self.world.set_members(level, *(holder for _, holder in level.members), me)

    # what a test sees

    def calls(self, pattern: str = "", front: str = "") -> list[Call]:
        """The requests whose path has the pattern in it, in order."""
        with self.world.lock:
            return [each for each in self.world.calls if re.search(pattern, each.path) and front in ("", each.front)]

    def forget_calls(self) -> None:
        """Empties the log."""
        with self.world.lock:
            self.world.calls.clear()

    # what a test sets

    def fail(
        self,
        pattern: str,
        fault: Fault,
        times: int | None = 1,
        *,
        after: int = 0,
        rate: float = 1.0,
        method: str = "",
        seed: int = 0,
    ) -> None:
        """Requests whose path has the pattern in it fail: so many, all for None, after the first `after`, at a rate."""
        with self.world.lock:
            self.plan.add(pattern, fault, times, after=after, rate=rate, method=method, seed=seed)

    def before(self, pattern: str, callback: Callable[[], object], times: int | None = 1, *, after: int = 0) -> None:
        """Calls back before such requests are answered, so that the world changes between pages. It must not wait."""
        with self.world.lock:
            self.plan.hook(pattern, callback, times, after)

    def limit(self, pattern: str, per_minute: float, burst: float | None = None) -> None:
        """A rate limit: 429 with Retry-After beyond it."""
        bucket = Bucket(per_minute, per_minute if burst is None else burst)
        for front in self._fronts.values():
            front.limits.append(Limit(re.compile(pattern), bucket))

    def heal(self) -> None:
        """Takes faults, hooks and limits back."""
        with self.world.lock:
            self.plan.heal()
            for front in self._fronts.values():
                front.limits.clear()

    # the servers

    async def serve(self) -> None:
        """Begins to listen, each host on a free port."""
        media = Media(self.world, self.plan)
        found: dict[str, str] = {}
        for name in FRONTS:
            app = web.Application(client_max_size=2**26)
            app.router.add_route("*", "/{tail:.*}", media.handle if name == "media" else self._fronts[name].handle)
            runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05, handler_cancellation=True)
            await runner.setup()
            self._runners.append(runner)
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            found[name] = f"http://127.0.0.1:{runner.addresses[0][1]}"
        self.at = Addresses(**found)
        for front in self._fronts.values():
            front.at = self.at

    async def close(self) -> None:
        """Ends everything."""
        for runner in self._runners:
            await runner.cleanup()


@contextmanager
def local_atlassian(world: World | None = None) -> Iterator[LocalAtlassian]:
    """The products on free local ports, in a thread of their own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    local = LocalAtlassian(world)
    try:
        asyncio.run_coroutine_threadsafe(local.serve(), loop).result(10)
        yield local
    finally:
        asyncio.run_coroutine_threadsafe(local.close(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
