"""The graph of a company's Confluence and Jira has the links that its people made, and no others."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.fakes.atlassian.tracker import LINKS
from tests.flows.atlassian.company_sync import Flavour, Sync, synced

Triple = tuple[str, str, str]
"""Ids in their source of two documents, with what leads from one to the other between them."""

STATED = text(
    """
    SELECT one.external_id AS subject, r.predicate, other.external_id AS object
    FROM relations r
    JOIN index_versions v ON v.version_id = r.version_id AND v.state = 'live'
    JOIN mentions s ON s.version_id = r.version_id AND s.entity_no = r.subject_no AND s.role = 'identity'
    JOIN mentions o ON o.version_id = r.version_id AND o.entity_no = r.object_no AND o.role = 'identity'
    JOIN documents one ON one.document_no = s.document_no
    JOIN documents other ON other.document_no = o.document_no
    WHERE r.pattern IN ('structure', 'reference')
    """
)


@pytest.fixture(params=["cloud", pytest.param("datacenter", marks=pytest.mark.slow)])
async def sync(request: pytest.FixtureRequest, data_dir: Path, database: str, tmp_path: Path) -> AsyncIterator[Sync]:
    flavour: Flavour = request.param
    async with synced(flavour, data_dir, database, tmp_path) as opened:
        await opened.run()
        yield opened


async def found(sync: Sync) -> set[Triple]:
    """What the graph states between documents, without their files and restricted comments."""
    async with sync.product.storage.engine.connect() as connection:
        rows = (await connection.execute(STATED)).all()
    whole = ("page:", "blog:", "issue:")
    return {tuple(row) for row in rows if row.subject.startswith(whole) and row.object.startswith(whole)}


async def made(sync: Sync) -> set[Triple]:
    """What people linked, between what is indexed."""
    held = {name.partition(":")[2]: name for name in (await sync.held()).values() if not name.startswith("attachment:")}
    links: set[Triple] = set()
    for edge in sync.company.present_edges():
        words = {
            "page-page": "links to",
            "page-issue": "refers to",
            "issue-page": "links to",
            "issue-parent": "part of",
            "issue-issue": LINKS[edge.word][1] if edge.kind == "issue-issue" else "",
        }
        links.add((f"{edge.kind.partition('-')[0]}:{edge.source}", words[edge.kind], edge.target))
    links = {(held.get(one.partition(":")[2], ""), words, held.get(other, "")) for one, words, other in links}
    for page in sync.world.pages.values():
        if page.parent and page.id in held and page.parent in held:
            links.add((held[page.id], "child of", held[page.parent]))
    return {each for each in links if each[0] and each[2]}


async def test_the_links_between_documents(sync: Sync) -> None:
    stated, links = await found(sync), await made(sync)
    assert len(links) > 100
    assert len(stated & links) >= 0.98 * len(stated), sorted(stated - links)[:10]
    assert len(stated & links) >= 0.98 * len(links), sorted(links - stated)[:10]
