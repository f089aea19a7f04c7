"""The last check of rights: the index always, sources as far as calls and time go."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

from agent.nodes.check_rights import check_rights
from agent.rights import MAX_CALLS, RightsCheck
from agent.tools.live_pages import passage_of
from domain.access import NOBODY, Acl, Scope, user
from domain.answers import Readers
from domain.errors import KbError, Misconfigured, Refused, Transient
from domain.scope_reason import ScopeReason
from domain.search import Passage
from domain.search_ports import NO_PATHS
from domain.tool_ports import LivePage, SourceAccess
from tests.fakes.agent import MEMBER, MODEL, a_run, a_state, an_evidence, by_key
from tests.fakes.documents import SOURCE, a_document, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.reasoner import ScriptedReasoner

HANGS = asyncio.Event


@dataclass
class Site(SourceAccess):
    """A source. says: by the document's name, whether it admits, or what it raises; HANGS for one that never answers.
    asked: names, in order."""

    says: Mapping[str, object] = field(default_factory=dict)
    names: frozenset[str] = frozenset({SOURCE})
    asked: list[str] = field(default_factory=list)

    async def sources(self) -> frozenset[str]:
        return self.names

    async def admits(self, source: str, name: str, scope: Scope) -> bool:
        self.asked.append(name)
        said = self.says.get(name, True)
        if said is HANGS:
            await asyncio.Event().wait()
        if isinstance(said, KbError):
            raise said
        return bool(said)


class AwayKnowledge(MemoryKnowledge):
    """An index whose database is away."""

    async def readable(
        self, passages: Mapping[str, str], scope: Scope, *, paths: Mapping[str, str] = NO_PATHS
    ) -> dict[str, str]:
        raise Transient("The database is away")


async def indexed(*names: str, into: MemoryKnowledge | None = None) -> tuple[MemoryKnowledge, list[Passage]]:
    """Documents of one chunk each, and their passages."""
    knowledge = into or MemoryKnowledge(MODEL.identity)
    ids = [chunk for name in names for chunk in await put(knowledge, MODEL, a_document(name), f"About {name}.")]
    return knowledge, await knowledge.passages(ids, MEMBER)


async def test_what_the_index_closes_is_closed_and_the_rest_is_not() -> None:
    knowledge, (a, b, c) = await indexed("a", "b", "c")
    check = RightsCheck(knowledge, (), MEMBER)
    assert await check.closed([a, b, c], [a, b]) == frozenset()
    assert [check.found_closed] == [False]
    await knowledge.set_acl(SOURCE, ["a"], NOBODY)
    await knowledge.hide(SOURCE, ["b"])
    assert await check.closed([a, b, c], [a, b]) == {a.chunk_id, b.chunk_id}, "restricted and deleted alike"
    assert check.found_closed
    assert check.unchecked == frozenset(), "the index knows no less than such a source"


@pytest.mark.parametrize(("closed", "named"), [("", "abc"), ("b", "ac"), ("bd", "ac"), ("abcd", "")])
async def test_what_is_named_as_nearest_was_checked_at_its_source(closed: str, named: str) -> None:
    knowledge, (d, c, b, a) = await indexed("d", "c", "b", "a")
    site = Site(dict.fromkeys(closed, False))
    run = replace(a_run(knowledge, ScriptedReasoner()), rights=RightsCheck(knowledge, [site], MEMBER))
    # a grade and a score tell more together than either: one each is best of d and c
    found = zip((a, b, c, d), (0.5, 0.45, 0.1, 0.6), (0.9, 0.8, 0.95, 0.2), strict=True)
    items = [an_evidence(passage, grades={1: grade}, scores={1: score}) for passage, grade, score in found]
    update = await check_rights(a_state(iteration=3, evidence=by_key(*items)), run)
    assert [each.passage.path for each in update["nearest"]] == list(named)
    assert set(named) <= set(site.asked)


async def test_of_a_document_that_is_nearest_twice_one_passage_is_kept() -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    passages = await knowledge.passages(await put(knowledge, MODEL, a_document("a"), "One.", "Two."), MEMBER)
    state = a_state(iteration=3, evidence=by_key(*map(an_evidence, passages)))
    update = await check_rights(state, a_run(knowledge, ScriptedReasoner()))
    assert len(passages) == 2
    assert [each.passage.path for each in update["nearest"]] == ["a"]


async def test_everybody_who_reads_the_reply_counts() -> None:
    knowledge, (a,) = await indexed("a")
    ann = Scope.member("ann@example.com")
    await knowledge.set_acl(SOURCE, ["a"], Acl.any_of(user("ann@example.com")))
    assert await RightsCheck(knowledge, (), ann).closed([a]) == frozenset()
    assert await RightsCheck(knowledge, (), replace(ann, audience=MEMBER.asker)).closed([a]) == {a.chunk_id}


async def test_where_the_index_does_not_say_nothing_is_let_through() -> None:
    _, passages = await indexed("a")
    with pytest.raises(Transient):
        await RightsCheck(AwayKnowledge(MODEL.identity), (), MEMBER).closed(passages)


async def test_a_document_is_asked_for_at_its_source_once() -> None:
    knowledge, (a, b) = await indexed("a", "b")
    site = Site({"a": False})
    check = RightsCheck(knowledge, [Site(names=frozenset({"other"})), site], MEMBER)
    assert await check.closed([a, b], [a, b]) == {a.chunk_id}
    assert await check.closed([a, b], [a, b]) == {a.chunk_id}, "it stays closed"
    assert (site.asked, check.unchecked) == (["a", "b"], frozenset())


@pytest.mark.parametrize("error", [Transient("busy"), Misconfigured("401"), Refused("it does not say")])
async def test_a_source_that_does_not_say_leaves_it_to_the_index(error: KbError) -> None:
    knowledge, (a, b) = await indexed("a", "b")
    check = RightsCheck(knowledge, [Site({"a": error})], MEMBER)
    assert await check.closed([a, b], [a, b]) == frozenset()
    assert check.unchecked == {a.url}


async def test_a_source_that_hangs_takes_no_more_than_the_time_there_is() -> None:
    knowledge, (a, b) = await indexed("a", "b")
    site = Site({"a": HANGS, "b": False})
    check = RightsCheck(knowledge, [site], MEMBER, seconds=0.05)
    assert await check.closed([a, b], [a, b]) == {b.chunk_id}, "what was said in time counts"
    assert check.unchecked == {a.url}


async def test_only_so_many_are_asked_for() -> None:
    knowledge, passages = await indexed(*"abcdefg")
    site = Site(dict.fromkeys("abcdefg", False))
    check = RightsCheck(knowledge, [site], MEMBER)
    closed = await check.closed(passages, passages)
    assert len(site.asked) == len(closed) == MAX_CALLS
    assert check.unchecked == {each.url for each in passages[MAX_CALLS:]}


async def test_a_page_that_was_read_live_and_what_the_index_has_of_it_are_one() -> None:
    knowledge, (a, b) = await indexed("a", "b")
    page = LivePage(a.url, "A", "About a.", source=SOURCE)
    live = passage_of(page, 0, 1, "About a.", a.vector)
    assert await RightsCheck(knowledge, (), MEMBER).closed([live]) == frozenset(), "the index does not know it"
    check = RightsCheck(knowledge, [Site({a.url: False})], MEMBER)
    assert await check.closed([live, a, b], [live]) == {live.chunk_id, a.chunk_id}


@dataclass
class Crowd(Readers):
    """Readers by script: what a look-up finds, in order. ages: how old it might have been."""

    found: list[Scope]
    ages: list[float] = field(default_factory=list)

    async def now(self, *, max_age: float = 0.0) -> tuple[Scope, ScopeReason]:
        self.ages.append(max_age)
        return self.found.pop(0), ScopeReason(readers="guests", shared=True)


async def test_who_reads_the_reply_is_looked_up_each_time() -> None:
    knowledge, (a,) = await indexed("a")
    colleagues = replace(MEMBER, audience=MEMBER.asker)
    crowd = Crowd([colleagues, replace(MEMBER, audience=Scope.outsider().asker)])
    check = RightsCheck(knowledge, (), colleagues, readers=crowd)
    assert await check.closed([a], max_age=5) == frozenset()
    assert await check.closed([a], [a]) == {a.chunk_id}, "a guest has come"
    assert crowd.ages == [5, 0]
    assert (check.scope_reason or ScopeReason()).readers == "guests"
