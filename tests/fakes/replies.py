"""A cache of replies in memory."""

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime, timedelta

from domain.model_ports import ReplyCache


class MemoryReplies(ReplyCache):
    """Keeps the replies used last, for a time.

    limit: replies kept. max_age: how long a reply is kept, however often it is used. now: the time.
    """

    def __init__(self, limit: int, max_age: timedelta, now: Callable[[], datetime]) -> None:
        self._limit = limit
        self._max_age = max_age
        self._now = now
        self._kept: OrderedDict[bytes, tuple[str, datetime]] = OrderedDict()  # used last stands last

    async def get(self, key: bytes) -> str | None:
        reply, created = self._kept.get(key, (None, self._now()))
        if reply is None or self._now() - created >= self._max_age:
            return None
        self._kept.move_to_end(key)
        return reply

    async def put(self, key: bytes, reply: str) -> None:
        self._kept[key] = reply, self._now()
        self._kept.move_to_end(key)
        while len(self._kept) > self._limit:
            self._kept.popitem(last=False)
