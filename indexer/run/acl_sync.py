"""Who may read the documents of a source: read in each index run, and written before any document is read."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from datetime import datetime

from domain.access import NOBODY, Acl, SourceDirectory, admits_no_others, admitted_by_both, site
from domain.index_ports import IndexedDocument
from indexer.run.dependencies import RunDependencies, RunOptions
from indexer.run.restricted_parts import holds_withdrawn_part, stored_version
from indexer.sources.connector import Connector, ListedDocument, PermissionSource, SingleSource, SkippedDocument

IndexedStates = dict[str, IndexedDocument]
NOT_YET = NOBODY
"""What a document has whose text must be read anew before anybody may see it."""


def admitted(source: str, stated: Acl | None) -> Acl:
    """Whom a document admits whose source states an ACL: those that it names, for as long as readings of the source's
    permissions are fresh. Nobody where it states none."""
    return (stated or NOBODY).and_also(Acl.any_of(site(source)))


def closed_unread(acl: Acl) -> bool:
    """Whether `acl` is that of a document whose permissions could not be read: NOBODY is one of its clauses beside
    those that were read, and the site."""
    return NOBODY.clauses < acl.clauses


class AclSync:
    """Of one source, in one index run.

    Where the source says itself whom its documents admit, that also takes a fresh reading of it: `site` is a clause of
    each ACL, and nobody is that when the readings stop. acl_changed: ids of documents that admit others than before.
    read_at: since when what it says has been read; None where the source says nothing of it.
    exposed: ids of documents whose text in the index holds what their readers may be barred from by now, or whose path
    names pages that their new readers may be barred from: nobody reads them until they are read anew. moved: ids of all
    documents whose path in the index is not that of now; it names the pages above, which may have other readers.
    widened: ids of documents that admit others than before and whose text in the index may be an older one, of which
    something was removed before they were opened: those others read them once they are read anew.
    """

    def __init__(
        self, source: str, connector: Connector, dependencies: RunDependencies, options: RunOptions, revision: bytes
    ) -> None:
        self._source = source
        self._revision = revision
        self._connector = connector
        self._access = dependencies.access
        self._writer = dependencies.writer
        self._dry_run = options.dry_run
        self._single = connector if options.names and isinstance(connector, SingleSource) else None
        self._permissions = connector if isinstance(connector, PermissionSource) else None
        self.read_at: datetime | None = None
        self._foretells = options.permissions
        self._directory: SourceDirectory | None = None
        self._told: set[str] = set()
        self.acl_changed: set[str] = set()
        self.exposed: set[str] = set()
        self.moved: set[str] = set()
        self.widened: set[str] = set()

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
        if self._single is not None:  # for a single document the directory is not read again
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
        is passed over and what is held of it stays. Who comes to be a reader of a text that may be an older one has to
        wait until it is read anew. Returns the states as they are then."""
        if self._permissions is None:
            return known
        wanted: dict[str, Acl] = {}
        for each in passed:
            names = [name for name in known if name.startswith(each.external_id)] if each.below else [each.external_id]
            wanted |= {name: self._acl_unread(known.get(name), admitted(self._source, each.acl)) for name in names}
        for item in listed:
            state = known.get(item.external_id)
            wanted[item.external_id] = self.acl(item) if state is None else self._acl_until_read(item, state)
        self._told.update(wanted)
        return await self._write(wanted, known)

    def _acl_until_read(self, item: ListedDocument, state: IndexedDocument) -> Acl:
        """Whom a document admits with the text that the index holds of it. Notes what has to be read anew. One that was
        closed because its permissions could not be read gets them back at once."""
        acl, moved = self.acl(item), state.path != item.path
        if moved:
            self.moved.add(item.external_id)
        if holds_withdrawn_part(item, state) or (moved and not state.acl.clauses <= acl.clauses):
            self.exposed.add(item.external_id)
            return NOT_YET
        version = stored_version(self._revision, item)
        current = bool(version) and version == (state.version if state.shown_version is None else state.shown_version)
        if current or closed_unread(state.acl) or (state.acl != NOT_YET and admits_no_others(acl, state.acl)):
            return acl
        self.widened.add(item.external_id)
        return admitted_by_both(state.acl, acl)

    def _acl_unread(self, state: IndexedDocument | None, acl: Acl) -> Acl:
        """Whom a document admits that is passed over, so that its text stays an older one. One that admits nobody was
        closed because its permissions could not be read, and gets them back."""
        if state is None or NOBODY.clauses <= state.acl.clauses or admits_no_others(acl, state.acl):
            return acl
        return admitted_by_both(state.acl, acl)

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
            if (
                state is None and self._foretells
            ):  # another run that is about to write it may have listed it with an older ACL
                groups[False, acl].append(external_id)
            elif state is not None and state.acl != acl:
                groups[acl.clauses < state.acl.clauses, acl].append(external_id)
        if self._dry_run:
            return known
        for (_, acl), external_ids in sorted(groups.items(), key=lambda group: group[0][0]):
            await self._writer.set_acl(self._source, external_ids, acl, self.read_at)
            self.acl_changed.update(each for each in external_ids if each in known)
        written = ((each, acl) for (_, acl), ids in groups.items() for each in ids if each in known)
        return known | {each: replace(known[each], acl=acl) for each, acl in written}
