"""Posted answers whose source has a new version: what is noted of them, over the pairs of all sets."""

import re
from collections import Counter
from pathlib import Path

import pytest

from agent.checking.claim_comparison import Verdict
from bot.conversation.changed_sources import compare_with_current_text
from domain.answers import Citation
from tests.claims.score import SentencePair, pairs, there

pytestmark = pytest.mark.check

PAIRS = {pair: (name, language) for name, language in there() for pair in pairs(name, language)}


def said(pair: SentencePair, quote: str, *texts: str) -> Verdict:
    """Of a sentence that was posted with a quotation, when these are the passages of its document."""
    title = Path(pair.document).stem.replace("-", " ")
    return compare_with_current_text(
        pair.claim, Citation(1, title, "", title, "kb", "d", "", "", quote, None, "c"), list(texts)
    )


def others(pair: SentencePair) -> list[str]:
    """Passages of the same document that share no sentence with that of a pair."""
    passages = {each.source for each, place in PAIRS.items() if (each.document, place) == (pair.document, PAIRS[pair])}
    return sorted(each for each in passages if not _sentences(each) & _sentences(pair.source))


def _sentences(text: str) -> set[str]:
    return set(re.split(r"(?<=[.!?])\s+", text))


@pytest.mark.parametrize(("tuned_on", "noted", "contradicted"), [(True, 0.88, 0.48), (False, 0.72, 0.42)])
def test_of_new_versions_that_contradict_an_answer_most_are_noted(
    tuned_on: bool, noted: float, contradicted: float
) -> None:
    """The turned sentence is what was posted, its source the new version."""
    found = Counter(
        said(pair, pair.claim, pair.source)
        for pair, (name, _) in PAIRS.items()
        if pair.kind != "paraphrase" and (name == "development") == tuned_on
    )
    print(found)
    assert found.total() - found["agrees"] >= noted * found.total()
    assert found["disagrees"] >= contradicted * found.total()


def test_of_answers_whose_passage_was_taken_out_none_is_said_to_be_contradicted() -> None:
    found = Counter(
        said(pair, pair.source, *texts) for pair in PAIRS if pair.kind == "paraphrase" and (texts := others(pair))
    )
    print(found)
    assert found.total() > 300
    assert found["disagrees"] <= 0.01 * found.total()


def test_where_the_rest_of_the_passage_was_changed_nobody_is_told_of_a_contradiction() -> None:
    found = Counter(
        said(pair, pair.source, f"{pair.source} More is told elsewhere.") for pair in PAIRS if pair.kind == "paraphrase"
    )
    print(found)
    assert found["disagrees"] == 0
    assert found["agrees"] >= 0.78 * found.total()
