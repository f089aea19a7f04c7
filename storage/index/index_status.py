"""What the live index holds, in numbers."""

from dataclasses import dataclass

from storage.index.versions import IndexVersion


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What the live index holds. Sizes in bytes."""

    version: IndexVersion
    documents: int
    chunks: int
    segments: int
    injections: int
    """Chunks that hold text addressed to machines, see domain.injection."""
    not_examined: int
    """Chunks that the next run looks at for such text: they were written before the detector of now."""
    size: int
    previous: IndexVersion | None


STATUS = b"""
    SELECT (SELECT count(*) FROM indexed_documents JOIN documents USING (document_no)
            WHERE version_id = %(version)s AND hidden_at IS NULL) AS documents,
           (SELECT coalesce(sum(chunks), 0) FROM indexed_documents JOIN documents USING (document_no)
            WHERE version_id = %(version)s AND hidden_at IS NULL) AS chunks,
           (SELECT count(*) FROM segments WHERE version_id = %(version)s) AS segments,
           (SELECT count(*) FROM chunks WHERE version_id = %(version)s AND injection <> '') AS injections,
           (SELECT count(*) FROM chunks
            WHERE version_id = %(version)s AND injection_revision < %(revision)s) AS not_examined,
           pg_database_size(current_database()) AS size
"""
"""IndexStatus but for its versions, of the version `version`; revision: of the detector of now."""
