"""What a question of little but an identifier is answered with, and which page the question names by its title."""

import pytest

from agent.options import AgentOptions
from agent.questions.expected import expected
from agent.reasoners.offline.judging import titled_as_asked
from agent.reasoners.offline.quoting import HEADING_BONUS, score_units
from agent.retrieval.retriever import Retrieved
from domain.text.tokens import Analyzer
from tests.fakes.agent import MODEL, a_passage
from tests.fakes.offline import a_brief, a_reasoner, pieces

PAGE = "GW-101: The certificate expired.\n\nGW-102: The clock differs."


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What does GW-101 mean?", "GW-101"),
        ("GW-102", "GW-102"),
        ("What does GW-103 mean?", None),
        ("What does the pump GW-101 mean?", None),  # pump is a weighty word
        ("Who owns GW-101?", None),
        ("Is GW-101 new?", None),
        ("When did GW-101 end?", None),
        ("Clock", None),
    ],
)
async def test_a_unit_that_holds_the_identifier_and_all_else_of_weight_is_quoted(
    question: str, told: str | None
) -> None:
    strict = AgentOptions(min_relevance=0.95)
    reasoner = a_reasoner(dict.fromkeys(Analyzer().tokens(question), 3.0), options=strict)
    said = [each.text for each in await pieces(reasoner, a_brief(a_passage(PAGE), text=question)) if each.text]
    assert [told in each for each in said if told] == [True] * len(said) == [True] * (told is not None)


@pytest.mark.parametrize(
    ("title", "titled"),
    [
        ("Restart the gateway", True),
        ("Runbook: Restart the gateway", True),
        ("Gateway", False),
        ("Restart the gateway hall", False),
    ],
)
async def test_the_page_whose_title_is_the_question_counts_more(title: str, titled: bool) -> None:
    question = "How do I restart the gateway?"
    measure = Retrieved((), {"restart": 2.0, "gateway": 2.0}, "english", MODEL.vectors([question])[0])
    passage = a_passage("Drain it. Then wait.", title=title)
    assert titled_as_asked(passage, measure) is titled


async def test_it_counts_as_much_as_a_heading() -> None:
    question = "How do I restart the gateway?"
    measure = Retrieved((), {"restart": 2.0, "gateway": 2.0}, "english", None, {"dense": "Away."})
    best = []
    for title in ("Runbook: Restart the gateway", "Restart the gateway hall"):
        scored, _ = await score_units(MODEL, measure, [a_passage("Drain it.", title=title)], expected(question))
        best.append(scored[0].score)
    assert best[0] - best[1] == pytest.approx(HEADING_BONUS)
