"""What an answer has to hold, by the words of the question."""

import pytest

from agent.questions.expected import expected, with_small_names
from agent.questions.patterns import about_the_past
from domain.text.codes import code_keys


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("What does the valve cost?", "It costs €58.", "It has 58 parts."),
        ("Was kostet eine Führung?", "Preis: 110 £ je Gruppe", "Mindestzahl: 10"),
        ("How much does the plan cost per month?", "12 euros a month", "12 sensors a month"),
        ("What is Ada's phone number?", "+353 21 555 0100", "2026-06-10"),
        ("What is the phone number of the CTO?", "CTO – Name: Ada; Phone: 4471", "Name: Ada; Room: 4471"),
        ("What is her extension number?", "Ada Berg (ext. 221)", "Ada Berg (221)"),
        ("When is the canteen open?", "8 am to 3 pm", "8 rooms"),
        ("Wann öffnet das Bad?", "sonntags geschlossen", "8 Bahnen"),
        ("Who approves travel?", "Travel is approved by the team lead.", "Travel is in the budget."),
        ("What is the IP address of db-2?", "10.0.0.12", "version 10.0.1"),
        ("What is the mail address of the desk?", "desk@example.com", "ask the desk"),
        ("How long is the probation period?", "six months", "version 6 of the policy"),
        ("Which version of Python do we use?", "Python 3 is installed.", "The newest one."),
        ("How fast is a page acknowledged?", "within 5 minutes", "by the engineer"),
        ("How often are backups made?", "every night", "by the database team"),
        ("When is the walrus fed?", "at noon", "by Ada"),
        ("Wann wird das Walross gefüttert?", "um 12:30", "von Ada"),
        ("Which port does courier listen on?", "Port: 7030", "It listens to the broker"),
        ("How many days of vacation are there?", "thirty days", "many days"),
        ("By when must the days be taken?", "They must be taken by 31 May.", "Up to 7 days are carried over."),
        ("Bis wann muss ich das einreichen?", "Spätestens am Monatsende.", "Es sind 14 Tage."),
        ("Why was it rejected?", "because it was slow", "in March"),
        ("When is the price raised?", "on 1 March", "It costs €58."),
        ("Who approves what it will cost?", "Approved by Ada", "It costs €58."),
        ("How large may a message be?", "at most 2,048 bytes", "This page explains messages."),
        ("When did the office close?", "in March 2024", "Room: 30; Days per year: 28"),
    ],
)
def test_values_are_told_by_their_form(question: str, holds: str, lacks: str) -> None:
    assert expected(question).holds_value(holds)
    assert not expected(question).holds_value(lacks)


@pytest.mark.parametrize(
    ("question", "strict"),
    [
        ("How large may a message be?", True),
        ("When was the office closed?", True),
        ("When is the office closed?", False),
        ("How many offices are there?", False),
    ],
)
def test_without_a_value_some_questions_have_no_answer(question: str, strict: bool) -> None:
    assert expected(question).strict is strict


def test_a_condition_asks_for_no_moment() -> None:
    assert expected("What happens when nobody pays?").value is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Costs: Ada (clerk)", True),
        ("hub – Owner: Ada Smith", True),
        ("Owner: the desk", False),
        ("The Hub is a service.", False),
        ("It was rejected (see above)", False),
    ],
)
def test_somebody_is_named_with_what_they_are_or_do(text: str, names: bool) -> None:
    assert expected("Whom do I ask about costs?").names_somebody(text) is names
    assert not expected("What are the costs?").names_somebody(text)


@pytest.mark.parametrize(
    ("text", "counts"),
    [("There are two on-call rotations.", True), ("The rotations are two.", False), ("2 rota", False)],
)
def test_a_number_of_what_is_counted_is_known(text: str, counts: bool) -> None:
    count = expected("How many rotations are there?").count
    assert count
    assert (count.search(text) is not None) is counts
    assert expected("How long is a rotation?").count is None


def test_a_ticket_of_the_project_pay_is_no_price() -> None:
    found = expected("What is the status of PAY-8?")
    assert found.value is None
    assert (found.amounts, found.codes) == ((), frozenset({"pay8"}))


def test_a_question_for_no_value_is_met_by_any_text() -> None:
    assert expected("What is Lagoon?").holds_value("The warehouse.")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("How does pagination work in API v3?", {"v3"}),
        ("What is new in Hub 2027.1?", {"2027.1"}),
        ("Pair a TW-D3 sensor, see INC-240", {"twd3", "inc240"}),
        ("within 24h on the 3rd at 10 in 2026", set[str]()),
    ],
)
def test_identifiers_are_told_from_numbers(text: str, codes: set[str]) -> None:
    assert code_keys([text]) == codes


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which carrier do the LTE gateways use in Germany?", {"lte", "germany"}),
        ("Lagoon is what?", set[str]()),
        ("Does it run on Monday in March?", set[str]()),
        ("Wo ist das Büro?", set[str]()),
    ],
)
def test_names_are_words_with_a_capital_that_need_none(question: str, names: set[str]) -> None:
    assert expected(question).names == names


def test_of_a_follow_up_its_own_words_and_its_own_value_count() -> None:
    found = expected("Who owns ledger: and its port?", "and its port?")
    assert found.own == {"port"}
    assert expected("Who owns ledger: when was it released?", "when was it released?").holds_value("12 August 2026")


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("Which port does courier use?", False),
        ("Which ports are open?", True),
        ("What changed in version 3?", True),
        ("List all tier 1 services", True),
        ("Who owns the ledger?", False),
    ],
)
def test_whether_several_things_are_asked_for(question: str, *, several: bool) -> None:
    assert expected(question).wants_list == several


@pytest.mark.parametrize(
    ("question", "past"),
    [
        ("How much is the allowance?", False),
        ("How much was the allowance before?", True),
        ("What changed between version 2 and version 3?", True),
        ("What were the rules of 2024?", True),
    ],
)
def test_whether_what_was_before_is_asked_for(question: str, *, past: bool) -> None:
    assert about_the_past(question) == past


def test_days_are_no_names() -> None:
    assert expected("When does Branch North open on Wednesdays?").names == {"branch", "north"}


@pytest.mark.parametrize(
    ("question", "text", "names"),
    [
        ("when was the südbad built", "In 1974 the Südbad was built.", {"südbad"}),
        ("when is the nordbad open on tuesdays", "It is open on Tuesdays. The Nordbad has lanes.", {"nordbad"}),
        ("what does the sauna cost", "At the Sauna Hill, the sauna costs 9 euros.", set()),
        ("wann hat das südbad auf", "Heute hat das Südbad bis acht offen.", set()),
    ],
)
def test_names_in_small_letters_are_those_that_texts_write_with_a_capital(
    question: str, text: str, names: set[str]
) -> None:
    assert with_small_names(expected(question), question, text).names == names


@pytest.mark.parametrize(
    ("question", "hours"),
    [
        ("When is the library open?", True),
        ("opening hours library", True),
        ("Öffnungszeiten der Bibliothek", True),
        ("What time does the desk close?", True),
        ("When did the new office open?", False),
        ("When does a support ticket close automatically?", False),
        ("When should I close a ticket?", False),
        ("When is the library open on Sundays?", False),
        ("Opening hours on 24 December", False),
        ("When is the library open on Christmas Day?", False),
        ("When was the library built?", False),
        ("How many hours of support are there?", False),
    ],
)
def test_whether_it_is_asked_when_something_is_open(question: str, *, hours: bool) -> None:
    assert expected(question).hours == hours


def test_how_long_something_is_may_be_told_in_characters_and_furniture_is_nobody() -> None:
    long = expected("How long must a password be?")
    assert long.holds_value("At least 14 characters.")
    assert not long.holds_value("It must be changed at once.")
    assert expected("How soon must it be changed?").holds_value("It must be changed at once.")
    assert not expected("Who may not work from home?").holds_value("Chairs and desks are not provided.")
