from datetime import UTC, datetime

import pytest

from agent.checking.conflicts import Conflict, find_conflicts
from domain.knowledge_graph import Precedence
from domain.search import Passage
from tests.fakes.agent import a_passage

OLD, NEW = datetime(2024, 2, 1, tzinfo=UTC), datetime(2026, 1, 12, tzinfo=UTC)
ASKED = "How high is the daily meal allowance on business trips?"
LOW = "The daily meal allowance on business trips is €45 for a full day."
HIGH = "The daily meal allowance on business trips is €58 for a full day."


def a_page(text: str, document: str, dated: datetime | None = None, title: str = "") -> Passage:
    return a_passage(text, document, title=title or document.title(), dated=dated)


def sides(found: list[Conflict]) -> list[tuple[int, int, str]]:
    return [(each.first, each.second, each.reason) for each in found]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (OLD, NEW, [(1, 0, "is newer than")]),
        (NEW, OLD, [(0, 1, "is newer than")]),
        (None, NEW, [(0, 1, "")]),
        (None, None, [(0, 1, "")]),
        (NEW, NEW, [(0, 1, "")]),
    ],
)
def test_the_newer_document_counts_where_both_have_a_date(
    low: datetime | None, high: datetime | None, expected: list[tuple[int, int, str]]
) -> None:
    assert sides(find_conflicts([a_page(LOW, "low", low), a_page(HIGH, "high", high)], ASKED)) == expected


def test_what_a_document_says_of_itself_counts_before_dates() -> None:
    pages = [a_page(LOW, "low", NEW), a_page(HIGH, "high", OLD)]
    assert sides(find_conflicts(pages, ASKED, {("high", "low"): "replaces"})) == [(1, 0, "replaces")]
    both: dict[tuple[str, str], Precedence] = {("high", "low"): "replaces", ("low", "high"): "replaces"}
    assert sides(find_conflicts(pages, ASKED, both)) == [(0, 1, "is newer than")], "they say the contrary of each other"


@pytest.mark.parametrize(
    ("one", "other", "asked"),
    [
        (LOW, HIGH, ASKED),
        (
            "| Hotel, normal | up to €175 per night |",
            "- Hotels are reimbursed up to €140 per night.",
            "Hotel per night?",
        ),
        ("Visitors must sign in at reception.", "Visitors need not sign in at reception.", "Must visitors sign in?"),
        ("Voice calls are recorded for training.", "Voice calls are not recorded for training.", "Are calls recorded?"),
        (
            "Core hours are 10:00 to 15:00 in Cork.",
            "Core hours are 09:30 to 16:00 in Cork.",
            "What are the core hours?",
        ),
        ("Das Tagegeld beträgt 58 Euro am Tag.", "Das Tagegeld beträgt 45 Euro am Tag.", "Wie hoch ist das Tagegeld?"),
        (
            "Claims are due within two weeks of a trip.",
            "Claims are due within 30 days of a trip.",
            "When are claims due?",
        ),
        (
            "The lease of the garage ends on 3 May.",
            "The lease of the garage ends on 9 June.",
            "When does the lease end?",
        ),
    ],
    ids=["money", "a row", "a duty", "a denial", "times", "German", "other units", "days"],
)  # fmt: skip - a case a line
def test_another_value_a_denial_and_another_duty_are_conflicts(one: str, other: str, asked: str) -> None:
    assert sides(find_conflicts([a_page(one, "one", NEW), a_page(other, "other", OLD)], asked)) == [
        (0, 1, "is newer than")
    ]


@pytest.mark.parametrize(
    ("one", "other", "asked"),
    [
        (LOW, LOW, ASKED),
        (
            "Claims are due within two weeks of a trip.",
            "Claims are due within 14 days of a trip.",
            "When are claims due?",
        ),
        ("Passwords have at least 12 characters.", "His passwords have 16 characters.", "How long are passwords?"),
        (LOW, "Buses leave at 9 from the gate, €45 a day.", ASKED),
        (LOW, HIGH, "Who approves flights?"),
        (
            "Platform on-call is shared by eight engineers.",
            "Firmware on-call is shared by five engineers.",
            "Who shares on-call?",
        ),
        (
            "The outage of 3 May took 40 minutes.",
            "The outage of 9 June took 25 minutes.",
            "How long did the outage take?",
        ),
        ("The lift carries about 8 people.", "The lift carries 9 people.", "How many people does the lift carry?"),
        (
            "1. Open the settings of the meal app.",
            "4. Open the settings of the meal app.",
            "How do I open the settings?",
        ),
        (
            "It applies to all except travel costs.",
            "See there for all that is not travel costs.",
            "What applies to travel?",
        ),
        (
            "| Meal | Allowance |\n|---|---|\n| Lunch | €9 |",
            "| Meal | Paid |\n|---|---|\n| Dinner | €12 |",
            "Which meal is paid?",
        ),
    ],
    ids=[
        "the same",
        "other units",
        "at least",
        "another subject",
        "not asked for",
        "other names",
        "two events",
        "about",
        "steps of lists",
        "except",
        "names of columns",
    ],
)  # fmt: skip - a case a line
def test_what_is_no_conflict(one: str, other: str, asked: str) -> None:
    assert find_conflicts([a_page(one, "one", NEW), a_page(other, "other", OLD)], asked) == []


@pytest.mark.parametrize(
    ("titles", "conflict"),
    [
        (("Session 1", "Session 2"), False),
        (("Medical leave policy", "Parental leave policy"), False),
        (("Leave policy", "Leave policy (2024)"), True),
        (("Hub 2026.3", "Hub 2026.2"), True),
        (("Leave policy", "Questions and answers"), True),
    ],
)
def test_documents_of_one_kind_about_different_things_do_not_conflict(titles: tuple[str, str], conflict: bool) -> None:
    texts = ("The questions of a round are open for 15 minutes.", "The questions of a round are open for 20 minutes.")
    pages = [a_page(text, title, title=title) for text, title in zip(texts, titles, strict=True)]
    assert bool(find_conflicts(pages, "How long are the questions open?")) is conflict


def test_numbers_of_a_title_say_which_thing_it_is() -> None:
    texts = [f"{key} blocks the release and took 3 days." for key in ("PAY-35", "PAY-27")]
    pages = [a_page(text, text[:6], title=f"{text[:6]}: A story") for text in texts]
    assert find_conflicts(pages, "Which tickets block the release?") == []


def test_of_two_documents_the_sentences_that_hold_most_of_the_question_are_told() -> None:
    pages = [
        a_page(f"The allowance on trips at night is €9. {HIGH}", "new", NEW),
        a_page(f"{LOW} The allowance on trips at night is €5.", "old", OLD),
    ]
    (found,) = find_conflicts(pages, ASKED)
    assert (found.first_sentence.strip(), found.second_sentence.strip()) == (HIGH, LOW)


def test_where_a_document_replaces_another_both_need_only_answer_the_question() -> None:
    row, sentence = "| Deadline for claims | 30 days |", "Claims are handed in within 60 days of a trip."
    pages = [a_page(row, "new", title="Expenses"), a_page(sentence, "old", title="Expenses, 2024")]
    asked = "What is the deadline for handing in expense claims?"
    assert find_conflicts(pages, asked) == []
    assert sides(find_conflicts(pages, asked, {("new", "old"): "replaces"})) == [(0, 1, "replaces")]


def test_one_document_does_not_contradict_itself() -> None:
    assert find_conflicts([a_page(LOW, "one"), a_page(HIGH, "one")], ASKED) == []


def test_what_both_documents_say_is_no_difference() -> None:
    """A new version has all that the old one says, and something of its own for others."""
    severe = "Employees with a severe disability get 5 more days of leave."
    pages = [
        a_page(f"Employees who work in shifts get 2 more days of leave. {severe}", "new", NEW),
        a_page(severe, "old", OLD),
    ]
    asked = "How many more days of leave do employees with a severe disability get?"
    assert find_conflicts(pages, asked, {("new", "old"): "replaces"}) == []
