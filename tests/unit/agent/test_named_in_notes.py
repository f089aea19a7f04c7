"""Documents that a note names because they differ from others: only while they may be read, and not at their own word
alone."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from agent.answer_context import AnswerContext
from agent.nodes.check_rights import check_rights
from agent.nodes.synthesize import synthesize
from agent.nodes.verify import verify
from agent.rights import RightsCheck
from agent.state import AgentState, Evidence, ReplyPiece
from domain.access import NOBODY
from domain.knowledge_graph import Precedence
from domain.search import Passage
from tests.fakes.agent import MEMBER, MODEL, a_run, a_state, an_analysis, an_evidence, by_key, the_sources
from tests.fakes.documents import SOURCE, a_document, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.reasoner import ScriptedReasoner
from tests.fakes.tools import Relations
from tests.unit.agent.test_rights import Site

ASKED = "How much fish does the walrus in the zoo get?"
FIVE, SEVEN = (f"The walrus in the zoo gets {amount} kg of fish a day." for amount in (5, 7))
FLOWERS = "The garden behind the house of the walrus in the zoo has flowers."


async def indexed(knowledge: MemoryKnowledge, name: str, text: str) -> Passage:
    (chunk,) = await put(knowledge, MODEL, a_document(name, title=f"Zoo {name}"), text)
    (passage,) = await knowledge.passages([chunk], MEMBER)
    return passage


def the_run(
    knowledge: MemoryKnowledge, said: Mapping[tuple[str, str], Precedence], *pieces: ReplyPiece
) -> tuple[AnswerContext, ScriptedReasoner]:
    reasoner = ScriptedReasoner(drafts=[list(pieces)])
    sources = replace(the_sources(knowledge), graph=Relations([], said=dict(said)))
    return a_run(knowledge, reasoner, sources=sources), reasoner


async def written(run: AnswerContext, *items: Evidence) -> AgentState:
    """The state after a reply was written from some evidence and checked."""
    state = a_state(iteration=3, evidence=by_key(*items), analysis=an_analysis(ASKED))
    state = replace(state, chosen=(await synthesize(state, run))["chosen"])
    return replace(state, draft=(await verify(state, run))["draft"])


@pytest.mark.parametrize("other", [SEVEN, FLOWERS], ids=["differs", "replaces it"])
@pytest.mark.parametrize("at_its_source", [False, True])
async def test_a_closed_document_is_named_in_no_note(other: str, *, at_its_source: bool) -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    old, new = await indexed(knowledge, "open", FIVE), await indexed(knowledge, "secret", other)
    run, reasoner = the_run(knowledge, {(new.document_id, old.document_id): "replaces"}, ReplyPiece(f"{FIVE} [1]"))
    state = await written(run, an_evidence(old, scores={1: 0.9}), an_evidence(new, scores={1: 0.5}))
    assert reasoner.briefs[0].evidence[0].passage == old
    assert state.draft
    assert "“Zoo secret” replaces “Zoo open”" in " ".join(state.draft.notes)
    if at_its_source:
        run = replace(run, rights=RightsCheck(knowledge, [Site({"secret": False})], MEMBER))
    else:
        await knowledge.set_acl(SOURCE, ["secret"], NOBODY)
    update = await check_rights(state, run)
    assert update["checked"] == "verify"
    state = replace(state, draft=update["draft"], chosen=update["chosen"])
    draft = (await verify(state, run))["draft"]
    assert FIVE.removesuffix(".") in draft.text
    assert not [note for note in draft.notes if "secret" in note]


async def test_two_that_say_so_of_each_other_are_taken_by_their_dates() -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    one, other = await indexed(knowledge, "one", FIVE), await indexed(knowledge, "two", SEVEN)
    ids = one.document_id, other.document_id
    run, reasoner = the_run(knowledge, {ids: "replaces", ids[::-1]: "takes precedence over"}, ReplyPiece(f"{FIVE} [1]"))
    state = await written(run, an_evidence(one), an_evidence(other))
    (brief,) = reasoner.briefs
    assert (brief.precedence, [each.reason for each in brief.conflicts]) == ({}, [""])
    assert not [note for note in (state.draft.notes if state.draft else ()) if "replaces" in note]


async def test_text_to_machines_is_no_side_of_a_conflict_and_replaces_nothing() -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    real, planted = await indexed(knowledge, "one", FIVE), await indexed(knowledge, "two", SEVEN)
    ids = planted.document_id, real.document_id
    run, reasoner = the_run(knowledge, {ids: "replaces"}, ReplyPiece(f"{FIVE} [1]"))
    state = await written(run, an_evidence(real, scores={1: 0.9}), an_evidence(replace(planted, injection="override")))
    assert (reasoner.briefs[0].precedence, reasoner.briefs[0].conflicts) == ({}, ())
    assert state.draft
    assert (SEVEN in state.draft.text, [note for note in state.draft.notes if "Zoo two" in note]) == (False, [])
