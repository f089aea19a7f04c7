"""The graph shows nobody an edge, a neighbour or a number of what they may not read, and answers what it may."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import pytest

from domain.access import Scope
from domain.graph_search import EntityNeighbourhood, GraphRequest
from tests.flows.atlassian.company_sync import CHANNEL, Flavour, Sync, synced


@dataclass(frozen=True)
class Views:
    """What is compared. people: whose view. names: of things that each of them looks at."""

    sync: Sync
    people: list[str]
    names: list[str]


def people(sync: Sync, sample: int) -> list[str]:
    """About so many, in all parts of the company."""
    users = sorted(user.email for user in sync.world.users.values() if user.kind != "app")
    return users[:: max(1, len(users) // sample)]


def keys(sync: Sync, sample: int) -> list[str]:
    """Names of linked issues, twice as many as `sample`, and of as many pages."""
    linked = {end for edge in sync.company.present_edges() for end in (edge.source, edge.target)}
    issues = [each.key for each in sync.world.issues.values() if each.id in linked]
    pages = [each.title for each in sync.world.pages.values() if each.id in linked]
    return [*sorted(issues)[: 2 * sample], *sorted(set(pages))[:sample]]


async def seen(sync: Sync, scope: Scope, name: str) -> list[EntityNeighbourhood]:
    return await sync.product.graph.neighbourhoods(name, scope, limit=500)


async def _holds(sync: Sync, scope: Scope, names: list[str]) -> int:
    """Checks all that somebody is shown around things; returns how many relations that are."""
    readable = await sync.visible(scope)
    held = await sync.held()
    relations = 0
    for name in names:
        for thing in await seen(sync, scope, name):
            assert thing.documents <= len(readable)
            cited = {each.chunk_id for each in thing.neighbours}
            passages = await sync.product.search.passages(sorted(cited), scope)
            assert {passage.chunk_id for passage in passages} == cited, (name, "what shows an edge can be read")
            assert {held[each.document_id] for each in thing.neighbours} <= readable
            relations += len(thing.neighbours)
        for related in await sync.product.graph.related_chunks(GraphRequest(name, loose=True, limit=50), scope):
            chunks = {related.chunk_id, *(step.chunk_id for step in (*related.way, *related.stated_relations))}
            assert len(await sync.product.search.passages(sorted(chunks), scope)) == len(chunks)
    return relations


async def nobody_is_shown_what_they_may_not_read(views: Views) -> None:
    sync, names = views.sync, views.names
    counts = {person: await _holds(sync, Scope.member(person), names) for person in views.people}
    assert len(set(counts.values())) > 2, "people differ"
    assert max(counts.values()) > len(names)
    assert await _holds(sync, Scope.outsider(), names) <= min(counts.values())
    among = Scope(Scope.member(views.people[0]).asker, CHANNEL)
    assert await _holds(sync, among, names) <= counts[views.people[0]]


async def _shown(sync: Sync, scope: Scope, names: list[str]) -> list[object]:
    """All that somebody is shown of things, with every score, in order, and from which chunks a walk starts."""
    found: list[object] = []
    for name in names:
        things = await seen(sync, scope, name)
        found.append(things)
        hits = {each.chunk_id: 0.8 for thing in things for each in thing.neighbours[:5]}
        for loose in (False, True):
            request = GraphRequest(f"What about {name}?", hits, limit=200, loose=loose)
            found.append(await sync.product.graph.related_chunks(request, scope))
    return found


async def what_somebody_may_not_read_might_as_well_not_be_indexed(views: Views) -> None:
    sync, names = views.sync, views.names
    held = await sync.held()
    readable = {person: await sync.visible(Scope.member(person), held) for person in views.people}
    middling = sorted(readable, key=lambda person: (len(readable[person]), person))[len(readable) // 2]
    scope, may = Scope.member(middling), readable[middling]
    assert len(names) < len(may) < len(held) - len(names)
    before = await _shown(sync, scope, names)
    writer = await sync.product.writer()
    for source in sync.sources:
        indexed = await writer.indexed_documents(source.name)
        await writer.purge(source.name, [each for each in indexed if each not in may])
    assert await sync.visible(scope) == may
    assert await _shown(sync, scope, names) == before
    everybody = await _shown(sync, Scope.outsider(), names)
    assert everybody != before


async def the_tickets_linked_to_one_are_told_exactly(views: Views) -> None:
    sync, right, found, known = views.sync, 0, 0, 0
    for person in views.people[:4]:
        scope = Scope.member(person)
        mine = {name.partition(":")[2] for name in await sync.visible(scope) if name.startswith("issue:")}
        for number in sorted(mine):
            key, linked = sync.world.issues[number].key, _linked(sync, number, mine)
            request = GraphRequest(f"Which tickets are linked to {key}?", loose=True, limit=200)
            steps = [
                step
                for each in await sync.product.graph.related_chunks(request, scope)
                for step in each.stated_relations
            ]
            told = {end for step in steps for end in (step.subject, step.object)} - {key}
            right, found, known = right + len(told & linked), found + len(told), known + len(linked)
    assert known > 40
    assert right >= 0.98 * found
    assert right >= 0.98 * known


def _linked(sync: Sync, number: str, mine: Collection[str]) -> set[str]:
    """Keys of the issues that one is linked to and that somebody may read. mine: ids of what they may read."""
    edges = [edge for edge in sync.company.present_edges() if edge.kind in {"issue-issue", "issue-parent"}]
    ends = {end for edge in edges if number in {edge.source, edge.target} for end in (edge.source, edge.target)}
    return {sync.world.issues[end].key for end in ends - {number} if end in mine}


@pytest.mark.parametrize(
    ("flavour", "sample"),
    [
        ("cloud", 3),
        pytest.param("cloud", 12, marks=pytest.mark.slow),
        pytest.param("datacenter", 12, marks=pytest.mark.slow),
    ],
)
async def test_each_reader_is_shown_their_own_graph_and_all_of_it(
    data_dir: Path, database: str, tmp_path: Path, flavour: Flavour, sample: int
) -> None:
    """One after the other, of one reading: the last takes away what somebody may not read."""
    async with synced(flavour, data_dir, database, tmp_path) as sync:
        await sync.run()
        views = Views(sync, people(sync, sample), keys(sync, sample))
        await nobody_is_shown_what_they_may_not_read(views)
        await the_tickets_linked_to_one_are_told_exactly(views)
        await what_somebody_may_not_read_might_as_well_not_be_indexed(views)
