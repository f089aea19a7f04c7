"""Whether what the index holds is as fresh as the settings want it. Pure, but for what is read of the store."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from bot.scheduled import too_old, triggers_of
from storage.sources import SourceState

if TYPE_CHECKING:
    from bot.main import Product
    from indexer.schedule import Trigger

GRACE = timedelta(hours=12)
"""For so long after it was due, content is still fresh: a night's reading takes its time, and may wait for a window."""


async def stale(product: "Product") -> list[str]:
    """What is not fresh, in words that name sources and nothing of what is in them. Raises Transient."""
    storage, settings = product.storage, product.settings
    if await storage.version("live") is None:
        return ["Nothing is indexed yet: kb index PATH_OR_URL"]
    states, now = await storage.sources.states(), await storage.ticks().now()
    trigger = triggers_of(settings).get("content") if settings.schedule.schedule else None
    return [*too_old(states, now, settings.access), *old_content(states, trigger, now)]


def old_content(states: Sequence[SourceState], trigger: "Trigger | None", now: datetime) -> list[str]:
    """The sources that were not read to their end although that was due. trigger: of reading all content."""
    from indexer.schedule import next_tick

    found = []
    for each in states:
        done, name = each.last_done_at, each.source.name
        if done is None and each.last_run_state not in {None, "running"}:
            found.append(f"The content of {name} was never read to its end. See: kb runs")
        elif done and trigger and next_tick(trigger, done).due_at + GRACE < now:
            found.append(f"The content of {name} was read to its end last at {done:%Y-%m-%d %H:%M} UTC. See: kb runs")
    return found
