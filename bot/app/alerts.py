"""Operators are told, in a channel or chat that the settings name, what went wrong with what is done by itself: once,
by one process, until it changes or is over."""

import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import zip_longest
from typing import Protocol

from bot.app.golden_questions import failing_golden
from bot.app.scheduled_jobs import JOBS, permission_warnings
from bot.app.serving import ServingProcess
from config.schedule import AlertChannel
from domain.cancellation import cancellable_sleep
from domain.errors import KbError, Transient
from domain.log_context import WAITING
from domain.schedule import REGISTERED, ScheduledRun

log = logging.getLogger(__name__)

LOOK_SECONDS = 30.0
"""Seconds between two looks."""

SOURCES_NAMED, LONGEST_LINE = 10, 300
"""Sources named in one message, and characters said of each."""

_NUMBERS = re.compile(r"\d+")

AGE = "age"
"""The topic of permissions that are too old; those of runs are named like their jobs."""

GOLDEN = "golden"
"""The topic of golden questions that fail."""


@dataclass(frozen=True, slots=True)
class Alert:
    """What went wrong with one topic."""

    topic: str
    head: str
    """What it is about."""
    lines: tuple[str, ...] = ()
    """A source each, masked, without the names of documents; none when all is well."""
    names: tuple[str, ...] = ()
    """What each of the lines is about: numbers in these count."""

    @property
    def mark(self) -> str:
        """The same for the same trouble: it does not change with numbers, such as those of hours or documents, but with
        names."""
        pairs = zip_longest(self.names, self.lines, fillvalue="")
        said = sorted(name + "\n" + _NUMBERS.sub("#", line) for name, line in pairs)
        return sha256("\n".join(said).encode()).hexdigest()[:32]

    @property
    def message(self) -> list[str]:
        """What operators are sent, line by line."""
        more = len(self.lines) - SOURCES_NAMED
        shown = [f"• {line[:LONGEST_LINE]}" for line in self.lines[:SOURCES_NAMED]] + (
            [f"… and {more} more"] if more > 0 else []
        )
        return [self.head, *shown, "More: kb schedule, kb runs"]


class AlertStore(Protocol):
    """What was told; storage.schedule.alerts.AlertTable is one."""

    async def claim(self, topic: str, mark: str) -> bool:
        """Whether the caller is the one to tell it now."""

    async def mark_sent(self, topic: str, mark: str) -> None:
        """It was told."""

    async def resolve(self, topic: str) -> None:
        """There is no trouble of that topic any more."""


@dataclass(eq=False)
class AlertSender:
    """Tells. find: what there is to be told of. tell: sends lines of text; raises KbErrors."""

    table: AlertStore
    find: Callable[[], Awaitable[Sequence[Alert]]]
    tell: Callable[[Sequence[str]], Awaitable[None]]

    async def run_forever(self) -> None:
        """Looks again and again, until it is cancelled. The database may go away and come back; whatever is wrong with
        the alerts, questions are answered all the same."""
        while True:
            try:
                await self.look()
            except KbError as error:
                log.warning("Alerts wait: %s", error.what, extra=WAITING)
            except Exception:
                log.exception("An alert failed")
            await cancellable_sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Tells what was not told yet. Raises Transient when the database is away."""
        for trouble in await self.find():
            if not trouble.lines:
                await self.table.resolve(trouble.topic)
            elif await self.table.claim(trouble.topic, trouble.mark):
                await self._send(trouble)

    async def _send(self, trouble: Alert) -> None:
        try:
            await self.tell(trouble.message)
        except Transient as error:
            log.warning("An alert could not be told yet: %s (%s)", error.what, error.why or "no cause given")
        except KbError as error:  # who mends what it says, as by inviting us, is told the next time
            log.error("An alert cannot be told where KB_AGENT_ALERT_CHANNEL says: %s (%s)", error.what, error.why)  # noqa: TRY400
        else:
            await self.table.mark_sent(trouble.topic, trouble.mark)


def alert_of_run(row: ScheduledRun) -> Alert | None:
    """What went wrong when a job was done last; None while that is not over."""
    if row.name == REGISTERED or row.state in {"queued", "running"}:
        return None
    tasks = row.progress.tasks
    said = {name: f"{name}: {task.summary}" for name, task in tasks.items() if task.state in {"failed", "attention"}}
    head = f"{row.job} of {row.name}: {len(said)} of {len(tasks)} sources need a look"
    return Alert(row.job, head, tuple(said.values()), tuple(said))


async def current_alerts(service: "ServingProcess") -> list[Alert]:
    """What there is to be told of. Raises Transient."""
    product, table = service.product, service.product.storage.scheduled_runs()
    old = permission_warnings(await product.storage.sources.states(), await table.now(), product.settings.access)
    rows = [row for job in JOBS if (row := await table.latest(job)) is not None]
    runs = [trouble for row in rows if (trouble := alert_of_run(row)) is not None]
    golden = await failing_golden(product)
    found = [
        *runs,
        Alert(AGE, "Permissions are not read as they should be", tuple(old.values()), tuple(old)),
        Alert(GOLDEN, "Golden questions fail after a run; see kb eval golden", tuple(golden), tuple(golden)),
    ]
    masker = product.masker
    return [replace(each, lines=tuple(masker.mask(line).text for line in each.lines)) for each in found]


async def run_alerting(service: "ServingProcess", channel: "AlertChannel") -> None:
    """Tells operators of trouble in a channel of a platform that is served, until it is cancelled."""
    table = service.product.storage.alerts()
    platform = next(each for each in service.opened if each.name == channel.platform)

    async def tell(lines: Sequence[str]) -> None:
        await platform.announce(channel.id, lines, await table.last_reply_handle(channel.platform, channel.id))

    await AlertSender(table, lambda: current_alerts(service), tell).run_forever()
