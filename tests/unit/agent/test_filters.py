"""What in a question narrows the search, and what only looks like it."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.questions.filters import possible_names, take_filters
from domain.search import Filters

TICK = timedelta(microseconds=1)


def day(year: int, month: int = 1, number: int = 1) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "rest", "filters"),
    [
        ("Where is #onboarding held?", "Where is held?", Filters(labels=("onboarding",))),
        ('leave label:"two words" now', "leave now", Filters(labels=("two words",))),
        ("leave LABEL:a label:b", "leave", Filters(labels=("a", "b"))),
        ("space: HR holidays", "holidays", Filters(spaces=("HR",))),
        ("holidays project:OPS, source:wiki", "holidays", Filters(sources=("wiki",), spaces=("OPS",))),
        ("#café menu", "menu", Filters(labels=("café",))),
        ('in the document "Leave policy" how many days?', "how many days?", Filters(titles=("Leave policy",))),
        ("how many days in document leave.md?", "how many days?", Filters(titles=("leave.md",))),
        ("how many days in the page “Ada's notes”?", "how many days?", Filters(titles=("Ada's notes",))),
        ("how many days in the file 'Ada's notes'?", "how many days?", Filters(titles=("Ada's notes",))),
        ("leave since:2024-02-29", "leave", Filters(since=day(2024, 2, 29))),
        ("leave after:2024-02-29", "leave", Filters(since=day(2024, 3, 1))),
        ("leave until:2024-02-29", "leave", Filters(until=day(2024, 3, 1) - TICK)),
        ("leave before:2024-02-29", "leave", Filters(until=day(2024, 2, 29) - TICK)),
        ("leave since:2024", "leave", Filters(since=day(2024))),
        ("leave until:2024", "leave", Filters(until=day(2025) - TICK)),
        ("policies updated after December 2023", "policies", Filters(since=day(2024))),
        ("policies published before march 2024", "policies", Filters(until=day(2024, 3) - TICK)),
        ("policies updated since 1 December 2023", "policies", Filters(since=day(2023, 12, 1))),
        ("policies updated in March 2024", "policies", Filters(since=day(2024, 3), until=day(2024, 4) - TICK)),
        ("policies written or last changed since 2024-01-15", "policies", Filters(since=day(2024, 1, 15))),
        ("policies last updated in March 2024", "policies", Filters(since=day(2024, 3), until=day(2024, 4) - TICK)),
        ("policies updated in März 2024", "policies", Filters(since=day(2024, 3), until=day(2024, 4) - TICK)),
        ("policies changed since 2024-01-15?", "policies?", Filters(since=day(2024, 1, 15))),
    ],
)
def test_filters_are_taken_out_of_the_text(text: str, rest: str, filters: Filters) -> None:
    found = take_filters(text)
    assert (found.text, found.filters) == (rest, filters)
    assert found.dropped
    assert all(fragment in text for fragment in found.dropped)


@pytest.mark.parametrize(
    ("said", "filters"),
    [
        ("since September", Filters(since=day(2025, 9))),
        ("since 1st November", Filters(since=day(2025, 11))),
        ("since December", Filters(since=day(2024, 12))),
        ("in November", Filters(since=day(2025, 11), until=day(2025, 12) - TICK)),
        ("since September 2023", Filters(since=day(2023, 9))),
    ],
)
def test_a_month_without_a_year_is_the_last_one_that_has_begun(said: str, filters: Filters) -> None:
    text = f"pages changed {said}?"
    assert take_filters(text, today=day(2025, 11, 25)).filters == filters
    assert take_filters(f"What changed {said}?", today=day(2025, 11, 25)).filters == filters
    if not said.endswith("2023"):
        assert take_filters(text).filters == Filters(), "nobody says which day it is"


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("Which files were edited yesterday?", day(2025, 11, 24), day(2025, 11, 25)),
        ("pages changed today", day(2025, 11, 25), day(2025, 11, 26)),
        ("Which guides were updated last week?", day(2025, 11, 17), day(2025, 11, 24)),
        ("Which guides were updated this week?", day(2025, 11, 24), day(2025, 11, 26)),
        ("What has changed in the last week?", day(2025, 11, 19), day(2025, 11, 26)),
        ("What changed last month?", day(2025, 10), day(2025, 11)),
        ("pages published this quarter", day(2025, 10), day(2025, 11, 26)),
        ("pages published last quarter", day(2025, 7), day(2025, 10)),
        ("articles written last year", day(2024), day(2025)),
        ("articles modified within the past 3 weeks", day(2025, 11, 5), day(2025, 11, 26)),
        ("Which pages were updated since last month?", day(2025, 10), None),
        ("Welche Seiten wurden letzte Woche bearbeitet?", day(2025, 11, 17), day(2025, 11, 24)),
        ("Was wurde gestern geändert?", day(2025, 11, 24), day(2025, 11, 25)),
        ("Welche Dokumente wurden in den letzten 10 Tagen angelegt?", day(2025, 11, 16), day(2025, 11, 26)),
        ("Was hat sich seit Oktober geändert?", day(2025, 10), None),
        ("Welche Seiten wurden im Mai 2025 aktualisiert?", day(2025, 5), day(2025, 6)),
    ],
)
def test_days_are_named_as_they_lie_from_today_on(text: str, since: datetime, until: datetime | None) -> None:
    found = take_filters(text, today=day(2025, 11, 25) + timedelta(hours=9))
    assert found.filters == Filters(since=since, until=until - TICK if until else None)


@pytest.mark.parametrize(
    "text",
    [
        "What was decided last week?",
        "Which prices were changed last year?",
        "Was wurde gestern beschlossen?",
        "Who was on call last week?",
        "Wer hat die Preise gestern geändert?",
    ],
)
def test_other_things_than_documents_have_no_date_of_change(text: str) -> None:
    assert take_filters(text, today=day(2025, 11, 25)).filters == Filters()


@pytest.mark.parametrize(
    "text",
    [
        "What does #123 mean?",
        "Is C# used here?",
        "What is at https://x.example/a#part of it?",
        "a#b and &#39;x",
        "# heading",
        "What happened before: the fire",
        "leave until:2024-06",
        "policy updated since 2023-02-30",
        "What was decided before March 2024?",
        "http://x.example/label:x",
        "until:9999",
    ],
)
def test_what_is_no_filter_stays_in_the_text(text: str) -> None:
    found = take_filters(text)
    assert (found.text, found.filters, found.dropped) == (text, Filters(), ())


def test_filters_alone_are_the_question_too() -> None:
    found = take_filters("label:leave")
    assert (found.text, found.filters) == ("label:leave", Filters(labels=("leave",)))


def test_two_dates_bound_a_period() -> None:
    found = take_filters("leave since:2024-01-01 before:2024-07-01")
    assert found.filters == Filters(since=day(2024), until=day(2024, 7) - TICK)


@pytest.mark.parametrize(
    "text",
    ["Name" + "_" * 4_000, "#" * 4_000, "#a-" * 1_300, "in the document " * 250, "in page '" * 400, "label:" * 600],
)
def test_hostile_text_comes_to_an_end(text: str) -> None:
    assert take_filters(text).text
    assert take_filters(text, possible_names(text)).text


EXPENSE = Filters(titles=("Expense Policy", "expense policy", "Travel Policy", "travel policy", "Handbook"))


@pytest.mark.parametrize(
    ("text", "rest", "titles"),
    [
        ("How much in the document Expense Policy?", "How much?", ("Expense Policy",)),
        ("How much per day in document expense policy?", "How much per day?", ("expense policy",)),
        ("In the document Handbook, how many days?", "how many days?", ("Handbook",)),
        ("In the page Expense Policy how many days off?", "how many days off?", ("Expense Policy",)),
        (
            "How much in document expense policy and in document travel policy is paid?",
            "How much is paid?",
            ("expense policy", "travel policy"),
        ),
        (
            'How much in the document "Expense Policy", in the document Travel Policy?',
            "How much?",
            ("Expense Policy", "Travel Policy"),
        ),
    ],
)
def test_titles_that_are_there_need_no_quotes(text: str, rest: str, titles: tuple[str, ...]) -> None:
    found = take_filters(text, EXPENSE)
    assert (found.text, found.filters, found.unknown) == (rest, Filters(titles=titles), ())
    assert set(titles) <= set(possible_names(text).titles)


@pytest.mark.parametrize(
    ("text", "rest", "unknown"),
    [
        ("Where is the #onboarding session held?", "Where is the session held?", ('label "onboarding"',)),
        ("holidays project:OPS, source:wiki", "holidays", ('space "OPS"', 'source "wiki"')),
        ('How much in document "Leave policy"?', "How much?", ('document "Leave policy"',)),
        (
            "How much in the document Leave Policy of 2020 is it?",
            "How much of 2020 is it?",
            ('document "Leave Policy"',),
        ),
        ("leave #new #old since:2024", "leave", ('label "new"', 'label "old"')),
    ],
)
def test_names_that_nothing_bears_are_no_words_to_search_for(text: str, rest: str, unknown: tuple[str, ...]) -> None:
    found = take_filters(text, Filters())
    assert (found.text, found.unknown, found.words) == (rest, unknown, ())
    assert not found.filters.names["labels"]


@pytest.mark.parametrize(
    "text",
    [
        "What is stored in the file system of the server?",
        "What is in the document that Anna wrote?",
        "What did Anna write in page 7?",
        "What is said in document system design?",
    ],
)
def test_what_may_be_no_name_stays_among_the_words(text: str) -> None:
    found = take_filters(text, Filters(titles=("System", "system")))
    assert (found.text, found.filters, found.dropped, found.unknown) == (text, Filters(), (), ())


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Which pages are labelled zoo?", "Which pages are?"),
        ("Which pages are tagged with zoo?", "Which pages are?"),
        ('Which pages with the label "zoo" speak of seals?', "Which pages speak of seals?"),
        ("Welche Seiten mit dem Label zoo gibt es?", "Welche Seiten gibt es?"),
        ("Which pages have the zoo label on them?", "Which pages?"),
        ("Pages with the zoo tag, please", "Pages, please"),
        ("Which pages have the label zoo?", "Which pages?"),
        ("Which pages carry the label zoo?", "Which pages?"),
        ("Which of our runbooks bear the tag zoo?", "Which of our runbooks?"),
        ("Pages that are tagged zoo", "Pages that are"),
        ("Who tagged the release?", "Who tagged the release?"),
        ("Which documents are not tagged zoo?", "Which documents are not tagged zoo?"),
        ("Which pages do not have the zoo label?", "Which pages do not have the zoo label?"),
        ("Which pages are tagged zoo or sea?", "Which pages are tagged zoo or sea?"),
        ("Must documents with the label zoo be encrypted?", "Must documents with the label zoo be encrypted?"),
        ("Who can read documents labelled zoo?", "Who can read documents labelled zoo?"),
        ("How long are emails tagged zoo kept?", "How long are emails tagged zoo kept?"),
        ("Which valves have a label?", "Which valves have a label?"),
    ],
)
def test_a_label_may_be_named_in_words_where_there_is_such_a_label(text: str, rest: str) -> None:
    found = take_filters(text, Filters(labels=("zoo",)))
    assert (found.text, found.filters.labels) == (rest, ("zoo",) if rest != text else ())
    assert take_filters(text, Filters()).text == text


def test_names_that_nothing_bears_are_searched_for_where_nothing_else_is_asked() -> None:
    found = take_filters('#old in document "Handbook"', Filters())
    assert (found.text, found.unknown) == ('#old in document "Handbook"', ())
    assert found.words == ('label "old"', 'document "Handbook"')


@pytest.mark.parametrize(
    ("text", "rest", "titles"),
    [
        ("How many days in document handbook?", "How many days?", ("handbook",)),
        ("In document handbook, how many days?", "how many days?", ("handbook",)),
        ("How many days in the page called handbook", "How many days", ("handbook",)),
        ("How many days in document handbook and in document leave", "How many days", ("handbook", "leave")),
    ],
)
def test_a_title_may_be_one_small_word_where_it_can_be_nothing_else(
    text: str, rest: str, titles: tuple[str, ...]
) -> None:
    assert set(titles) <= set(possible_names(text).titles)
    found = take_filters(text, Filters(titles=titles))
    assert (found.text, found.filters) == (rest, Filters(titles=titles))


def test_names_to_be_looked_up_are_few_however_many_stand_in_a_question() -> None:
    text = " ".join(f'#l{n} space:s{n} in document "d{n}"' for n in range(100))
    assert all(len(names) <= 8 for names in possible_names(text).names.values())


@given(st.text(alphabet="in the documentpage\"“’' #:label,Ab.-\n", max_size=200))
def test_a_question_keeps_its_words(text: str) -> None:
    """Nothing of a question goes but what narrows it, whoever knows the names."""
    for known in (None, Filters(), possible_names(text)):
        found = take_filters(text, known)
        words = "".join(text.split())
        for fragment in found.dropped:
            assert "".join(fragment.split()) in words
        if not found.dropped:
            assert not found.filters
