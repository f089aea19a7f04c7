"""What the reasoner without a language model quotes, and what it refuses to answer."""

from dataclasses import replace

import pytest

from agent.checking.citations import cite
from agent.options import AgentOptions
from agent.reasoner import AnswerPart, SynthesisInput
from agent.reasoners.offline.judging import judge
from agent.replies.writer import ReplyWriter
from agent.retrieval.retriever import Retrieved
from agent.state import ReplyPiece
from agent.wording import QUOTED_OFFLINE
from domain.answers import Question
from domain.masking import Masker
from tests.fakes.agent import ASKED, MEMBER, AwayEmbedder, a_passage, an_analysis, an_evidence
from tests.fakes.offline import a_brief, a_reasoner, a_zoo_reasoner, pieces, written


async def test_what_no_passage_speaks_of_is_refused() -> None:
    assert await pieces(a_reasoner(), a_brief(a_passage("Printers need toner."))) == []
    assert await pieces(a_reasoner(), a_brief()) == []


async def test_words_alone_must_cover_enough_of_the_question() -> None:
    idf = {"walrus": 1.0, "fed": 2.0}
    brief = a_brief(a_passage("The walrus swims."))
    assert await pieces(a_reasoner(idf, away="Away.", options=AgentOptions(min_relevance=0.34)), brief) == []
    assert await pieces(a_reasoner(idf, away="Away.", options=AgentOptions(min_relevance=0.33)), brief)


async def test_a_passage_of_questions_alone_answers_nothing() -> None:
    assert await pieces(a_reasoner(), a_brief(a_passage(ASKED))) == []


async def test_an_answer_is_quoted_and_numbered() -> None:
    passage = a_passage("The walrus is fed at noon. Printers need toner.", title="Zoo", headings=("Care", "Food"))
    draft = await written(a_reasoner(), passage)
    assert draft.text == "The walrus is fed at noon. [1]"
    (citation,) = draft.citations
    assert (citation.n, citation.quote, citation.title) == (1, "The walrus is fed at noon.", "Zoo")
    assert (citation.section, citation.place, citation.path) == ("Care > Food", "lines 3-4", "d.md")
    assert 0.3 <= draft.confidence <= 1
    assert draft.notes == (QUOTED_OFFLINE,)


async def test_words_in_title_and_headings_count_for_the_judgement() -> None:
    measure = Retrieved((), {"zoo": 1.0, "food": 1.0}, "english", None, {"dense": "Away."})
    assert judge(measure, [a_passage("It swims.", title="Zoo", headings=("Food",))]) == 1.0
    assert judge(measure, [a_passage("It swims.", headings=("Food",))]) == 0.5


async def test_without_a_vector_it_quotes_by_words_and_says_so() -> None:
    reasoner = a_reasoner(away="Searched by words alone: the model is away.")
    draft = await written(reasoner, a_passage("Toner is black. The walrus is fed at noon."))
    assert draft.text == "The walrus is fed at noon. [1]"
    assert draft.notes == ("Searched by words alone: the model is away.", QUOTED_OFFLINE)


async def test_a_model_that_goes_away_between_search_and_quoting_is_no_failure() -> None:
    reasoner = a_reasoner(model=AwayEmbedder())
    draft = await written(reasoner, a_passage("Toner is black. The walrus is fed at noon."))
    assert draft.text == "The walrus is fed at noon. [1]"
    assert draft.notes == ("Quoted by words alone: the embedding server is away.", QUOTED_OFFLINE)


async def test_two_copies_of_a_passage_are_quoted_once() -> None:
    text = "The walrus is fed at noon."
    draft = await written(a_reasoner(), a_passage(text), a_passage(text, "copy"))
    assert draft.text == f"{text} [1]"
    assert [citation.document_id for citation in draft.citations] == ["d"]


@pytest.mark.parametrize("limit", [1, 2])
async def test_no_more_is_quoted_than_allowed(limit: int) -> None:
    text = "The walrus is fed fish.\n\nThe walrus is fed shrimp.\n\nThe walrus is fed clams."
    reasoner = a_reasoner(away="Away.", options=AgentOptions(answer_sentences=limit))
    assert (await written(reasoner, a_passage(text))).text.count("[1]") == limit


async def test_a_passage_keeps_its_number_and_gathers_its_quotes() -> None:
    brief = a_brief(a_passage("", "a"), a_passage("", "b"))
    writer = ReplyWriter(brief, Masker(), lambda _: None)
    for text, source in (("One.", 2), ("Two.", 1), ("Three.", 2)):
        writer.feed(ReplyPiece(text, source=source))
    draft = writer.finish()
    assert draft.text == "One. [1]\n\nTwo. [2]\n\nThree. [1]"
    assert draft.citations == (
        cite(1, a_passage("", "b"), ["One.", "Three."]),
        cite(2, a_passage("", "a"), ["Two."]),
    )


async def test_each_part_of_a_question_is_answered_from_its_own_evidence() -> None:
    walrus, bus = a_passage("The walrus is fed at noon.", "w"), a_passage("Buses leave at nine.", "b")
    analysis = an_analysis("x", ASKED, "When do buses leave?")
    one, two = analysis.sub_questions
    parts = (AnswerPart(one, (1,)), AnswerPart(two, (2,)))
    brief = SynthesisInput(Question("x", MEMBER), analysis, parts, (an_evidence(walrus), an_evidence(bus)))
    reasoner = await a_zoo_reasoner()
    quoted = [(piece.text, piece.source) for piece in await pieces(reasoner, brief) if piece.text]
    assert quoted == [("The walrus is fed at noon.", 1), ("Buses leave at nine.", 2)]


async def notes(own: str = "", *parts: str) -> list[str]:
    """Below the answer to a question of several parts, over one passage on walruses for all of them."""
    analysis = replace(an_analysis("x", *parts), own=own)
    split = tuple(AnswerPart(each, (1,)) for each in analysis.sub_questions)
    walrus = an_evidence(a_passage("The walrus is fed at noon.", "w"))
    brief = SynthesisInput(Question("x", MEMBER), analysis, split, (walrus,))
    return [piece.note for piece in await pieces(await a_zoo_reasoner(), brief) if piece.note]


async def test_parts_without_an_answer_are_named_in_their_own_words() -> None:
    lead = f"{ASKED} which colour has the lighthouse?"
    assert await notes("", ASKED, lead, "Who paints the bridge?") == [
        "Nothing was found on “which colour has the lighthouse” and “Who paints the bridge”.",
        QUOTED_OFFLINE,
    ]


async def test_a_part_of_which_the_other_answers_speak_is_not_said_to_be_missing() -> None:
    assert await notes("", ASKED, "at noon?") == [QUOTED_OFFLINE]


async def test_the_question_before_a_follow_up_is_not_said_to_be_missing() -> None:
    assert await notes("And the walrus?", ASKED, "Who paints the bridge?") == [QUOTED_OFFLINE]


async def test_nothing_is_named_where_nothing_is_answered() -> None:
    assert await notes("", "Which colour has the lighthouse?", "Who paints the bridge?") == []
