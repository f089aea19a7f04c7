"""Times as Jira, and Data Center of either product, writes them."""

from datetime import datetime


def moment(text: object) -> datetime | None:
    """A time such as `2026-01-05T08:00:00.000+0000`; None when it is none."""
    try:
        found = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return found if found is None or found.tzinfo else None
