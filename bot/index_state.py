"""What is known of the index as a whole, out of the store."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.conversation.desk import SourceRow
from storage.sources import SourceTable


@dataclass(frozen=True, slots=True)
class IndexState:
    """See bot.conversation.desk.IndexFacts."""

    table: SourceTable

    async def sources(self) -> Sequence[SourceRow]:
        """Every source."""
        states = await self.table.states()
        return [SourceRow(each.source.name, each.documents, each.last_done_at) for each in states]
