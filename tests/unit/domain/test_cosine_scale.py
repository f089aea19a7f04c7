"""Cosines of any model on one scale."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cosine_scale import ANSWERING, COMMON_SCALE, UNRELATED, CosineScale

SCALES = st.tuples(st.floats(-0.5, 0.9), st.floats(0.03, 0.6)).map(
    lambda pair: CosineScale(pair[0], min(0.99, pair[0] + pair[1]))
)
COSINES = st.floats(-1, 1)


@given(SCALES, COSINES, COSINES)
def test_the_order_stays(scale: CosineScale, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert scale.common(low) <= scale.common(high)


@given(SCALES, COSINES)
def test_there_and_back(scale: CosineScale, cosine: float) -> None:
    assert scale.common(cosine) == -1 or scale.own(scale.common(cosine)) == pytest.approx(cosine, abs=1e-6)


@given(SCALES)
def test_three_cosines_have_their_place(scale: CosineScale) -> None:
    placed = [scale.common(each) for each in (scale.unrelated, scale.answering, 1.0)]
    assert placed == pytest.approx([UNRELATED, ANSWERING, 1.0])


@given(COSINES)
def test_the_common_scale_leaves_all_as_it_is(cosine: float) -> None:
    assert COMMON_SCALE.common(cosine) == pytest.approx(cosine)
