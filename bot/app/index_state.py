"""What is known of the index as a whole, out of the store."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.conversation.actions import SourceSummary
from storage.index.sources import SourceTable


@dataclass(frozen=True, slots=True)
class IndexState:
    """See bot.conversation.actions.IndexOverview."""

    table: SourceTable

    async def sources(self) -> Sequence[SourceSummary]:
        """Every source."""
        states = await self.table.states()
        return [SourceSummary(each.source.name, each.documents, each.last_done_at) for each in states]
