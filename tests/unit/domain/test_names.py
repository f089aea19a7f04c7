"""Names and what a text refers to."""

import pytest

from domain.text.name_candidates import SURE, name_candidates
from domain.text.name_forms import normalised, without_brackets
from domain.text_references import references_in


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("The Acme Corp.", "acme"),
        ("Scott Derrickson's", "scott derrickson"),
        ("U.S.A.", "usa"),
        ("AT&T", "at&t"),
        ("Müller GmbH", "muller"),
        ("O’Neill", "oneill"),
        ("Customer  Data-Platform", "customer data platform"),
        ("the company", "company"),
        ("…", ""),
    ],
)
def test_one_form(name: str, plain: str) -> None:
    assert normalised(name) == plain


def test_brackets_at_the_end_of_a_title() -> None:
    assert without_brackets("Ed Wood (film)") == "Ed Wood"
    assert without_brackets("Ed Wood") == without_brackets("(film)") == ""


def sure(text: str) -> set[str]:
    return {each.surface for each in name_candidates(text) if each.confidence >= SURE}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Were Scott Derrickson and Ed Wood born there?", {"Scott Derrickson", "Ed Wood"}),
        (
            "the Department of Health and Human Services",
            {"Department of Health and Human Services", "Department of Health", "Human Services"},
        ),
        ("then Microsoft bought GitHub in 2018 for 7.5 billion", {"Microsoft", "GitHub"}),
        ("then it runs on PostgreSQL 14 in Leipzig", {"PostgreSQL 14", "Leipzig"}),
        ("Foghorn is our pager.", {"Foghorn"}),
        ("Maeve and Tomasz founded Tidewell.", {"Maeve", "Tomasz", "Tidewell"}),
        ("Monitoring shows it. Engineers need it.", set()),
        ("He came to the United States of America.", {"United States of America", "United States"}),
        ("Engineers wait. Then engineers use Kafka.", {"Kafka"}),
        ("The Checkout Service's owner left.", {"Checkout Service"}),
        ("with Ann B. Davis there", {"Ann B. Davis", "B. Davis"}),
        ("ask about KB_AGENT_MODE or dataLoader", {"KB_AGENT_MODE", "dataLoader"}),
        ("STOP DOING THIS NOW", set()),
        ("In March 2026 on Monday", set()),
        ("see the release approval process", {"release approval process"}),
        ('It is called "Kiss and Tell" there', {"Kiss and Tell"}),
        ("in Austin, Texas today", {"Austin, Texas", "Austin", "Texas"}),
        ("読んだ『夏の本』です", {"夏の本"}),
    ],
)
def test_candidates(text: str, names: set[str]) -> None:
    assert sure(text) == names


def test_a_lone_word_that_opens_a_sentence_is_unsure() -> None:
    assert {each.surface: each.confidence < SURE for each in name_candidates("Kafka runs.")} == {"Kafka": True}


def test_places_are_those_of_the_text() -> None:
    text = "Tim Burton made Big Fish, says `bf_core` of Fox Films."
    assert all(text[each.start : each.end] == each.surface for each in name_candidates(text))


def test_references() -> None:
    text = "PAY-12 (https://a.example/b.) by x.y@z.example in docs/run.md, [~accountid:7:a]; not UTF-8, v1.PAY-3"
    assert [each.key for each in references_in(text)] == [
        "issue:PAY-12",
        "page:a.example/b",
        "person:x.y@z.example",
        "file:run.md",
        "person:7:a",
    ]
