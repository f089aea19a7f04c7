"""Whether what the index holds is as fresh as the settings want it. Pure, but for what is read of the store."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from bot.app.product import Product
from bot.app.scheduled_jobs import permission_warnings, triggers_of
from storage.index.sources import SourceState

if TYPE_CHECKING:
    from indexer.scheduling.triggers import Trigger

GRACE = timedelta(hours=12)
"""For so long after it was due, content is still fresh: a night's reading takes its time, and may wait for a window."""


async def freshness_problems(product: "Product") -> list[str]:
    """What is not fresh, in words that name sources and nothing of what is in them. Raises Transient."""
    storage, settings = product.storage, product.settings
    if await storage.version("live") is None:
        return ["Nothing is indexed yet: kb index PATH_OR_URL"]
    states, now = await storage.sources.states(), await storage.scheduled_runs().now()
    trigger = triggers_of(settings).get("content") if settings.schedule.schedule else None
    return [*permission_warnings(states, now, settings.access).values(), *overdue_content(states, trigger, now)]


def overdue_content(states: Sequence[SourceState], trigger: "Trigger | None", now: datetime) -> list[str]:
    """The sources that were not read to their end although that was due. trigger: of reading all content."""
    from indexer.scheduling.triggers import next_due

    found = []
    for each in states:
        done, name = each.last_done_at, each.source.name
        since = done or each.added_at
        late = since is not None and trigger is not None and next_due(trigger, since).due_at + GRACE < now
        if done is None and (late or each.last_run_state not in {None, "running"}):
            found.append(f"The content of {name} was never read to its end. See: kb runs")
        elif done and late:
            found.append(f"The content of {name} was read to its end last at {done:%Y-%m-%d %H:%M} UTC. See: kb runs")
    return found
