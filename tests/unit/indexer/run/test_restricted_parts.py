"""What a text in the index holds that its readers may be barred from by themselves."""

from dataclasses import replace

import pytest

from domain.access import ORGANISATION
from domain.index_ports import IndexedDocument
from indexer.run.restricted_parts import holds_withdrawn_part, version_with_parts
from indexer.sources.connector import ListedDocument


def item(*parts: str) -> ListedDocument:
    return ListedDocument("a", "a", "https://a.example", version="7", parts=frozenset(parts))


def held(version: str, content: bytes | None = b"content") -> IndexedDocument:
    return IndexedDocument("a", "id", content, ORGANISATION, False, "", "", "a", version)


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        ((), (), False),
        (("c1", "i2"), ("i2", "c1"), False),
        (("c1",), ("c1", "c2"), False),
        (("c1", "c2"), ("c1",), True),
        (("c1",), (), True),
    ],
)
def test_a_text_that_holds_more_than_is_listed_is_exposed(
    before: tuple[str, ...], now: tuple[str, ...], found: bool
) -> None:
    assert holds_withdrawn_part(item(*now), held(version_with_parts("abc", item(*before)))) is found


def test_what_is_not_known_to_be_held_is_taken_to_be() -> None:
    assert holds_withdrawn_part(item("c1"), held(""))
    assert not holds_withdrawn_part(item("c1"), held("", content=None)), "there is no text"


def test_what_another_version_of_the_index_holds_counts_too() -> None:
    now, before = (version_with_parts("abc", item(*parts)) for parts in (("c1",), ("c1", "c2")))
    for content in (b"content", None):
        state = held(now, content)
        assert holds_withdrawn_part(item("c1"), replace(state, copy_version=before))
        assert holds_withdrawn_part(item("c1"), replace(state, shown_version=before))
        assert not holds_withdrawn_part(item("c1"), replace(state, copy_version=now, shown_version=now))


def test_a_source_without_such_parts_exposes_nothing() -> None:
    whole = ListedDocument("a", "a", "https://a.example", version="7")
    assert version_with_parts("abc", whole) == "abc"
    assert not holds_withdrawn_part(whole, held("abc"))
    assert not holds_withdrawn_part(whole, held(""))
