"""What was refused once is not downloaded again until it changes."""

from domain.documents import Refusal, digest
from domain.errors import Refused
from domain.index_ports import IndexedDocument
from indexer.parse.formats import EMPTY, Unparsable
from indexer.run.dependencies import RunDependencies
from indexer.run.masked_names import NamedDocument

STILL_SHOWN = "{}; its earlier text is still shown"


def as_skipped(reason: str, state: IndexedDocument | None) -> str:
    """What a report says of a document that is passed over for that reason. state: what the index holds of it."""
    shown = state is not None and state.content_hash is not None and not state.hidden
    return STILL_SHOWN.format(reason) if shown else reason


class Refusals:
    """Of one source, in one index run. Only what the source gives a version of can be told to be unchanged.

    revision: of what reads documents. again: whether everything is tried anew, as what an operator names.
    emptied: external ids of what was read, now or before in the form that it has, and is empty: its earlier text was
    withdrawn at the source, like that of what is missing.
    """

    def __init__(self, source: str, dependencies: RunDependencies, revision: bytes, *, again: bool) -> None:
        self._source = source
        self._writer = dependencies.writer
        self._reading = digest(revision, dependencies.reading)
        self._again = again
        self.emptied: set[str] = set()
        self._before: dict[str, Refusal] = {}
        self._now: dict[str, Refusal] = {}

    async def read(self) -> None:
        """Reads what was refused before."""
        self._before = {} if self._again else await self._writer.refusals(self._source)

    def known(self, item: NamedDocument) -> str:
        """Why a document was refused in the form that it still has; empty when it was not."""
        before = self._before.get(item.stored.external_id)
        return before.reason if before and before.mark == self._mark(item) else ""

    def note(self, item: NamedDocument, error: Refused, reason: str) -> None:
        """Takes down that a document was refused, where that lasts: a file of which nothing can be read, and one that
        the source keeps back. reason: as it may be stored."""
        if reason.partition(":")[0] == EMPTY:
            self.emptied.add(item.stored.external_id)
        known = bool(self.known(item))
        if item.item.version and (known or isinstance(error, Unparsable) or item.item.attached):
            self._now[item.stored.external_id] = Refusal(self._mark(item), reason)

    async def save(self, *, whole: bool) -> None:
        """Saves what was noted. whole: the run was about all that the source has."""
        if self._now or (whole and self._before):
            await self._writer.save_refusals(self._source, self._now, whole=whole)

    def _mark(self, item: NamedDocument) -> str:
        return digest(self._reading, item.item.version, item.item.title).hex()
