from datetime import UTC, datetime

import pytest

from agent.checking.markers import without_markers
from agent.checking.support import unbacked, verbatim
from tests.fakes.agent import a_passage

SOURCE = a_passage(
    "The budget is 1,250,000 euros, or 3.75 a head. Release 2.10 of kb_agent came out at 10:30. Call --dry-run for"
    " PROJ-12 with getUserName. Order PO-2031-0188: There are three pools and twenty seals. Ada Lovelace wrote https://x.example/a.\n"
    "The limit is \u22128 degrees; it\u2019s O\u2019Brien Labs.",
    title="Zoo report 2031",
    headings=("Chapter 44",),
    dated=datetime(2024, 5, 17, tzinfo=UTC),
)


@pytest.mark.parametrize(
    "sentence",
    [
        "The budget is 1250000 euros.",
        "The budget is 1,250,000 euros [1].",
        "It is 3.75 a head.",
        "Release 2.10 came at 10:30.",
        "There are 3 pools and 20 seals.",
        "PROJ-12 calls getUserName with --dry-run in kb_agent.",
        "Order PO-2031-0188 was for the pools.",
        "See https://x.example/a",
        "Ada Lovelace wrote it.",
        "Yesterday Ada Lovelace wrote it.",
        "On Fridays Ada Lovelace rests.",
        "When the Budget is spent, nobody writes.",
        "O'Brien Labs set it to -8 degrees.",
        "It is of 2024-05-17.",
        "The Zoo report is of 2031, see chapter 44.",
        "7. First, do this.",
        "Something without anything to look up.",
        "",
    ],
)
def test_what_the_source_holds_is_backed(sentence: str) -> None:
    assert unbacked(sentence, [SOURCE]) == []


@pytest.mark.parametrize(
    ("sentence", "missing"),
    [
        ("The budget is 1,250 euros.", ["1,250"]),
        ("The budget is 250,000 euros.", ["250,000"]),
        ("The budget is 1,250,001 euros.", ["1,250,001"]),
        ("It is 3.7 a head.", ["3.7"]),
        ("It is 75 a head.", ["75"]),
        ("Release 2.1 came out.", ["2.1"]),
        ("It came at 10:31.", ["10:31"]),
        ("It is of 2024-05-18.", ["2024-05-18"]),
        ("There are 4 pools and 2 seals.", ["4", "2"]),
        ("It is -9 degrees.", ["-9"]),
        ("PROJ-1 and PROJ-123 say so.", ["PROJ-1", "PROJ-123"]),
        ("Call --dry with kb_agents.", ["kb_agents", "--dry"]),
        ("See https://x.example/b", ["https://x.example/b"]),
        ("Grace Hopper wrote it.", ["Grace Hopper"]),
        ("On Fridays Grace Hopper rests.", ["Grace Hopper"]),
        ("Ada Byron wrote it.", ["Ada Byron"]),
    ],
)
def test_what_no_source_holds_is_a_veto(sentence: str, missing: list[str]) -> None:
    assert sorted(unbacked(sentence, [SOURCE])) == sorted(missing)


def test_one_of_the_cited_passages_is_enough() -> None:
    other = a_passage("There are 4 pools.")
    assert unbacked("There are 4 pools of Ada Lovelace.", [SOURCE, other]) == []
    assert unbacked("There are 4 pools.", []) == ["4"]


def test_names_and_numbers_of_the_question_may_be_repeated() -> None:
    assert unbacked("Grace Hopper has 99 of them.", [SOURCE], "Has Grace Hopper 99?") == []


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("- 1. Take 2 of PROJ-7 [3]", ["PROJ-7", "1", "2"]),
        ("1. Take 2 of them.", ["2"]),
        ("The team of Ada Lovelace meets.", ["Ada Lovelace"]),
        ("it rains in Paris.", []),
        ("x7y and a1", []),
    ],
)
def test_verbatim_things(sentence: str, found: list[str]) -> None:
    assert verbatim(sentence) == found


def test_markers_are_taken_out_with_the_blank_before_them() -> None:
    assert without_markers("One [1], two [2, 3] and [12]. [x] [1234]") == "One, two and. [x] [1234]"


def test_in_german_what_a_number_counts_is_no_name() -> None:
    source = a_passage("Employees may carry over up to 5 days of annual leave.")
    assert unbacked("Du darfst bis zu 5 Tage Jahresurlaub ins neue Jahr mitnehmen.", [source]) == []
    assert unbacked("Du darfst bis zu 5 Tage mitnehmen, wenn Otto Brenner das sagt.", [source]) == ["Otto Brenner"]
    assert unbacked("Das dürfen 5 Otto Brenner Kollegen nicht.", [source]) == ["Otto Brenner Kollegen"]


@pytest.mark.parametrize("whose", ["Ada Byron's", "Ada Byron’s"])
def test_whose_something_is_stands_without_its_ending_in_the_source(whose: str) -> None:
    row = a_passage("| Name | Ext. | Deputy |\n|---|---|---|\n| Ada Byron | 400 | Mary Shaw |")
    assert unbacked(f"{whose} deputy is Mary Shaw.", [row]) == []
    assert unbacked(f"{whose.replace('Byron', 'Lace')} deputy is Mary Shaw.", [row]) == [
        whose[:-2].replace("Byron", "Lace")
    ]
