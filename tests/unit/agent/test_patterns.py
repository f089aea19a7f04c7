from datetime import UTC, datetime, timedelta

import pytest

from agent.patterns import asked, content_words, intent, kind, literals, references, routed, talk, vague
from agent.state import Intent, Kind, ReferenceKind, Talk
from domain.search import Filters

TICK = timedelta(microseconds=1)


def day(year: int, month: int = 1, number: int = 1) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Hi", "greeting"),
        ("hello there!", "greeting"),
        ("Good morning, team", "greeting"),
        ("¡Hola!", "greeting"),
        ("hi, where is the VPN?", "question"),
        ("greetings card", "question"),
        ("Thanks!", "thanks"),
        ("ok, thank you so much", "thanks"),
        ("Great, thanks for your help", "thanks"),
        ("Vielen Dank.", "thanks"),
        ("thanks, and when?", "question"),
        ("help", "capabilities"),
        ("What can you do?", "capabilities"),
        ("what do you do exactly", "capabilities"),
        ("help me with VPN", "question"),
        ("What can you do about a lost key?", "question"),
        ("", "question"),
    ],
)
def test_small_talk_is_the_whole_text_or_none(text: str, meant: Talk) -> None:
    assert talk(text) == meant


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("PROJ-123 and ABC-1, PROJ-123 again", [("key", "PROJ-123"), ("key", "ABC-1")]),
        ("page 123456", [("page", "123456")]),
        ("pageId=12345", [("page", "12345")]),
        ("(see http://x.example/a).", [("url", "http://x.example/a")]),
        ("https://x.example/a#part?", [("url", "https://x.example/a#part")]),
        ("docs/a.md, b.py", [("path", "docs/a.md"), ("path", "b.py")]),
        ("ABC-1 at https://x.example/PROJ-9", [("url", "https://x.example/PROJ-9"), ("key", "ABC-1")]),
        ("UTF-8, AES-256 and SHA-1", []),
        ("PROJ-1-2, xPROJ-3 and proj-4", []),
        ("see page 12", []),
        ("mail ada@x.md", []),
        ("", []),
    ],
)
def test_references(text: str, found: list[tuple[ReferenceKind, str]]) -> None:
    assert [(each.kind, each.text) for each in references(text)] == found


@pytest.mark.parametrize(
    ("text", "enough"),
    [
        ("PROJ-123", True),
        ("What is the state of PROJ-123?", True),
        ("What is the state of things?", False),
        ("PROJ-123: which old printers on the second floor need black toner or new drums", False),
    ],
)
def test_ids_with_little_around_them_say_all(text: str, *, enough: bool) -> None:
    assert routed(text, references(text)) == enough


@pytest.mark.parametrize(
    ("text", "rest", "filters"),
    [
        ("Where is #onboarding held?", "Where is held?", Filters(labels=("onboarding",))),
        ('leave label:"two words" now', "leave now", Filters(labels=("two words",))),
        ("leave LABEL:a label:b", "leave", Filters(labels=("a", "b"))),
        ("space: HR holidays", "holidays", Filters(spaces=("HR",))),
        ("holidays project:OPS, source:wiki", "holidays", Filters(sources=("wiki",), spaces=("OPS",))),
        ("#café menu", "menu", Filters(labels=("café",))),
        ('in the document "Leave policy" how many days?', "how many days?", Filters(title="Leave policy")),
        ("how many days in document leave.md?", "how many days?", Filters(title="leave.md")),
        ("how many days in the page “Ada's notes”?", "how many days?", Filters(title="Ada's notes")),
        ("how many days in the file 'Ada's notes'?", "how many days?", Filters(title="Ada's notes")),
        ("leave since:2024-02-29", "leave", Filters(since=day(2024, 2, 29))),
        ("leave after:2024-02-29", "leave", Filters(since=day(2024, 3, 1))),
        ("leave until:2024-02-29", "leave", Filters(until=day(2024, 3, 1) - TICK)),
        ("leave before:2024-02-29", "leave", Filters(until=day(2024, 2, 29) - TICK)),
        ("leave since:2024", "leave", Filters(since=day(2024))),
        ("leave until:2024", "leave", Filters(until=day(2025) - TICK)),
        ("policies updated after December 2023", "policies", Filters(since=day(2024))),
        ("policies published before march 2024", "policies", Filters(until=day(2024, 3) - TICK)),
        ("policies changed since 2024-01-15?", "policies?", Filters(since=day(2024, 1, 15))),
    ],
)
def test_filters_are_taken_out_of_the_text(text: str, rest: str, filters: Filters) -> None:
    found = asked(text)
    assert (found.text, found.filters) == (rest, filters)
    assert found.dropped
    assert all(fragment in text for fragment in found.dropped)


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
    found = asked(text)
    assert (found.text, found.filters, found.dropped) == (text, Filters(), ())


def test_filters_alone_are_the_question_too() -> None:
    found = asked("label:leave")
    assert (found.text, found.filters) == ("label:leave", Filters(labels=("leave",)))


def test_two_dates_bound_a_period() -> None:
    found = asked("leave since:2024-01-01 before:2024-07-01")
    assert found.filters == Filters(since=day(2024), until=day(2024, 7) - TICK)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Which document describes leave?", "file_discovery"),
        ("where is the travel policy?", "file_discovery"),
        ("list all runbooks", "file_discovery"),
        ("who owns the payment service", "relational"),
        ("what depends on Kafka", "relational"),
        ('what does "hard stop" mean', "exact"),
        ("what does `kb ask` do", "exact"),
        ("what is KB_AGENT_MODE", "exact"),
        ("what is PROJ-12", "exact"),
        ("is ORA12345 an error", "exact"),
        ("where is the --dry-run flag", "exact"),
        ("how many days of leave do I have", "conceptual"),
        ("Is C# used?", "conceptual"),
    ],
)
def test_intent(text: str, meant: Intent) -> None:
    assert intent(text, references(text)) == meant


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"hard stop" and `kb ask`', ["hard stop", "kb ask"]),
        ("PROJ-12, KB_AGENT_MODE, getUserName", ["PROJ-12", "KB_AGENT_MODE", "getUserName"]),
        ("--dry-run, 0xdeadBEEF", ["--dry-run", "0xdeadBEEF"]),
        ("the agent.mode.name setting", ["agent.mode.name"]),
        ("plain words only", []),
    ],
)
def test_literals_are_searched_as_they_are(text: str, found: list[str]) -> None:
    assert literals(text) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is the difference?", "comparison"),
        ("How many days?", "number"),
        ("When is it?", "date"),
        ("Who is it?", "person"),
        ("How do I leave?", "procedure"),
        ("Why is it so?", "explanation"),
        ("Which forms are there?", "list"),
        ("Is it open?", "yes_no"),
        ("What is toner?", "fact"),
    ],
)
def test_kind(text: str, expected: Kind) -> None:
    assert kind(text) == expected


@pytest.mark.parametrize(
    ("text", "meant", "expected"),
    [
        ("leave policy", "conceptual", True),
        ("leave policy", "exact", False),
        ("How many days?", "conceptual", False),
        ("the Dublin policy", "conceptual", False),
        ("policy 2024", "conceptual", False),
        ("the leave policy of our bus drivers", "conceptual", False),
    ],
)
def test_vague_is_short_and_general(text: str, meant: Intent, *, expected: bool) -> None:
    assert vague(text, meant) == expected


def test_content_words_come_once_and_as_they_stand() -> None:
    assert content_words("When is the Walrus fed, and which walruses?") == ["walrus", "fed", "walruses"]


@pytest.mark.parametrize(
    "text", ["Name" + "_" * 4_000 + "-x", "a_" * 2_000 + "-", "#" * 4_000, "a." * 2_000, "http://" * 500]
)
def test_hostile_text_comes_to_an_end(text: str) -> None:
    assert intent(text, ()) in {"exact", "conceptual"}
    assert asked(text).text
    assert isinstance(references(text), tuple)
    assert isinstance(literals(text), list)
