"""What to do about documents that a complete listing no longer shows."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from domain.documents import content_of
from domain.index_ports import IndexedDocument
from indexer.run.report import RunReport

FEW_MISSING = 10
"""Up to this many missing documents of a folder or a site are believed, whatever their share: small ones change a lot.
Where the source says whom each document admits, what is missing may as well be what our account lost."""


@dataclass(frozen=True, slots=True)
class PruneDecision:
    """External ids by what becomes of them."""

    hide: tuple[str, ...] = ()
    """Missing for the first time."""
    purge: tuple[str, ...] = ()
    """Missing for the second time, or found again elsewhere."""
    renamed: tuple[str, ...] = ()
    """Those of `purge` that were found elsewhere."""
    deletion_suspended: tuple[str, ...] = ()
    """Missing, but kept: too many vanished at once."""


def decide_pruning(
    known: Mapping[str, IndexedDocument],
    present: Collection[str],
    added: Iterable[bytes],
    *,
    max_share: float,
    confirmed: bool,
    few: int = FEW_MISSING,
    emptied: Collection[str] = (),
) -> PruneDecision:
    """Sorts the missing documents.

    A listing that shows nothing at all is not believed: an empty folder is what an unmounted drive leaves.

    Args:
        known: what the index held before the run, by external id.
        present: external ids that the complete listing shows.
        added: the content's digest of each document that is new in this run, see domain.documents.content_of.
        max_share: share of the shown documents that may go missing at once, 0 to 1.
        confirmed: an operator knows that they are gone.
        few: so many are believed, whatever their share.
        emptied: of `present`, what has no text any more: it is treated as missing.
    """
    missing = [
        state for external_id, state in sorted(known.items()) if external_id not in present or external_id in emptied
    ]
    renamed = _found_again(missing, Counter(added))
    gone = tuple(s.external_id for s in missing if not s.hidden and s.external_id not in renamed)
    hidden = tuple(s.external_id for s in missing if s.hidden)
    shown = sum(not state.hidden for state in known.values())
    if not confirmed and (not present or len(gone) > max(few, max_share * shown)):
        return PruneDecision(purge=renamed, renamed=renamed, deletion_suspended=gone)
    return PruneDecision(hide=gone, purge=hidden + renamed, renamed=renamed)


def _found_again(missing: Iterable[IndexedDocument], added: Counter[bytes]) -> tuple[str, ...]:
    """The missing documents whose content is new elsewhere: as many as there are new ones of that content."""
    found = []
    for state in missing:
        content = content_of(state.content_hash or b"")
        if not state.hidden and content and added[content] > 0:
            added[content] -= 1
            found.append(state.external_id)
    return tuple(found)


def report_missing(
    report: RunReport, found: PruneDecision, known: Mapping[str, IndexedDocument], added: Sequence[tuple[bytes, str]]
) -> None:
    """Names in the report of a dry run what the listing does not show any more. What was found again is moved, not new.

    known: what the index held. added: digest of the content and path of each document that is new.
    """
    new = dict(reversed(added))
    for state in (known[each] for each in found.renamed):
        path = new.get(content_of(state.content_hash or b""), "")
        with suppress(ValueError, KeyError):
            report.names["added"].remove(path)
        report.name("renamed", [f"{state.path} is now {path}"])
    purged = [each for each in found.purge if each not in found.renamed]
    for what, ids in (("hidden", found.hide), ("purged", purged), ("held_back", found.deletion_suspended)):
        report.name(what, [known[each].path for each in ids])
