"""Chunks that may match a pattern, from the posting lists alone.

What a matching text must contain is looked up as terms. Where a literal may be a part of a word, the vocabulary is
read through for the terms that hold it, which is a small share of the texts.
"""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from domain.text.required_literals import AllOf, AnyOf, all_of, any_of
from domain.text.required_terms import RequiredTerms, TermPart, WholeTerm
from domain.text.tokens import MAX_TOKEN
from storage.index import postings
from storage.index.packing import ENTRY
from storage.search.snapshot import IndexSnapshot
from storage.server.pool import Connection

Numbers = NDArray[np.int32]

_WORTH_READING = 100_000
"""Entries of posting lists that are read to narrow down further what rarer terms have narrowed already."""

_SIZES = f"""
    SELECT term, (sum(octet_length(entries)) / {ENTRY.itemsize})::int8 FROM postings
    WHERE version_id = %(version)s AND {{}} GROUP BY term
"""
_VERY = "term = ANY(%(terms)s)"
_SOMEWHERE = f"(term LIKE ANY(%(like)s) OR octet_length(term) >= {MAX_TOKEN})"
_LISTS = b"SELECT term, removed, entries FROM postings WHERE version_id = %(version)s AND term = ANY(%(terms)s)"
_LOOSE = b"SELECT loose_chunks(%(version)s)"


class LooseChunks:
    """The few chunks with words that have no term for the whole of them. They are looked for in all texts, only when
    a pattern needs them, and kept until the index changes. The numbers are those of all readers, as in posting lists:
    the database finds them by a function of the tables' owner, which matches domain.text.required_terms.LOOSE."""

    def __init__(self) -> None:
        self._found: tuple[str, Numbers] | None = None

    async def of(self, connection: Connection, snapshot: IndexSnapshot) -> Numbers:
        """Their numbers."""
        if self._found is None or self._found[0] != snapshot.index_state:
            bound = {"version": snapshot.version.version_id}
            rows = await (await connection.execute(_LOOSE, bound, binary=True)).fetchall()
            self._found = (snapshot.index_state, np.array([row[0] for row in rows], np.int32))
        return self._found[1]


async def candidates(
    connection: Connection, snapshot: IndexSnapshot, wanted: RequiredTerms, loose: LooseChunks
) -> Numbers:
    """Numbers of all chunks that have the evidence, whoever may see them; ascending, each once."""
    sizes = await _sizes(connection, snapshot, list(_leaves(wanted)))
    chosen = _cheapest(wanted, sizes)
    leaves = set(_leaves(chosen))
    terms = sorted({term for leaf in leaves for term in sizes[leaf]})
    bound = {"version": snapshot.version.version_id, "terms": terms}
    rows = await (await connection.execute(_LISTS, bound, binary=True)).fetchall()
    lists = postings.posting_lists(rows)
    besides = await loose.of(connection, snapshot) if any(map(_is_loose, leaves)) else np.empty(0, np.int32)
    found: dict[WholeTerm | TermPart, Numbers] = {}
    for leaf in leaves:
        numbers = [lists[term].chunks() for term in sizes[leaf] if term in lists]
        found[leaf] = _union([*numbers, besides] if _is_loose(leaf) else numbers)
    return _resolved(chosen, found)


async def _sizes(
    connection: Connection, snapshot: IndexSnapshot, leaves: list[WholeTerm | TermPart]
) -> dict[WholeTerm | TermPart, dict[str, int]]:
    """For each leaf the terms that fit it, with the length of their posting lists."""
    found: dict[str, int] = {}
    terms = [leaf.text for leaf in leaves if isinstance(leaf, WholeTerm)]
    parts = [leaf for leaf in leaves if isinstance(leaf, TermPart)]
    like = [f"%{_escaped(part.within)}%" for part in parts]
    like += [f"%{_escaped(end)}" for part in parts for end in part.ends]
    bound = {"version": snapshot.version.version_id, "terms": terms, "like": like}
    for values, condition in ((terms, _VERY), (like, _SOMEWHERE)):
        if values:
            query = _SIZES.format(condition).encode()
            found.update(await (await connection.execute(query, bound, binary=True)).fetchall())
    fitting: dict[WholeTerm | TermPart, dict[str, int]] = {}
    for leaf in leaves:
        among: Iterable[str] = found if isinstance(leaf, TermPart) else {leaf.text} & found.keys()
        fitting[leaf] = {term: found[term] for term in among if isinstance(leaf, WholeTerm) or leaf.fits(term)}
    return fitting


def _cheapest(wanted: RequiredTerms, sizes: Mapping[WholeTerm | TermPart, Mapping[str, int]]) -> RequiredTerms:
    """Without those of several needs that would cost more to read than they narrow down."""
    if isinstance(wanted, AllOf):
        parts = sorted((_cheapest(part, sizes) for part in wanted.parts), key=lambda part: _cost(part, sizes))
        kept = [parts[0], *(part for part in parts[1:] if _cost(part, sizes) <= _WORTH_READING)]
        return all_of(kept) or wanted
    if isinstance(wanted, AnyOf):
        return any_of(_cheapest(part, sizes) for part in wanted.parts) or wanted
    return wanted


def _cost(wanted: RequiredTerms, sizes: Mapping[WholeTerm | TermPart, Mapping[str, int]]) -> int:
    return sum(sum(sizes[leaf].values()) for leaf in _leaves(wanted))


def _leaves(wanted: RequiredTerms) -> Iterator[WholeTerm | TermPart]:
    if isinstance(wanted, AllOf | AnyOf):
        for part in wanted.parts:
            yield from _leaves(part)
    else:
        yield wanted


def _is_loose(leaf: WholeTerm | TermPart) -> bool:
    return isinstance(leaf, TermPart) and leaf.loose


def _resolved(wanted: RequiredTerms, found: Mapping[WholeTerm | TermPart, Numbers]) -> Numbers:
    if isinstance(wanted, AnyOf):
        return _union([_resolved(part, found) for part in wanted.parts])
    if not isinstance(wanted, AllOf):
        return found[wanted]
    first, *others = sorted((_resolved(part, found) for part in wanted.parts), key=len)
    for numbers in others:
        first = np.intersect1d(first, numbers, assume_unique=True)
    return first


def _union(numbers: list[Numbers]) -> Numbers:
    return np.unique(np.concatenate(numbers)) if numbers else np.empty(0, np.int32)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
