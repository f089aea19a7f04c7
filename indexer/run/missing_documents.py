"""What a dry run says of documents that a listing does not show any more, by their names."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from domain.documents import content_of
from domain.ports import IndexedDocument
from indexer.run.prune import PruneDecision
from indexer.run.report import RunReport


def report_missing(
    report: RunReport, found: PruneDecision, known: Mapping[str, IndexedDocument], added: Sequence[tuple[bytes, str]]
) -> None:
    """Names them in a report; a document that was found again is moved, and not new.

    known: what the index held. added: digest of the content and path of each document that is new.
    """
    new = dict(reversed(added))
    for state in (known[each] for each in found.renamed):
        path = new.get(content_of(state.content_hash or b""), "")
        with suppress(ValueError, KeyError):
            report.names["added"].remove(path)
        report.name("renamed", [f"{state.path} is now {path}"])
    purged = [each for each in found.purge if each not in found.renamed]
    for what, ids in (("hidden", found.hide), ("purged", purged), ("held_back", found.held_back)):
        report.name(what, [known[each].path for each in ids])
