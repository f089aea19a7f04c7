"""Sources that are closed while a reply is written: it is not shown, or written from what is left."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any

from agent.reasoner import SynthesisInput
from agent.service import AnswerService, ReasonerFactory
from agent.state import Analysis, CitedClaim, ReplyPiece, ToolRequest
from agent.wording import SOURCE_GONE
from domain.access import NOBODY, Scope
from domain.answers import Answer, NotFound, Outcome, Question, ReplyPart
from domain.errors import Transient
from domain.masked_answer import MaskedAnswer
from domain.search_ports import NO_PATHS
from tests.fakes.agent import MEMBER, MODEL, the_sources
from tests.fakes.documents import SOURCE, a_document, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.reasoner import ScriptedReasoner, opens

ASKED = "When is the walrus fed?"
NOON, KEEPER = "The walrus is fed at noon.", "The keeper of the walrus is Mira Holt."
LOOSE = "Somebody cares for every walrus of that kind in the middle of a day."
NURSE = "The walrus has a nurse, too, who is Ines Brandt."
Act = Callable[[], Awaitable[Any]]


class Interrupted(ScriptedReasoner):
    """A reasoner that does something between two pieces of its reply. drafts: of pieces and what is done; `{walrus}` in
    a piece is the number of the document `walrus`."""

    def __init__(self, *drafts: Sequence[str | Act]) -> None:
        super().__init__(first=(ToolRequest("hybrid_search", {"query": ASKED}, 1),), grades=[0.9] * 30)
        self._scripts = list(drafts)
        self.checking: Act | None = None
        """What is done while sentences are checked."""

    async def check(self, analysis: Analysis, claims: Sequence[CitedClaim]) -> list[float | None]:
        if self.checking:
            await self.checking()
        return await super().check(analysis, claims)

    async def synthesize(self, inputs: SynthesisInput) -> AsyncIterator[ReplyPiece]:
        self.briefs.append(inputs)
        numbers = {item.passage.path: place for place, item in enumerate(inputs.evidence, start=1)}
        for each in self._scripts.pop(0) if self._scripts else ():
            if isinstance(each, str):
                yield ReplyPiece(each.format(**numbers))
            else:
                await each()


class Failing(MemoryKnowledge):
    """An index whose database goes away."""

    away = False

    async def readable(
        self, passages: Mapping[str, str], scope: Scope, *, paths: Mapping[str, str] = NO_PATHS
    ) -> dict[str, str]:
        if self.away:
            raise Transient("The database is away")
        return await super().readable(passages, scope, paths=paths)


async def a_zoo(empty: MemoryKnowledge | None = None) -> MemoryKnowledge:
    knowledge = empty or MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, a_document("walrus", title="Walrus"), NOON)
    await put(knowledge, MODEL, a_document("keeper", title="Keeper"), f"{KEEPER} {NURSE}")
    return knowledge


def closing(knowledge: MemoryKnowledge, *names: str) -> Act:
    return lambda: knowledge.set_acl(SOURCE, names, NOBODY)


async def ask(knowledge: MemoryKnowledge, reasoner: ScriptedReasoner) -> tuple[str, Outcome]:
    """What was shown while it was written, and the outcome."""
    service = AnswerService(the_sources(knowledge), ReasonerFactory(opens(reasoner)))
    *before, last = [event async for event in service.stream(Question(ASKED, MEMBER))]
    assert isinstance(last, MaskedAnswer)
    return "".join(each.text for each in before if isinstance(each, ReplyPart)), last.outcome


async def test_nothing_of_a_closed_source_is_shown_and_the_rest_is_numbered_anew() -> None:
    zoo = await a_zoo()
    reasoner = Interrupted([closing(zoo, "walrus"), f"{NOON} [{{walrus}}] {KEEPER} [{{keeper}}]"])
    shown, outcome = await ask(zoo, reasoner)
    assert shown == ""
    assert isinstance(outcome, Answer)
    assert outcome.text.strip() == f"{KEEPER.removesuffix('.')} [1]." or outcome.text.strip() == f"{KEEPER} [1]"
    assert [each.title for each in outcome.citations] == ["Keeper"]
    assert [note.path for note in outcome.trace.evidence] == ["keeper"]
    assert SOURCE_GONE not in outcome.notice, "nothing was shown that is missing now"
    assert "noon" not in repr(outcome)


async def test_a_source_that_closes_in_mid_reply_withholds_the_rest_and_what_was_shown_is_taken_back() -> None:
    zoo = await a_zoo()
    first = f"{NOON} [{{walrus}}]\n\n{KEEPER} [{{keeper}}]\n\n"
    reasoner = Interrupted([first, closing(zoo, "walrus"), f"{NURSE} [{{keeper}}]"])
    shown, outcome = await ask(zoo, reasoner)
    assert "noon" in shown
    assert "Ines" not in shown
    assert isinstance(outcome, Answer)
    assert "noon" not in repr(outcome)
    assert "Mira Holt" in outcome.text
    assert "Ines Brandt" in outcome.text
    assert SOURCE_GONE in outcome.notice


async def test_a_source_that_closes_after_the_last_sentence_is_taken_out() -> None:
    zoo = await a_zoo()
    reasoner = Interrupted([f"{NOON} [{{walrus}}]\n\n{LOOSE} [{{keeper}}]\n\n{KEEPER} [{{keeper}}]"])
    reasoner.checking = closing(zoo, "walrus")
    shown, outcome = await ask(zoo, reasoner)
    assert "noon" in shown
    assert isinstance(outcome, Answer)
    assert "noon" not in repr(outcome)
    assert LOOSE in outcome.text
    assert reasoner.asked.count("check") == 1, "what was checked is not checked again"
    assert SOURCE_GONE in outcome.notice


async def test_what_the_model_saw_and_named_no_source_for_goes_with_the_source() -> None:
    zoo = await a_zoo()
    reasoner = Interrupted(
        [closing(zoo, "walrus"), f"Noon is when it eats:\n\nIt likes its meal very much. {KEEPER} [{{keeper}}]"]
    )
    _, outcome = await ask(zoo, reasoner)
    assert isinstance(outcome, Answer)
    assert "meal" not in outcome.text
    assert "eats" not in outcome.text


async def test_where_nothing_is_left_of_a_reply_it_is_written_anew_once_from_other_sources() -> None:
    zoo = await a_zoo()
    reasoner = Interrupted([closing(zoo, "walrus"), f"{NOON} [{{walrus}}]"], [f"{KEEPER} [{{keeper}}]"])
    shown, outcome = await ask(zoo, reasoner)
    assert isinstance(outcome, Answer)
    assert "Mira Holt" in outcome.text
    assert [item.passage.path for item in reasoner.briefs[1].evidence] == ["keeper"], "the model sees no more of it"
    assert "noon" not in shown + repr(outcome)


async def test_it_is_written_anew_no_more_than_once() -> None:
    zoo = await a_zoo()
    await put(zoo, MODEL, a_document("bus", title="Bus"), "Buses leave at nine.")
    reasoner = Interrupted(
        [closing(zoo, "walrus"), f"{NOON} [{{walrus}}]"],
        [closing(zoo, "keeper"), f"{KEEPER} [{{keeper}}]"],
        ["never asked for"],
    )
    _, outcome = await ask(zoo, reasoner)
    assert isinstance(outcome, NotFound)
    assert len(reasoner.briefs) == 2
    assert [each.title for each in outcome.nearest] in ([], ["Bus"])


async def test_of_what_is_closed_not_found_says_what_it_says_of_what_never_was() -> None:
    zoo, empty = await a_zoo(), MemoryKnowledge(MODEL.identity)
    await put(empty, MODEL, a_document("keeper", title="Keeper"), f"{KEEPER} {NURSE}")
    closed = await ask(zoo, Interrupted([closing(zoo, "walrus"), f"{NOON} [{{walrus}}]"]))
    never = await ask(empty, Interrupted([]))
    assert isinstance(closed[1], NotFound)
    assert isinstance(never[1], NotFound)
    assert (closed[0], closed[1].searched, closed[1].nearest, closed[1].notice) == (
        never[0],
        never[1].searched,
        never[1].nearest,
        never[1].notice,
    )


async def test_where_the_index_does_not_say_it_the_question_fails() -> None:
    zoo = await a_zoo(Failing(MODEL.identity))

    async def away() -> None:
        assert isinstance(zoo, Failing)
        zoo.away = True

    shown, outcome = await ask(zoo, Interrupted([away, f"{NOON} [{{walrus}}]"]))
    assert shown == ""
    assert "noon" not in repr(outcome)
    assert getattr(outcome, "message", "") == "The database is away"
