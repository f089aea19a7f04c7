import pytest

from domain.masking import Masker
from tests.masking.case import Positive, faults
from tests.masking.score import (
    BEGIN,
    END,
    FALSE_ALARMS,
    FLOORS,
    LOST,
    PAGE,
    Result,
    blind_together,
    left,
    measured,
    page_with,
    results,
    table,
)
from tests.masking.sets import SETS, CaseSet

pytestmark = pytest.mark.check


@pytest.fixture(scope="module")
def found() -> list[Result]:
    return results()


@pytest.mark.parametrize("each", SETS, ids=lambda each: each.name)
def test_a_set_is_fit_to_be_scored_and_the_same_every_time(each: CaseSet) -> None:
    assert faults(each.positives(), each.negatives()) == []
    assert each.positives() == each.positives()
    assert {case.kind for case in each.positives()} <= set(FLOORS)


@pytest.mark.parametrize("kind", FLOORS)
def test_each_kind_is_masked_at_least_so_often(found: list[Result], kind: str) -> None:
    score = blind_together(found).scores[kind]
    assert score.cases >= 40
    assert score.recall >= FLOORS[kind]


def test_texts_without_secrets_are_left_alone(found: list[Result]) -> None:
    assert all(each.false_alarms <= FALSE_ALARMS for each in (*found, blind_together(found)))


def test_words_around_secrets_stay(found: list[Result]) -> None:
    scores = blind_together(found).scores.values()
    assert sum(score.lost for score in scores) <= LOST * sum(score.cases for score in scores)


def test_the_page_has_the_scores_of_this_checkout(found: list[Result]) -> None:
    content = PAGE.read_text()
    assert (content.count(BEGIN), content.count(END)) == (1, 1)
    assert content == page_with(content, table([*found, blind_together(found)]))


def test_a_piece_of_a_secret_counts_as_a_miss() -> None:
    case = Positive("key value", "", "en", "key=abcdefghijklmnop", ("abcdefghijklmnop",))
    assert left(case, "key=abcdefgh")
    assert left(case, "key=[masked: x]ijklmnop")
    assert not left(case, "key=abcdefg[masked: x]")


def test_a_masker_without_rules_scores_nothing() -> None:
    nothing = measured(SETS[:1], Masker(rules=[]), "nothing")
    assert {score.caught for score in nothing.scores.values()} == {0}
    assert not nothing.alarms
