import pytest

from agent.questions.patterns import (
    asks_for_role,
    content_words,
    intent,
    kind,
    literals,
    references,
    routed,
    talk,
    vague,
    without_courtesy,
)
from agent.state import AnswerKind, Intent, MessageKind, ReferenceKind


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
def test_small_talk_is_the_whole_text_or_none(text: str, meant: MessageKind) -> None:
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
    ("text", "meant"),
    [
        ("Which document describes leave?", "file_discovery"),
        ("where is the travel policy?", "file_discovery"),
        ("list all runbooks", "file_discovery"),
        ("who owns the payment service", "relational"),
        ("what depends on Kafka", "relational"),
        ("Which subtasks does the migration have?", "relational"),
        ("How many days of vacation does everybody have?", "conceptual"),
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
        ("Who is called when it fails?", "person"),
        ("Do you know who owns it?", "person"),
        ("What happens when it is full?", "fact"),
        ("Tell me when it is", "date"),
        ("Who has more, compared with us?", "comparison"),
        ("What is toner?", "fact"),
        ("I want to leave, what now?", "procedure"),
        ("Wie beantrage ich Urlaub?", "procedure"),
        ("Was muss ich dafür machen?", "procedure"),
        ("Was ist ein Schlauch?", "fact"),
        ("Was the office closed?", "yes_no"),
        ("It is not on my list. How do I add it?", "procedure"),
        ("Who knows this? How do I leave?", "person"),
    ],
)
def test_kind(text: str, expected: AnswerKind) -> None:
    assert kind(text) == expected


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Who owns it?", True),
        ("Whom do I ask about it?", True),
        ("Who's responsible for it?", True),
        ("who should i contact", True),
        ("Who founded it?", False),
        ("Who wrote it?", False),
    ],
)
def test_who_does_something_once_has_no_role(text: str, role: bool) -> None:
    assert asks_for_role(text) is role


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
    assert isinstance(references(text), tuple)
    assert isinstance(literals(text), list)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Hi, could you please list all tier 1 services, thanks!", "list all tier 1 services"),
        ("Please, where is the rota? thank you", "where is the rota?"),
        ("Wo ist der Plan, bitte?", "Wo ist der Plan?"),
        ("Can you deploy on Fridays?", "Can you deploy on Fridays?"),
        ("please", "please"),
        ("Who is Grace Merci?", "Who is Grace Merci?"),
        ("What is the meaning of danke?", "What is the meaning of danke?"),
        ("How do I say please?", "How do I say please?"),
        ("Hi Vis vests: where?", "Hi Vis vests: where?"),
        ("Thanks", "Thanks"),
    ],
)
def test_courtesy_is_no_part_of_a_question(text: str, rest: str) -> None:
    assert without_courtesy(text) == rest
