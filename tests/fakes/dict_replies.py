"""A cache of replies in memory."""

from domain.errors import Transient
from domain.model_ports import ReplyCache


class DictReplies(ReplyCache):
    """Keeps everything. away: whether it fails as a database does that is away."""

    def __init__(self) -> None:
        self.kept: dict[bytes, str] = {}
        self.away = False

    async def get(self, key: bytes) -> str | None:
        self._check()
        return self.kept.get(key)

    async def put(self, key: bytes, reply: str) -> None:
        self._check()
        self.kept[key] = reply

    def _check(self) -> None:
        if self.away:
            raise Transient("The database is away")
