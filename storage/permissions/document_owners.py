"""DocumentOwners over PostgreSQL."""

from collections.abc import Mapping, Sequence

from domain.access import Scope, lowered
from domain.owner_ports import OwnedDocument
from domain.patterns import LinearRegex
from domain.search import DocumentInfo, Filters
from domain.search_ports import DocumentCatalog
from storage.server.pool import ConnectionPool

_ADDRESS = LinearRegex(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")

_ACCOUNTS = b"""
    SELECT d.document_id, a.email
    FROM documents d
    JOIN sources s USING (source_no)
    JOIN index_versions v ON v.state = 'live'
    JOIN relations r ON r.version_id = v.version_id AND r.document_no = d.document_no
        AND r.predicate IN ('written by', 'reported by') AND NOT r.guarded
    JOIN entities e ON e.entity_no = r.object_no AND e.key LIKE 'person:%%'
    JOIN directory a ON a.source_no = d.source_no
        AND a.principal = 'account:' || s.name || '/' || regexp_replace(e.key, '^person:(user:)?', '')
    WHERE d.document_id = ANY(%(documents)s)
    """
"""Addresses of the accounts that wrote or reported documents: an account is a person in the knowledge graph, and a
principal of its source in the directory."""


class PostgresDocumentOwners:
    """The domain.owner_ports.DocumentOwners: reads the directory of sources as the owner of the tables; of documents,
    only those that the catalogue shows."""

    def __init__(self, owner: ConnectionPool, catalog: DocumentCatalog) -> None:
        self._owner = owner
        self._catalog = catalog

    async def owned(self, document_ids: Sequence[str], scope: Scope) -> list[OwnedDocument]:
        wanted = tuple(dict.fromkeys(document_ids))
        if not wanted:
            return []
        filters = Filters(documents=wanted)
        known = {
            each.document_id: each for each in await self._catalog.find("", scope, filters=filters, limit=len(wanted))
        }
        unsaid = [each for each in known if not address_in(known[each].author)]
        accounts = await self._accounts(unsaid) if unsaid else {}
        found = [
            (known[each], address_in(known[each].author) or accounts.get(each, "")) for each in wanted if each in known
        ]
        return [_owned(info, address) for info, address in found if address]

    async def _accounts(self, documents: Sequence[str]) -> Mapping[str, str]:
        """Addresses by document, where the source says exactly one."""
        rows = await self._owner.fetch_all(_ACCOUNTS, documents=list(documents))
        found: dict[str, set[str]] = {}
        for row in rows:
            found.setdefault(row.document_id, set()).add(row.email)
        return {document: next(iter(emails)) for document, emails in found.items() if len(emails) == 1}


def address_in(author: str) -> str:
    """The address that an author's text holds, in lower case; empty for none."""
    match = _ADDRESS.search(author)
    return lowered(match.group()) if match else ""


def _owned(info: DocumentInfo, address: str) -> OwnedDocument:
    name = _ADDRESS.sub("", info.author).strip(" <>()")
    return OwnedDocument(info.document_id, info.title, name or address, address)
