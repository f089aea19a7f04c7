"""Settings of what is done by itself at certain times; see config.settings for how they are written."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from domain.cron import Cron, Window

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

_ALERT_IDS = {
    "slack": re.compile(r"[CDG][A-Z0-9]{1,30}"),
    "teams": re.compile(r"(19:|a:|8:)[\w.:@=+/-]{1,500}"),
}


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
class AlertChannel:
    """A channel or chat, written `slack:C0123ABCD` or `teams:19:…@thread.tacv2`; ValueError for anything else."""

    name: str

    def __post_init__(self) -> None:
        form = _ALERT_IDS.get(self.name.partition(":")[0])
        if form is None:
            raise ValueError("It begins with slack: or teams:, as in slack:C0123ABCD.")
        if not form.fullmatch(self.id):
            raise ValueError(
                "Behind slack: comes the id of a channel, such as C0123ABCD; not its name."
                if self.platform == "slack"
                else "Behind teams: comes the id of a conversation, such as 19:…@thread.tacv2."
            )

    def __str__(self) -> str:
        return self.name

    @property
    def platform(self) -> Literal["slack", "teams"]:
        """Whose it is."""
        return "slack" if self.name.startswith("slack:") else "teams"

    @property
    def id(self) -> str:
        """As the platform calls it."""
        return self.name.partition(":")[2]


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
    alert_channel: AlertChannel | None
    """Where it is told what went wrong; None: in the log alone."""
