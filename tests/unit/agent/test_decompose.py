import pytest

from agent.questions.decompose import MAX_SUB_QUESTIONS, complexity, prioritised, sub_questions
from agent.state import Complexity, SubQuestion


def parts(text: str) -> list[str]:
    return [part.text for part in sub_questions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Compare the VPN and the proxy.", ["VPN", "proxy"]),
        ("Compare the price of tea and coffee.", ["price of tea", "price of coffee"]),
        ("Compare the hours for the pool and the bar", ["hours for the pool", "hours for the bar"]),
        ("Compare the price of tea with the cost of coffee", ["price of tea", "cost of coffee"]),
        ("Please compare red with blue in price", ["red in price", "blue in price"]),
        ("What is the difference in price between red and blue?", ["red in price", "blue in price"]),
        ("What is the difference between A records and AAAA records?", ["A records", "AAAA records"]),
        ("How does leave differ from vacation?", ["leave", "vacation"]),
        ("Postgres vs MySQL: which is faster?", ["Postgres which is faster?", "MySQL which is faster?"]),
        ("Which is older, Rome or Paris?", ["Which is older Rome", "Which is older Paris"]),
        ("Are Ada and Bob both engineers?", ["Ada engineers", "Bob engineers"]),
    ],
)
def test_a_comparison_asks_about_each_side(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is leave? What is toner?", ["What is leave?", "What is toner?"]),
        (
            "How do I book leave and what does the bus cost?",
            ["How do I book leave", "what does the bus cost?"],
        ),
        ("What is leave? Who approves it?", ["What is leave?", "What is leave? Who approves it?"]),
        ("休暇は 何日 ですか？ トナーは どこ ですか？", ["休暇は 何日 ですか？", "トナーは どこ ですか？"]),
    ],
)
def test_several_questions_are_several_and_one_that_leans_takes_the_first_along(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "When is the walrus fed?",
        "Which forms and papers do I need?",
        "How many days and hours may I work?",
        "Who approves leave and travel?",
        "What happens with old printers, toner and paper?",
        "How do I connect to the VPN from home?",
        "What if it rains, do I stay or go?",
        "When do I ask, and why?",
        "Where do I park and who pays?",
        "Is research and development in Dublin?",
        "Compare it with that",
        "What is the salt and pepper budget?",
        "Which runbook says what to do when the database is away?",
        "Who leads the team that owns the service which sends invoices?",
        "What is the and how is the?",
        "salt and pepper",
        "?",
        "",
    ],
)
def test_one_question_stays_one(text: str) -> None:
    (part,) = sub_questions(text)
    assert (part.number, part.text) == (1, text)


def test_more_questions_than_can_be_searched_stay_one() -> None:
    text = " ".join(f"What is thing {name}?" for name in ("ant", "bee", "cat", "dog", "elk"))
    assert parts(text) == [text]
    assert len(parts(text.rpartition(" What")[0])) == MAX_SUB_QUESTIONS


def test_parts_are_numbered_and_know_what_they_ask_for() -> None:
    found = sub_questions("How many days of leave are there? Who approves leave requests?")
    assert [(part.number, part.kind) for part in found] == [(1, "number"), (2, "person")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("When is the walrus fed?", "simple"),
        ("Who leads the team that owns the service which sends invoices?", "moderate"),
        ("What is leave? What is toner?", "complex"),
    ],
)
def test_complexity(text: str, expected: Complexity) -> None:
    assert complexity(text, sub_questions(text)) == expected


def test_parts_are_numbered_by_priority_and_cut() -> None:
    given = tuple(SubQuestion(7, name, priority=rank) for name, rank in (("c", 3), ("a", 1), ("b", 2), ("d", 3)))
    found = prioritised((*given, SubQuestion(9, "e", priority=0)))
    assert [(part.number, part.text) for part in found] == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("VPN 证书多久更新一次？停车场收费多少？", ["VPN 证书多久更新一次？", "停车场收费多少？"]),
        (
            "Wer genehmigt Urlaub und wie lange dauert das?",
            ["Wer genehmigt Urlaub", "Wer genehmigt Urlaub wie lange dauert das?"],
        ),
        (
            "Combien de jours de congés ai-je par an, et quel est le prix du parking ?",
            ["Combien de jours de congés ai-je par an", "quel est le prix du parking ?"],
        ),
        (
            "¿Cuál es el límite de hotel en Madrid y cuánto cuesta el aparcamiento?",
            ["¿Cuál es el límite de hotel en Madrid", "cuánto cuesta el aparcamiento?"],
        ),
    ],
)
def test_questions_in_other_languages_are_parted(question: str, parts: list[str]) -> None:
    assert [part.text for part in sub_questions(question)] == parts
