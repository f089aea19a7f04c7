"""Whom a line names as the owners of a document."""

import pytest

from benchmarks.linear import measured
from domain.text.owners import Said, is_among, names_owner
from tests.pattern_attacks import Attack


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
        ("Owner: Garden, Research and Development", "Research and Development"),
        ("Autorin: Ines", "Ines"),
        ("Eigentümerin: Ines", "Ines"),
        ("Verantwortliche: Ines", "Ines"),
        ("Verantwortlicher: Ines", "Ines"),
        ("Zuständigkeit: Küche", "Küche"),
        ("Owner: Kitchen Contact: Bob Stone", "Kitchen"),
        ("Owner: Kitchen Last updated: May", "Kitchen"),
        ("Owner: Garden Author: Ada", "Ada"),
        ("Owner: Team Kitchen", "Kitchen"),
        ("owner: team Kitchen", "Kitchen"),
        ("owner_team: Kitchen", "Kitchen"),
        ("The owner of this page is the Kitchen team. Previous owner: Garden", "Kitchen"),
        ("Owned jointly by Garden and Kitchen.", "Kitchen"),
        ("Owner is Kitchen", "Kitchen"),
        ("Owner – Kitchen", "Kitchen"),
        ("Owner team: Kitchen", "Kitchen"),
        ("Responsible team: Kitchen", "Kitchen"),
        ("Owner: Dr. Ines Kramer", "Ines Kramer"),
        ("Owner: Ines M. Kramer, Kitchen", "Kitchen"),
        ("Owner: Garden (until 2024), Kitchen", "Kitchen"),
    ],
)
def test_who_is_named_alone_or_with_others_is_an_owner(line: str, owner: str) -> None:
    assert names_owner(line, owner) >= Said.LONGER


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
        ("Owner: Garden Contact: Kitchen", "Kitchen"),
        ("Previous owner: Kitchen", "Kitchen"),
        ("Former owner: Kitchen", "Kitchen"),
        ("Not owned by Kitchen", "Kitchen"),
        ("Ehemaliger Eigentümer: Küche", "Küche"),
        ("Owner: Kitchen (until 2024)", "Kitchen"),
        ("Owner: Kitchen (until 2024), Garden", "Kitchen"),
        ("Owner: Research and Development", "Development"),
        ("Authority: Kitchen", "Kitchen"),
    ],
)
def test_who_is_named_otherwise_is_none(line: str, owner: str) -> None:
    assert names_owner(line, owner) < Said.LONGER


@pytest.mark.parametrize(
    ("named", "owner", "said"),
    [
        ("Kitchen Design, Garden", "Kitchen", Said.LONGER),
        ("Kitchen Design, Garden", "Garden", Said.YES),
        ("Kitchen since 2020", "Kitchen", Said.YES),
        ("Kitchen Team", "Kitchen", Said.YES),
        ("Kitchen Design and Garden", "Kitchen", Said.LONGER),
        ("Cold Kitchen", "Kitchen", Said.NO),
        ("Garden and Kitchen", "Kitchen", Said.YES),
        ("Femi Adeyemi and Lea Winter", "Femi", Said.LONGER),
        ("Garden", "", Said.NO),
        ("kitchen design", "Kitchen", Said.UNCLEAR),
        ("Garden, Kitchen approved", "Kitchen", Said.UNCLEAR),
        ("Femi Adeyemi Reviewed by: Noor", "Femi", Said.LONGER),
        ("Femi Adeyemi Author: Noor", "Femi", Said.LONGER),
        ("Kitchen Review Date: May", "Kitchen", Said.UNCLEAR),
    ],
)
def test_a_longer_name_is_told_from_the_name(named: str, owner: str, said: Said) -> None:
    assert is_among(named, owner) == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("The owner can invite Kitchen.", Said.UNCLEAR),
        ("Ask the author, Kitchen", Said.UNCLEAR),
        ("Owner: not Kitchen", Said.UNCLEAR),
        ("Owner: Garden, as well as Kitchen", Said.UNCLEAR),
        ("Kitchen and Garden own this page.", Said.UNCLEAR),
        ("Open Kitchen owns this page.", Said.UNCLEAR),
        ("Kitchen no longer owns this page.", Said.UNCLEAR),
        ("Owners: " + "Garden, " * 40 + "Kitchen", Said.UNCLEAR),
        ("Owner: Garden " * 9 + "Owner: Kitchen", Said.UNCLEAR),
        ("Garden. " * 300 + "Owner: Kitchen", Said.UNCLEAR),
        ("Owner: Garden, agreed with Kitchen", Said.NO),
        ("Previous owner: Kitchen", Said.NO),
        ("Owner: Kitchen (until 2024)", Said.NO),
        ("Owner: Research and Development of Kitchen", Said.NO),
        ("Owner: " + "Garden, " * 400, Said.NO),
    ],
)
def test_what_a_line_leaves_open_is_neither_said_nor_denied(line: str, said: Said) -> None:
    assert names_owner(line, "Kitchen") == said


@pytest.mark.parametrize(
    "part", ["owners,", "owner ", "owner: ", "owner: A and ", "Data owns this ", "owner: (a ", "owner \t", "owner:*|"]
)
def test_a_line_made_of_owning_words_takes_time_by_its_length(part: str) -> None:
    attack = Attack("", part, "")
    assert measured("owners", lambda line: names_owner(line, "Data"), attack, 20_000).flat
