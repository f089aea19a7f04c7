from dataclasses import replace

import numpy as np
import pytest

from agent.checking.citations import with_citation_markers
from agent.checking.conflicts import Conflict
from agent.questions.expected import expected
from agent.reasoners.offline.precedence import of_the_year, replaced_last, what_counts, with_both_sides
from agent.reasoners.offline.quotable_units import QuotableUnit, quotable_units
from agent.reasoners.offline.quoting import (
    ScoredUnit,
    choose,
    of_persons,
    of_the_kind,
    price_of,
    score_units,
    with_context,
    with_whole_lists,
    with_whole_tables,
)
from agent.retrieval.retriever import Retrieved
from domain.text.tokens import Analyzer
from tests.fakes.agent import a_passage
from tests.fakes.embedder import HashEmbedder


def scored(text: str, passage: int = 0, score: float = 1.0, vector: tuple[float, float] = (1, 0)) -> ScoredUnit:
    return ScoredUnit(QuotableUnit(passage, 0, text, frozenset()), score, np.array(vector, dtype=np.float32))


def a_conflict(first: tuple[int, str], second: tuple[int, str]) -> Conflict:
    return Conflict(*first, *second, "5 / 7", "is newer than")


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (["5", "Aside", "7"], ["7", "5", "Aside"]),
        (["7", "5"], ["7", "5"]),
        (["Aside", "5"], ["Aside", "7", "5"]),
        (["Aside", "7"], ["Aside", "7", "5"]),
        (["Aside"], ["Aside"]),
    ],
)
def test_both_sides_of_a_conflict_stand_together_first_the_one_that_counts(
    chosen: list[str], expected: list[str]
) -> None:
    units = {"5": scored("It costs 5.", 0), "Aside": scored("Aside", 2), "7": scored("So: it costs 7.", 1)}
    conflict = a_conflict((1, "it costs 7."), (0, "It costs 5."))
    ordered = with_both_sides([units[each] for each in chosen], list(units.values()), [conflict])
    assert ordered == [units[each] for each in expected]


def test_a_side_that_is_no_unit_is_not_quoted() -> None:
    units = [scored("It costs 5.", 0)]
    assert with_both_sides(units, units, [a_conflict((1, "It costs 7."), (0, "It costs 5."))]) == units


def test_what_is_replaced_stands_last() -> None:
    passages = [a_passage("", document) for document in ("old", "new", "other")]
    old, new, other = scored("5", 0), scored("7", 1), scored("9", 2)
    assert replaced_last([old, other, new], passages, [("new", "old")]) == [other, new, old]
    assert replaced_last([old, other], passages, [("new", "old")]) == [old, other], "what replaces it is not quoted"


def test_a_year_of_the_question_tells_which_documents_count() -> None:
    passages = [a_passage("Valid from 2023", "old"), a_passage("Valid from 2026", "new")]
    old, new = scored("5", 0), scored("7", 1)
    assert of_the_year("What was the limit in 2023?", [new, old], passages) == [old]
    assert of_the_year("What was the limit in 2019?", [new, old], passages) == [new, old]
    assert of_the_year("What was the limit?", [new, old], passages) == [new, old]
    assert of_the_year("What was the limit before April 2026?", [new, old], passages) == [new, old]


def test_in_the_place_of_what_no_longer_counts_stands_what_does() -> None:
    passages = [a_passage("", "old"), a_passage("", "new"), a_passage("", "other")]
    old, new, aside = scored("It costs 5.", 0), scored("So: it costs 7.", 1), scored("Aside", 2)
    conflict = a_conflict((1, "it costs 7."), (0, "It costs 5."))
    assert what_counts([old, aside], [old, new, aside], [conflict], passages, []) == [new, aside]
    assert what_counts([aside, new, old], [old, new, aside], [conflict], passages, []) == [aside, new]


def test_what_is_replaced_is_left_out_beside_what_replaces_it() -> None:
    passages = [a_passage("", "old"), a_passage("", "new")]
    old, new = scored("5", 0), scored("7", 1)
    assert what_counts([old, new], [old, new], [], passages, [("new", "old")]) == [new]
    assert what_counts([old], [old, new], [], passages, [("new", "old")]) == [new], "nearly as good: in its place"
    poor = scored("8", 1, score=0.5)
    assert what_counts([old], [old, poor], [], passages, [("new", "old")]) == [old]


def test_who_is_asked_for_is_named_where_something_good_enough_names_somebody() -> None:
    best, named, poor = scored("Costs rise."), scored("Costs: Ada (clerk)", score=0.9), scored("Bob (cook)", score=0.5)
    assert of_persons([best, named, poor], expected("Whom do I ask about costs?")) == [named]
    assert of_persons([best, poor], expected("Whom do I ask about costs?")) == [best, poor]
    assert of_persons([best, named], expected("What rises?")) == [best, named]
    assert of_persons([], expected("Who is it?")) == []


def test_what_is_much_worse_than_the_best_is_not_chosen() -> None:
    best, good, poor = scored("a", vector=(1, 0)), scored("b", score=0.86, vector=(0, 1)), scored("c", score=0.84)
    assert choose([best, good, poor], 4) == [best, good]


@pytest.mark.parametrize(
    ("one", "other", "chosen"),
    [
        ("He swims well.", "swims", 1),
        ("swims", "He swims well.", 1),
        ("He swims.", "He floats.", 1),
        ("Open at 9.", "Open at 11.", 2),
        ("It takes two weeks.", "It takes three months.", 2),
    ],
    ids=["part", "whole", "same meaning", "another number", "another number in words"],
)
def test_repeats_are_not_chosen(one: str, other: str, chosen: int) -> None:
    assert len(choose([scored(one), scored(other)], 4)) == chosen


def test_without_candidates_nothing_is_chosen() -> None:
    assert choose([], 4) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [("One.", "One. [2]"), ("Pack:\n- hat\n- towel", "Pack: [2]\n- hat\n- towel")],
)
def test_the_number_stands_behind_the_first_line(text: str, shown: str) -> None:
    assert with_citation_markers(text, 2) == shown


def test_beside_a_unit_with_what_is_asked_for_those_without_are_not_quoted() -> None:
    passages = [a_passage("")]
    wanted = expected("When does it open?")
    dated, plain = scored("It opens on Monday."), scored("It is red.")
    assert of_the_kind([plain, dated], passages, wanted) == [dated]
    assert of_the_kind([plain], passages, wanted) == [plain], "where none has it, all may tell it otherwise"


@pytest.mark.parametrize(
    ("title", "table", "price"),
    [
        ("Price list 2026", "| Ticket | Adults |\n|---|---|\n| Towel | 3.00 |", "3.00"),
        ("Shop", "| Ware | Preis |\n|---|---|\n| Handtuch | 1.250,00 |", "1.250,00"),
        ("Temperatures", "| Pool | Now |\n|---|---|\n| Teaching pool | 31.50 |", ""),
        ("Price list 2026", "| Ticket | Until |\n|---|---|\n| Evening | 17:30 |", ""),
    ],
)
def test_amounts_of_a_table_of_prices_are_prices(title: str, table: str, price: str) -> None:
    passage = replace(a_passage(table), title=title)
    measure = Retrieved((), {"towel": 1.0})
    (row,) = [each for each in quotable_units([passage], measure) if each.form == "row"]
    assert price_of(row, passage) == price
    aside, valued = scored("The towel is red."), ScoredUnit(row, 1.0, np.array((1, 0), dtype=np.float32))
    kept = of_the_kind([aside, valued], [passage], expected("What is the price of a towel?"))
    assert kept == ([valued] if price else [aside, valued])


LEAVE = (
    "Leave is entered in the tool.\n\n| Office | Days per year | Holidays |\n|---|---|---|\n| Cork | 26 | Ireland |\n"
    "| Leipzig | 30 | Saxony |\n| Fukuoka | 20 | Japan |\n\nMost take all of it."
)
WHOLE = (
    "- Cork – Days per year: 26; Holidays: Ireland\n- Leipzig – Days per year: 30; Holidays: Saxony\n"
    "- Fukuoka – Days per year: 20; Holidays: Japan"
)


def quoted_rows(question: str, text: str, *first_cells: str) -> list[str]:
    """What is shown where the rows with these first cells were chosen."""
    passages = [a_passage(text)]
    measure = Retrieved((), dict.fromkeys(Analyzer().tokens(question), 1.0))
    rows = {each.text.split("|")[1].strip(): each for each in quotable_units(passages, measure) if each.form == "row"}
    chosen = [rows[cell] for cell in first_cells]
    return [each.words for each in with_whole_tables(chosen, passages, measure, expected(question))]


@pytest.mark.parametrize(
    ("question", "chosen", "shown"),
    [
        ("How many days of leave do I get?", ["Fukuoka"], [WHOLE]),
        ("How many days of leave do I get?", ["Fukuoka", "Cork"], [WHOLE]),
        ("How many days of leave do I get in Leipzig?", ["Leipzig"], ["Leipzig – Days per year: 30; Holidays: Saxony"]),
        ("Who gets the holidays of Japan?", ["Fukuoka"], ["Fukuoka – Days per year: 20; Holidays: Japan"]),
        ("How many days do I get in Leipzig?", ["Cork"], [WHOLE]),
    ],
)
def test_a_row_that_the_question_does_not_tell_from_others_comes_with_these(
    question: str, chosen: list[str], shown: list[str]
) -> None:
    assert quoted_rows(question, LEAVE, *chosen) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Days.\n\n| Office | Days |\n|---|---|\n"
        + "\n".join(f"| Office {n} | {n + 20} |" for n in range(80))
        + "\n\nEnd.",
        # parts of a table that passages were cut in: at its beginning, in the middle, at its end
        "Days.\n\n| Office | Days |\n|---|---|\n| Office 3 | 23 |\n"
        + "\n".join(f"| Hut {n} | {n} |" for n in range(60)),
        "| Office | Days |\n|---|---|\n| Office 3 | 23 |\n| Office 4 | 24 |",
        "Days.\n\n| Office | Days |\n|---|---|\n| Office 3 | 23 |\n| Office 4 | 24 |",
        "| Office | Days |\n|---|---|\n| Office 3 | 23 |\n| Office 4 | 24 |\n\nEnd.",
        # two tables without a line between them
        "Days.\n\n| Office | Days |\n|---|---|\n| Office 3 | 23 |\n| Grade | Pay |\n|---|---|\n| a | 1 |\n\nEnd.",
    ],
)
def test_a_table_that_is_too_long_or_may_not_be_whole_is_not_quoted_whole(text: str) -> None:
    assert quoted_rows("How much leave do I get?", text, "Office 3") == ["Office 3: 23"]


def test_rows_that_are_the_same_are_all_quoted() -> None:
    text = "Days.\n\n| Office | Days |\n| Cork | 26 |\n| Rome | 27 |\n| Cork | 26 |\n\nEnd."
    assert quoted_rows("How much leave do I get?", text, "Rome") == ["- Cork: 26\n- Rome: 27\n- Cork: 26"]


def test_a_row_in_whose_range_the_amount_lies_stands_alone() -> None:
    table = "| Order in euros | Who approves |\n|---|---|\n| up to 5,000 | team head |\n| above 5,000 | finance |"
    assert quoted_rows("Who approves an order of 7,000 euros?", table, "above 5,000") == ["above 5,000: finance"]


def test_several_items_of_a_list_become_the_list() -> None:
    text = "Be there at nine.\n\n- Fetch the laptop.\n- Sign the papers.\n- Meet the team."
    units = quotable_units([a_passage(text)], Retrieved(()))
    every = [ScoredUnit(unit, 1.0, np.zeros(1, np.float32)) for unit in units]
    items = [each for each in every if each.unit.text.startswith("-") and each.unit.form == "sentence"]
    (whole,) = [each for each in every if each.unit.form == "list"]
    first = next(each for each in every if each.unit.text == "Be there at nine.")
    assert [each.unit.text for each in items] == ["- Fetch the laptop.", "- Sign the papers.", "- Meet the team."]
    assert with_whole_lists([items[2], first, items[0]], every) == [whole, first]
    assert with_whole_lists([items[2], first], every) == [items[2], first], "one alone is asked for"
    elsewhere = [replace(each, unit=replace(each.unit, passage=1)) for each in items[:2]]
    assert with_whole_lists(elsewhere, every) == elsewhere, "a list of another passage"


HOURS = (
    "Ask at the desk.\n\n| Day | Baths |\n|---|---|\n| Monday to Friday | 9:00–21:00 |\n"
    "| Sunday | 9:00–17:00, open air |\n\nWhen a holiday falls on a Monday, the baths open from 8:00 to 18:00."
)
WEEK = "- Monday to Friday: 9:00–21:00\n- Sunday: 9:00–17:00, open air"


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("When are the baths open?", [WEEK]),
        ("Opening hours of the baths", [WEEK]),
        ("When are the baths open on Sundays?", ["Sunday: 9:00–17:00, open air"]),
    ],
)
def test_who_asks_when_something_is_open_is_told_the_whole_week(question: str, shown: list[str]) -> None:
    assert quoted_rows(question, HOURS, "Sunday") == shown


def test_a_row_of_a_table_that_is_quoted_whole_is_not_quoted_once_more() -> None:
    assert quoted_rows("When are the baths open?", HOURS, "Monday to Friday", "Sunday") == [WEEK]


async def test_the_hours_of_the_week_come_before_the_exceptions() -> None:
    units, _ = await score_units(
        HashEmbedder(),
        Retrieved((), {"bath": 1.0, "open": 1.0}),
        [a_passage(HOURS)],
        expected("When are the baths open?"),
    )
    assert units[0].unit.form != "sentence"


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Are dogs allowed on the beach?", "No animals are admitted. On Sundays dogs may swim."),
        ("When may dogs swim?", "On Sundays dogs may swim."),
    ],
)
def test_for_yes_or_no_the_item_of_a_list_is_quoted_whole(question: str, shown: str) -> None:
    """Its last sentence may be the exception."""
    passage = a_passage("Rules:\n\n- No animals are admitted. On Sundays dogs may swim.\n- No glass is allowed.")
    unit = next(each for each in quotable_units([passage], Retrieved(())) if each.text.startswith("On Sundays"))
    assert with_context(unit, passage, expected(question)) == shown
