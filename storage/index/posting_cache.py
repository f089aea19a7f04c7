"""Posting lists that one process has read, kept until the index changes.

A list is the larger part of what a search reads, and a few words are in many questions. What is kept holds chunk
numbers and counts of all chunks, whoever may see them, as what is read does; rights are checked on what is found.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it imports NumPy, which a command that does not search needs not
    from storage.index.packing import PostingList


@dataclass(frozen=True, slots=True)
class KeptLists:
    """Lists of some terms, all of one state of the index."""

    state: str
    """Names that state; empty without any lists."""
    lists: "Mapping[str, PostingList]"


NO_LISTS = KeptLists("", {})


class PostingCache:
    """Keeps the lists of the terms that were asked for last, of one state of the index at a time.

    limit: bytes of lists.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._state = ""
        self._lists: OrderedDict[str, PostingList] = OrderedDict()
        self._size = 0

    def of(self, terms: Iterable[str]) -> KeptLists:
        """The lists of those of `terms` that are kept."""
        found = {term: self._lists[term] for term in set(terms) if term in self._lists}
        for term in found:
            self._lists.move_to_end(term)
        return KeptLists(self._state if found else "", found)

    def put(self, state: str, lists: "Mapping[str, PostingList]") -> None:
        """Keeps lists of a state of the index; those of another one go, and, of too many, those unused for longest."""
        if state != self._state:
            self._state, self._size = state, 0
            self._lists.clear()
        for term, each in lists.items():
            if term not in self._lists and each.nbytes <= self.limit:
                self._lists[term] = each
                self._size += each.nbytes
        while self._size > self.limit:
            self._size -= self._lists.popitem(last=False)[1].nbytes
