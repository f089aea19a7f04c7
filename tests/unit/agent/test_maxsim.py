"""Reranking by token vectors, against the model written out and against its own definition."""

import asyncio
import random
import threading

import numpy as np
import pytest

from agent.providers.maxsim import MaxSimReranker, content_tokens
from agent.providers.minilm import MiniLM
from agent.providers.minilm_files import packaged_model
from domain.model_ports import Vectors
from tests.fakes.local_model import local_minilm
from tests.fakes.minilm_reference import MiniLMReference
from tests.fakes.passages import passage

pytestmark = pytest.mark.check

QUESTION = "What is the notice period for the Leipzig office?"
TEXT = "The notice period is three months, at the Leipzig office as anywhere."


def words(text: str) -> list[tuple[int, int]]:
    """The ranges of blank-separated words, cut before a question mark, in place of a tokenizer's."""
    ranges, start = [], 0
    for word in text.replace("?", " ?").split():
        start = text.index(word, start)
        ranges.append((start, start + len(word)))
        start += len(word)
    return ranges


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("What is the notice period?", ["notice", "period"]),
        ("who is it?", ["who", "is", "it"]),
        ("? ?", ["?", "?"]),
        ("", []),
        ("The THE Office", ["Office"]),
    ],
)
def test_stop_words_and_punctuation_go_where_anything_is_left(text: str, kept: list[str]) -> None:
    ranges = words(text)
    found = [text[slice(*ranges[index])] for index in content_tokens(text, ranges)]
    assert found == kept


def test_all_pieces_of_a_word_go_or_stay_together() -> None:
    # as a tokenizer cuts them
    ranges = [(0, 3), (3, 4), (4, 5), (6, 9), (9, 13), (13, 14)]
    text = "who's Leipzig?"
    assert [text[a:b] for a, b in ranges] == ["who", "'", "s", "Lei", "pzig", "?"]
    assert content_tokens(text, ranges) == [0, 1, 2, 3, 4]  # who's is no stop word as it stands
    assert content_tokens("you as Leipzig", [(0, 3), (4, 6), (7, 10), (10, 14)]) == [2, 3]


@pytest.mark.model
async def test_token_vectors_are_those_that_the_embedding_is_the_mean_of() -> None:
    model, reference = local_minilm(), MiniLMReference(packaged_model())
    (rows,) = await model.map_tokens([TEXT], np.copy)
    hidden = reference.hidden(TEXT)[1:-1]
    expected = hidden / np.linalg.norm(hidden, axis=1, keepdims=True)
    assert rows.shape == (len(model.offsets([TEXT])[0]), 384)
    assert np.sum(rows * expected, axis=1).min() >= 0.999999


@pytest.mark.model
async def test_token_vectors_do_not_depend_on_the_company() -> None:
    draw = random.Random(3)
    texts = ["word " * draw.randint(0, 300) + f"number {place}" for place in range(40)]
    together = await local_minilm().map_tokens(texts, np.copy)
    for text, rows in list(zip(texts, together, strict=True))[::9]:
        (alone,) = await local_minilm().map_tokens([text], np.copy)
        assert rows.shape == alone.shape
        assert np.sum(rows * alone, axis=1).min() >= 0.9999


@pytest.mark.model
async def test_the_score_is_the_mean_of_the_best_cosines() -> None:
    model = local_minilm()
    (score,) = await MaxSimReranker(model, floor=0.25).scores(QUESTION, [passage(TEXT, "Contracts", ("Ending",))])
    asked, found = await model.map_tokens([QUESTION, f"Contracts > Ending\n{TEXT}"], np.copy)
    tokens = content_tokens(QUESTION, model.offsets([QUESTION])[0])
    mean = np.mean([max(float(row @ other) for other in found) for row in asked[tokens]])
    assert score == pytest.approx((mean - 0.25) / 0.75, abs=1e-4)


@pytest.mark.model
async def test_a_passage_below_the_floor_scores_0_and_the_question_itself_nearly_1() -> None:
    reranker = MaxSimReranker(local_minilm())
    stranger, itself = await reranker.scores(QUESTION, [passage("42 ± 7 µg"), passage(QUESTION)])
    assert stranger == 0.0
    assert itself >= 0.999


@pytest.mark.model
async def test_a_long_question_is_read_up_to_its_limit() -> None:
    reranker = MaxSimReranker(local_minilm(), question_tokens=1)
    (first,) = await MaxSimReranker(local_minilm(), floor=-1.0, question_tokens=1).scores("Leipzig", [passage("x")])
    assert 0 < first < 1
    # of the two content words only the first counts, and it is in the passage
    (score,) = await reranker.scores("Leipzig garage", [passage("Leipzig garage")])
    (both,) = await MaxSimReranker(local_minilm()).scores("Leipzig garage", [passage("Leipzig garden")])
    (one,) = await reranker.scores("Leipzig garage", [passage("Leipzig garden")])
    assert score >= 0.999
    assert one > both


@pytest.mark.model
async def test_batches_are_read_side_by_side_and_off_the_event_loop() -> None:
    model, threads = local_minilm(), set[int]()

    def note(rows: Vectors) -> int:
        threads.add(threading.get_ident())
        return len(rows)

    lengths = await model.map_tokens(["word " * 100] * 20, note)
    assert lengths == [100] * 20
    assert threading.get_ident() not in threads


@pytest.mark.model
async def test_embedding_takes_its_turn_beside_reranking() -> None:
    model: MiniLM = local_minilm()
    reranking = asyncio.create_task(MaxSimReranker(model).scores(QUESTION, [passage(TEXT * 12)] * 60))
    await asyncio.sleep(0.2)
    await model.embed([QUESTION])
    assert not reranking.done()
    reranking.cancel()
    await asyncio.gather(reranking, return_exceptions=True)
