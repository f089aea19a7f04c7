"""A unit that is far ahead of all others and holds what is asked for is quoted, also in words of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.options import AgentOptions
from agent.reasoners.offline.likely_answer import LIKELY, UnitFeatures, likelihood
from agent.replies.writer import ReplyWriter
from agent.wording import IN_OTHER_WORDS, QUOTED_OFFLINE
from domain.masking import Masker
from tests.fakes.agent import a_passage
from tests.fakes.offline import a_brief, a_reasoner, pieces

ASKED = "When must figures for the walrus be handed in?"
WORDS = {"figur": 4.0, "walrus": 3.0, "hand": 4.0}
FIGURES = "The walrus report is due at 6:30."
OTHERS = (a_passage("Printers need toner.", title="Printers"), a_passage("Keys hang beside the door.", title="Keys"))

share = st.floats(0, 1)


@given(st.builds(UnitFeatures, share, share, st.floats(0, 0.5), share, share, share), st.floats(0, 0.5))
def test_the_farther_it_is_ahead_the_likelier_it_is(features: UnitFeatures, more: float) -> None:
    assert 0 <= likelihood(features) <= likelihood(features._replace(margin=features.margin + more)) <= 1


async def test_it_is_quoted_alone_with_a_note() -> None:
    brief = a_brief(a_passage(FIGURES), *OTHERS, text=ASKED)
    assert max([each.confidence or 0 for each in await pieces(a_reasoner(WORDS), brief)], default=0) == 0.3
    writer = ReplyWriter(brief, Masker(), lambda _: None)
    for piece in await pieces(a_reasoner(WORDS), brief):
        writer.feed(piece)
    draft = writer.finish()
    assert draft.text == f"{FIGURES} [1]"
    assert draft.notes == (IN_OTHER_WORDS, QUOTED_OFFLINE)


@pytest.mark.parametrize(
    "passages",
    [
        (a_passage("The walrus report is due."), *OTHERS),  # no value of the kind that is asked for
        (a_passage(FIGURES), a_passage("The walrus report is seen at 9:45.", title="Other"), *OTHERS),  # not ahead
        (a_passage(FIGURES),),  # ahead of nothing
    ],
)
async def test_otherwise_nothing_is_quoted(passages: tuple[object, ...]) -> None:
    assert await pieces(a_reasoner(WORDS), a_brief(*passages, text=ASKED)) == []  # type: ignore[arg-type] # passages


async def test_who_wants_only_what_is_surely_relevant_gets_nothing() -> None:
    brief = a_brief(a_passage(FIGURES), *OTHERS, text=ASKED)
    strict = AgentOptions(min_relevance=0.99)
    assert strict.min_relevance > LIKELY
    assert await pieces(a_reasoner(WORDS, options=strict), brief) == []
