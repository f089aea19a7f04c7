"""What is kept for so long and no longer: the periods, and the removal of what is older. docs/retention.md says it for
each table."""

from datetime import UTC, datetime, timedelta

from config.settings import Settings
from storage.open import Storage

TICKS_KEPT = timedelta(days=90)
"""It is kept so long what became of what was due, and of readings of whole sources."""

SMALL_RUNS_KEPT = timedelta(days=14)
"""The same of readings of permissions, of which there are 48 a day, and of single documents."""


async def remove_what_is_too_old(storage: Storage, settings: Settings) -> None:
    """Removes what is older than the settings say. Raises Transient when the database is away: what was not removed yet
    is the next time."""
    wanted, now = settings.conversation, datetime.now(UTC)
    await storage.memory().prune(before=now - timedelta(days=wanted.memory_days))
    await storage.ledger().prune(ended_before=now - timedelta(days=wanted.question_days))
    await storage.audit_log().prune(before=now - timedelta(days=wanted.audit_days))
    model, cache_days = settings.model, timedelta(days=settings.model.model_cache_days)
    await storage.reply_cache(limit=model.model_cache_entries, max_age=cache_days).prune()
    await storage.web_sessions().prune()
    await storage.scheduled_runs().prune(before=now - TICKS_KEPT)
    await storage.runs.prune(before=now - TICKS_KEPT, kinds=["content", "part"])
    await storage.runs.prune(before=now - SMALL_RUNS_KEPT, kinds=["permissions", "hint"])
