"""When something is due: decided here, from a trigger and a moment, and from nothing else. APScheduler evaluates cron
expressions and wakes the process; it decides nothing.

Cron expressions mean times that clocks show. Clocks leave out an hour on one day of the year and show another one
twice, so that there are two kinds of expressions:

- Those that name hours happen once for each time that they name: at the first moment at which clocks show it or a later
  one. A time that is left out comes when the gap is over, one that is shown twice comes the first time.
- Those of every hour happen whenever clocks show such a time, in each hour that there is.

Several times that come at one moment are one due time, named for the last of them.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.cron import CronTrigger

from domain.cancellation import cancel_and_wait
from domain.cron import Cron, Window

SECOND, INSTANT = timedelta(seconds=1), timedelta(microseconds=1)
SHORT = timedelta(hours=36)
"""Within so long, clocks are changed once at most."""

REACHES = tuple(timedelta(days=days) for days in (0.1, 1.1, 8, 33, 370, 1500, 15000))
"""How far it is looked back for what was missed: no further than it takes."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """When a job is due. zone: whose clocks `cron` and `window` go by. window: when it may start; None: always."""

    cron: Cron
    zone: ZoneInfo
    window: Window | None = None


@dataclass(frozen=True, slots=True)
class DueTime:
    """One time that a job is due. key: names it, the same in every process: the time that clocks show, or with Z behind
    it the time in UTC, for expressions of every hour. due_at: the moment, in UTC."""

    key: str
    due_at: datetime


def due(trigger: Trigger, now: datetime, last: datetime) -> DueTime | None:
    """The due time that is to be claimed now; of several that were missed, the latest. None when nothing was due since
    `last`, or the window is closed.

    Args:
        now: with a time zone, as every moment here.
        last: the due time that was claimed last, or when the schedule began.
    """
    return _latest(trigger, now, last) if _is_open(trigger, now) else None


def next_due(trigger: Trigger, now: datetime) -> DueTime:
    """The first due time after `now`, whatever the window."""
    now = now.astimezone(UTC)
    return _next_hourly(trigger, now) if len(trigger.cron.fields.hours) == 24 else _next_named(trigger, now)


def next_start(trigger: Trigger, now: datetime, last: datetime) -> datetime:
    """When something will be claimed next, now or later; see `due`."""
    waiting = _latest(trigger, now, last)
    return _opening(trigger, now if waiting else next_due(trigger, now).due_at)


def next_wake(trigger: Trigger, now: datetime) -> datetime:
    """The first moment after `now` at which something may have to be claimed."""
    return next_due(trigger, now).due_at if _is_open(trigger, now) else _opening(trigger, now)


def _latest(trigger: Trigger, now: datetime, last: datetime) -> DueTime | None:
    for reach in REACHES:
        due_time = next_due(trigger, max(last, now - reach))
        if due_time.due_at <= now:
            while (after := next_due(trigger, due_time.due_at)).due_at <= now:
                due_time = after
            return due_time
        if now - reach <= last:
            break
    return None


def _next_named(trigger: Trigger, now: datetime) -> DueTime:
    """For expressions that name hours."""
    zone = trigger.zone
    time = _following(trigger.cron, _shown(now, zone))
    while (moment := _first_moment(time, zone)) <= now:  # clocks show it for the second time
        time = _following(trigger.cron, time)
    while _shown(moment, zone) > time and _first_moment(later := _following(trigger.cron, time), zone) == moment:
        time = later
    return DueTime(f"{time:%Y-%m-%dT%H:%M}", moment)


def _next_hourly(trigger: Trigger, now: datetime) -> DueTime:
    """For expressions of every hour: goes along the clocks, from one change to the next."""
    zone, start = trigger.zone, now
    while True:
        offset = _offset(start, zone)
        # what is shown right at a change counts for it
        found = _following(trigger.cron, _shown(start, zone) - (INSTANT if start != now else timedelta()))
        moment = (found - offset).replace(tzinfo=UTC)
        if moment - start > SHORT:
            start = moment - SHORT
        elif _offset(moment, zone) != offset:
            start = _change(zone, start, moment)
        else:
            return DueTime(f"{moment:%Y-%m-%dT%H:%MZ}", moment)


def _following(cron: Cron, time: datetime) -> datetime:
    """The first time after `time` that the expression names, both as clocks show them."""
    after = time.replace(tzinfo=UTC) + INSTANT
    found: list[datetime | None] = [each.get_next_fire_time(None, after) for each in _evaluators(cron)]
    return min(each.replace(tzinfo=None) for each in found if each is not None)


@lru_cache(maxsize=64)
def _evaluators(cron: Cron) -> tuple[CronTrigger, ...]:
    """The expression for the library, whose days of the week begin with Monday, and which knows no `either`."""
    fields = cron.fields
    weekdays = ",".join(("sun", "mon", "tue", "wed", "thu", "fri", "sat")[each] for each in fields.weekdays)
    minutes, hours, days, months = (",".join(map(str, each)) for each in fields[:4])
    day_fields = [{"day": days}, {"day_of_week": weekdays}]
    chosen = day_fields if fields.either else [day_fields[0] | day_fields[1]]
    return tuple(CronTrigger(minute=minutes, hour=hours, month=months, timezone=UTC, **each) for each in chosen)


def _offset(moment: datetime, zone: ZoneInfo) -> timedelta:
    return moment.astimezone(zone).utcoffset() or timedelta()


def _shown(moment: datetime, zone: ZoneInfo) -> datetime:
    """What clocks show."""
    return moment.astimezone(zone).replace(tzinfo=None)


def _first_moment(time: datetime, zone: ZoneInfo) -> datetime:
    """The first moment at which clocks show `time`; where they leave it out, the one at which they go on."""
    first, other = (time.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    return first if _shown(first, zone) == time else _change(zone, other, first)


def _change(zone: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """The moment between two at which clocks are changed, to the second."""
    offset = _offset(before, zone)
    while after - before > SECOND:
        middle = before + timedelta(seconds=(after - before) // SECOND // 2)
        before, after = (middle, after) if _offset(middle, zone) == offset else (before, middle)
    return after


def _is_open(trigger: Trigger, moment: datetime) -> bool:
    return trigger.window is None or trigger.window.holds(_shown(moment, trigger.zone).time())


def _opening(trigger: Trigger, moment: datetime) -> datetime:
    """The first moment from `moment` on at which the window is open."""
    day = _shown(moment, trigger.zone).date()
    while trigger.window is not None and not _is_open(trigger, moment):
        opens = _first_moment(datetime.combine(day, trigger.window.opens), trigger.zone)
        moment, day = max(moment, opens), day + timedelta(days=1)
    return moment


class _Wakes(BaseTrigger):  # type: ignore[misc] # the library has no types
    """Fires when something starts, and at least so often."""

    def __init__(self, every: timedelta, soonest: Callable[[datetime], datetime | None]) -> None:
        self._every = every
        self._soonest = soonest

    def get_next_fire_time(self, _previous: datetime | None, now: datetime) -> datetime:
        """The library's: when it fires next."""
        soonest = self._soonest(now)
        return min(now + self._every, soonest) if soonest and soonest > now else now + self._every


@asynccontextmanager
async def waking_when_due(
    wake: Callable[[], Coroutine[None, None, None]], soonest: Callable[[datetime], datetime | None], *, every: timedelta
) -> AsyncIterator[None]:
    """Inside, `wake` is called again and again, one call at a time: now, when something starts, and at least so often.

    Args:
        soonest: when the next thing starts after a moment; None when nothing will.
    """
    library = logging.getLogger("apscheduler")
    if library.level == logging.NOTSET:
        library.setLevel(logging.ERROR)  # it tells of every call, and warns of those that it leaves out
    running: set[asyncio.Task[None]] = set()

    async def call() -> None:
        task = asyncio.ensure_future(wake())
        running.add(task)
        task.add_done_callback(running.discard)
        with suppress(asyncio.CancelledError):  # at the end; the library would log it as an error
            await task

    scheduler = AsyncIOScheduler(timezone=UTC)
    scheduler.add_job(
        call,
        _Wakes(every, soonest),
        id="wake",
        next_run_time=datetime.now(UTC),
        misfire_grace_time=None,
        coalesce=True,
        max_instances=1,
    )
    scheduler.start()
    try:
        yield
    finally:
        scheduler.shutdown(wait=False)
        await cancel_and_wait(*running)  # the library waits for none
