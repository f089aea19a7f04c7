"""Operators' YAML: what costs more than its length is refused or costs no more."""

from collections.abc import Callable
from typing import ClassVar

import pytest
import yaml

from agent.evaluation.fact_questions import read_fact_questions
from agent.evaluation.golden_questions import read_golden
from agent.retrieval.synonym_groups import read_synonyms
from agent.yaml_text import _Loader, read_yaml
from domain.errors import Misconfigured


@pytest.mark.parametrize("read", [read_golden, read_fact_questions, read_synonyms])
@pytest.mark.parametrize("key", ["<<", "!!merge x", "? !!merge [x]\n  "])
def test_merge_keys_are_refused(read: Callable[[str, str], object], key: str) -> None:
    with pytest.raises(Misconfigured, match="f is not YAML") as refused:
        read(f"- &a {{question: q, documents: [d]}}\n- {key}: [*a, *a]\n", "f")
    assert "line 2 has a merge key" in refused.value.why


def test_merge_keys_in_one_another_take_no_memory() -> None:
    levels = [f"- &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 5)]
    with pytest.raises(ValueError, match="line 2 has a merge key"):
        read_yaml("\n".join(["- &a0 {question: q}", *levels]))


def test_a_quoted_key_merges_nothing() -> None:
    assert read_yaml("{'<<': {a: 1}}") == {"<<": {"a": 1}}


class CountedText(str):
    """A text that counts how often such texts are compared."""

    __slots__ = ()
    compared: ClassVar[list[int]] = [0]

    def __eq__(self, other: object) -> bool:
        self.compared[0] += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_many_keys_are_not_each_compared_with_all_others() -> None:
    value = yaml.ScalarNode("tag:yaml.org,2002:str", "x")
    keys = [yaml.ScalarNode("tag:yaml.org,2002:str", CountedText(f"key {n}")) for n in range(1_000)]
    node = yaml.MappingNode("tag:yaml.org,2002:map", [(key, value) for key in keys])
    loader = _Loader("")
    assert len(loader.construct_mapping(node)) == len(keys)
    assert CountedText.compared[0] < 20 * len(keys)
