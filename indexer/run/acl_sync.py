"""Who may read the documents of a source: read in each index run, and written before any document is read."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from datetime import datetime

from domain.access import NOBODY, Acl, SourceDirectory, site
from domain.index_ports import IndexedDocument
from indexer.run.dependencies import RunDependencies, RunOptions
from indexer.run.restricted_parts import holds_withdrawn_part
from indexer.sources.connector import Connector, ListedDocument, PermissionSource, SingleSource, SkippedDocument

IndexedStates = dict[str, IndexedDocument]
NOT_YET = NOBODY
"""What a document has whose text must be read anew before anybody may see it."""


def admitted(source: str, stated: Acl | None) -> Acl:
    """Whom a document admits whose source states an ACL: those that it names, for as long as readings of the source's
    permissions are fresh. Nobody where it states none."""
    return (stated or NOBODY).and_also(Acl.any_of(site(source)))


class AclSync:
    """Of one source, in one index run.

    Where the source says itself whom its documents admit, that also takes a fresh reading of it: `site` is a clause of
    each ACL, and nobody is that when the readings stop. readdressed: ids of documents that admit others than before.
    read_at: since when what it says has been read; None where the source says nothing of it.
    exposed: ids of documents whose text in the index holds what their readers may be barred from by now, or whose path
    names pages that their new readers may be barred from: nobody reads them until they are read anew. moved: ids of all
    documents whose path in the index is not that of now; it names the pages above, which may have other readers.
    """

    def __init__(self, source: str, connector: Connector, tools: RunDependencies, options: RunOptions) -> None:
        self._source = source
        self._connector = connector
        self._access = tools.access
        self._writer = tools.writer
        self._dry_run = options.dry_run
        self._single = connector if options.names and isinstance(connector, SingleSource) else None
        self._permissions = connector if isinstance(connector, PermissionSource) else None
        self.read_at: datetime | None = None
        self._foretells = options.permissions
        self._directory: SourceDirectory | None = None
        self._told: set[str] = set()
        self.readdressed: set[str] = set()
        self.exposed: set[str] = set()
        self.moved: set[str] = set()

    @property
    def unreadable(self) -> list[tuple[str, str]]:
        """Path and reason of what admits nobody because its permissions could not be read."""
        return list(self._permissions.unreadable) if self._permissions else []

    async def read(self, known: IndexedStates) -> IndexedStates:
        """Before the listing: reads who the people are, where the source says whom each document admits; else gives
        every document that the index holds the ACL of now. Returns the states as they are then. Of the people, what
        they are not any more counts at once, what they came to be only when every document has the ACL of now.

        Raises as indexer.sources.connector.PermissionSource does.
        """
        if self._permissions is None:
            return await self._write(dict.fromkeys(known, self._connector.acl), known)
        self.read_at = await self._access.now()
        if self._single is not None:  # one document: who the people are is left as it is known
            await self._single.orient()
            return known
        self._directory = await self._permissions.permissions()
        if not self._dry_run:
            await self._access.remove_lost_members(self._source, self._directory)
        return known

    def acl(self, item: ListedDocument) -> Acl:
        """Whom a listed document admits."""
        if self._permissions is None:
            return item.acl or self._connector.acl
        return admitted(self._source, item.acl)

    async def admit(
        self, listed: Iterable[ListedDocument], passed: Iterable[SkippedDocument], known: IndexedStates
    ) -> IndexedStates:
        """After the listing, or what there is of it: gives each document the ACL that it was listed with, also where it
        is passed over and what is held of it stays. Returns the states as they are then."""
        if self._permissions is None:
            return known
        wanted: dict[str, Acl] = {}
        for each in passed:
            names = [name for name in known if name.startswith(each.external_id)] if each.below else [each.external_id]
            wanted |= dict.fromkeys(names, admitted(self._source, each.acl))
        for item in listed:
            state = known.get(item.external_id)
            if state is not None:
                self._note_outdated(item, state)
            wanted[item.external_id] = NOT_YET if item.external_id in self.exposed else self.acl(item)
        self._told.update(wanted)
        return await self._write(wanted, known)

    def _note_outdated(self, item: ListedDocument, state: IndexedDocument) -> None:
        moved = state.path != item.path
        if moved:
            self.moved.add(item.external_id)
        if holds_withdrawn_part(item, state) or (moved and not state.acl.clauses <= self.acl(item).clauses):
            self.exposed.add(item.external_id)

    def alone(self) -> AbstractAsyncContextManager[None]:
        """Inside, nobody else reads rights of the source: what is read here is newer than all that is kept."""
        if self._permissions is None or self._dry_run:
            return nullcontext()
        return self._access.acl_read_lock(self._source)

    async def mark_fresh(self) -> None:
        """After a complete listing and `admit`: from now on what was read holds, of the documents that were in it and
        of the people."""
        if self.read_at is not None and self._directory is not None and not self._dry_run:
            await self._access.mark_acls_read(self._source, self._told)
            await self._access.replace_directory(self._source, self._directory)
            await self._access.mark_fresh(self._source, self.read_at)

    async def _write(self, wanted: Mapping[str, Acl], known: IndexedStates) -> IndexedStates:
        """Gives documents of the index other ACLs: first those that take rights away."""
        groups: dict[tuple[bool, Acl], list[str]] = defaultdict(list)
        for external_id, acl in wanted.items():
            state = known.get(external_id)
            if state is None and self._foretells:  # who is about to write it may have listed it with other rights
                groups[False, acl].append(external_id)
            elif state is not None and state.acl != acl:
                groups[acl.clauses < state.acl.clauses, acl].append(external_id)
        if self._dry_run:
            return known
        for (_, acl), external_ids in sorted(groups.items(), key=lambda group: group[0][0]):
            await self._writer.set_acl(self._source, external_ids, acl, self.read_at)
            self.readdressed.update(each for each in external_ids if each in known)
        written = ((each, acl) for (_, acl), ids in groups.items() for each in ids if each in known)
        return known | {each: replace(known[each], acl=acl) for each, acl in written}
