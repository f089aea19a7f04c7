"""Settings of what is done by itself at certain times; see config.settings for how they are written."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from domain.cron import Cron, Window

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class _AlertPlatform:
    """A platform on which alerts can be told, and how it names its channels."""

    name: Literal["slack", "teams"]
    ids: re.Pattern[str]
    why: str
    """What is said of another id."""


_ALERT_PLATFORMS: dict[str, _AlertPlatform] = {
    each.name: each
    for each in (
        _AlertPlatform(
            "slack",
            re.compile(r"[CDG][A-Z0-9]{1,30}"),
            "Behind slack: comes the id of a channel, such as C0123ABCD; not its name.",
        ),
        _AlertPlatform(
            "teams",
            re.compile(r"(19:|a:|8:)[\w.:@=+/-]{1,500}"),
            "Behind teams: comes the id of a conversation, such as 19:…@thread.tacv2.",
        ),
    )
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
        if self._prefix not in _ALERT_PLATFORMS:
            raise ValueError("It begins with slack: or teams:, as in slack:C0123ABCD.")
        wanted = _ALERT_PLATFORMS[self._prefix]
        if not wanted.ids.fullmatch(self.id):
            raise ValueError(wanted.why)

    def __str__(self) -> str:
        return self.name

    @property
    def _prefix(self) -> str:
        return self.name.partition(":")[0]

    @property
    def platform(self) -> Literal["slack", "teams"]:
        """Whose it is."""
        return _ALERT_PLATFORMS[self._prefix].name

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
