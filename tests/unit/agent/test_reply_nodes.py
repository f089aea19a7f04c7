"""The nodes that write a reply, verify it and build the outcome, each by itself."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agent.answer_context import AnswerContext
from agent.nodes.build_outcome import build_outcome
from agent.nodes.synthesize import CHARACTERS_A_TOKEN, parts_of, synthesize, within
from agent.nodes.verify import verify
from agent.options import AgentOptions, Features
from agent.reasoner import SynthesisInput
from agent.replies.checked_stream import CheckedStream
from agent.replies.open_reply import OpenReply
from agent.routing import after_verification
from agent.state import AgentState, Analysis, NearPassage, ReplyDraft, ReplyPiece, SubQuestion
from agent.wording import MORE_THAN_NAMED, MOSTLY_LEFT_OUT, NOTHING_SUPPORTED
from domain.answers import Answer, Citation, NearQuote, NotFound, Question, ToolCall
from domain.errors import Transient
from domain.relation_matching import MAX_STATED
from domain.search import Filters
from tests.fakes.agent import (
    ASKED,
    HYBRID,
    MEMBER,
    a_passage,
    a_run,
    a_state,
    an_analysis,
    an_evidence,
    by_key,
    the_sources,
)
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.reasoner import ScriptedReasoner
from tests.fakes.tools import AwayGraph

# -- synthesize


async def test_a_reply_is_written_from_the_chosen_evidence_and_shown(knowledge: MemoryKnowledge) -> None:
    reasoner = ScriptedReasoner(drafts=[[ReplyPiece("The walrus is fed "), ReplyPiece("at noon [1].", confidence=0.8)]])
    (walrus,) = (await the_sources(knowledge).retriever.rank("walrus", MEMBER)).ranked[:1]
    good = an_evidence((await knowledge.passages([walrus.chunk_id], MEMBER))[0], grades={1: 0.8})
    poor = an_evidence("Printers need toner.", grades={1: 0.1})
    run = a_run(knowledge, reasoner)
    update = await synthesize(a_state(iteration=1, evidence=by_key(poor, good)), run)
    assert update == {"chosen": (good.key,)}
    written = run.replies[-1].writer.finish()
    await run.replies[-1].show()
    assert (written.text, written.confidence) == ("The walrus is fed at noon [1].", 0.8)
    assert run.recorder.written == "The walrus is fed at noon [1]."
    assert reasoner.briefs[0].evidence == (good,)


async def test_from_the_same_evidence_no_second_reply_is_written(knowledge: MemoryKnowledge) -> None:
    item = an_evidence(a_passage("The walrus is fed at noon."), grades={1: 0.8})
    reasoner = ScriptedReasoner(drafts=[[ReplyPiece("The walrus is fed at noon [1].")]], quoted=1)
    run = a_run(knowledge, reasoner)
    failed = a_state(
        iteration=1, evidence=by_key(item), draft=ReplyDraft(left_out=("It weighs 900 kg.",)), chosen=(item.key,)
    )
    await synthesize(failed, run)
    draft = run.replies[-1].writer.finish()
    assert (draft.text, draft.notes[0]) == ("The walrus is fed at noon. [1]", NOTHING_SUPPORTED)
    assert (draft.left_out, draft.confidence) == (("It weighs 900 kg.",), 0.2)
    assert reasoner.asked == ["excerpts"]
    new = an_evidence(a_passage("It weighs 900 kg.", "new"), grades={1: 0.8})
    await synthesize(replace(failed, evidence=by_key(item, new)), run)
    assert reasoner.asked[1:] == ["synthesize"]


async def test_a_list_that_is_not_whole_says_so(knowledge: MemoryKnowledge) -> None:
    stating = [
        replace(an_evidence(a_passage(f"PAY-{n}", str(n))), stated_relations=(f"PAY-{n} part of PAY-1",))
        for n in range(60)
    ]
    for count, said in ((MAX_STATED, False), (MAX_STATED + 1, True)):
        reasoner = ScriptedReasoner(drafts=[[ReplyPiece("PAY-0 is part of PAY-1 [1].")]])
        state = a_state(iteration=1, evidence=by_key(*stating[:count]))
        run = a_run(knowledge, reasoner)
        update = await synthesize(state, run)
        assert len(update["chosen"]) == MAX_STATED
        draft = (await verify(replace(state, chosen=update["chosen"]), run))["draft"]
        assert (MORE_THAN_NAMED in draft.notes) is said, count


async def test_where_the_graph_is_away_dates_say_which_source_counts(knowledge: MemoryKnowledge) -> None:
    dates = datetime(2020, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    old, new = (
        an_evidence(
            a_passage(f"The walrus in the zoo gets {amount} kg of fish a day.", amount, title="Zoo", dated=dated)
        )
        for amount, dated in zip(("5", "7"), dates, strict=True)
    )
    away = AwayGraph(Transient("the graph is away"))
    reasoner = ScriptedReasoner(drafts=[[]])
    run = a_run(knowledge, reasoner, sources=replace(the_sources(knowledge), graph=away))
    analysis = an_analysis("How much fish does the walrus in the zoo get?")
    await synthesize(a_state(iteration=1, evidence=by_key(old, new), analysis=analysis), run)
    (conflict,) = reasoner.briefs[0].conflicts
    assert (reasoner.briefs[0].evidence[conflict.first - 1], conflict.reason) == (new, "is newer than")
    assert any("which documents replace which could not be read" in line for line in run.recorder.reasoning)


async def test_without_evidence_nobody_is_asked_to_write(knowledge: MemoryKnowledge) -> None:
    reasoner = ScriptedReasoner(drafts=[[ReplyPiece("I know it [1].")]])
    run = a_run(knowledge, reasoner)
    update = await synthesize(a_state(iteration=1), run)
    assert (run.replies[-1].writer.finish().found, update["chosen"], reasoner.asked) == (False, (), [])


def test_evidence_is_bound_by_tokens_and_there_is_always_one() -> None:
    items = [an_evidence("x" * 40 * CHARACTERS_A_TOKEN), *(an_evidence(a_passage("y" * 40, str(n))) for n in range(9))]
    assert within(items, 60) == items[:3]
    assert within(items, 1) == items[:1]
    assert within([], 1) == []


def test_parts_have_their_own_evidence_best_first_and_what_belongs_to_all() -> None:
    one = an_evidence("one", found_for=(1,), grades={1: 0.9})
    both = an_evidence("both", found_for=(1, 2), grades={1: 0.4, 2: 0.5})
    whole = an_evidence("whole", found_for=(0,), grades={0: 0.6})
    analysis = Analysis("x", sub_questions=(SubQuestion(1, "a", priority=2), SubQuestion(2, "b", priority=1)))
    first, second = parts_of(analysis, [one, both, whole])
    assert (first.sub_question.number, set(first.items), first.items[0]) == (2, {2, 3}, 2)
    assert (second.sub_question.number, set(second.items), second.items[0]) == (1, {1, 2, 3}, 1)
    assert parts_of(an_analysis(), [one, both])[0].items == (1, 2)


# -- verify

NOON = "The walrus is fed at noon."
TURNED = "The walrus is not fed at noon [1]."
DOUBTFUL = "Somebody cares for every walrus of that kind in the middle of a day [1]."


async def verified(
    knowledge: MemoryKnowledge, run: AnswerContext, text: str, iteration: int = 3
) -> tuple[ReplyDraft, AgentState]:
    """What became of a reply from one passage, and the state that it came from."""
    item = an_evidence(a_passage(NOON))
    inputs = SynthesisInput(Question(ASKED, MEMBER), an_analysis(), (), (item,))
    reply = OpenReply(inputs, run.masker, CheckedStream(run.rights, (), run.recorder.write))
    run.replies.append(reply)
    await reply.take(ReplyPiece(text))
    await reply.take(ReplyPiece(confidence=0.8))
    state = a_state(iteration=iteration, plan=(HYBRID,))
    return (await verify(state, run))["draft"], state


async def test_what_agrees_with_its_source_needs_no_checker(knowledge: MemoryKnowledge) -> None:
    reasoner = ScriptedReasoner(support=0.0)
    draft, _ = await verified(knowledge, a_run(knowledge, reasoner), f"{NOON} [1]")
    assert (draft.text, draft.confidence, draft.notes, reasoner.asked) == (f"{NOON} [1]", 0.8, (), [])


@pytest.mark.parametrize(("support", "confidence"), [(1.0, 0.8), (0.5, 0.6), (0.2, 0.48), (None, 0.6)])
async def test_a_doubt_lowers_confidence_and_is_told_unless_the_checker_sees_none(
    knowledge: MemoryKnowledge, support: float | None, confidence: float
) -> None:
    run = a_run(knowledge, ScriptedReasoner(support=support))
    draft, _ = await verified(knowledge, run, DOUBTFUL)
    assert draft.confidence == pytest.approx(confidence)
    assert draft.text == DOUBTFUL
    assert [note[:33] for note in draft.notes] == (
        ["Check these against the source, w"] if support is None or support < 0.3 else []
    )


@pytest.mark.parametrize(("support", "shown"), [(1.0, True), (0.75, True), (0.74, False), (0.0, False), (None, False)])
async def test_what_its_source_disputes_is_shown_only_where_the_checker_is_sure(
    knowledge: MemoryKnowledge, support: float | None, *, shown: bool
) -> None:
    reasoner = ScriptedReasoner(support=support)
    run = a_run(knowledge, reasoner)
    draft, _ = await verified(knowledge, run, f"{NOON} [1] {TURNED} {DOUBTFUL}")
    middle = f" {TURNED}" if shown else ""
    assert draft.text == run.recorder.written == f"{NOON} [1]{middle} {DOUBTFUL}"
    assert [claim.sentence for claim in reasoner.claims] == [TURNED.replace(" [1]", ""), DOUBTFUL.replace(" [1]", "")]
    assert reasoner.asked == ["check"]
    assert bool(draft.left_out) != shown
    assert (draft.confidence < 0.8) == (support != 1.0)


@pytest.mark.parametrize("options", [AgentOptions().direct(), AgentOptions(features=Features(verification=False))])
async def test_without_a_checker_doubts_are_told_and_disputes_left_out(
    knowledge: MemoryKnowledge, options: AgentOptions
) -> None:
    reasoner = ScriptedReasoner(support=1.0)
    draft, _ = await verified(knowledge, a_run(knowledge, reasoner, options), f"{NOON} [1] {TURNED} {DOUBTFUL}")
    assert (draft.text, reasoner.asked) == (f"{NOON} [1] {DOUBTFUL}", [])
    assert len(draft.notes) == 2


async def test_where_most_is_left_out_excerpts_follow(knowledge: MemoryKnowledge) -> None:
    reasoner = ScriptedReasoner(support=0.0, quoted=1)
    run = a_run(knowledge, reasoner)
    draft, _ = await verified(knowledge, run, f"{DOUBTFUL} {TURNED} It weighs 900 kg [1].")
    assert draft.text == run.recorder.written == f"{DOUBTFUL}\n\n{NOON} [1]"
    assert MOSTLY_LEFT_OUT in draft.notes
    assert draft.confidence < 0.5
    half, _ = await verified(knowledge, run, f"{DOUBTFUL} {TURNED}")
    assert half.text == DOUBTFUL


@pytest.mark.parametrize(("iteration", "again"), [(1, True), (2, True), (3, False)])
async def test_a_reply_of_which_nothing_is_left_is_quoted_once_no_pass_is_left(
    knowledge: MemoryKnowledge, iteration: int, *, again: bool
) -> None:
    run = a_run(knowledge, ScriptedReasoner(support=0.0, quoted=1))
    draft, state = await verified(knowledge, run, TURNED, iteration=iteration)
    assert draft.text == run.recorder.written == ("" if again else f"{NOON} [1]")
    assert (NOTHING_SUPPORTED in draft.notes) != again
    assert after_verification(draft, state.iteration, run.options.limits) == ("plan" if again else "check_rights")
    assert draft.left_out == ("The walrus is not fed at noon.",)


async def test_with_nothing_to_quote_there_is_no_answer(knowledge: MemoryKnowledge) -> None:
    draft, _ = await verified(knowledge, a_run(knowledge, ScriptedReasoner(support=0.0)), TURNED)
    assert (draft.text, draft.found) == ("", False)


# -- build_outcome


async def test_small_talk_gets_a_word(knowledge: MemoryKnowledge) -> None:
    state = a_state(analysis=replace(an_analysis("hi"), talk="greeting"))
    outcome = (await build_outcome(state, a_run(knowledge, ScriptedReasoner())))["outcome"]
    assert isinstance(outcome, Answer)
    assert (outcome.citations, outcome.confidence) == ((), 1.0)


async def test_a_found_draft_becomes_an_answer_with_its_notes(knowledge: MemoryKnowledge) -> None:
    citation = Citation(1, "Care", "https://x.example/care", "care.md", "docs", "d", "Feeding", "", "At noon.", None)
    draft = ReplyDraft("a [1]", (citation,), found=True, confidence=1.7, notes=("A note.",))
    outcome = (await build_outcome(a_state(iteration=1, draft=draft), a_run(knowledge, ScriptedReasoner())))["outcome"]
    assert isinstance(outcome, Answer)
    assert (outcome.text, outcome.citations) == ("a [1]", (citation,))
    assert outcome.confidence == 1.0
    assert outcome.notice == "A note."


async def test_what_was_asked_of_the_index_itself_is_told_in_its_very_words(knowledge: MemoryKnowledge) -> None:
    run = a_run(knowledge, ScriptedReasoner())
    calls = (
        ToolCall("hybrid_search", {}, 1.0, 0, note="nothing"),
        ToolCall("index_command", {"command": "status"}, 1.0, 0, note="The index: docs."),
    )
    outcome = (await build_outcome(replace(a_state(iteration=1), calls=calls), run))["outcome"]
    assert outcome == Answer("The index: docs.", (), 1.0)
    found = replace(a_state(iteration=1, draft=ReplyDraft("a", found=True)), calls=calls)
    outcome = (await build_outcome(found, run))["outcome"]
    assert isinstance(outcome, Answer)
    assert (outcome.text, outcome.notice) == ("a", "The index: docs.")
    refused = (ToolCall("index_command", {}, 1.0, 0, error="There is no source x"),)
    outcome = (await build_outcome(replace(a_state(iteration=1), calls=refused), run))["outcome"]
    assert outcome == Answer("There is no source x", (), 1.0)


async def test_what_is_not_found_names_the_nearest_documents(knowledge: MemoryKnowledge) -> None:
    dated = datetime(2026, 1, 2, tzinfo=UTC)
    one = a_passage("a", "one", title="One", author="Ada", dated=dated)
    near = (
        NearPassage(one, "The walrus sleeps."),
        NearPassage(a_passage("b", "one", part=1), "It swims."),
        NearPassage(a_passage("c", "two")),
    )
    state = replace(a_state(iteration=1, draft=ReplyDraft(notes=("A note.",))), nearest=near)
    outcome = (await build_outcome(state, a_run(knowledge, ScriptedReasoner())))["outcome"]
    assert isinstance(outcome, NotFound)
    assert outcome.searched == "2 documents, by words (walrus, fed) and by meaning"
    assert (len(outcome.nearest), outcome.notice) == (2, "A note.")
    first = outcome.nearest[0]
    assert (first.title, first.owner, first.updated_at) == ("One", "Ada", dated)
    assert first.quotes == (NearQuote("The walrus sleeps.", "one-0"), NearQuote("It swims.", "one-1"))
    assert (outcome.nearest[1].quotes, outcome.nearest[1].chunk_id) == ((), "two-0")


@pytest.mark.parametrize("asked_for", ["the password=tr0ub4dor&3 of walrus", "walrus AKIAIOSFODNN7EXAMPLE"])
async def test_what_was_searched_for_names_no_part_of_what_is_masked(
    knowledge: MemoryKnowledge, asked_for: str
) -> None:
    outcome = (await build_outcome(a_state(asked_for, iteration=1), a_run(knowledge, ScriptedReasoner())))["outcome"]
    assert isinstance(outcome, NotFound)
    assert "walrus" in outcome.searched
    assert not {"tr0ub4dor", "akiaiosfodnn7example", "masked"} & set(re.findall(r"\w+", outcome.searched.lower()))


async def test_the_filters_of_asker_and_question_are_named(knowledge: MemoryKnowledge) -> None:
    state = replace(a_state(iteration=1), question=Question(ASKED, MEMBER, Filters(labels=("zoo",))))
    outcome = (await build_outcome(state, a_run(knowledge, ScriptedReasoner())))["outcome"]
    assert isinstance(outcome, NotFound)
    assert outcome.searched.startswith("1 document under the filters given, ")


async def test_nothing_is_called_not_found_where_no_search_came_to_its_end(knowledge: MemoryKnowledge) -> None:
    """As while the database is away: another tool worked, and the search ran out of time."""
    late = ToolCall("hybrid_search", {}, 10_000.0, 0, error="no result within 10 s")
    listed = ToolCall("list_entries", {}, 1.0, 0)
    with pytest.raises(Transient, match="could not be searched"):
        await build_outcome(a_state(calls=(late, listed)), a_run(knowledge, ScriptedReasoner()))
    again = replace(late, error="")
    found = await build_outcome(a_state(calls=(late, listed, again)), a_run(knowledge, ScriptedReasoner()))
    assert isinstance(found["outcome"], NotFound)
