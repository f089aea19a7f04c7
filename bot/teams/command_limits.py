"""How often commands are served: of one person, and in one conversation, in one process."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

MINUTE = 60.0
"""Seconds that are looked at."""

KNOWN = 10_000
"""People and conversations of which is known when they typed commands; beyond, those of longest ago are forgotten."""

CommandExcess = Literal["user_minute", "channel_minute", "again"]
"""The limit that a command is beyond, named as those of questions are; `again` where that was told already."""


@dataclass
class CommandLimits:
    """So many commands of one person, and in one conversation, in any minute. clock: seconds."""

    person: int = 10
    conversation: int = 20
    clock: Callable[[], float] = time.monotonic
    _typed: dict[tuple[CommandExcess, str], deque[float]] = field(default_factory=dict)

    def take(self, person: str, conversation: str) -> CommandExcess | None:
        """Counts a command; None where it is to be served."""
        beyond = self._take("user_minute", person, self.person)
        return beyond or self._take("channel_minute", conversation, self.conversation)

    def _take(self, limit: CommandExcess, who: str, most: int) -> CommandExcess | None:
        now = self.clock()
        typed = self._typed.pop((limit, who), deque())
        while typed and typed[0] <= now - MINUTE:
            typed.popleft()
        self._typed[limit, who] = typed  # the last one now
        if len(self._typed) > KNOWN:
            del self._typed[next(iter(self._typed))]
        if len(typed) > most:
            return "again"
        typed.append(now)  # the first one beyond the limit counts too: it is told
        return limit if len(typed) > most else None
