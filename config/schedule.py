"""Settings of what is done by itself at certain times; see config.settings for how they are written."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from domain.cron import Cron, Window

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


AlertPlatform = Literal["slack", "teams"]

_ALERT_PLATFORMS: dict[AlertPlatform, tuple[str, str]] = {
    "slack": (
        r"[CDG][A-Z0-9]{1,30}",
        "Behind slack: comes the id of a channel, such as C0123ABCD; not its name.",
    ),
    "teams": (
        r"(19:|a:|8:)[\w.:@=+/-]{1,500}",
        "Behind teams: comes the id of a conversation, such as 19:…@thread.tacv2.",
    ),
}
"""The platforms of alerts: the form of a channel's id there, and what is said of another id."""


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
        form, why = _ALERT_PLATFORMS[self.platform]
        if not re.fullmatch(form, self.id):
            raise ValueError(why)

    def __str__(self) -> str:
        return self.name

    @property
    def platform(self) -> AlertPlatform:
        """Whose it is."""
        prefix = self.name.partition(":")[0]
        for platform in _ALERT_PLATFORMS:
            if platform == prefix:
                return platform
        raise ValueError("It begins with slack: or teams:, as in slack:C0123ABCD.")

    @property
    def id(self) -> str:
        """As the platform calls it."""
        return self.name.partition(":")[2]


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """What is read again by itself, and when."""

    schedule: bool
    schedule_content: Cron | None
    schedule_permissions: Cron | None
    schedule_prune: Cron | None
    schedule_window: Window | None
    schedule_timezone: TimeZone | None
    alert_channel: AlertChannel | None
    golden_gate: Literal["off", "report", "hold"]
    schedule_digest: Cron | None
    digest_channel: AlertChannel | None
