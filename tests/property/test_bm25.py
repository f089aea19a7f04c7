"""Lexical scores are those of rank-bm25, whatever was written, replaced, removed and merged before."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from rank_bm25 import BM25Okapi
from sqlalchemy import Row, text

from domain.access import Scope
from domain.search import SearchRequest
from domain.text.tokens import Analyzer
from storage.index import segment_merging as merge
from storage.index.sources import Source
from storage.index.writer import PostgresWriter
from storage.open import Storage
from storage.search.knowledge_search import PostgresSearch
from tests.fakes.documents import SOURCE, a_document, chunks_of, put
from tests.fakes.embedder import HashEmbedder

EMBEDDER = HashEmbedder(8)
WORDS = [f"word{letter}" for letter in "abcdefghijklmnopqrst"]
FEW = "seldom"
MOST = ["everywhere", "mostly"]
"""Words of more than half of the chunks, whose idf is below zero."""


class Index:
    """The index under test, beside a list of what it should hold.

    seed: of everything that is left to chance; the same seed does the same.
    """

    def __init__(self, storage: Storage, writer: PostgresWriter, seed: int) -> None:
        self.search: PostgresSearch = storage.search(EMBEDDER.identity)
        self.writer = writer
        self.chance = random.Random(seed)
        self.documents: dict[str, list[str]] = {}
        self.hidden: set[str] = set()
        self._engine = storage.engine

    async def write(self, name: str, *given: str) -> None:
        """A new document, or new text for one."""
        texts = list(given) or [self._text() for _ in range(self.chance.choice([1, 1, 2, 3, 5]))]
        await put(self.writer, EMBEDDER, a_document(name, content=str(texts)), *texts)
        self.documents[name] = texts
        self.hidden.discard(name)

    def _text(self) -> str:
        if self.chance.random() < 0.05:
            return "..."  # a chunk without any token
        words = self.chance.choices(WORDS, weights=range(1, len(WORDS) + 1), k=self.chance.randint(1, 30))
        words += [word for word in MOST if self.chance.random() < 0.8]
        return " ".join(words + ([FEW] if self.chance.random() < 0.05 else []))

    async def write_new(self) -> None:
        await self.write(f"d{self.chance.randrange(10**9)}")

    async def replace(self) -> None:
        await self.write(self._any() or "first")

    async def purge(self) -> None:
        name = self._any()
        if name:
            await self.writer.purge(SOURCE, [name])
            del self.documents[name]
            self.hidden.discard(name)

    async def hide(self) -> None:
        name = self._any()
        if name:
            await self.writer.hide(SOURCE, [name])
            self.hidden.add(name)

    async def tidy(self) -> None:
        await self.writer.merge_segments()

    async def finish(self) -> None:
        await self.writer.finish()

    async def join_any(self) -> None:
        """Joins segments that belong together no more than any others: what is joined must not matter."""

        def choose(rows: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
            return [row for row in rows if self.chance.random() < 0.5]

        await merge._merge(self._engine, 1, choose)

    def _any(self) -> str | None:
        return self.chance.choice(sorted(self.documents)) if self.documents else None

    async def check(self) -> None:
        """Holds a few questions against the reference."""
        pool = [*WORDS, *MOST, FEW, "unheard"]
        questions = [MOST[0], f"{FEW} {MOST[1]}", " ".join(self.chance.choices(pool, k=4)), f"{WORDS[-1]} " * 3]
        for question in questions:
            await self.check_question(question)

    async def check_question(self, question: str) -> None:
        """Holds one against it."""
        reference, names = self._reference()
        terms = Analyzer().tokens(question)
        values = reference.get_scores(terms)
        expected = {
            names[i]: float(values[i])
            for i, counts in enumerate(reference.doc_freqs)
            if i in names and any(term in counts for term in terms)
        }
        found = {hit.chunk_id: hit.score for hit in await self._hits(question, 100_000)}
        assert found == pytest.approx(expected, rel=1e-9), question
        best = [hit.score for hit in await self._hits(question, 10)]
        assert best == pytest.approx(sorted(expected.values(), reverse=True)[:10], rel=1e-9), question

    async def _hits(self, question: str, limit: int) -> Sequence[Any]:
        request = SearchRequest(question, retrievals=("lexical",), limit=limit)
        return (await self.search.search(request, Scope.member())).rankings["lexical"]

    def _reference(self) -> tuple[BM25Okapi, dict[int, str]]:
        """rank-bm25 over all that is held, and the ids of the chunks that are shown."""
        analyzer = Analyzer()
        tokens: list[list[str]] = []
        names: dict[int, str] = {}
        for name, texts in self.documents.items():
            for chunk in chunks_of(a_document(name), texts):
                if name not in self.hidden:
                    names[len(tokens)] = chunk.chunk_id
                tokens.append(analyzer.tokens(chunk.embedded_text))
        return BM25Okapi(tokens, k1=1.5, b=0.75, epsilon=0.25), names


async def an_index(storage: Storage, seed: int) -> Index:
    await storage.sources.add(Source(SOURCE, "files", {}))
    return Index(storage, await storage.writer(EMBEDDER.identity, Analyzer()), seed)


async def segments(storage: Storage) -> list[Any]:
    async with storage.engine.connect() as connection:
        query = "SELECT segment_no, level, removed, chunks, tokens FROM segments ORDER BY segment_no"
        return list((await connection.execute(text(query))).all())


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 6))])
async def test_scores_are_the_references_after_any_history(storage: Storage, seed: int) -> None:
    index = await an_index(storage, seed)
    for _ in range(4):
        await index.write_new()
    steps = [index.write_new] * 5 + [index.replace] * 3 + [index.purge] * 2 + [index.hide, index.tidy, index.finish]
    steps += [index.join_any] * 2
    for number in range(36):
        await index.chance.choice(steps)()
        if number % 3 == 0 and any(Analyzer().tokens(each) for texts in index.documents.values() for each in texts):
            await index.check()


@pytest.mark.slow
async def test_scores_are_the_references_over_many_documents_in_several_levels(storage: Storage) -> None:
    index = await an_index(storage, 1)
    for number in range(16 * 17):
        await index.write(f"d{number}")
        if number % 16 == 15:
            await index.tidy()
    await index.tidy()
    assert max(row.level for row in await segments(storage)) >= 2
    await index.check()
    for number in range(0, 120, 2):  # enough to have everything joined
        await index.writer.purge(SOURCE, [f"d{number}"])
        del index.documents[f"d{number}"]
    assert sum(row.chunks for row in await segments(storage) if row.removed) > 0
    await index.check()
    assert await index.writer.merge_segments()
    assert not any(row.removed for row in await segments(storage))
    await index.check()
    await index.finish()
    assert len(await segments(storage)) == 1
    await index.check()


async def test_everything_removed_leaves_nothing(storage: Storage) -> None:
    index = await an_index(storage, 2)
    for number in range(6):
        await index.write(f"d{number}")
    await index.writer.purge(SOURCE, list(index.documents))
    assert await index._hits(MOST[0], 10) == ()
    await index.finish()
    assert [(row.chunks, row.tokens) for row in await segments(storage)] in ([], [(0, 0)])
    async with storage.engine.connect() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM postings"))).scalar_one() == 0
    index.documents.clear()
    await index.write("again")
    await index.write("and again")
    await index.check()


async def test_levels_have_an_end(storage: Storage) -> None:
    """Each finished run joins what it wrote with what was there, one level up."""
    index = await an_index(storage, 5)
    await index.write("first")
    async with storage.engine.begin() as connection:
        await connection.execute(text("UPDATE segments SET level = 32767"))
    for number in range(3):
        await index.write(f"d{number}")
        await index.finish()
    assert len(await segments(storage)) == 1
    await index.check()


async def test_writers_mergers_and_readers_may_meet(storage: Storage) -> None:
    """Every chunk holds the same words, so that a reader whose counts and lists are of two moments would ask for the
    logarithm of a negative number."""
    index = await an_index(storage, 3)
    texts = ["everywhere and mostly"] * 3
    done = asyncio.Event()

    async def write(writer: int) -> None:
        for number in range(12):
            name = f"d{writer}-{number % 9}"
            await put(index.writer, EMBEDDER, a_document(name, content=str(number)), *texts)
            index.documents[name] = texts

    async def upkeep() -> None:
        while not done.is_set():
            await index.writer.merge_segments()

    async def read() -> None:
        while not done.is_set():
            scores = [hit.score for hit in await index._hits("everywhere mostly", 10)]
            assert np.isfinite(scores).all()
            assert len(scores) in {0, 3, 6, 9, 10}

    around = [asyncio.create_task(upkeep()), asyncio.create_task(read())]
    await asyncio.gather(*map(write, range(3)))
    done.set()
    await asyncio.gather(*around)
    await index.check_question("everywhere mostly")


async def test_a_document_that_is_committed_late_counts(storage: Storage) -> None:
    """Its segment has a lower number than one that was seen before it."""
    index = await an_index(storage, 4)
    for name in ("early", "other", "third"):
        await index.write(name, "everywhere mostly worda", "everywhere wordb")
    async with storage.engine.begin() as blocking:
        row = "indexed_documents JOIN documents USING (document_no) WHERE external_id = 'early'"
        await blocking.execute(text(f"SELECT 1 FROM {row} FOR UPDATE OF indexed_documents"))
        # it has written its segment, and waits for its last row
        late = asyncio.create_task(index.write("early", "everywhere wordc wordd worde wordf wordg"))
        await _until_waiting(storage, 1)
        await index.write("overtaking", "everywhere wordh")
        await index.check()
    await late
    await index.check()


async def test_a_merge_and_a_replacement_that_are_committed_behind_a_newer_segment_count(storage: Storage) -> None:
    """How many chunks, tokens and segments there are, and the newest of these, is the same before and after."""
    index = await an_index(storage, 5)
    for name in ("first", "second", "third", "changing", "other"):
        await index.write(name, f"wordb {'wordf' if name == 'other' else 'wordd'}")
    async with storage.engine.begin() as writing, storage.engine.begin() as merging:
        row = "indexed_documents JOIN documents USING (document_no) WHERE external_id = 'changing'"
        await writing.execute(text(f"SELECT 1 FROM {row} FOR UPDATE OF indexed_documents"))
        late = asyncio.create_task(index.write("changing", "wordb wordf"))
        await _until_waiting(storage, 1)
        oldest = "segment_no = (SELECT min(segment_no) FROM segments)"
        await merging.execute(text(f"SELECT 1 FROM segments WHERE {oldest} FOR UPDATE"))
        merged = asyncio.create_task(merge._merge(storage.engine, 1, lambda rows: rows[:3]))
        await _until_waiting(storage, 2)
        await index.write("overtaking", "wordb wordg")
        await index.check_question("wordd wordf")
        before = await _sizes(storage)
    await asyncio.gather(late, merged)
    assert await _sizes(storage) == before
    await index.check_question("wordd wordf")


async def _sizes(storage: Storage) -> Sequence[Any]:
    rows = await segments(storage)
    signed = [(-1 if row.removed else 1, row) for row in rows]
    total = [sum(sign * each for sign, row in signed for each in [getattr(row, size)]) for size in ("chunks", "tokens")]
    return [*total, len(rows), max(row.segment_no for row in rows)]


async def _until_waiting(storage: Storage, sessions: int) -> None:
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    async with asyncio.timeout(20), storage.engine.connect() as connection:
        while (await connection.execute(text(query))).scalar_one() < sessions:
            await connection.rollback()  # what is seen of other sessions is kept to the end of a transaction
