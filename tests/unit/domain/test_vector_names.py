"""Names of vectors tell what a model was told of passages, and can be read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.vector_names import VectorName, parts_of, vector_name

MODELS = st.text(min_size=1, max_size=20).filter(lambda model: not parts_of(f"{model}/1").passage_prefix)
TOLD = st.lists(st.text(max_size=12), max_size=2).filter(lambda told: not told or any(told))


@given(MODELS, TOLD, st.integers(1, 5000))
def test_a_name_is_read_back(model: str, told: list[str], dimensions: int) -> None:
    assert parts_of(vector_name(model, told, dimensions)) in {
        VectorName(model, tuple(told), str(dimensions)),
        VectorName(model, (), str(dimensions)),  # told nothing, in as many words
    }


@pytest.mark.parametrize(
    "name", ["llama [embed]/64", "my e5 [q4]/base/64", 'odd ["name/64', "all-MiniLM-L6-v2@53aa/fp32/384"]
)
def test_a_model_may_be_called_so(name: str) -> None:
    assert parts_of(name) == VectorName(name.rpartition("/")[0], (), name.rpartition("/")[2])


def test_what_differs_has_another_name() -> None:
    told = [(), ("passage: ",), ("passage",), ("", "passage"), ("passage", "passage"), ("passage: ", "document")]
    assert len({vector_name("m", each, 64) for each in told}) == len(told)
