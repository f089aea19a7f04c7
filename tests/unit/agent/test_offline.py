from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest

from agent.extract import Unit
from agent.providers.offline import CONFLICT, NOTICE, OfflineReasoner, Scored, choose, newest_first, write
from agent.retrieval import Retrieved
from domain.answers import Answer, NotFound
from domain.documents import BlockKind, Span
from domain.errors import Transient
from domain.ports import Vectors
from domain.search import Passage
from tests.fakes.embedder import HashEmbedder

MODEL = HashEmbedder()
OLD, NEW = datetime(2020, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
WALRUS = {"walrus": 3.0, "fed": 2.0}


class AwayEmbedder(HashEmbedder):
    """A model whose server is away."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        raise Transient("The embedding server is away")


def a_passage(text: str, document: str = "d", dated: datetime | None = None, title: str = "") -> Passage:
    span, vector = Span(3, 4), MODEL.vectors([text])[0]
    return Passage(
        f"{document}-0", document, 0, title, f"https://x/{document}", f"{document}.md", "docs", ("Care", "Food"),
        text, BlockKind.PROSE, span, dated, vector,
    )  # fmt: skip


def retrieved(question: str, idf: dict[str, float], *, degraded: str = "") -> Retrieved:
    vector = None if degraded else MODEL.vectors([question])[0]
    return Retrieved((), idf, "english", vector, degraded)


async def answered(found: Retrieved, *passages: Passage, reasoner: OfflineReasoner | None = None) -> Answer:
    outcome = await (reasoner or OfflineReasoner(MODEL)).compose(found, passages)
    assert isinstance(outcome, Answer)
    return outcome


def scored(text: str, passage: int = 0, score: float = 1.0, vector: tuple[float, float] = (1, 0)) -> Scored:
    return Scored(Unit(passage, 0, text, frozenset()), score, np.array(vector, dtype=np.float32))


async def test_what_no_passage_speaks_of_is_refused() -> None:
    found = retrieved("When is the walrus fed?", WALRUS)
    assert await OfflineReasoner(MODEL).compose(found, [a_passage("Printers need toner.")]) == NotFound("")
    assert await OfflineReasoner(MODEL).compose(found, []) == NotFound("")


async def test_words_alone_must_cover_enough_of_the_question() -> None:
    found = retrieved("x", {"walrus": 1.0, "fed": 2.0}, degraded="Away.")
    passages = [a_passage("The walrus swims.")]
    assert await OfflineReasoner(MODEL, min_relevance=0.34).compose(found, passages) == NotFound("")
    assert isinstance(await OfflineReasoner(MODEL, min_relevance=0.33).compose(found, passages), Answer)


async def test_a_passage_of_questions_alone_answers_nothing() -> None:
    found = retrieved("When is the walrus fed?", WALRUS)
    outcome = await OfflineReasoner(MODEL).compose(found, [a_passage("When is the walrus fed?")])
    assert outcome == NotFound("")


async def test_an_answer_is_quoted_and_numbered() -> None:
    passage = a_passage("The walrus is fed at noon. Printers need toner.", title="Zoo")
    answer = await answered(retrieved("When is the walrus fed?", WALRUS), passage)
    assert answer.text == "The walrus is fed at noon. [1]"
    (citation,) = answer.citations
    assert (citation.n, citation.quote, citation.title) == (1, "The walrus is fed at noon.", "Zoo")
    assert (citation.section, citation.place, citation.path) == ("Care > Food", "lines 3-4", "d.md")
    assert 0.3 <= answer.confidence <= 1
    assert answer.notice == NOTICE


async def test_words_in_title_and_headings_count_for_the_judgement() -> None:
    found = retrieved("x", {"zoo": 1.0, "food": 1.0}, degraded="Away.")
    reasoner = OfflineReasoner(MODEL)
    assert reasoner.judge(found, [a_passage("It swims.", title="Zoo")]) == 1.0
    assert reasoner.judge(found, [a_passage("It swims.")]) == 0.5


async def test_without_a_vector_it_quotes_by_words_and_says_so() -> None:
    found = retrieved("x", WALRUS, degraded="Searched by words alone: the model is away.")
    answer = await answered(found, a_passage("Toner is black. The walrus is fed at noon."))
    assert answer.text == "The walrus is fed at noon. [1]"
    assert answer.notice == f"Searched by words alone: the model is away. {NOTICE}"


async def test_a_model_that_goes_away_between_search_and_quoting_is_no_failure() -> None:
    found = retrieved("When is the walrus fed?", WALRUS)
    passages = a_passage("Toner is black. The walrus is fed at noon.")
    answer = await answered(found, passages, reasoner=OfflineReasoner(AwayEmbedder()))
    assert answer.text == "The walrus is fed at noon. [1]"
    assert answer.notice == f"Quoted by words alone: the embedding server is away. {NOTICE}"


async def test_two_copies_of_a_passage_are_quoted_once() -> None:
    text = "The walrus is fed at noon."
    answer = await answered(retrieved("When is the walrus fed?", WALRUS), a_passage(text), a_passage(text, "copy"))
    assert answer.text == f"{text} [1]"
    assert [citation.document_id for citation in answer.citations] == ["d"]


@pytest.mark.parametrize("limit", [1, 2])
async def test_no_more_is_quoted_than_allowed(limit: int) -> None:
    text = "The walrus is fed fish.\n\nThe walrus is fed shrimp.\n\nThe walrus is fed clams."
    found = retrieved("x", WALRUS, degraded="Away.")
    answer = await answered(found, a_passage(text), reasoner=OfflineReasoner(MODEL, max_units=limit))
    assert answer.text.count("[1]") == limit


async def test_of_contradicting_documents_the_newest_stands_first() -> None:
    old = a_passage("The walrus is fed at 9 o'clock.", "old", OLD)
    new = a_passage("The walrus is fed at 11 o'clock.", "new", NEW)
    answer = await answered(retrieved("When is the walrus fed?", WALRUS), old, new)
    assert answer.text == f"{new.text} [1]\n\n{old.text} [2]"
    assert [citation.document_id for citation in answer.citations] == ["new", "old"]
    assert answer.notice.startswith(CONFLICT)


DATED = [a_passage("", "old", OLD), a_passage("", "new", NEW), a_passage("", "undated"), a_passage("", "old", OLD)]


@pytest.mark.parametrize(
    "other",
    [
        scored("It costs 5 coins.", 1),
        scored("It costs coins.", 1),
        scored("It costs 7 coins.", 2),
        scored("It costs 7 coins.", 3),
        scored("It costs 7 coins.", 1, vector=(0.7, 0.714)),
    ],
    ids=["same numbers", "no numbers", "undated", "same document", "another subject"],
)
def test_what_does_not_contradict_keeps_its_order(other: Scored) -> None:
    chosen = [scored("It costs 5 coins.", 0), other]
    assert newest_first(chosen, DATED) == (chosen, False)


def test_contradicting_units_move_before_the_others() -> None:
    old, aside, new = scored("5", 0), scored("Aside", 2), scored("7", 1, vector=(0.8, 0.6))
    ordered, conflict = newest_first([old, aside, new], DATED)
    assert conflict
    assert [each.unit.text for each in ordered] == ["7", "5", "Aside"]


def test_what_is_much_worse_than_the_best_is_not_chosen() -> None:
    best, good, poor = scored("a", vector=(1, 0)), scored("b", score=0.86, vector=(0, 1)), scored("c", score=0.84)
    assert choose([best, good, poor], 4) == [best, good]


@pytest.mark.parametrize(
    ("one", "other", "chosen"),
    [
        ("He swims well.", "swims", 1),
        ("swims", "He swims well.", 1),
        ("He swims.", "He floats.", 1),
        ("Open at 9.", "Open at 11.", 2),
    ],
    ids=["part", "whole", "same meaning", "another number"],
)
def test_repeats_are_not_chosen(one: str, other: str, chosen: int) -> None:
    assert len(choose([scored(one), scored(other)], 4)) == chosen


def test_without_candidates_nothing_is_chosen() -> None:
    assert choose([], 4) == []


def test_a_passage_keeps_its_number_and_gathers_its_quotes() -> None:
    passages = [a_passage("", "a"), a_passage("", "b")]
    text, citations = write([scored("One.", 1), scored("Two.", 0), scored("Three.", 1)], passages)
    assert text == "One. [1]\n\nTwo. [2]\n\nThree. [1]"
    assert [(c.n, c.document_id, c.quote) for c in citations] == [(1, "b", "One. … Three."), (2, "a", "Two.")]


def test_the_number_of_a_list_stands_behind_its_first_line() -> None:
    text, _ = write([scored("Pack:\n- hat\n- towel")], [a_passage("")])
    assert text == "Pack: [1]\n- hat\n- towel"
