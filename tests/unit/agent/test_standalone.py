import pytest

from agent.questions.standalone import leans, standalone
from domain.answers import Turn

WALRUS, PRINTER = "Where does the old walrus live?", "Which printer needs black toner?"
BARE = WALRUS.rstrip("?")


@pytest.mark.parametrize(
    ("history", "text", "words"),
    [
        ([], "Why?", "Why?"),
        ([WALRUS], "Why?", f"{BARE}: Why?"),
        ([WALRUS], "Does it like fresh fish daily?", f"{BARE}: Does it like fresh fish daily?"),
        ([WALRUS], "What about winter feeding times there", f"{BARE}: What about winter feeding times there"),
        ([WALRUS], PRINTER, PRINTER),
        ([PRINTER, WALRUS], "Why?", f"{BARE}: Why?"),
        (["Why?"], "And then?", "And then?"),
    ],
)
def test_a_follow_up_stands_alone_with_the_question_it_leans_on(history: list[str], text: str, words: str) -> None:
    assert standalone(text, [Turn(question, "A reply.") for question in history]) == words


def test_a_chain_of_follow_ups_goes_back_to_the_question_that_stands_alone_and_no_further() -> None:
    turns = [Turn(question, "A reply.") for question in (PRINTER, WALRUS, "How old is it?")]
    assert standalone("Why?", turns) == f"{BARE}: Why?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Does it work?", True),
        ("What is the error code?", False),
        ("Is it possible to park?", False),
        ("Is it allowed to park, and does it cost anything?", True),
        ("And the bus?", True),
        ("His cat?", True),
        ("Is so?", True),
        ("history of the company", False),
    ],
)
def test_what_leans(text: str, *, expected: bool) -> None:
    assert leans(text) == expected
