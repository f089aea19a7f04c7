import time

import numpy as np
import pytest

from agent.reasoners.offline.quotable_units import MAX_UNIT, likely, quotable_units
from agent.retrieval.retriever import Retrieved
from domain.documents import BlockKind, Span
from domain.search import Passage
from domain.text.tokens import Analyzer

MEASURE = Retrieved(())


def a_passage(text: str, chunk_id: str = "c") -> Passage:
    vector = np.array([1, 0], dtype=np.float32)
    return Passage(
        chunk_id, "d", 0, "Title", "https://x", "x.md", "docs", (), text, BlockKind.PROSE, Span(), None, vector
    )


def texts(*passages: str) -> list[str]:
    return [unit.text for unit in quotable_units([a_passage(text) for text in passages], MEASURE)]


def test_each_sentence_is_a_unit() -> None:
    assert texts("Backups run at night. Restores take an hour.") == ["Backups run at night.", "Restores take an hour."]


@pytest.mark.parametrize(
    "entry",
    [
        "E-3315  gate closed\n        Driver has checked in. Make a new one.",
        "E-3315  gate closed\n        Driver has checked in, and the old\n        one stays. Make a new one.",
    ],
)
def test_a_line_comes_with_what_is_indented_below_it(entry: str) -> None:
    assert texts(f"{entry}\n\nE-3316  no driver\n        Call one.") == [
        entry,
        "E-3316  no driver\n        Call one.",
    ]


@pytest.mark.parametrize("word", ["It", "This", "They", "Otherwise"])
def test_a_sentence_that_refers_back_brings_the_one_before(word: str) -> None:
    text = f"The walrus eats. {word} sleeps."
    assert texts(text) == ["The walrus eats.", text]


@pytest.mark.parametrize("words", ["In this time", "During these weeks", "For such cases", "In dieser Zeit", "Danach"])
def test_so_does_one_that_refers_to_its_time_or_case(words: str) -> None:
    text = f"The trial lasts 30 days. {words} cancelling is free."
    assert texts(text) == ["The trial lasts 30 days.", text]


def test_a_label_with_its_value_is_quoted_and_heads_nothing() -> None:
    found = quotable_units(
        [a_passage("Fire warden: Edda Kruse\n\nFirst aid: Malte Roth\n\nCleaning starts at 19:00.")], MEASURE
    )
    assert [(unit.heading, unit.words) for unit in found] == [
        ("", "Fire warden: Edda Kruse"),
        ("", "First aid: Malte Roth"),
        ("", "Cleaning starts at 19:00."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Where do I get boots? From hall 2. Bring your badge.\n\nWho repairs scanners? Ivo.",
        "**Where do I get boots?** From hall 2. Bring your badge.\n\n**Who repairs scanners?** Ivo.",
        "Where do I get boots?\n\nFrom hall 2. Bring your badge.\n\nWho repairs scanners?\n\nIvo.",
        "Q: Where do I get boots? A: From hall 2. Bring your badge.\n\nQ: Who repairs scanners? A: Ivo.",
        "Frage: Where do I get boots?\nAntwort: From hall 2. Bring your badge.\n\nF: Who repairs scanners?\nA: Ivo.",
    ],
)
def test_a_question_heads_its_answer_in_a_list_of_questions(text: str) -> None:
    found = {unit.heading: unit.words for unit in quotable_units([a_passage(text)], MEASURE)}
    boots, scanners = "Where do I get boots?", "Who repairs scanners?"
    assert found == {boots: "From hall 2. Bring your badge.", scanners: "Ivo."}


def test_a_short_paragraph_that_begins_with_a_name_is_one_unit() -> None:
    lost, pausing = "Lost pass. A new one costs 8 euros. Report it.", "- Pausing. Two months."
    assert texts(f"{lost}\n\nPasses for the year are blue. They cost 80 euros.\n\nAlso:\n\n{pausing}\n- Fee") == [
        lost,
        "Passes for the year are blue.",
        "Passes for the year are blue. They cost 80 euros.",
        f"Also:\n\n{pausing}\n- Fee",
        pausing,
        "- Fee",
    ]


def test_a_long_paragraph_is_cut_into_sentences_though_it_begins_with_a_name() -> None:
    long = f"It costs {'a lot ' * 60}of money."
    assert texts(f"Lost pass. {long}")[0] == "Lost pass."


def test_a_question_answered_in_its_paragraph_heads_no_other_one() -> None:
    text = "# Leave\n\nDo you have questions? Ask HR.\n\nVacation is thirty days. Tell your manager."
    assert [(unit.heading, unit.words) for unit in quotable_units([a_passage(text)], MEASURE)] == [
        ("Do you have questions?", "Ask HR."),
        ("Leave", "Vacation is thirty days."),
        ("Leave", "Tell your manager."),
    ]


def test_a_passage_of_questions_is_cut_in_linear_time() -> None:
    """It took 40 seconds when each answer's paragraph was looked for from the beginning."""
    started = time.monotonic()
    assert len(quotable_units([a_passage("Is it? Yes.\n\n" * 2_000)], MEASURE)) == 2_000
    assert time.monotonic() - started < 15, "a limit against hanging"


def test_a_question_within_a_paragraph_heads_nothing() -> None:
    found = quotable_units([a_passage("The walrus eats. Does it sleep? It does.")], MEASURE)
    assert {unit.heading for unit in found} == {""}
    assert "The walrus eats." in {unit.words for unit in found}


def test_a_word_that_only_begins_like_one_that_refers_back_does_not() -> None:
    assert texts("The walrus eats. Italy is far.") == ["The walrus eats.", "Italy is far."]


def test_what_refers_back_stays_in_its_paragraph() -> None:
    assert texts("The walrus eats.\n\nIt sleeps.") == ["The walrus eats.", "It sleeps."]


def test_a_colon_brings_the_list_it_leads_to_and_no_more() -> None:
    led = "Pack these:\n\n- a towel\n- a hat"
    found = texts(f"{led}\n\nThe bus leaves at nine.")
    assert led in found
    assert not any("towel" in text and "bus" in text for text in found)


def test_numbered_steps_are_also_one_unit() -> None:
    steps = "1. Open the lid.\n2. Pour the water.\n3. Close it."
    assert steps in texts(f"Do this.\n\n{steps}\n\nDone now.")


@pytest.mark.parametrize(
    ("text", "form", "steps"),
    [
        ("make up      # starts all\nmake seed\nmake smoke", "list", True),
        ("Stop it first:\n\ntwctl pause --all\ntwctl rollback", "list", True),
        ("1. Open the lid.\n2. Close it.", "list", True),
        ("Consequences:\n- It is fast.\n- It is small.", "list", False),
        ("A line of prose that goes on\nin the next line of it.", "sentence", False),
    ],
    ids=["commands", "a lead-in", "numbers", "bullets", "prose"],
)
def test_steps_are_numbered_or_commands(text: str, form: str, steps: bool) -> None:
    unit = max(quotable_units([a_passage(text)], MEASURE), key=lambda each: len(each.text))
    assert (unit.form, unit.tells_steps) == (form, steps)


def test_a_single_numbered_line_is_no_list() -> None:
    assert sum("Open the lid." in text for text in texts("1. Open the lid.")) == 1


def test_a_step_goes_on_over_indented_lines() -> None:
    steps = "1. Open:\n   turn left\n2. Close."
    assert steps in texts(steps)


def test_questions_are_not_quoted() -> None:
    assert texts("Where is the key? The key is under the mat.") == ["The key is under the mat."]
    assert texts("鍵はどこ？") == []


def test_of_a_table_only_rows_with_content_are_quoted() -> None:
    assert texts("| name | age |\n|---|---|\n| Ada | 36 |") == ["| Ada | 36 |"]


def test_a_row_is_shown_with_its_columns_and_knows_their_words() -> None:
    (unit,) = quotable_units([a_passage("| name | age |\n|---|---|\n| Ada | 36 |")], MEASURE)
    assert (unit.words, unit.form) == ("Ada: 36", "row")
    (wide,) = quotable_units([a_passage("| name | age | port |\n| Ada | 36 | 80 |")], MEASURE)
    assert wide.words == "Ada – age: 36; port: 80"
    assert "port" in wide.terms


def test_a_short_line_alone_is_a_heading_of_what_follows_and_no_statement() -> None:
    found = quotable_units([a_passage("Not reimbursed\n\nFines and alcohol.")], MEASURE)
    assert [(unit.heading, unit.text) for unit in found] == [("Not reimbursed", "Fines and alcohol.")]


def test_items_of_a_list_are_also_one_unit() -> None:
    found = quotable_units([a_passage("Rules\n\n- leak\n- freeze")], MEASURE)
    assert ("list", "- leak\n- freeze") in [(unit.form, unit.text) for unit in found]


def test_a_sentence_right_above_a_table_brings_its_rows() -> None:
    found = quotable_units([a_passage("There are two rules.\n\n| Rule | Level |\n| leak | high |")], MEASURE)
    assert "There are two rules.\n- leak: high" in [unit.words for unit in found]


def test_what_is_too_long_is_not_quoted() -> None:
    fits, too_long = "a" * (MAX_UNIT - 1) + ".", "b" * MAX_UNIT + "."
    assert texts(fits, too_long) == [fits]


def test_a_unit_knows_its_passage_its_place_and_its_terms() -> None:
    found = quotable_units([a_passage("One."), a_passage("First of all here. Walruses swim.")], MEASURE)
    last = found[-1]
    assert (last.passage, last.start, last.text) == (1, 19, "Walruses swim.")
    assert last.terms == frozenset(Analyzer().tokens("Walruses swim."))


@pytest.mark.parametrize(("text", "lines"), [("One line.", 1), ("1. One\n2. Two", 2)])
def test_a_unit_counts_its_lines(text: str, lines: int) -> None:
    assert max(unit.lines for unit in quotable_units([a_passage(text)], MEASURE)) == lines


def test_likely_prefers_the_questions_words_then_the_better_passage() -> None:
    passages = [a_passage("Nothing here."), a_passage("The walrus swims."), a_passage("The walrus sleeps.")]
    found = likely(quotable_units(passages, MEASURE), passages, {"walrus": 2.0}, 1_000)
    assert [unit.text for unit in found] == ["The walrus swims.", "The walrus sleeps.", "Nothing here."]


def test_likely_stays_within_its_characters() -> None:
    passages = [a_passage("The walrus swims. Nothing else is here.")]
    found = quotable_units(passages, MEASURE)
    length = len("The walrus swims.")
    assert [unit.text for unit in likely(found, passages, {"walrus": 2.0}, length)] == ["The walrus swims."]
    assert likely(found, passages, {"walrus": 2.0}, length - 1) == []


def test_a_full_width_colon_brings_the_list_it_leads_to_as_well() -> None:
    led = "出差人员可以携带：\n\n- 笔记本电脑\n- 公司信用卡"
    found = texts(f"{led}\n\n病假需要证明。")
    assert led in found
    assert "病假需要证明。" in found


def test_an_item_with_a_colon_brings_the_deeper_items_alone_and_boxes_are_shown_as_boxes() -> None:
    passage = a_passage("- [x] Order a laptop\n- [ ] Ask for accounts:\n  - mail\n  - chat\n- [ ] Name a buddy")
    words = [unit.words for unit in quotable_units([passage], MEASURE)]
    assert "- ☐ Ask for accounts:\n  - mail\n  - chat" in words
    assert "- ☑ Order a laptop" in words


@pytest.mark.parametrize("line", ["Owner: Harbour Desk", "Maintained by the Paint Shop."])
def test_a_line_on_the_page_does_not_lead_to_the_table_below_it(line: str) -> None:
    table = "| Berth | Power (kW) |\n|---|---|\n| North | 0 |\n| South | 63 |"
    found = quotable_units([a_passage(f"{line}\n\n{table}")], MEASURE)
    assert not any(unit.form == "list" for unit in found)
    found = quotable_units([a_passage(f"All berths.\n\n{table}")], MEASURE)
    assert any(unit.form == "list" for unit in found)
