"""What is named and quoted where nothing answers."""

from dataclasses import replace

import numpy as np
import pytest

from agent.reasoners.offline.quotable_units import QuotableUnit
from agent.reasoners.offline.quoting import NEAR, NEAR_SCORE, ScoredUnit, nearest_units
from agent.replies.near_passages import LONGEST, NEAREST, near_passages
from tests.fakes.agent import a_passage, an_evidence, by_key
from tests.fakes.reasoner import ScriptedReasoner

ASKED = "When is the walrus fed?"


def scored(text: str, score: float, vector: int = 0) -> ScoredUnit:
    return ScoredUnit(QuotableUnit(0, 0, text, frozenset()), score, np.eye(8, dtype=np.float32)[vector])


async def test_documents_with_near_words_come_first_then_the_best_graded() -> None:
    names = ("poor", "better", "good", "best")
    items = [an_evidence(a_passage(name, name), grades={1: grade / 10}) for grade, name in enumerate(names)]
    # positions are those of the evidence, best first
    near = await near_passages(ASKED, by_key(*items), ScriptedReasoner(nearby=[(3, "It is poor."), (1, "Fine.")]))
    assert [(each.passage.document_id, each.words) for each in near] == [
        ("poor", "It is poor."),
        ("good", "Fine."),
        ("best", ""),
    ]


async def test_words_of_one_document_stand_together() -> None:
    items = [an_evidence(a_passage(text, "one", part=part)) for part, text in enumerate(("a", "b"))]
    near = await near_passages(
        ASKED, by_key(*items), ScriptedReasoner(nearby=[(0, "- At\n noon."), (1, "Not at night.")])
    )
    assert [each.words for each in near] == ["At noon. … Not at night."]


async def test_text_to_machines_is_named_and_not_quoted() -> None:
    planted = an_evidence(replace(a_passage("planted", "planted"), injection="override"), grades={1: 0.9})
    plain = an_evidence(a_passage("plain", "plain"), grades={1: 0.1})
    near = await near_passages(ASKED, by_key(planted, plain), ScriptedReasoner(nearby=[(0, "Plain."), (1, "Never.")]))
    assert [(each.passage.document_id, each.words) for each in near] == [("plain", "Plain."), ("planted", "")]


@pytest.mark.parametrize("text", ["word " * 100, "文" * 500])
async def test_long_words_are_cut(text: str) -> None:
    reasoner = ScriptedReasoner(nearby=[(0, text)])
    (near,) = await near_passages(ASKED, by_key(an_evidence(a_passage("a"))), reasoner)
    assert len(near.words) <= LONGEST
    assert len(near.words) > LONGEST - 10
    assert near.words.endswith("…")


async def test_no_more_documents_are_named_than_a_reader_takes_in() -> None:
    items = [an_evidence(a_passage(f"{n}", f"{n}")) for n in range(9)]
    assert len(await near_passages(ASKED, by_key(*items), ScriptedReasoner())) == NEAREST
    assert await near_passages(ASKED, {}, ScriptedReasoner(nearby=[(0, "x")])) == ()


def test_the_nearest_units_are_few_good_enough_and_do_not_repeat_each_other() -> None:
    units = [scored("One.", 0.9), scored("One. Two.", 0.8), *(scored(f"{n} apples.", 0.7, n) for n in range(2, 6))]
    assert [each.unit.text for each in nearest_units(units)] == ["One.", "2 apples.", "3 apples."][:NEAR]
    assert nearest_units([scored("One.", NEAR_SCORE - 0.01)]) == []
