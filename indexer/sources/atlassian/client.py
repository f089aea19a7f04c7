"""Asks Confluence or Jira: explicit paths, patient but not for ever, and honest about what it could not get."""

import asyncio
import random as chances
import time
from collections.abc import Awaitable, Callable
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

from domain.errors import Misconfigured, Refused, Transient
from domain.metrics import outgoing_request
from indexer.sources.atlassian.cutting import Cutting
from indexer.sources.atlassian.daemon_threads import Threads
from indexer.sources.atlassian.paging import Paging, Params
from indexer.sources.atlassian.retry import MAX_TRIES, RETRIES, Pauses, Repetitions, RequestFailure, endpoint_of
from indexer.sources.atlassian.site import AtlassianSite
from indexer.sources.atlassian.transport import Transport
from net.retries import retrying

T = TypeVar("T")


class AtlassianClient(Paging):
    """One product of one site. Use it as an async context manager; its methods may run many times at once.

    patience: seconds that a call may take with all its repetitions. timeout: seconds for a connection and for each
    piece of an answer. at_once: requests under way at most. sleep, random: for the waits before repetitions.

    Every method raises:
        Misconfigured: the token is refused, or something else than the API answers.
        NotThere: what was asked for is not there, or the account may not see it.
        Refused: the account may not ask that.
        Transient: no good answer within the patience, or repetitions ran out.
    """

    def __init__(
        self,
        site: AtlassianSite,
        *,
        patience: float = 120.0,
        timeout: float = 30.0,
        at_once: int = 4,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        random: Callable[[], float] = chances.random,
    ) -> None:
        super().__init__(site)
        self._transport = Transport(site, timeout=timeout)
        self.at_once = at_once
        self._threads = Threads(at_once, site.product)
        self._product = site.product
        self._slots = asyncio.Semaphore(at_once)
        self._repetitions = Repetitions()
        self._pauses = Pauses(time.monotonic)
        self._patience = patience
        self._waited_in_vain = False
        """Whether the last request that could be answered was given up for limits alone."""
        self._sleep = sleep
        self._random = random

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Ends the sessions; requests that are under way end by themselves."""
        self._threads.close()
        self._transport.close()

    @property
    def requests(self) -> int:
        """Requests made so far, repeated ones included."""
        return self._repetitions.requests

    async def get(self, path: str, params: Params | None = None) -> Any:
        """The JSON at a path after the site's base, such as `/api/v2/pages` or `/rest/api/search`."""
        return await self._patiently("GET", path, lambda: self._transport.ask("GET", path, params, None))

    async def post(self, path: str, body: object) -> Any:
        """The same of what is read by POST. It is repeated as a GET is, so it must change nothing."""
        return await self._patiently("POST", path, lambda: self._transport.ask("POST", path, None, body))

    async def download(self, url: str, max_bytes: int) -> bytes:
        """The bytes of a file. url: absolute, or a path as the API gives it. Raises Refused when it is larger."""
        return await self._patiently("GET", urlsplit(url).path, lambda: self._transport.download(url, max_bytes))

    async def attached(self, url: str, max_bytes: int) -> bytes:
        """The same of one file of many. Where the token is refused for it alone, that says nothing of all else:
        Transient then."""
        try:
            return await self.download(url, max_bytes)
        except Misconfigured as error:
            try:
                await self.get(self.site.own_account)  # each refused request brings the account nearer to its lock
            except Refused:
                raise error from None
            raise Transient(error.what, why=error.why, next_step=error.next_step) from error

    async def _patiently(self, method: str, path: str, attempt: Callable[[], T]) -> T:
        """What an attempt gives in a thread of its own, made again while that may help."""
        endpoint, spent, faults = endpoint_of(method, path), 0.0, 0

        async def once() -> T:
            nonlocal spent
            spent += await self._calm(endpoint, path, self._patience - spent)
            async with self._slots:
                began = time.monotonic()
                self._repetitions.requests += 1
                try:
                    with outgoing_request(self._product, method):
                        reply = await self._within(self._patience - spent, attempt)
                    self._waited_in_vain = False
                    return reply
                finally:
                    spent += time.monotonic() - began

        def pause(failed: int, error: Transient) -> float:
            nonlocal spent, faults
            if not isinstance(error, RequestFailure):
                raise error  # of `_calm`
            wait = RETRIES.pause(failed, error.retry_after, self._random)
            if error.limited:
                self._pauses.pause(endpoint, wait)  # also when this one gives up: all others are told the same
            faults += error.outage
            too_many = error.outage and (faults >= MAX_TRIES or not self._repetitions.take())
            in_vain = self._waited_in_vain and not error.outage
            if too_many or in_vain or spent + wait > self._patience:
                self._waited_in_vain = not error.outage  # else each document of a run would wait as long
                raise self._given_up(path, error, failed)
            if error.limited:
                return 0.0  # the next try waits for the endpoint
            spent += wait
            return wait

        found: T = await retrying(pause, sleep=self._rest)(once)
        return found

    async def _within(self, seconds: float, attempt: Callable[[], T]) -> T:
        """What an attempt gives in a thread, which is free again soon after these seconds, or a cancellation."""
        cutting = Cutting()
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.wrap_future(self._threads.submit(lambda: cutting.run(attempt)))
        except TimeoutError:
            raise RequestFailure("no answer in time") from None
        finally:
            cutting.cut()

    async def _rest(self, seconds: float) -> None:
        if seconds:
            await self._sleep(seconds)

    async def _calm(self, endpoint: str, path: str, patience: float) -> float:
        """Waits until an endpoint may be asked again; the seconds that took. Raises Transient, and nothing is asked,
        where that is longer than the patience that is left."""
        wait = self._pauses.left(endpoint)
        if wait > patience:
            raise Transient(
                f"{self.site.name} gave no good answer to {path}",
                why=f"It was not asked: it wants to be left alone for {wait:.0f} s, which is longer than we wait.",
                next_step="Try again later.",
                retry_after=wait,
            )
        if wait > 0:
            with self._pauses.turn(endpoint):
                await self._sleep(wait)
        return wait

    def _given_up(self, path: str, failure: RequestFailure, tries: int) -> Transient:
        return Transient(
            f"{self.site.name} gave no good answer to {path}: {failure.what}",
            why=f"Asked {'once' if tries == 1 else f'{tries} times'}; that is what came the last time.",
            next_step=f"See whether {self.site.url} can be reached from this machine; if so, try again later.",
            retry_after=failure.retry_after,
        )
