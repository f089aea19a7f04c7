"""What the reasoner without a language model quotes, and what it refuses to answer."""

from dataclasses import replace

import pytest

from agent.checking.citations import cite
from agent.options import AgentOptions
from agent.questions.analysis import analysis_of
from agent.reasoner import AnswerPart, SynthesisInput
from agent.reasoners.offline.judging import judge
from agent.reasoners.offline.relations import related_rows
from agent.replies.writer import ReplyWriter
from agent.retrieval.retriever import Retrieved
from agent.state import LIST_ENTRIES, ReplyPiece
from agent.wording import QUOTED_OFFLINE
from domain.answers import Question, Turn
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


@pytest.mark.parametrize(
    ("question", "list_first"),
    [
        (f"{ASKED[:-1]}, and how many runbooks are there?", False),
        (f"How many runbooks are there, and {ASKED[0].lower()}{ASKED[1:]}", True),
    ],
)
async def test_a_list_answers_the_part_that_asks_how_many_alone(question: str, *, list_first: bool) -> None:
    asked = Question(question, MEMBER)
    analysis = analysis_of(asked)
    walrus = an_evidence(a_passage("The walrus is fed at noon.", "w"))
    listed = replace(walrus, tools=(LIST_ENTRIES,), stated_relations=("1 document:", "When the walrus is fed"))
    split = tuple(AnswerPart(each, (1,)) for each in analysis.sub_questions)
    brief = SynthesisInput(asked, analysis, split, (listed,))
    told = [piece for piece in await pieces(await a_zoo_reasoner(), brief) if piece.text]
    expected = ["1 document:", "- When the walrus is fed [1]"]
    quoted = ["The walrus is fed at noon."]
    assert [piece.text.strip() for piece in told] == ([*expected, *quoted] if list_first else [*quoted, *expected])


async def notes(question: str, *earlier: str) -> list[str]:
    """Below the answer to a question, over one passage on walruses for all of its parts."""
    asked = Question(question, MEMBER, history=tuple(Turn(each, "…") for each in earlier))
    analysis = analysis_of(asked)
    split = tuple(AnswerPart(each, (1,)) for each in analysis.sub_questions)
    walrus = an_evidence(a_passage("The walrus is fed at noon.", "w"))
    brief = SynthesisInput(asked, analysis, split, (walrus,))
    return [piece.note for piece in await pieces(await a_zoo_reasoner(), brief) if piece.note]


BRIDGE = "Nothing was found on “who paints the bridge”."


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        (f"{ASKED[:-1]}, and who paints the bridge?", [BRIDGE]),
        (
            f"{ASKED} Which colour has the lighthouse, and who paints it?",
            ["Nothing was found on “Which colour has the lighthouse” and “who paints it”."],
        ),
        (f"{ASKED[:-1]}, and who paints the bridge when it rains {'and snows ' * 12}at night?", []),
        (f"{ASKED[:-1]}, and at what time?", []),
        (f"{ASKED[:-1]}, and what is a walrus fed?", []),
        (f"Can you help me please? {ASKED}", []),
        (f"{ASKED} Does anybody here know that for certain?", []),
        ("Which colour has the lighthouse, and who paints the bridge?", None),
    ],
    ids=["its own", "leaning", "long", "a value", "words", "a request", "no question word", "nothing answered"],
)
async def test_parts_that_ask_and_have_no_answer_are_named(question: str, noted: list[str] | None) -> None:
    assert await notes(question) == ([] if noted is None else [*noted, QUOTED_OFFLINE])


async def test_of_a_follow_up_no_part_is_named() -> None:
    assert await notes("What about the walrus, and who paints it?", ASKED) == [QUOTED_OFFLINE]


async def test_a_model_that_broke_off_may_have_answered_a_part() -> None:
    analysis = analysis_of(Question(f"{ASKED[:-1]}, and who paints the bridge?", MEMBER))
    split = tuple(AnswerPart(each, (1,)) for each in analysis.sub_questions)
    walrus = an_evidence(a_passage("The walrus is fed at noon.", "w"))
    brief = SynthesisInput(Question("x", MEMBER), analysis, split, (walrus,))
    reasoner = await a_zoo_reasoner()
    assert [piece.note async for piece in reasoner.excerpts(brief, "It broke off.") if piece.note] == ["It broke off."]


STAFF = "Who works here.\n\n| Name | Room | Deputy |\n|---|---|---|\n| Ada | 12 | Ben |\n| Ben | 14 | – |\n\nCall them."


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Who is the deputy of Ada?", "Ada – Room: 12; Deputy: Ben [1]"),
        ("Who is the deputy of Ben?", "Ben – Room: 14; Deputy: – [1]"),
        ("Whose deputy is Ben?", "Ada – Room: 12; Deputy: Ben [1]"),
    ],
)
async def test_a_relation_in_a_table_is_told_the_way_round_that_is_asked_for(question: str, shown: str) -> None:
    reasoner = a_reasoner({"deputi": 2.0, "ada": 2.0, "ben": 2.0})
    assert (await written(reasoner, a_passage(STAFF, title="Staff"), text=question)).text == shown


async def test_a_relation_of_another_task_is_not_told() -> None:
    reasoner = a_reasoner({"pool": 2.0, "deputi": 2.0, "ada": 2.0})
    page = a_passage(STAFF.replace("Deputy", "Manager"), title="Kiosk")
    assert "Ada" not in (await written(reasoner, page, text="Who is the pool manager of Ada?")).text
    assert "Ada" in (await written(reasoner, page, text="Who is the kiosk manager of Ada?")).text


FOLLOWED = "Who is the chief?", "Chief: Ada Berg, since May 2024. [1]"


@pytest.mark.parametrize(
    ("follow_up", "shown"),
    [("since when?", "Chief: Ada Berg, since May 2024."), ("and before her?", "Before her, Ben Dahl led it.")],
)
async def test_what_was_quoted_last_is_quoted_again_only_where_it_says_what_is_asked(
    follow_up: str, shown: str
) -> None:
    asked = Question(follow_up, MEMBER, history=(Turn(*FOLLOWED),))
    analysis = analysis_of(asked)
    page = an_evidence(a_passage("Chief: Ada Berg, since May 2024. Before her, Ben Dahl led it.", title="Zoo"))
    brief = SynthesisInput(asked, analysis, (AnswerPart(analysis.sub_questions[0], (1,)),), (page,))
    said = [each.text for each in await pieces(a_reasoner({"chief": 3.0}), brief) if each.text]
    assert said == [shown]


async def test_a_relation_in_text_to_machines_is_not_picked() -> None:
    passage = replace(a_passage(STAFF, title="Staff"), injection="rule")
    assert related_rows("Who is the deputy of Ada?", [passage], Retrieved((), {})).rows == ()


@pytest.mark.parametrize(
    ("sure", "grade", "quoted"), [(0.9, 0.9, True), (0.5, 0.9, False), (0.9, 0.4, False), (None, 0.9, False)]
)
async def test_where_a_grader_is_sure_its_best_passage_is_quoted(
    sure: float | None, grade: float, *, quoted: bool
) -> None:
    """The words of the question may be others than those of the answer."""
    brief = a_brief(a_passage("The pinniped has its meal at twelve."), text="When does the walrus dine?")
    graded = tuple(replace(item, grades={1: grade}) for item in brief.evidence)
    found = await pieces(a_reasoner(), replace(brief, evidence=graded, sure=sure))
    assert any("meal at twelve" in each.text for each in found) == quoted
