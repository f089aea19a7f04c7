from collections.abc import Sequence

import pytest

from agent.reasoners.offline.reasoner import OfflineReasoner
from agent.reasoners.offline.superlatives import extreme_of, extreme_rows
from agent.retrieval.retriever import RetrievalOptions, Retriever
from agent.state import ReplyDraft
from agent.wording import PICKED_FROM_TABLE
from domain.text.tokens import ENGLISH_STOP_WORDS, Analyzer
from tests.fakes.agent import MEMBER, MODEL
from tests.fakes.documents import a_document, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.offline import written

TRUCKS = "| Truck | Payload (t) | Length (m) | Price per day |"
ACTROS, ATEGO, TGX = "| Actros | 14.5 | 9.2 | €310 |", "| Atego | 6.3 | 8.1 | €1,180 |", "| TGX | 15.1 | 9.9 | €90 |"
HALLS = "| Hall | Water temperature | Lanes |"
NORTH, HARBOUR, SKY = "| North | 26 °C | 8 |", "| Harbour | 30 °C | 4 |", "| Sky | 28 °C | 8 |"
TICKETS = "| Ticket | Adults | Children |"
DAY, SEASON, EVENING = (
    "| Day ticket | 9,50 € | 5 € |",
    "| Season ticket | 120 € | 60 € |",
    "| Evening ticket | 6 € | free |",
)


def picked(question: str, columns: str, rows: Sequence[str], around: str = "") -> list[str]:
    asked = extreme_of(question)
    assert asked
    tokens = Analyzer("english").tokens
    light = {*ENGLISH_STOP_WORDS, "which", "what", "has"}
    weighty = [each for each in tokens(question) if each not in light]
    return extreme_rows(asked, columns, rows, around, weighty, tokens)


@pytest.mark.parametrize(
    ("question", "columns", "rows", "best"),
    [
        ("Which truck has the largest payload?", TRUCKS, (ACTROS, ATEGO, TGX), [TGX]),
        ("What is the cheapest truck?", TRUCKS, (ACTROS, ATEGO, TGX), [TGX]),
        ("What is the most expensive truck?", TRUCKS, (ACTROS, ATEGO, TGX), [ATEGO]),
        ("Which truck is the shortest?", TRUCKS, (ACTROS, ATEGO, TGX), [ATEGO]),
        ("Which hall has the warmest water?", HALLS, (NORTH, HARBOUR, SKY), [HARBOUR]),
        ("Which hall has the most lanes?", HALLS, (NORTH, HARBOUR, SKY), [NORTH, SKY]),
        ("What is the cheapest ticket for children?", TICKETS, (DAY, SEASON, EVENING), [EVENING]),
        ("What is the cheapest ticket for adults?", TICKETS, (DAY, SEASON, EVENING), [EVENING]),
        ("What is the cheapest ticket?", TICKETS, (DAY, SEASON, EVENING), []),
        ("Which truck has the largest tank?", TRUCKS, (ACTROS, ATEGO, TGX), []),
        ("Which truck in Berlin has the largest payload?", TRUCKS, (ACTROS, ATEGO, TGX), []),
        ("Which hall has the most lanes?", HALLS, (NORTH, "| Harbour | 30 °C | some |"), []),
        ("Which hall has the most lanes?", HALLS, (NORTH, "| Harbour | 30 °C | 4 to 6 |"), []),
        ("Which hall has the most lanes?", HALLS, (NORTH,), []),
        ("Which hall has the warmest water?", HALLS, ("| A | -12 °C | 1 |", "| B | 5 °C | 2 |"), []),
        ("Which hall has the warmest water?", HALLS, ("| A | 30 °C | 1 |", "| B | 80 °F | 2 |"), []),
        ("Which hall has the most lanes?", HALLS, (NORTH, "| Total | 28 °C | 20 |"), []),
        ("Which job has the highest priority?", "| Job | Priority |", ("| A | 1 |", "| B | 4 |"), []),
        ("Which file is the largest?", "| File | Size |", ("| A | 900 MB |", "| B | 2 GB |"), []),
        ("Which file has the largest size?", "| File | Size |", ("| A | 1.250 kg |", "| B | 2.5 kg |"), []),
    ],
)
def test_the_row_with_the_extreme_value(question: str, columns: str, rows: tuple[str, ...], best: list[str]) -> None:
    assert picked(question, columns, rows) == best


def test_words_of_the_question_may_stand_above_the_table() -> None:
    question = "Which truck in Berlin has the largest payload?"
    assert picked(question, TRUCKS, (ACTROS, TGX), "Our fleet in Berlin") == [TGX]


def test_words_that_some_rows_hold_tell_which_of_them_count() -> None:
    mornings = "| Season ticket, mornings | 80 € | 40 € |"
    assert picked("What is the cheapest season ticket for adults?", TICKETS, (DAY, SEASON, mornings)) == [mornings]


def test_other_questions_ask_for_no_extreme() -> None:
    assert extreme_of("Which truck carries bricks?") is None
    assert extreme_of("For how many weeks can I be on call at most?") is None
    assert extreme_of("What is the minimum password length?") is None
    assert extreme_of("What is the highest number of guests in the sauna?") is None
    assert extreme_of("Welcher LKW hat die größte Nutzlast?") is not None


async def reply_from(*chunks: str) -> ReplyDraft:
    """What is quoted from the first of the chunks of a page."""
    knowledge = MemoryKnowledge(MODEL.identity)
    ids = await put(knowledge, MODEL, a_document("fleet", title="Trucks"), *chunks)
    reasoner = OfflineReasoner(Retriever(knowledge, MODEL, RetrievalOptions()), MODEL, MEMBER)
    return await written(
        reasoner, *await knowledge.passages(ids[:1], MEMBER), text="Which truck has the largest payload?"
    )


async def test_the_reply_quotes_that_row_and_says_how_it_was_found() -> None:
    draft = await reply_from("\n".join((TRUCKS, "|---|---|---|---|", ACTROS, ATEGO, TGX)))
    assert draft.text == "TGX – Payload (t): 15.1; Length (m): 9.9; Price per day: €90 [1]"
    assert PICKED_FROM_TABLE in draft.notes


async def test_no_row_is_picked_from_a_table_of_which_a_part_stands_in_another_chunk() -> None:
    draft = await reply_from("\n".join((TRUCKS, ACTROS, ATEGO)), "\n".join((TRUCKS, TGX)))
    assert PICKED_FROM_TABLE not in draft.notes


async def test_no_row_is_picked_where_another_table_may_have_more_or_a_sentence_answers_better() -> None:
    table, other = "\n".join((TRUCKS, ACTROS, ATEGO)), "\n".join((TRUCKS, TGX))
    draft = await reply_from(f"{table}\n\nIn Munich:\n\n{other}\n\nThat is all.")
    assert PICKED_FROM_TABLE not in draft.notes


async def test_no_row_is_picked_from_a_table_that_goes_on_without_its_columns() -> None:
    draft = await reply_from("\n".join((TRUCKS, ACTROS, ATEGO)), TGX)
    assert PICKED_FROM_TABLE not in draft.notes
