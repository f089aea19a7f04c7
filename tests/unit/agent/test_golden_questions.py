"""Golden questions: the file, what holds, and what counts as worse."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agent.evaluation.golden_comparison import GoldenComparison, compare
from agent.evaluation.golden_questions import GoldenQuestion, Verdict, judge, read_golden
from domain.documents import document_id
from domain.errors import Misconfigured
from domain.search import Passage
from tests.fakes.passages import passage

FILE = """
- question: " Where is the lamp? "
  documents: [notes/lamp.md, https://docs.example/lamp]
  facts: [in the hall]
- question: Who has it?
  facts: Ada
  as: Ada@Example.com
"""

WRONG: dict[str, tuple[str, str, str]] = {
    "nothing": ("", "f.yaml has no list", "one entry a question"),
    "no list": ("question: a", "f.yaml has no list", ""),
    "an empty list": ("[]", "f.yaml has no list", ""),
    "not YAML": ("- [", "f.yaml is not YAML", "expected"),
    "a tag": ("- !!python/object:os.system {}", "f.yaml is not YAML", "could not determine"),
    "a control character": ("- \0", "f.yaml is not YAML", ""),
    "nested without end": ("[" * 5000, "f.yaml is not YAML", ""),
    "a bare text": ("- Where is the lamp?", "Entry 1 of f.yaml", "`name: value`"),
    "another key": ("- {question: a, document: b}", "Entry 1 of f.yaml", "It has document; it takes question"),
    "no question": ("- {facts: [a]}", "Entry 1 of f.yaml", "question: a text is missing"),
    "a blank question": ("- {question: ' ', facts: [a]}", "Entry 1 of f.yaml", "question: a text is missing"),
    "a question in numbers": ("- {question: 7, facts: [a]}", "Entry 1 of f.yaml", "question: 7 is not a text"),
    "no expectation": ("- {question: a}", "Entry 1 of f.yaml", "It expects nothing"),
    "empty expectations": ("- {question: a, documents: [], facts:}", "Entry 1 of f.yaml", "It expects nothing"),
    "a fact in numbers": ("- {question: a, facts: [1.10]}", "Entry 1 of f.yaml", "facts: 1.1 is not a text; put it"),
    "a fact that is yes": ("- {question: a, facts: [yes]}", "Entry 1 of f.yaml", "facts: True is not a text"),
    "documents in a table": ("- {question: a, documents: {path: b}}", "Entry 1 of f.yaml", "documents: {'path'"),
    "an empty document": ("- {question: a, documents: ['']}", "Entry 1 of f.yaml", "documents: a text is missing"),
    "as nobody": ("- {question: a, facts: [b], as: ada}", "Entry 1 of f.yaml", "as: 'ada' is not an e-mail"),
    "as nothing": ("- {question: a, facts: [b], as: }", "Entry 1 of f.yaml", "as: None is not a text"),
    "a table as a key": ("- {question: a, facts: [b], {x: y}: z}", "f.yaml is not YAML", "unhashable"),
    "the second one": ("- {question: a, facts: [b]}\n- {}", "Entry 2 of f.yaml", "question: a text is missing"),
    "the same twice": ("- {question: a, facts: b}\n- {question: a, facts: [b]}", "Entry 2 of f.yaml", "entry 1"),
    "a dash forgotten": (
        "- question: a\n  facts: [b]\n\n  question: c\n  facts: [d]",
        "f.yaml is not YAML",
        "line 1 has question twice",
    ),
}


def test_a_file_is_read() -> None:
    assert read_golden(FILE, "f.yaml") == (
        GoldenQuestion("Where is the lamp?", ("notes/lamp.md", "https://docs.example/lamp"), ("in the hall",)),
        GoldenQuestion("Who has it?", (), ("Ada",), "ada@example.com"),
    )


@pytest.mark.parametrize(("text", "what", "why"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named(text: str, what: str, why: str) -> None:
    with pytest.raises(Misconfigured) as refused:
        read_golden(text, "f.yaml")
    assert refused.value.what.startswith(what)
    assert why in refused.value.why
    assert refused.value.why
    assert refused.value.next_step


@pytest.mark.parametrize("key", ["question", "facts", "as"])
def test_a_message_about_aliases_in_aliases_is_short(key: str) -> None:
    nested = ", ".join(f"&a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 5))
    given = {"question": "a", "facts": "b", key: f"[[&a0 [x], {nested}]]"}
    text = "- " + "\n  ".join(f"{name}: {value}" for name, value in given.items())
    with pytest.raises(Misconfigured) as refused:
        read_golden(text, "f.yaml")
    assert key in refused.value.why
    assert len(refused.value.why) < 300


def test_a_key_follows_from_everything_in_a_question() -> None:
    question = GoldenQuestion("a", ("b",), ("c",), "d@x.example")
    others = [
        replace(question, question="b"),
        replace(question, documents=()),
        replace(question, documents=("b", "c"), facts=()),
        replace(question, documents=(), facts=("b", "c")),
        replace(question, email=""),
    ]
    assert len({each.key for each in [question, *others]}) == 6
    assert replace(question).key == question.key


FOUND = replace(
    passage("The lamp  stands\nin the Hall, at 20\u00a0°C.", "About lamps"),
    path="notes/rooms/lamp.md",
    url="https://docs.example/lamp",
    document_id=document_id("test", "DOC-1"),
)


@pytest.mark.parametrize(
    "name",
    [*("notes/rooms/lamp.md", "rooms/lamp.md", "lamp.md", FOUND.url, FOUND.title, FOUND.document_id), "DOC-1"],
)
def test_documents_go_by_many_names(name: str) -> None:
    assert judge(GoldenQuestion("q", (name,)), [passage("other"), FOUND]).holds


@pytest.mark.parametrize("name", ["amp.md", "notes", "Lamp.md", "DOC-2", "About", "https://docs.example/"])
def test_other_names_are_not_theirs(name: str) -> None:
    assert judge(GoldenQuestion("q", (name,)), [FOUND]) == Verdict(documents=(name,))


@pytest.mark.parametrize(
    ("fact", "stands"),
    [("in the hall", True), ("LAMP STANDS IN", True), ("at 20 °C", True), ("in the attic", False), ("About", False)],
)
def test_facts_are_compared_without_case_and_space(fact: str, *, stands: bool) -> None:
    assert judge(GoldenQuestion("q", facts=(fact,)), [FOUND]).holds is stands


def test_all_that_is_missing_is_told() -> None:
    question = GoldenQuestion("q", ("lamp.md", "sofa.md"), ("in the hall", "red"))
    assert judge(question, [FOUND]) == Verdict(("sofa.md",), ("red",))
    assert judge(question, []) == Verdict(question.documents, question.facts)
    apart: Sequence[Passage] = [passage("the lamp is red"), passage("in the hall")]
    assert judge(GoldenQuestion("q", facts=("red in the hall",)), apart).facts, "in one passage, not over two"


@pytest.mark.parametrize(
    ("before", "holds", "worse"),
    [
        (True, True, False),
        (True, False, True),
        (False, True, False),
        (False, False, False),
        (None, True, False),
        (None, False, True),
    ],
)
def test_worse_is_what_held_or_may_have_held_and_fails(before: bool | None, *, holds: bool, worse: bool) -> None:
    after = Verdict() if holds else Verdict(facts=("x",))
    question = GoldenQuestion("q", facts=("x",))
    known = {} if before is None else {question.key: before}
    assert compare([question], known, [after]) == [GoldenComparison(question, before, after)]
    assert compare([question], known, [after])[0].worse is worse
