"""Remembers where Slack refuses streams, for a while only: a channel or a workspace may allow them later."""

import time
from collections.abc import Callable

REFUSED_SECONDS = 600.0
"""Seconds for which a refusal is remembered."""

MOST = 1_000
"""Channels that are remembered."""

EVERYWHERE = frozenset({"unknown_method", "method_deprecated", "feature_not_enabled"})
"""Slack's words for "no streams in this workspace"."""

HERE = frozenset(
    {
        "channel_type_not_supported",
        "missing_recipient_user_id",
        "missing_recipient_team_id",
        "not_allowed",
        "access_denied",
        "invalid_arguments",
    }
)
"""Slack's words for "no streams in this channel"."""


class StreamingRefusals:
    """Channels that take no streams now."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: dict[str, float] = {}

    def note(self, channel: str, code: str) -> bool:
        """Remembers a refusal, if it is one of streams; returns whether it is."""
        if code not in EVERYWHERE | HERE:
            return False
        while len(self._until) >= MOST:
            del self._until[next(iter(self._until))]
        self._until["" if code in EVERYWHERE else channel] = self._clock() + REFUSED_SECONDS
        return True

    def __contains__(self, channel: str) -> bool:
        now = self._clock()
        return any(self._until.get(each, now) > now for each in ("", channel))
