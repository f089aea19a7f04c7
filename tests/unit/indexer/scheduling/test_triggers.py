"""When something is due: on ordinary days, on those on which clocks are changed, after an outage, in a window."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cron import Cron, Window
from indexer.scheduling.triggers import DueTime, Trigger, due, next_due, next_start, next_wake, waking_when_due

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
BERLIN, NEW_YORK = "Europe/Berlin", "America/New_York"

# days on which clocks are changed
CHANGES = [
    (BERLIN, "2026-03-29"),
    (BERLIN, "2026-10-25"),
    (BERLIN, "2027-03-28"),
    (BERLIN, "2027-10-31"),
    (NEW_YORK, "2026-03-08"),
    (NEW_YORK, "2026-11-01"),
    (NEW_YORK, "2027-03-14"),
    (NEW_YORK, "2027-11-07"),
]
ODD = [
    ("Australia/Lord_Howe", "2026-04-05"),  # half an hour
    ("Africa/Cairo", "2026-04-24"),  # at midnight
    ("America/Havana", "2026-11-01"),  # to midnight
    ("Pacific/Chatham", "2026-09-27"),  # at a quarter to three
    ("Asia/Kolkata", "2026-03-29"),  # never
]


def trigger(cron: str, zone: str = "UTC", window: str = "") -> Trigger:
    return Trigger(Cron(cron), ZoneInfo(zone), Window(window) if window else None)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def due_times(of: Trigger, first: datetime, last: datetime) -> list[DueTime]:
    """All due times after the first moment, until the last one."""
    found: list[DueTime] = []
    while (due_time := next_due(of, found[-1].due_at if found else first)).due_at <= last:
        found.append(due_time)
    return found


def moments(first: datetime, last: datetime) -> Iterator[datetime]:
    """Every minute."""
    while first <= last:
        yield first
        first += MINUTE


def matches(cron: Cron, time: datetime) -> bool:
    """Whether clocks that show `time` show what the expression names."""
    fields = cron.fields
    day, weekday = time.day in fields.days, time.isoweekday() % 7 in fields.weekdays
    return (
        time.minute in fields.minutes
        and time.hour in fields.hours
        and time.month in fields.months
        and ((day or weekday) if fields.either else (day and weekday))
    )


def expected(of: Trigger, first: datetime, last: datetime) -> list[DueTime]:
    """The same as `due_times`, found by looking at the clock every minute."""
    hourly = len(of.cron.fields.hours) == 24
    found: list[DueTime] = []
    shown = first.astimezone(of.zone).replace(tzinfo=None)
    for moment in moments(first + MINUTE, last):
        now = moment.astimezone(of.zone).replace(tzinfo=None)
        if hourly and matches(of.cron, now):
            found.append(DueTime(f"{moment:%Y-%m-%dT%H:%MZ}", moment))
        passed = [shown + n * MINUTE for n in range(1, (now - shown) // MINUTE + 1)]  # shown for the first time
        named = [] if hourly else [time for time in passed if matches(of.cron, time)]
        if named:
            found.append(DueTime(f"{named[-1]:%Y-%m-%dT%H:%M}", moment))
        shown = max(shown, now)
    return found


@pytest.mark.parametrize(
    ("cron", "zone", "day", "found"),
    [
        # 02:00 to 03:00 is left out
        ("30 1 * * *", BERLIN, "2026-03-29", [("2026-03-29T01:30", "00:30")]),
        ("30 2 * * *", BERLIN, "2026-03-29", [("2026-03-29T02:30", "01:00")]),
        ("30 3 * * *", BERLIN, "2026-03-29", [("2026-03-29T03:30", "01:30")]),
        ("30 2 * * *", NEW_YORK, "2026-03-08", [("2026-03-08T02:30", "07:00")]),
        ("30 2,3 * * *", BERLIN, "2026-03-29", [("2026-03-29T02:30", "01:00"), ("2026-03-29T03:30", "01:30")]),
        ("0 2,3 * * *", BERLIN, "2026-03-29", [("2026-03-29T03:00", "01:00")]),
        # 02:00 to 03:00, in New York 01:00 to 02:00, is shown twice
        ("30 1 * * *", BERLIN, "2026-10-25", [("2026-10-25T01:30", "23:30")]),
        ("30 2 * * *", BERLIN, "2026-10-25", [("2026-10-25T02:30", "00:30")]),
        ("30 3 * * *", BERLIN, "2026-10-25", [("2026-10-25T03:30", "02:30")]),
        ("30 1 * * *", NEW_YORK, "2026-11-01", [("2026-11-01T01:30", "05:30")]),
        ("30 2 * * *", NEW_YORK, "2026-11-01", [("2026-11-01T02:30", "07:30")]),
        ("*/30 2 * * *", BERLIN, "2026-10-25", [("2026-10-25T02:00", "00:00"), ("2026-10-25T02:30", "00:30")]),
        # on other days
        ("30 2 * * *", BERLIN, "2026-07-01", [("2026-07-01T02:30", "00:30")]),
        ("0 5 * * 0", "UTC", "2026-11-22", [("2026-11-22T05:00", "05:00")]),
        ("0 5 * * 0", "UTC", "2026-11-23", []),
        ("0 5 * * 7", "UTC", "2026-11-22", [("2026-11-22T05:00", "05:00")]),
        ("0 5 22 * mon", "UTC", "2026-11-22", [("2026-11-22T05:00", "05:00")]),
        ("0 5 22 * mon", "UTC", "2026-11-23", [("2026-11-23T05:00", "05:00")]),
        ("0 5 22 * mon", "UTC", "2026-11-24", []),
    ],
)
def test_the_ticks_of_a_day(cron: str, zone: str, day: str, found: list[tuple[str, str]]) -> None:
    wanted = trigger(cron, zone)
    midnight = datetime.fromisoformat(day)
    first, last = (each.replace(tzinfo=wanted.zone).astimezone(UTC) for each in (midnight, midnight + DAY))
    shown = [
        (due_time.key, f"{due_time.due_at:%H:%M}") for due_time in due_times(wanted, first - MINUTE, last - MINUTE)
    ]
    assert shown == found


@pytest.mark.parametrize(("zone", "day"), CHANGES)
def test_every_half_hour_goes_on_when_clocks_are_changed(zone: str, day: str) -> None:
    found = due_times(trigger("*/30 * * * *", zone), utc(day) - DAY, utc(day) + 2 * DAY)
    assert len(found) == len({due_time.key for due_time in found}) == 3 * 48
    assert {after.due_at - before.due_at for before, after in pairwise(found)} == {30 * MINUTE}


def test_every_hour_is_as_the_clocks_show_it() -> None:
    (due_time,) = due_times(trigger("0 * * * *", "Asia/Kolkata"), utc("2026-01-01T00:00"), utc("2026-01-01T01:00"))
    assert due_time == DueTime("2026-01-01T00:30Z", utc("2026-01-01T00:30"))


fields = st.sampled_from(["*", "0", "30", "*/30", "*/20", "15,45", "59"])
hours = st.sampled_from(["*", "*/2", "0", "1", "2", "3", "1-3", "2,3", "23", "0-23"])
days = st.sampled_from(["* * *", "* * *", "* * 0", "* * 1-5", "1,25,29 * *", "31 * 0", "*/2 3,10,11 sun"])
crons = st.builds("{} {} {}".format, fields, hours, days)


@given(st.sampled_from(CHANGES + ODD), crons, st.integers(0, 30 * 60))
def test_ticks_are_what_clocks_show(changed: tuple[str, str], cron: str, minutes: int) -> None:
    zone, day = changed
    wanted, first = trigger(cron, zone), utc(day) - 12 * HOUR + minutes * MINUTE
    last = first + 15 * HOUR
    # what is shown for the second time was shown some hours before
    shown = [due_time for due_time in expected(wanted, first - 3 * HOUR, last) if due_time.due_at > first]
    assert due_times(wanted, first, last) == shown


@given(st.sampled_from(CHANGES + ODD), crons, st.integers(0, 3000), st.integers(0, 3000))
def test_of_what_was_missed_the_latest_is_due(changed: tuple[str, str], cron: str, start: int, length: int) -> None:
    zone, day = changed
    wanted, last = trigger(cron, zone), utc(day) - 36 * HOUR + start * MINUTE
    now = last + length * MINUTE
    missed = due_times(wanted, last, now)
    assert due(wanted, now, last) == (missed[-1] if missed else None)


@pytest.mark.parametrize("days", [0, 1, 9, 100, 800, 4000])
@pytest.mark.parametrize("cron", ["30 3 * * *", "*/30 * * * *", "0 5 * * 0", "0 5 1 1 *", "0 5 29 2 *"])
def test_an_outage_of_any_length_is_made_up_for_once(cron: str, days: int) -> None:
    wanted, now = trigger(cron, BERLIN), utc("2026-06-01T12:00")
    due_time = due(wanted, now, now - days * DAY)
    if due_time is None:
        assert next_due(wanted, now - days * DAY).due_at > now
    else:
        assert now - days * DAY < due_time.due_at <= now < next_due(wanted, due_time.due_at).due_at
        assert due(wanted, now, due_time.due_at) is None


@pytest.mark.check
@given(
    st.sampled_from(CHANGES),
    st.sampled_from(["30 1 * * *", "30 2 * * *", "30 3 * * *", "*/30 * * * *"]),
    st.lists(st.integers(-90, 240), min_size=1, max_size=80),
)
def test_whenever_it_is_looked_no_due_time_is_claimed_twice_and_none_forgotten(
    changed: tuple[str, str], cron: str, steps: list[int]
) -> None:
    """Nights around a change, with a clock that stands still, goes on or jumps back; looked at again and again."""
    zone, day = changed
    wanted = trigger(cron, zone)
    begun = now = utc(day) - 2 * DAY
    claimed, last = [], begun
    for step in [*steps, *([60] * 96)]:
        now += step * MINUTE
        due_time = due(wanted, now, last)
        if due_time:
            claimed.append(due_time)
            last = due_time.due_at
    keys = [due_time.key for due_time in claimed]
    assert len(set(keys)) == len(keys)
    assert all(before.due_at < after.due_at for before, after in pairwise(claimed))
    latest = due_times(wanted, begun, now)
    if cron != "*/30 * * * *":  # looked at hours apart at most: nothing is missed, so that each comes once
        assert {due_time.key for due_time in latest} <= set(keys)
    assert not latest or latest[-1].due_at <= claimed[-1].due_at


@pytest.mark.check
@given(
    st.sampled_from(CHANGES),
    st.sampled_from(["30 3 * * *", "0 12 * * *", "59 23 * * *", "30 2 * * *"]),
    st.sampled_from(["22:00-06:00", "02:00-03:00", "23:30-00:30", "02:30-22:00"]),
)
def test_what_is_due_waits_for_the_window(changed: tuple[str, str], cron: str, window: str) -> None:
    zone, day = changed
    wanted, open_hours = trigger(cron, zone, window), Window(window)
    last = now = utc(day) - 2 * DAY
    claimed = []
    while now < utc(day) + 3 * DAY:
        promised, local = next_start(wanted, now, last), now.astimezone(wanted.zone).time()
        due_time = due(wanted, now, last)
        assert (promised == now) == (due_time is not None)
        assert promised >= now
        if due_time:
            assert open_hours.holds(local)
            claimed.append(due_time.key)
            last = due_time.due_at
        assert next_wake(wanted, now) > now
        now += 30 * MINUTE
    assert len(set(claimed)) == len(claimed)
    assert len(claimed) in {3, 4, 5}, "the window 02:00-03:00 does not come on one day of the year"


def test_a_tick_starts_when_its_window_opens() -> None:
    wanted = trigger("0 12 * * *", BERLIN, "22:00-06:00")
    noon, evening = utc("2026-07-01T10:00"), utc("2026-07-01T20:00")
    assert next_due(wanted, noon - HOUR).due_at == noon
    assert next_start(wanted, noon - HOUR, noon - DAY) == evening
    assert due(wanted, noon, noon - DAY) is None
    assert next_start(wanted, noon + HOUR, noon - DAY) == evening
    assert due(wanted, evening, noon - DAY) == DueTime("2026-07-01T12:00", noon)
    assert next_start(wanted, evening, noon - DAY) == evening
    assert next_start(wanted, evening, noon) == evening + DAY


def test_a_window_that_is_left_out_comes_the_day_after() -> None:
    wanted = trigger("0 1 * * *", BERLIN, "02:00-03:00")
    assert next_start(wanted, utc("2026-03-29T00:30"), utc("2026-03-28T00:00")) == utc("2026-03-30T00:00")


def test_a_clock_that_jumps_back_makes_nothing_due() -> None:
    wanted, due_time = trigger("30 3 * * *"), utc("2026-07-01T03:30")
    assert due(wanted, due_time - MINUTE, due_time) is None
    assert due(wanted, due_time - 400 * DAY, due_time) is None
    assert due(wanted, due_time + DAY, due_time) == DueTime("2026-07-02T03:30", due_time + DAY)


async def test_it_wakes_at_once_and_again_when_something_starts_and_not_at_one_time() -> None:
    asked: list[datetime] = []
    woken: asyncio.Queue[int] = asyncio.Queue()
    inside = 0

    async def wake() -> None:
        nonlocal inside
        inside += 1
        woken.put_nowait(inside)
        await asyncio.sleep(0.03)
        inside -= 1

    def soonest(now: datetime) -> datetime:
        asked.append(now)
        return now + timedelta(seconds=0.01)

    async with waking_when_due(wake, soonest, every=DAY):
        assert [await asyncio.wait_for(woken.get(), 30) for _ in range(3)] == [1, 1, 1]
    assert asked


async def test_at_the_end_a_call_is_broken_off_and_waited_for_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def wake() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)
            ended.set()

    async with waking_when_due(wake, lambda _now: None, every=DAY):
        await asyncio.wait_for(began.wait(), 30)
    await asyncio.sleep(0.01)  # the library looks at what became of the call
    assert ended.is_set()
    assert not caplog.records


async def test_it_wakes_so_often_when_nothing_starts() -> None:
    woken: asyncio.Queue[None] = asyncio.Queue()

    async def wake() -> None:
        woken.put_nowait(None)

    async with waking_when_due(wake, lambda _now: None, every=timedelta(seconds=0.02)):
        for _ in range(3):
            await asyncio.wait_for(woken.get(), 30)
