"""Whom a line names as the owners of a document."""

import pytest

from domain.text.owners import is_among, names_owner


@pytest.mark.parametrize(
    ("line", "owner"),
    [
        ("Owner: Kitchen", "Kitchen"),
        ("Owners: Garden, Kitchen", "Kitchen"),
        (":Owner: Garden, together with Kitchen", "Kitchen"),
        ("_Owner: Garden and the Kitchen team · Published 2026-01-02_", "Kitchen"),
        ("| Owner | Garden / Kitchen |", "Kitchen"),
        ("Owner: the garden team with Kitchen", "Kitchen"),
        ("Owner: Kitchen (menu desk), Garden", "Garden"),
        ("This page is maintained by the kitchen team and Garden.", "Garden"),
        ("Written by Ada Lovelace", "Ada"),
        ("The Kitchen team owns this page.", "Kitchen"),
        ("Verantwortlich: Garten und Küche", "Küche"),
        ("Owner: Research and Development", "Research and Development"),
    ],
)
def test_who_is_named_alone_or_with_others_is_an_owner(line: str, owner: str) -> None:
    assert names_owner(line, owner, whole=False)


@pytest.mark.parametrize(
    ("line", "owner"),
    [
        ("Owner: Garden, agreed with Kitchen and Cellar", "Kitchen"),
        ("Owner: Garden, agreed with Kitchen and Cellar", "Cellar"),
        ("Owner: Garden · Author: Ada · Kitchen", "Kitchen"),
        ("Owner: Garden. Kitchen was asked.", "Kitchen"),
        ("Owner: Garden – see Kitchen", "Kitchen"),
        ("Kitchen | Ada | owner of the stove", "Kitchen"),
        ("The owner can invite Kitchen.", "Kitchen"),
        ("Kitchen owns the stove.", "Kitchen"),
        ("Owner: ", "Kitchen"),
    ],
)
def test_who_is_named_otherwise_is_none(line: str, owner: str) -> None:
    assert not names_owner(line, owner, whole=False)


def test_a_team_is_named_by_the_whole_of_its_name() -> None:
    assert not names_owner("Owner: Kitchen Design, Garden", "Kitchen", whole=True)
    assert names_owner("Owner: Kitchen Design, Garden", "Garden", whole=True)
    assert names_owner("Owner: Kitchen since 2020", "Kitchen", whole=True)
    assert names_owner("Owner: Kitchen Team", "Kitchen", whole=True)
    assert not is_among("Kitchen Design and Garden", "Kitchen")
    assert not is_among("Cold Kitchen", "Kitchen")
    assert is_among("Garden and Kitchen", "Kitchen")
    assert not is_among("Garden", "")
