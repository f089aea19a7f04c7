"""Questions for a count or a list, and the rows of a table that fit one."""

from dataclasses import replace

import pytest

from agent.questions.listings import Listing, asked_once, listing_of
from agent.retrieval.table_rows import matching_items, matching_rows
from tests.fakes.agent import a_passage


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How many runbooks are there?", Listing("runbooks", documents=True)),
        ("Which documents mention Skerry?", Listing("", mentions="Skerry", documents=True)),
        ("Which runbooks mention Skerry?", Listing("runbooks", mentions="Skerry", documents=True)),
        ("In which documents is Skerry mentioned?", Listing("", mentions="Skerry", documents=True)),
        ("Which documents belong to the Firmware team?", Listing("", owner="Firmware", team=True, documents=True)),
        ("Which pages does the Data team own?", Listing("", owner="Data", team=True, documents=True)),
        ("Which documents were written by Ada?", Listing("", owner="Ada", documents=True)),
        ("List all tier 1 services", Listing("tier 1 services")),
        (
            "How many architecture decision records do we have?",
            Listing("architecture decision records", documents=True),
        ),
        ("Which services are written in Go?", Listing("services", condition=True)),
        ("What were the causes of INC-231?", Listing("causes", condition=True)),
        ("How many actions came out of INC-231?", Listing("actions", condition=True)),
        ("Which runbooks contain a kubectl command?", Listing("runbooks", mentions="kubectl", documents=True)),
        ("In how many pages does Skerry come up, this one included?", Listing("", mentions="Skerry", documents=True)),
        ("Which pages have the Data team as their owner?", Listing("", owner="Data", team=True, documents=True)),
        ("how many pages in here have ada as owner?", Listing("", owner="ada", documents=True)),
        ("list me all pages Ada Lovelace owns", Listing("", owner="Ada Lovelace", documents=True)),
        ("Show me every page owned by Ada", Listing("", owner="Ada", documents=True)),
        ("How many kinds of sensors are in the price list?", Listing("sensors", condition=True)),
        ("how many of the actions from INC-231 are still open", Listing("actions", condition=True)),
        ("how many tier 1 services do we have right now?", Listing("tier 1 services")),
        ("which documents mention still water?", Listing("", mentions="still water", documents=True)),
        ("How many people work in the Data team?", Listing("people", condition=True)),
        ("What changed since September?", Listing("")),
        ("What changed in the last week?", Listing("")),
        ("What changed yesterday?", Listing("")),
        ("Was hat sich seit Mai geändert?", Listing("")),
        ("Was wurde?", Listing("")),  # what is left of it behind a filter
        ("Which service listens on port 7040?", Listing("service", verb="listens", condition=True)),
        ("How many endpoints of the API need the scope admin?", Listing("endpoints", condition=True)),
        ("How many documents are there?", Listing("", documents=True)),
        ("Which pages?", Listing("", documents=True)),
        ("Welche Seiten?", Listing("", documents=True)),
        ("How many penguins do we have?", Listing("penguins")),
        ("Wie viele Reiserichtlinien gibt es?", Listing("Reiserichtlinien", documents=True)),
        ("Wie viele Runbooks gibt es?", Listing("Runbooks", documents=True)),
        ("Welche Dokumente erwähnen Skerry?", Listing("", mentions="Skerry", documents=True)),
        ("In welchen Runbooks wird Skerry erwähnt?", Listing("Runbooks", mentions="Skerry", documents=True)),
        ("In welchen Dokumenten kommt das Wort vor?", Listing("", mentions="das Wort", documents=True)),
        ("Welche Dokumente gehören zum Firmware-Team?", Listing("", owner="Firmware", team=True, documents=True)),
        ("Welche Seiten werden vom Data-Team gepflegt?", Listing("", owner="Data", team=True, documents=True)),
        ("Liste alle Tier-1-Dienste auf", Listing("Tier-1-Dienste")),
        ("Nenne mir alle unsere Standorte.", Listing("Standorte")),
        ("Welche Dienste sind in Go geschrieben?", Listing("Dienste", condition=True)),
        ("Which pages is Ada the owner of?", Listing("", owner="Ada", documents=True)),
        (
            "Which pages does the Data team own, alone or together with another team?",
            Listing("", owner="Data", team=True, documents=True),
        ),
        (
            "Which pages does the Data team own or share with another team?",
            Listing("", owner="Data", team=True, documents=True),
        ),
        ("Which pages mention IT?", Listing("", mentions="IT", documents=True)),
        ("Which pages does Ada own or co-own?", Listing("", owner="Ada", documents=True)),
        ("How many pages that belong to Ada were?", Listing("", owner="Ada", documents=True)),  # before a filter
        ("How many pages that Ada owns have been?", Listing("", owner="Ada", documents=True)),
        ("Which pages belong to team Data?", Listing("", owner="Data", team=True, documents=True)),
        ("How many pages are in the ZOO space?", Listing("", place="ZOO", space=True, documents=True)),
        ("Welche Seiten liegen im Projekt Zoo?", Listing("", place="Zoo", space=True, documents=True)),
        ("How many pages do we have in the knowledge base altogether?", Listing("", documents=True)),
        ("How many pages are in the recipes folder?", Listing("", place="recipes", documents=True)),
        (
            "Which runbooks lie in the folder named night shift?",
            Listing("runbooks", place="night shift", documents=True),
        ),
        (
            "Which pages in the recipes folder mention salt?",
            Listing("", mentions="salt", place="recipes", documents=True),
        ),
        ("How many pages does the recipes folder have?", Listing("", place="recipes", documents=True)),
        (
            "How many pages belong to the recipes section, with the drafts counted in?",
            Listing("", place="recipes", documents=True),
        ),
        ("Wie viele Seiten liegen im Ordner Rezepte?", Listing("", place="Rezepte", documents=True)),
        ("Welche Seiten gibt es im Küchen-Bereich?", Listing("", place="Küchen", documents=True)),
        ("In how many pages is ticket PROJ-12 mentioned?", Listing("", mentions="PROJ-12", documents=True)),
        ("Which pages mention incident number 231, and where?", Listing("", mentions="231", documents=True)),
        ("Which pages mention ticket sales?", Listing("", mentions="ticket sales", documents=True)),
        ("Show me the pages that were.", Listing("", documents=True)),  # what is left of it before a filter
        ("How many pages are there and which are they?", Listing("", documents=True)),
        (
            "In wie vielen Seiten wird Ticket PROJ-12 erwähnt und in welchen?",
            Listing("", mentions="PROJ-12", documents=True),
        ),
        ("How many colours of light does the beacon know?", Listing("colours", verb="know", condition=True)),
        (
            "How many pages with meeting minutes do we have, summer and winter together?",
            Listing("meeting minutes", documents=True),
        ),
    ],
)
def test_what_is_listed(question: str, wanted: Listing) -> None:
    assert listing_of(question) == wanted


@pytest.mark.parametrize(
    "question",
    [
        *(
            "When is the walrus fed?",
            "How many days of leave do I have?",
            "Who owns the ledger?",
            "How long is the cable?",
            "What changed in the prices on 1 January 2026?",
            "What happens with alerts at night?",
            "Which offices opened before 2020?",
            "How many offices opened before 2020?",
            "Which services exclude payments?",
            "Which jobs never restart automatically?",
            "Which services need no key?",
            "What causes the outage of ledger?",
            "Which runbooks are not in the night folder?",
            "Which steps in the boiling section mention salt?",
            "How many messages does the beacon not know?",
            "How many documents mention it?",
            "How many documents belong to that team?",
            "How many of them belong to Ada?",
        ),
        *("Wie viele Tage Urlaub habe ich?", "Wem gehört das Ledger?", "Wie viele Stunden haben wir Zeit?"),
    ],
)
def test_other_questions_list_nothing(question: str) -> None:
    assert listing_of(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "How many pages does Ada co-own?",
        "How many pages does Ada share?",
        "Which pages does Ada own with other teams?",
        "Which pages does Ada own together with others?",
        "Which pages is Ada one of the owners of?",
        "Which pages is Ada a co-owner of?",
        "Which pages belong to Ada alone?",
    ],
)
def test_what_is_shared_or_not_shared_is_not_all_that_somebody_owns(question: str) -> None:
    listing = listing_of(question)
    assert listing is None or (listing.condition and not listing.owner)


HEAD = "| Service | Tier | Language | Port |\n"
FIRST = a_passage(f"Services.\n\n{HEAD}| ledger | 3 | Go | 7070 |\n| alertd | 1 | Go | 1 |", "d")
SECOND = a_passage(f"{HEAD}| courier | 1 | Go | 7030 |\n| fota | 2 | Python | 7060 |", "d")


@pytest.mark.parametrize(
    ("question", "things", "subjects"),
    [
        ("List all tier 1 services", "tier 1 services", ["alertd", "courier"]),
        ("Which services are written in Python?", "services", ["fota"]),
        ("Which services are based in Cork?", "services", []),
        ("List all services", "services", ["ledger", "alertd", "courier", "fota"]),
        ("List all services in Fukuoka", "services", []),
        ("List all tier 9 services", "tier 9 services", []),
        ("List all offices", "offices", []),
        ("Welche Services sind in Python geschrieben?", "Services", ["fota"]),
    ],
)
def test_rows_that_have_what_is_asked_for(question: str, things: str, subjects: list[str]) -> None:
    found = matching_rows(question, things, [FIRST, SECOND])
    assert [row.text.partition(" ")[0] for row in found] == subjects


def test_a_row_is_told_with_its_columns_and_keeps_its_passage() -> None:
    (_, row) = matching_rows("List all tier 1 services", "tier 1 services", [FIRST, SECOND])
    assert row.text == "courier – Tier: 1; Language: Go; Port: 7030"
    assert row.passage is SECOND


ACTIONS = replace(
    a_passage("| Ticket | Action | Owner |\n| A-1 | mend it | Platform |\n| A-2 | test it | Data |", "post"),
    title="Post-mortem INC-231",
    heading_path=("Actions",),
)
LIGHTS = replace(
    a_passage("| Code | Name |\n| 1 | steady |\n| 2 | blinking |", "beacon"),
    title="Beacon 7: signals",
    heading_path=("Light signals",),
)


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("How many light signals does Beacon 7?", 2),
        ("How many light signals does Beacon 9?", 0),
        ("How many signals does Beacon 7?", 0),
    ],
)
def test_a_table_is_known_by_a_heading_of_several_words(question: str, listed: int) -> None:
    things = question.removeprefix("How many ").partition(" does")[0]
    assert len(matching_rows(question, things, [LIGHTS])) == listed


CAUSES = replace(
    a_passage(
        "Three things came together.\n\n1. A group was renamed.\n2. Nobody looked.\n- A test was missing.", "post"
    ),
    heading_path=("Causes",),
)


@pytest.mark.parametrize(
    ("question", "things", "subjects"),
    [
        ("How many actions came out of INC-231?", "actions", ["A-1", "A-2"]),
        ("How many actions does the Platform team own?", "actions", ["A-1"]),
        ("Which tickets does the Data team own?", "tickets", ["A-2"]),
        ("How many actions came out of INC-999?", "actions", []),
        ("How many owners are there?", "owners", ["A-1", "A-2"]),
    ],
)
def test_a_table_is_known_by_its_heading_or_a_column_too(question: str, things: str, subjects: list[str]) -> None:
    found = matching_rows(question, things, [ACTIONS])
    assert [row.text.partition(" ")[0] for row in found] == subjects


@pytest.mark.parametrize(("owner", "subjects"), [("Platform", ["A-1"]), ("Data", ["A-2"]), ("A-1", []), ("nobody", [])])
def test_rows_belong_to_whom_a_column_for_owners_names(owner: str, subjects: list[str]) -> None:
    found = matching_rows(f"Which actions are owned by {owner}?", "actions", [ACTIONS], owner=owner)
    assert [row.text.partition(" ")[0] for row in found] == subjects


def test_the_items_below_a_heading_of_that_name_are_a_list() -> None:
    other = replace(CAUSES, document_id="other")
    assert [text for _, text in matching_items("What were the causes?", "causes", [ACTIONS, CAUSES, other])] == [
        "A group was renamed.",
        "Nobody looked.",
        "A test was missing.",
    ]
    assert matching_items("What were the reasons?", "reasons", [CAUSES]) == []
    assert matching_items("", "", [CAUSES]) == []
    single = replace(a_passage("1. The only one.", "d"), heading_path=("Causes",))
    assert matching_items("What were the causes?", "causes", [single]) == []


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("What were the causes of INC-231?", 3),
        ("What were the causes of INC-232?", 0),
        ("How many causes does one find in a week?", 0),
        ("Which causes can one see from the start to the end?", 0),
    ],
)
def test_items_answer_no_question_with_words_that_are_not_above_them(question: str, listed: int) -> None:
    titled = replace(CAUSES, title="Post-mortem INC-231")
    assert len(matching_items(question, "causes", [titled])) == listed


@pytest.mark.parametrize(
    ("question", "once"),
    [
        ("In how many pages is PROJ-12 mentioned, and in which ones?", "In how many pages is PROJ-12 mentioned?"),
        ("How many pages are there in total?", "How many pages are there?"),
        ("Which pages mention Skerry, and who wrote them?", "Which pages mention Skerry, and who wrote them?"),
        ("How many seals may swim, and where?", "How many seals may swim, and where?"),
    ],
)
def test_a_count_of_documents_need_not_be_asked_for_twice(question: str, once: str) -> None:
    assert asked_once(question) == once
