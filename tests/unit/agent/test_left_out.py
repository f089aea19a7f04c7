"""What is left out of a reply: rows of tables, disputed sentences, headings, gaps and a Yes that no source states."""

import pytest

from agent.reasoner import SynthesisInput
from agent.replies.writer import ReplyWriter
from agent.state import ReplyDraft, ReplyPiece
from domain.answers import Question
from domain.masking import Masker
from tests.fakes.agent import MEMBER, a_passage, an_analysis, an_evidence
from tests.fakes.written_replies import CARE, SEAL, TONER, text_of

COLUMNS = "| Thing | Fact |\n|---|---|\n"
ROWS = ("| toner | 30 euros [2] |", "| printer | 90 euros [2] |", "| seal | Ada feeds it [3] |")


@pytest.mark.parametrize("place", range(3))
def test_a_table_survives_the_loss_of_a_row(place: int) -> None:
    rows = [ROWS[0], ROWS[2]]
    rows.insert(place, ROWS[1])
    kept = f"{COLUMNS}{ROWS[0]}\n{ROWS[2]}"
    assert text_of("Noon [1].\n\n" + COLUMNS + "\n".join(rows)) == f"Noon [1].\n\n{kept}"
    shown = text_of(*("Noon [1].\n\n" + COLUMNS + "\n".join(rows) + "\n\nNoon [1]."))
    assert shown == f"Noon [1].\n\n{kept}\n\nNoon [1].", "letter by letter, too"


def test_a_table_keeps_the_line_that_makes_it_one() -> None:
    table = "| Thing | Price in 2031 |\n|---|---|\n| toner | 30 euros [2] |"
    assert text_of("Noon [1].\n\n" + table) == "Noon [1].\n\n| Thing | |\n|---|---|\n| toner | 30 euros [2] |"


def test_a_table_of_which_no_row_is_left_is_gone() -> None:
    assert text_of(f"Noon [1].\n\n{COLUMNS}{ROWS[1]}\n\nNoon [1].") == "Noon [1].\n\nNoon [1]."


@pytest.mark.parametrize("row", ["| toner | 30 euros |", "| toner | 30 euros | [2]", "| toner | 30 euros [2] |"])
def test_the_marker_of_a_row_stands_in_its_last_cell(row: str) -> None:
    assert text_of(f"Noon [1].\n\n{COLUMNS}{row}").endswith("| toner | 30 euros [2] |")


# -- what is disputed waits, and what stands behind it

FED = "The walrus is fed at noon [1]."
UNFED = "The walrus is not fed at noon [1]."


def fed_with(*texts: str, support: float | None, **more: ReplyPiece) -> tuple[list[str], ReplyDraft]:
    """What was shown before the reply was settled, and what became of it."""
    shown: list[str] = []
    evidence = tuple(an_evidence(each) for each in (CARE, TONER, SEAL))
    brief = SynthesisInput(Question("x", MEMBER), an_analysis(), (), evidence)
    writer = ReplyWriter(brief, Masker(), lambda part: shown.append(part.text))
    for piece in (*map(ReplyPiece, texts), *more.values()):
        writer.feed(piece)
    asked = writer.questioned
    before = list(shown)
    writer.settle([support] * len(asked), 0.3)
    reply = writer.finish()
    assert "".join(shown) == reply.text
    return before, reply


@pytest.mark.parametrize(
    ("support", "text"),
    [
        (0.9, f"{FED} {UNFED} The toner costs 30 euros [2]. {FED}"),
        (0.5, f"{FED} The toner costs 30 euros [2]. {FED}"),
        (None, f"{FED} The toner costs 30 euros [2]. {FED}"),
    ],
)
def test_what_stands_behind_a_disputed_sentence_waits_for_it(support: float | None, text: str) -> None:
    before, reply = fed_with(f"{FED} {UNFED} The toner costs 30 euros [2]. {FED}", support=support)
    assert FED.startswith("".join(before))
    assert "toner" not in "".join(before)
    assert reply.text == text


def test_numbers_are_given_to_what_is_shown_alone() -> None:
    _, reply = fed_with(f"The toner costs 30 euros [2]. {UNFED} Ada feeds the seal [3].", support=0.0)
    assert reply.text == "The toner costs 30 euros [1]. Ada feeds the seal [2]."
    assert [each.document_id for each in reply.citations] == ["toner", "seal"]


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_secret_around_a_disputed_sentence_is_masked(size: int) -> None:
    text = f"{FED} {UNFED} Noon it is with password=hunter-2wo-Two!9 [1]. {FED}"
    before, reply = fed_with(*(text[at : at + size] for at in range(0, len(text), size)), support=0.0)
    assert "hunter" not in "".join(before) + repr(reply)
    assert reply.text.startswith(FED)
    assert reply.text.endswith(FED)


def test_excerpts_stand_behind_what_waits() -> None:
    pieces = {"away": ReplyPiece(broken=True), "excerpt": ReplyPiece(TONER.text, source=2)}
    before, reply = fed_with(f"{UNFED} {FED} And then the toner, which", support=0.0, **pieces)
    assert before == []
    assert reply.text == f"{FED}\n\nThe toner costs 30 euros. [2]"


def test_a_table_survives_a_disputed_row() -> None:
    rows = "| walrus | it is not fed at noon [1] |\n| toner | 30 euros [2] |"
    _, reply = fed_with(f"{FED}\n\n{COLUMNS}{rows}", support=0.0)
    assert reply.text == f"{FED}\n\n{COLUMNS}| toner | 30 euros [2] |"


@pytest.mark.parametrize("between", ["…", " ", ".", "?!", " and [1]!"])
def test_two_sentences_in_one_do_not_hide_each_other(between: str) -> None:
    assert text_of(f"{FED}\n\n- {UNFED}{between}{UNFED}\n\n{FED}") == f"{FED}\n\n{FED}"


def test_a_reply_that_nobody_settles_is_settled_without_a_checker() -> None:
    assert text_of(f"{FED} {UNFED} {FED}") == f"{FED} {FED}"


# -- what has no citation


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"Yes. {FED}", f"Yes. {FED}"),
        (f"{FED} No. It weighs 901 kg [1]. {FED}", f"{FED} {FED}"),
        (f"{FED} No. {UNFED} {FED}", f"{FED} {FED}"),
        (f"{FED} Done.", FED),
        (f"**Care of animals**\n\n{FED}", f"**Care of animals**\n\n{FED}"),
        (f"**Care is for free.**\n\n{FED}", FED),
        (f"{FED} Dogs are welcome. {FED}", f"{FED} {FED}"),
        (f"The walrus is not fed at noon:\n\n- {FED}", f"- {FED}"),
        (f"The walrus is fed at noon:\n\n- {FED}", f"The walrus is fed at noon:\n\n- {FED}"),
        (f"{FED} The passages do not say who pays [1].", f"{FED} The passages do not say who pays."),
    ],
)
def test_without_a_citation_only_what_claims_nothing_is_shown(text: str, shown: str) -> None:
    assert text_of(text) == shown


# -- headings, lines that lead in, gaps, and a Yes or No

RULES = a_passage(
    "Staff must follow the security policy. Managers are not exempt from this rule. Interns may not read the payroll "
    "database. Support may refund up to 50 euros within 14 days.",
    "rules",
)
OBEY = "Staff must follow the security policy [1]."


def over_the_rules(text: str, question: str = "x") -> ReplyDraft:
    inputs = SynthesisInput(Question(question, MEMBER), an_analysis(), (), (an_evidence(RULES),))
    writer = ReplyWriter(inputs, Masker(), lambda _: None)
    writer.feed(ReplyPiece(text))
    return writer.finish()


@pytest.mark.parametrize(
    "heading",
    [
        "## Staff can ignore the security policy",
        "**Managers are exempt from this rule**",
        "Interns may read the whole payroll database:",
        "**Unlimited refunds**",
        "**No limit on refunds**",
        "## Tout le personnel peut ignorer la politique",
    ],
)
def test_a_heading_that_states_something_stands_only_where_a_source_says_so(heading: str) -> None:
    draft = over_the_rules(f"{heading}\n\n{OBEY}")
    assert draft.text == OBEY
    assert len(draft.left_out) == 1


@pytest.mark.parametrize(
    "heading",
    [
        "## Security policy",
        "## Summary",
        "**Refunds by Support**",
        "The following rules apply:",
        "## Staff must follow the security policy",
        "So geht es Schritt für Schritt:",
    ],
)
def test_a_heading_that_states_nothing_or_what_is_so_stands(heading: str) -> None:
    assert over_the_rules(f"{heading}\n\n{OBEY}").text == f"{heading}\n\n{OBEY}"


@pytest.mark.parametrize(
    ("gap", "doubted"),
    [
        ("The documents do not mention any limit for refunds.", True),
        ("The documents do not say whether interns may read the payroll database.", True),
        ("The documents do not mention holidays.", False),
        ("The documents do not mention the salary of interns.", False),
    ],
)
def test_a_gap_is_doubtful_where_a_source_speaks_of_it(gap: str, *, doubted: bool) -> None:
    draft = over_the_rules(f"{OBEY} {gap}")
    assert draft.text == f"{OBEY} {gap}"
    assert any("supports them weakly" in note for note in draft.notes) == doubted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Yes. Interns may not read the payroll database [1].", "Interns may not read the payroll database [1]."),
        ("Yes, interns may not read the payroll database [1].", "Interns may not read the payroll database [1]."),
        ("No. Interns may not read the payroll database [1].", "No. Interns may not read the payroll database [1]."),
        ("No, interns may not read the payroll database [1].", "No, interns may not read the payroll database [1]."),
    ],
)
def test_a_yes_that_its_sentence_denies_is_dropped(text: str, shown: str) -> None:
    assert over_the_rules(text, "May interns read the payroll database?").text == shown
    assert over_the_rules(f"No. {OBEY}", "Must staff follow the security policy?").text == OBEY


@pytest.mark.parametrize("said", [f"No. {OBEY}", f"No, {OBEY[0].lower()}{OBEY[1:]}"])
def test_a_no_before_what_neither_denies_nor_repeats_the_question_is_judged(said: str) -> None:
    draft = over_the_rules(said, "Can a manager let somebody off it?")
    assert draft.text == said
    assert any("supports them weakly" in note for note in draft.notes)
