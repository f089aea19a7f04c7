import time

import pytest

from agent.questions.standalone import Standalone, leans, standalone
from domain.answers import Turn

WALRUS, PRINTER = "Where does the old walrus live?", "Which printer needs black toner?"
BARE = WALRUS.rstrip("?")
HOTEL = "How much may a hotel cost in Berlin?"
TICKET = "Was kostet eine Tageskarte für Erwachsene?"


def whole(text: str, *earlier: str | tuple[str, str]) -> str:
    """The follow-up made whole. earlier: questions, or questions with their replies."""
    turns = [Turn(*each) if isinstance(each, tuple) else Turn(each, "A reply.") for each in earlier]
    return standalone(text, turns).text


@pytest.mark.parametrize(
    ("history", "text", "words"),
    [
        ([], "Why?", "Why?"),
        ([WALRUS], "Why?", f"{BARE}: Why?"),
        ([WALRUS], "Does it like fresh fish daily?", "Does the old walrus like fresh fish daily?"),
        (["How much does the annual pass cost?"], "how do I cancel it?", "how do I cancel the annual pass?"),
        (["do we have a sauna at the pool"], "when is it open?", "when is the sauna at the pool open?"),
        (["can my 10 year old come to the sauna"], "when is it women only?", "when is the sauna women only?"),
        (["When was Nordbad built?"], "When was it renovated?", "When was Nordbad renovated?"),
        (["what does the course cost"], "where does it take place?", "where does the course take place?"),
        (["What do beds cost?"], "How old are they?", "What do beds cost: How old are they?"),
        ([WALRUS], "What about the times when feeding is?", f"{BARE}: the times when feeding is?"),
        ([WALRUS], "How old is that?", f"{BARE}: How old is that?"),
        ([WALRUS], PRINTER, PRINTER),
        ([PRINTER, WALRUS], "Why?", f"{BARE}: Why?"),
        (
            ["What does error E-3301 mean?"],
            "ok whats the number to call then",
            "What does error E-3301 mean: ok whats the number to call then",
        ),
        (["Why?"], "And then?", "And then?"),
        (["上海办公室几点开门？"], "那北京呢？", "上海办公室几点开门: 那北京呢？"),
    ],
)
def test_a_follow_up_stands_alone_with_the_question_it_leans_on(history: list[str], text: str, words: str) -> None:
    assert whole(text, *history) == words


def test_a_chain_of_follow_ups_goes_back_to_the_question_that_stands_alone_and_no_further() -> None:
    assert whole("Why?", PRINTER, WALRUS, "How old are those?", "Why not?") == f"{BARE}: Why?"
    assert whole("Why?", PRINTER, WALRUS, "How old is it?") == "How old is the old walrus: Why?"


@pytest.mark.parametrize(
    ("history", "text", "words"),
    [
        ([HOTEL], "and in Rotterdam?", "How much may a hotel cost in Rotterdam?"),
        ([HOTEL, "and in Rotterdam?"], "What about Paris?", "How much may a hotel cost in Paris?"),
        (["Who is the CTO?"], "And the CFO?", "Who is the CFO?"),
        (["When does the pool open on weekdays?"], "and at weekends?", "When does the pool open at weekends?"),
        (["When does the pool open?"], "And on Sundays?", "When does the pool open on Sundays?"),
        (["What does a ticket for adults cost?"], "and for two dogs?", "What does a ticket for two dogs cost?"),
        (["What does a ticket cost for Utrecht?"], "and for a day?", "What does a ticket cost for Utrecht for a day?"),
        (["What does a ticket cost for Utrecht?"], "and for Delft?", "What does a ticket cost for Delft?"),
        (["What does a day ticket cost?"], "and a season ticket?", "What does a season ticket cost?"),
        (["May I swim in the lake?"], "and in the winter?", "May I swim in the lake in the winter?"),
        (["can he jump from the 10 metre tower"], "and the 5 m?", "can he jump from the 5 metre tower"),
        (["who is the cto"], "and the cfo?", "who is the cfo"),
        (["Who is the primary on-call for Skerry?"], "And the secondary?", "Who is the secondary on-call for Skerry?"),
        ([TICKET], "Und für Kinder?", "Was kostet eine Tageskarte für Kinder?"),
        ([TICKET, "Und für Kinder?"], "und die Monatskarte?", "Was kostet eine Monatskarte für Kinder?"),
        (["Wann öffnet das Hallenbad am Samstag?"], "Und sonntags?", "Wann öffnet das Hallenbad sonntags?"),
    ],
)
def test_what_a_follow_up_names_stands_where_the_question_before_named_another(
    history: list[str], text: str, words: str
) -> None:
    assert whole(text, *history) == words


@pytest.mark.parametrize(
    ("history", "text", "words"),
    [
        ([HOTEL], "no, I meant Rotterdam", "How much may a hotel cost in Rotterdam?"),
        ([HOTEL], "sorry, in Rotterdam I meant", "How much may a hotel cost in Rotterdam?"),
        ([HOTEL], "I meant in Rotterdam.", "How much may a hotel cost in Rotterdam?"),
        ([HOTEL], "No, Rotterdam!", "How much may a hotel cost in Rotterdam?"),
        ([HOTEL, "and in Paris?"], "oh sorry, I mean Rome", "How much may a hotel cost in Rome?"),
        (["Who is the CTO?"], "actually I meant the CFO", "Who is the CFO?"),
        ([TICKET], "Nein, ich meinte für Kinder", "Was kostet eine Tageskarte für Kinder?"),
        ([TICKET], "Nein, für Kinder meinte ich", "Was kostet eine Tageskarte für Kinder?"),
        ([HOTEL], "I meant: how much is a meal?", "how much is a meal"),
        ([HOTEL], "I meant how long a trip may last", "how long a trip may last"),
        ([HOTEL], "no thanks", "no thanks"),
        ([HOTEL], "What do I mean?", "What do I mean?"),
        ([], "I meant Rotterdam", "I meant Rotterdam"),
    ],
)
def test_a_correction_stands_where_the_question_before_named_another(history: list[str], text: str, words: str) -> None:
    assert whole(text, *history) == words


def test_of_a_correction_no_word_is_added_to_the_question_before() -> None:
    turns = [Turn(HOTEL, "In Berlin, 140 euros. [1]")]
    assert standalone("no, I meant Rotterdam", turns).own == ""
    assert standalone("no, I meant room 4", turns).own == "room 4"


@pytest.mark.parametrize(
    "text",
    [
        "since when?",
        "and who?",
        "by whom?",
        "how long?",
        "which one is older?",
        "which of them?",
        "seit wann?",
        "und für wen?",
        "welcher davon ist älter?",
    ],
)
def test_a_question_word_alone_takes_the_question_along(text: str) -> None:
    assert whole(text, WALRUS).startswith(f"{BARE}: ")


@pytest.mark.parametrize("text", ["which one of the keepers has a boat?", "What time?", "how long is a boat?"])
def test_more_than_a_question_word_stands_alone(text: str) -> None:
    assert whole(text, WALRUS) == text


@pytest.mark.parametrize(
    ("who", "reply", "text", "words"),
    [
        ("Who is the CTO?", "CTO – Name: Jana Novak; Phone: 4471 [1]", "what is her phone number?", "Jana Novak's"),
        (
            "Who runs the north?",
            "Regional Manager North: Lena Ott [1]\nSee Peter Brandt",
            "When did she join?",
            "Lena Ott",
        ),
        ("Wer leitet die Küche?", "Leitung Küche: Anna Berg [1]", "Wie ist ihre Nummer?", "Anna Berg"),
    ],
)
def test_a_pronoun_stands_for_the_person_whom_the_reply_named(who: str, reply: str, text: str, words: str) -> None:
    found = whole(text, (who, reply))
    assert words in found
    assert who.rstrip("?") not in found


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Who owns the gateway?", "Femi owns the gateway. [1]"),
        ("Where is the gateway?", "In the Skerry Harbour. [1]"),
        ("Who approves travel?", "The Team Lead approves it. [1]\n[2] Jana Novak"),
    ],
)
def test_a_pronoun_takes_the_question_along_where_nobody_was_named(question: str, reply: str) -> None:
    assert whole("what is her phone number?", (question, reply)).startswith(question.rstrip("?"))


@pytest.mark.parametrize(
    ("history", "text", "words"),
    [
        # of several places in the question before, none is clear
        (["What do I do in case of fire?"], "and in Berlin?", "What do I do in case of fire in Berlin?"),
        (["Who is in charge?"], "and in Berlin?", "Who is in charge in Berlin?"),
        (["What does a hotel cost in Berlin?"], "and in summer?", "What does a hotel cost in Berlin in summer?"),
        (["Do I need a visa for Japan in May?"], "and China?", "Do I need a visa for China in May?"),
        (
            ["What are the hours of the London office?"],
            "And the Paris office?",
            "What are the hours of the Paris office?",
        ),
        (["Is the Berlin office open on Monday?"], "and the Hamburg office?", "Is the Hamburg office open on Monday?"),
        (
            ["What is the notice period during probation?"],
            "and after probation?",
            "What is the notice period after probation?",
        ),
        (
            ["Wie viele Tage im Voraus muss ich buchen?"],
            "Und im Sommer?",
            "Wie viele Tage im Voraus muss ich buchen im Sommer?",
        ),
        (["Where is room 4 on floor 2?"], "and room 5?", "Where is room 4 on floor 2: room 5?"),
        (["May children under 12 swim alone?"], "and adults?", "May children under 12 swim alone: adults?"),
        (["What are the rules space:HR"], "and in Berlin?", "What are the rules space:HR – in Berlin?"),
        # what the question before is about, where that is clear
        (["Where is the Hamburg office?"], "When does it open?", "When does the Hamburg office open?"),
        (
            ["Who owns the billing service?"],
            "How do I restart it?",
            "Who owns the billing service: How do I restart it?",
        ),
        (["Who is the owner of the billing service?"], "How do I restart it?", "How do I restart the billing service?"),
        (["When does the manager sign the contract?"], "Where is it stored?", "Where is the contract stored?"),
        (
            ["What does the company pay for the train ticket?"],
            "How do I book it?",
            "What does the company pay for the train ticket: How do I book it?",
        ),
        # no pronoun, or one for something in the question itself
        (["Where is the travel policy?"], "How do I contact IT?", "How do I contact IT?"),
        (["Where is the travel policy?"], "Is it safe to drink tap water?", "Is it safe to drink tap water?"),
        (["Where is the travel policy?"], "How long does it take to pay?", "How long does it take to pay?"),
        (
            ["Where is the policy?"],
            "Where is the canteen and how do I get there?",
            "Where is the canteen and how do I get there?",
        ),
    ],
)
def test_nothing_is_exchanged_where_several_places_fit(history: list[str], text: str, words: str) -> None:
    assert whole(text, *history) == words


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Head of HR: Anna Schmidt [1]", "Can a manager approve his own expenses?"),
        ("Head of HR: Anna Schmidt [1]", "My son is sick. How many days off can I take for him?"),
        ("Head of HR: Anna Schmidt [1]", "How do I use su on Linux?"),
        ("Head of HR: Anna Schmidt [1]", "Wo stehen die Drucker und wie richte ich sie ein?"),
        ("Head of HR: Anna Schmidt [1]", "How do customers reset their passwords?"),
        ("Since May Jane Doe, before that Max Muster [1]", "What is her number?"),
    ],
)
def test_no_name_is_put_in_where_another_one_may_be_meant(reply: str, text: str) -> None:
    found = whole(text, ("Who is the head of HR?", reply))
    assert not {"Anna", "Jane", "Max"} & set(found.replace("'", " ").split())


def test_the_filters_of_the_first_question_hold_for_all_that_follow() -> None:
    turns = [Turn("Who is the head of the space:HR?", "Ole Dahl [1]"), Turn("What is his number?", "7 [1]")]
    assert "space:HR" in standalone("And his mail?", turns).follows
    assert "space:HR" in standalone("Why?", turns).follows


def test_a_long_conversation_is_read_in_time() -> None:
    long = ("what does word cost here today " * 200)[:4000]
    started = time.process_time()
    standalone("and blue sky", [Turn(long, "x" * 4000)] * 8)
    assert time.process_time() - started < 5


def test_another_department_stands_in_place_of_the_person_who_was_asked_for() -> None:
    earlier = [("who is head of HR", "HR – Head: Birgit Osei; ext 420 [1]"), ("what is her number?", "420 [1]")]
    assert whole("and payroll?", *earlier) == "what is payroll number?"


def test_words_that_a_follow_up_adds_are_told_and_none_of_a_question_that_is_whole() -> None:
    turns = [Turn(HOTEL, "In Berlin, 140 euros. [1]")]
    assert standalone("and in Rotterdam?", turns).own == "and in Rotterdam?"
    assert standalone("Why?", turns) == Standalone(f"{HOTEL.rstrip('?')}: Why?", "Why?")
    assert standalone(PRINTER, turns) == Standalone(PRINTER)
    buyer = Turn("Who is the buyer?", "Buyer: Ole Dahl [1]")
    assert standalone("his number?", [buyer]) == Standalone("Ole Dahl's number?", follows=buyer.question)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Does it work?", True),
        ("What is the error code?", False),
        ("Is it possible to park?", False),
        ("Does it cost anything to park?", False),
        ("Is it allowed to park, and is it cheap?", True),
        ("And the bus?", True),
        ("His cat?", True),
        ("Is so?", True),
        ("Why not there?", True),
        ("Why is the harbour pool closed on Sundays?", False),
        ("history of the company", False),
        ("Können Sie mir sagen, wo der Drucker steht?", False),
        ("Wie lange dauert das?", True),
        ("Wie ist ihre Telefonnummer?", True),
    ],
)
def test_what_leans(text: str, *, expected: bool) -> None:
    assert leans(text) == expected
