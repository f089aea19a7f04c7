"""How old is what sources say of whom their documents admit. Pure."""

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from config.settings import AccessSettings

if TYPE_CHECKING:
    from storage.index.sources import SourceState


class PermissionAge(NamedTuple):
    """How old it is. hours: None where it was never read. state: fresh, late or hidden."""

    at: datetime | None
    until: datetime | None
    hours: float | None
    state: str


def permission_age(state: "SourceState", ages: AccessSettings, now: datetime) -> PermissionAge:
    """Of one source."""
    at, until = state.permissions_at, state.permissions_until
    hours = round((now - at).total_seconds() / 3600, 2) if at else None
    late = hours is None or hours > ages.acl_alert_age
    return PermissionAge(at, until, hours, "hidden" if until is None or until <= now else "late" if late else "fresh")
