from dataclasses import replace

import pytest

from agent.options import AgentOptions, Features
from agent.routing import SearchLimits
from domain.answers import Overrides

PLAIN = AgentOptions()


def test_nothing_wanted_changes_nothing() -> None:
    assert PLAIN.overridden(Overrides()) == PLAIN
    assert PLAIN.overridden(Overrides(model="another")) == PLAIN


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Overrides(top_k=3), replace(PLAIN, top_k=3)),
        (Overrides(temperature=0.0), replace(PLAIN, temperature=0.0)),
        (Overrides(temperature=1.5), replace(PLAIN, temperature=1.5)),
        (Overrides(max_iterations=8), replace(PLAIN, limits=SearchLimits(max_iterations=8))),
        (Overrides(expansion_depth=0), replace(PLAIN, expansion_depth=0)),
        (Overrides(expansion_threshold=0.0), replace(PLAIN, expansion_threshold=0.0)),
        (Overrides(method="lexical"), replace(PLAIN, method="lexical")),
        (Overrides(lexical_weight=0.0), replace(PLAIN, lexical_weight=0.0)),
        (Overrides(graph_share=0.0), replace(PLAIN, graph_share=0.0)),
        (Overrides(rerank_candidates=20), replace(PLAIN, rerank=replace(PLAIN.rerank, candidates=20))),
        (Overrides(rerank_blend=0.0), replace(PLAIN, rerank=replace(PLAIN.rerank, blend=0.0))),
        (Overrides(rerank=True), replace(PLAIN, features=Features(rerank=True))),
        (Overrides(mode="agentic"), PLAIN),
        (Overrides(mode="direct"), PLAIN.direct()),
    ],
)
def test_each_override_changes_its_own_option(wanted: Overrides, expected: AgentOptions) -> None:
    assert PLAIN.overridden(wanted) == expected


def test_reranking_can_be_switched_off() -> None:
    on = replace(PLAIN, features=Features(rerank=True))
    assert not on.overridden(Overrides(rerank=False)).features.rerank
    assert on.overridden(Overrides()).features.rerank


def test_direct_is_one_search_and_one_reply() -> None:
    direct = PLAIN.direct()
    features = direct.features
    assert (direct.mode, direct.limits.max_iterations) == ("direct", 1)
    assert not any((features.decomposition, features.hyde, features.graph, features.verification, features.expansion))


def test_direct_mode_is_one_pass_whatever_else_is_wanted() -> None:
    wanted = Overrides(mode="direct", max_iterations=8, rerank=True)
    options = PLAIN.overridden(wanted)
    assert options.limits.max_iterations == 1
    assert options.features.rerank


def test_an_agentic_question_of_a_direct_service_has_its_own_passes() -> None:
    options = PLAIN.direct().overridden(Overrides(mode="agentic", max_iterations=3))
    assert (options.mode, options.limits.max_iterations) == ("agentic", 3)
