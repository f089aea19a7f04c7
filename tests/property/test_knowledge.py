"""PostgreSQL finds, scores, shows and counts what a list in memory does, for anybody who asks anything."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest

from domain.access import NOBODY, ORG, PUBLIC, Acl, Principal, Scope, user
from domain.documents import SourceDocument, document_id
from domain.search import Filters, Hits, SearchRequest
from domain.text.tokens import Analyzer
from storage.index.sources import Source
from storage.open import Storage
from tests.fakes.documents import a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge

T = TypeVar("T")

EMBEDDER = HashEmbedder(16)
SOURCES = ["docs", "wiki"]
PRINCIPALS = [PUBLIC, ORG, user("ada@example.com"), user("bob@example.com"), Principal("group", "leads")]
WORDS = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lamda",
    "often",
    "often",
    "often",
]
LABELS = ["new", "old", "how-to"]
SPACES = ["HR", "IT", ""]
START = datetime(2026, 1, 1, tzinfo=UTC)


class Maker:
    """Documents, readers and questions, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def some(self, values: Sequence[T], most: int) -> tuple[T, ...]:
        return tuple(self.chance.sample(values, self.chance.randint(0, min(most, len(values)))))

    def acl(self) -> Acl:
        if self.chance.random() < 0.05:
            return NOBODY
        clauses = [frozenset(self.some(PRINCIPALS, 4)) for _ in range(self.chance.choice([1, 1, 1, 2]))]
        return Acl(frozenset(clauses))

    def scope(self) -> Scope:
        audience = frozenset(self.some(PRINCIPALS, 5)) if self.chance.random() < 0.4 else None
        return Scope(frozenset(self.some(PRINCIPALS, 5)), audience)

    def text(self) -> str:
        return " ".join(self.chance.choices(WORDS, k=self.chance.randint(1, 12)))

    def moment(self) -> datetime | None:
        return START + timedelta(days=self.chance.randint(0, 5)) if self.chance.random() < 0.8 else None

    def document(self) -> SourceDocument:
        return a_document(
            f"d{self.chance.randrange(30)}",
            source=self.chance.choice(SOURCES),
            title=self.text()[:20],
            space=self.chance.choice(SPACES),
            labels=self.some(LABELS, 2),
            updated_at=self.moment(),
            acl=self.acl(),
            content=str(self.chance.random()),
        )

    def filters(self) -> Filters:
        if self.chance.random() < 0.4:
            return Filters()
        named = [document_id(source, f"d{number}") for source in SOURCES for number in range(30)]
        rarely = self.chance.random() < 0.2
        return Filters(
            sources=self.some(SOURCES, 2),
            labels=self.some(LABELS, 2) if rarely else (),
            spaces=self.some(SPACES, 2),
            documents=self.some(named, 30) if rarely else (),
            titles=self.chance.choice([(), (), ("ALPHA",), ("a b", "ALPHA")]),
            since=self.moment() if rarely else None,
            until=self.moment() if rarely else None,
        )

    def request(self) -> SearchRequest:
        text = self.text()
        limit = self.chance.choice([1, 2, 5, 100])
        return SearchRequest(text, EMBEDDER.vectors([text])[0], limit=limit, filters=self.filters())


def assert_alike(found: Hits, expected: Hits, whole: Hits) -> None:
    """whole: what is expected without a cut, so that equal scores may be cut anywhere."""
    for retrieval, ranking in expected.rankings.items():
        near = {"lexical": 1e-9, "dense": 1e-5}[retrieval]
        scores = {hit.chunk_id: hit.score for hit in whole.rankings[retrieval]}
        ours = found.rankings[retrieval]
        assert [hit.score for hit in ours] == pytest.approx([hit.score for hit in ranking], rel=near, abs=near)
        assert len({hit.chunk_id for hit in ours}) == len(ours)
        for hit in ours:
            assert hit.score == pytest.approx(scores[hit.chunk_id], rel=near, abs=near)
        union = {hit.chunk_id for each in found.rankings.values() for hit in each}
        complete = {key: whole.scores[retrieval][key] for key in union}
        assert found.scores[retrieval] == pytest.approx(complete, rel=near, abs=near)
    assert found.term_idf == pytest.approx(expected.term_idf, rel=1e-9)


@pytest.mark.check
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 3))])
async def test_both_find_score_show_and_count_the_same(storage: Storage, seed: int) -> None:
    make = Maker(seed)
    for name in SOURCES:
        await storage.sources.add(Source(name, "files", {}))
    memory = MemoryKnowledge(EMBEDDER.identity)
    writer = await storage.writer(EMBEDDER.identity, Analyzer())
    searches = [storage.search(EMBEDDER.identity), storage.search(EMBEDDER.identity, exact_max=4)]
    ids: list[str] = []
    for number in range(60):
        document = make.document()
        texts = [(make.text(), make.acl()) if make.chance.random() < 0.3 else make.text() for _ in range(3)]
        action = make.chance.choice(["put", "put", "put", "describe", "hide", "purge"]) if number else "put"
        for target in (memory, writer):
            if action == "put":
                ids = await put(target, EMBEDDER, document, *texts)
            elif action == "describe":
                await target.update_metadata(document)
            else:
                await getattr(target, action)(document.source, [document.external_id])
        if make.chance.random() < 0.5:
            request, scope = make.request(), make.scope()
            everything = SearchRequest(request.text, request.vector, limit=10**6, filters=request.filters)
            expected, whole = await memory.search(request, scope), await memory.search(everything, scope)
            for search in searches:
                assert_alike(await search.search(request, scope), expected, whole)
                assert await search.count_documents(scope, request.filters) == await memory.count_documents(
                    scope, request.filters
                )
                shown = await search.passages(ids, scope, neighbours=1)
                assert shown == await memory.passages(ids, scope, neighbours=1)
    for name in SOURCES:
        assert await writer.indexed_documents(name) == await memory.indexed_documents(name)
