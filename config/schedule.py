"""Settings of what is done by itself at certain times; see config.settings for how they are written."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from domain.cron import Cron, Window

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class TimeZone:
    """A time zone by its name in the IANA database; ValueError when this machine knows none of that name."""

    name: str

    def __post_init__(self) -> None:
        from zoneinfo import ZoneInfo  # looks for the database when it is imported, which help should not wait for

        try:
            ZoneInfo(self.name)
        except (OSError, LookupError, ValueError):  # a folder of the database, no such name, no name at all
            raise ValueError("There is no time zone of that name; it takes one such as Europe/Berlin.") from None

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> "ZoneInfo":
        """The zone itself."""
        from zoneinfo import ZoneInfo

        return ZoneInfo(self.name)


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """What is read again by itself, and when."""

    schedule: bool
    """Whether `kb serve` and `kb worker` with these settings start what is due."""
    schedule_content: Cron | None
    """When all sources are read; None: never."""
    schedule_permissions: Cron | None
    """When it is read who may read what; None: never."""
    schedule_prune: Cron | None
    """When sources are listed completely, and what is missing goes; None: never."""
    schedule_window: Window | None
    """Part of the day in which content and prune may start; None: at any time."""
    schedule_timezone: TimeZone | None
    """Whose clocks all of that goes by; None: UTC."""
