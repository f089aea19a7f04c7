"""Replies while they are made: whoever makes one shows its states here, and whoever follows it is told of them.

A state goes to followers in this process at once, and into the database, where processes that follow it look for it.
Only the latest state of a reply is kept: a follower that is slow misses steps, and no memory grows.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from pydantic import ValidationError

from bot.web.reply_state import NOTHING, ReplyState, state_of
from domain.cancellation import cancel_and_wait, cancellable_sleep
from domain.errors import KbError
from domain.web_access import ShownReplies

log = logging.getLogger(__name__)

SAVE_SECONDS = 0.2
"""Seconds between two writings of one reply's progress into the database."""

LOOK_SECONDS = 0.25
"""Seconds between two looks for what other processes show."""

BEAT_SECONDS = 10.0
"""Seconds without news after which a follower hears that there is none: whoever went away is noticed then."""


@dataclass(eq=False)
class _Followed:
    """A reply that is followed here. state: the latest one known. ears: set when there is a later one. unreadable:
    whether what is kept of it could not be read, which is logged once."""

    state: ReplyState = NOTHING
    ears: set[asyncio.Event] = field(default_factory=set)
    unreadable: bool = False


class LiveReplies:
    """The replies of one process. kept: where all processes find them."""

    def __init__(self, kept: ShownReplies) -> None:
        self._kept = kept
        self._followed: dict[int, _Followed] = {}
        self._unsaved: dict[int, ReplyState] = {}
        self._saving: dict[int, asyncio.Task[None]] = {}
        self._looking: asyncio.Task[None] | None = None

    def show(self, number: int, state: ReplyState) -> None:
        """Tells followers of a state on the way; it is kept soon, unless the database is away."""
        self._tell(number, state)
        self._unsaved[number] = state
        if number not in self._saving:
            self._saving[number] = asyncio.create_task(self._save(number))

    async def save(self, number: int, state: ReplyState) -> None:
        """Saves a state, then tells followers. Raises Transient when the database is away."""
        self._unsaved.pop(number, None)
        await self._kept.put(number, state.at, state.as_json())
        self._tell(number, state)

    async def forget(self, number: int) -> None:
        """Forgets a reply that was withdrawn; what cannot be forgotten now goes with its question's text."""
        self._unsaved.pop(number, None)
        try:
            await self._kept.remove(number)
        except KbError as error:
            log.info("What was shown of question %s is not forgotten yet: %s", number, error.what)

    async def load(self, number: int) -> ReplyState | None:
        """What is kept of a reply; None where nothing is, or nothing that can be read. Raises Transient when the
        database is away."""
        found = await self._kept.newer({number: NOTHING.at})
        return _read(number, found[number]) if number in found else None

    async def follow(self, number: int, seconds: float, beat: float = BEAT_SECONDS) -> AsyncIterator[ReplyState | None]:
        """The state of now and later ones, up to one with an outcome; None after every `beat` seconds without news.
        Ends after so many seconds at the latest."""
        told = monotonic()
        until, seen, news = told + seconds, NOTHING, asyncio.Event()
        followed = self._followed.setdefault(number, _Followed())
        followed.ears.add(news)
        news.set()
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        try:
            while monotonic() < until and seen.outcome is None:
                if await _heard(news, min(beat, until - monotonic())) and followed.state.at > seen.at:
                    seen = followed.state
                    yield seen
                elif monotonic() - told >= beat:
                    yield None
                else:
                    continue
                told = monotonic()
        finally:
            followed.ears.discard(news)
            if not followed.ears:
                self._followed.pop(number, None)

    async def close(self) -> None:
        """Ends what it does by itself."""
        await cancel_and_wait(*self._saving.values(), *([self._looking] if self._looking else []))

    def _tell(self, number: int, state: ReplyState) -> None:
        followed = self._followed.get(number)
        if followed is not None and state.at > followed.state.at:
            followed.state = state
            for each in followed.ears:
                each.set()

    async def _save(self, number: int) -> None:
        try:
            while (state := self._unsaved.pop(number, None)) is not None:
                try:
                    await self._kept.put(number, state.at, state.as_json())
                except KbError as error:
                    log.info("The progress of question %s is not kept: %s", number, error.what)
                await cancellable_sleep(SAVE_SECONDS)
        finally:
            self._saving.pop(number, None)

    async def _look(self) -> None:
        try:
            while self._followed:
                try:
                    await self._look_once()
                except Exception:
                    log.exception("Replies are not followed now")
                await cancellable_sleep(LOOK_SECONDS)
        finally:
            self._looking = None

    async def _look_once(self) -> None:
        try:
            found = await self._kept.newer({number: each.state.at for number, each in self._followed.items()})
        except KbError as error:
            log.warning("Replies are not followed now: %s (%s)", error.what, error.why)
            return
        for number, kept in found.items():
            followed = self._followed.get(number)
            if followed is None:
                continue
            state = _read(number, kept, quiet=followed.unreadable)
            followed.unreadable = state is None
            if state is not None:
                self._tell(number, state)


def _read(number: int, kept: Mapping[str, Any], *, quiet: bool = False) -> ReplyState | None:
    """What is kept of a reply; None where it cannot be read, which is logged unless `quiet`."""
    try:
        return state_of(kept)
    except ValidationError as error:
        if not quiet:
            wrong = {".".join(map(str, each["loc"])) for each in error.errors(include_url=False, include_input=False)}
            log.warning("What is kept of the reply to question %s cannot be read: %s", number, ", ".join(sorted(wrong)))
        return None


async def _heard(news: asyncio.Event, seconds: float) -> bool:
    """Whether there is news within so many seconds."""
    try:
        async with asyncio.timeout(max(0.0, seconds)):
            await news.wait()
    except TimeoutError:
        return False
    news.clear()
    return True
