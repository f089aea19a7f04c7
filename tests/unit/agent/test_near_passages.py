"""What is named and quoted where nothing answers."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from agent.reasoners.offline.quotable_units import QuotableUnit
from agent.reasoners.offline.quoting import NEAR, NEAR_SCORE, ScoredUnit, nearest_units
from agent.replies.near_passages import MAX_QUOTE_CHARACTERS, NEAREST, near_passages
from agent.retrieval.selection import live_document_id, read_now
from agent.state import Evidence, NearPassage
from domain.masking import Masker
from tests.fakes.agent import a_passage, an_evidence
from tests.fakes.reasoner import ScriptedReasoner

ASKED = "When is the walrus fed?"


def scored(text: str, score: float, vector: int = 0) -> ScoredUnit:
    return ScoredUnit(QuotableUnit(0, 0, text, frozenset()), score, np.eye(8, dtype=np.float32)[vector])


async def near_of(items: Sequence[Evidence], reasoner: ScriptedReasoner) -> tuple[NearPassage, ...]:
    return await near_passages(ASKED, items, reasoner, Masker())


async def test_documents_with_near_words_come_first_then_the_best_graded() -> None:
    names = ("poor", "better", "good", "best")
    items = [an_evidence(a_passage(name, name), grades={1: grade / 10}) for grade, name in enumerate(names)]
    # positions are those of the evidence, best first
    near = await near_of(items, ScriptedReasoner(nearby=[(3, "It is poor."), (1, "Fine.")]))
    assert [(each.passage.document_id, each.words) for each in near] == [
        ("poor", "It is poor."),
        ("good", "Fine."),
        ("best", ""),
    ]


async def test_words_of_one_document_stand_together() -> None:
    items = [an_evidence(a_passage(text, "one", part=part)) for part, text in enumerate(("a", "b"))]
    near = await near_of(items, ScriptedReasoner(nearby=[(0, "- At\n noon."), (1, "Not at night.")]))
    assert [(each.passage.ordinal, each.words) for each in near] == [(0, "At noon."), (1, "Not at night.")]


async def test_text_to_machines_is_named_and_not_quoted() -> None:
    planted = an_evidence(replace(a_passage("planted", "planted"), injection="override"), grades={1: 0.9})
    plain = an_evidence(a_passage("plain", "plain"), grades={1: 0.1})
    near = await near_of([planted, plain], ScriptedReasoner(nearby=[(0, "Plain."), (1, "Never.")]))
    assert [(each.passage.document_id, each.words) for each in near] == [("plain", "Plain."), ("planted", "")]


@pytest.mark.parametrize("text", ["word " * 200, "文" * 1_000])
async def test_long_words_are_cut(text: str) -> None:
    reasoner = ScriptedReasoner(nearby=[(0, text)])
    (near,) = await near_of([an_evidence(a_passage("a"))], reasoner)
    assert len(near.words) <= MAX_QUOTE_CHARACTERS
    assert len(near.words) > MAX_QUOTE_CHARACTERS - 10
    assert near.words.endswith("…")


@pytest.mark.parametrize("before", range(MAX_QUOTE_CHARACTERS - 36, MAX_QUOTE_CHARACTERS, 6))
async def test_what_is_personal_is_masked_before_it_is_cut(before: int) -> None:
    text = f"{'x' * (before - 1)} IBAN DE89 3704 0044 0532 0130 00 and more words behind it."
    (near,) = await near_of([an_evidence(a_passage("a"))], ScriptedReasoner(nearby=[(0, text)]))
    assert not any(map(str.isdecimal, near.words))


async def test_beside_what_a_source_says_now_nothing_older_is_told() -> None:
    now = an_evidence(replace(a_passage("New words.", "live", url="https://x.example/a"), chunk_id=""))
    then = an_evidence(a_passage("Old words.", "kept", url="https://x.example/a"))
    if not read_now(now.passage):
        now = an_evidence(replace(now.passage, source="", document_id=live_document_id("https://x.example/a")))
    near = await near_of([then, now], ScriptedReasoner())
    assert [each.passage.text for each in near] == ["New words."]


async def test_no_more_documents_are_named_than_a_reader_takes_in() -> None:
    items = [an_evidence(a_passage(f"{n}", f"{n}")) for n in range(9)]
    assert len(await near_of(items, ScriptedReasoner())) == NEAREST
    assert await near_of([], ScriptedReasoner(nearby=[(0, "x")])) == ()


def test_the_nearest_units_are_few_good_enough_and_do_not_repeat_each_other() -> None:
    units = [scored("One.", 0.9), scored("One. Two.", 0.8), *(scored(f"{n} apples.", 0.7, n) for n in range(1, 8))]
    assert [each.unit.text for each in nearest_units(units)] == ["One.", *(f"{n} apples." for n in range(1, NEAR))]
    assert nearest_units([scored("One.", NEAR_SCORE - 0.01)]) == []
