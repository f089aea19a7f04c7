"""Looking words up first finds the very lines that reading everything does."""

import random
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.access import ORGANISATION, Acl, Scope, user
from domain.errors import Refused
from domain.search import Filters, GrepRequest
from domain.text.tokens import Analyzer, Stemming
from storage.index.sources import Source
from storage.open import Storage
from storage.search.grep import PostgresGrep
from storage.search.grep_matching import GrepLimits
from tests.fakes.document_catalog import MemoryGrep
from tests.fakes.documents import SOURCE, a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.patterns import patterns, texts

EMBEDDER = HashEmbedder(8)
BOBS = Acl.any_of(user("bob@example.com"))
SCOPES = [Scope.member(), Scope.member("bob@example.com")]
HOSTILE = [
    r"(a+)+$",
    r"(a|a)*b timeout",
    r"(.*)*x",
    r"((((.*)*)*)*)timeout",
    r"(timeout|time|.*){20}z",
    r"(?i)(t.*i.*m.*e.*){12}",
    r"(\pL{1,30}){1,30}",
    "(" * 200 + "time" + ")" * 200,
    "|".join(["timeout"] * 60),
    r"\bt\w{0,300}\w{0,300}\w{0,300}$",
]


class Both:
    """The same documents in PostgreSQL and in memory. Over PostgreSQL, nothing is read without a word to look up."""

    def __init__(self, grep: PostgresGrep, reference: MemoryGrep, written: list[str]) -> None:
        self.grep = grep
        self.reference = reference
        self.texts = written

    async def compare(self, request: GrepRequest, scope: Scope) -> bool:
        """Asserts that both find the same; returns whether anything was looked up at all."""
        try:
            found = await self.grep.grep(request, scope)
        except Refused:
            return False
        expected = await self.reference.grep(request, scope)
        assert (found.hits, found.complete) == (expected.hits, expected.complete), request
        assert found.read <= expected.read
        return True


async def both(storage: Storage, stemming: Stemming, written: list[str]) -> Both:
    await storage.sources.add(Source(SOURCE, "files", {}))
    writer = await storage.writer(EMBEDDER.identity, Analyzer(stemming))
    memory = MemoryKnowledge(EMBEDDER.identity, stemming)
    for number in range(0, len(written), 4):
        acl = BOBS if number % 3 == 1 else ORGANISATION
        document = a_document(f"d{number}", space="x" if number % 8 else "y", acl=acl)
        parts = [(text, BOBS) if place == 2 else text for place, text in enumerate(written[number : number + 4])]
        for target in (writer, memory):
            await put(target, EMBEDDER, document, *parts)
    return Both(storage.grep(small=0), MemoryGrep(memory), written)


def drawn(seed: int, count: int) -> list[tuple[str, list[str]]]:
    """Texts, each with patterns for it, the same for the same seed."""
    found: list[tuple[str, list[str]]] = []

    @given(texts.flatmap(lambda text: st.tuples(st.just(text), st.lists(patterns(text), min_size=2, max_size=2))))
    @settings(max_examples=count, database=None, derandomize=False, suppress_health_check=list(HealthCheck))
    def collect(pair: tuple[str, list[str]]) -> None:
        found.append(pair)

    from hypothesis import seed as seeded

    seeded(seed)(collect)()
    return found


@pytest.mark.check
@pytest.mark.parametrize(
    ("stemming", "seed"),
    [
        ("english", 1),
        pytest.param("english", 2, marks=pytest.mark.slow),
        pytest.param("none", 3, marks=pytest.mark.slow),
    ],
)
async def test_lines_are_those_that_reading_everything_finds(storage: Storage, stemming: Stemming, seed: int) -> None:
    pairs = drawn(seed, 120)
    chance = random.Random(seed)
    pair = await both(storage, stemming, [text for text, _ in pairs])
    looked_up = 0
    for number, pattern in enumerate(pattern for _, several in pairs for pattern in several):
        filters = Filters(spaces=("y",)) if number % 10 == 0 else Filters()
        request = GrepRequest(pattern, chance.random() < 0.3, chance.choice([3, 1000]), filters)
        looked_up += await pair.compare(request, chance.choice(SCOPES))
    assert looked_up > 60


async def test_hostile_patterns_end_soon(storage: Storage) -> None:
    pair = await both(storage, "english", ["timeout " + "a" * 3_000, "time " * 500, "aaaa b timeout"] * 4)
    grep = storage.grep(limits=GrepLimits(seconds=0.5))
    for pattern in HOSTILE:
        begun = time.monotonic()
        try:
            result = await grep.grep(GrepRequest(pattern), SCOPES[1])
        except Refused:
            continue  # too large for RE2
        assert time.monotonic() - begun < 60, pattern
        if result.complete:
            assert result.hits == (await pair.reference.grep(GrepRequest(pattern), SCOPES[1])).hits, pattern


async def test_words_without_a_term_are_looked_for_anew_when_the_index_changes(storage: Storage) -> None:
    pair = await both(storage, "english", ["nothing here"])
    request = GrepRequest("onedrive", ignore_case=True)
    assert (await pair.grep.grep(request, SCOPES[0])).hits == ()
    writer = await storage.writer(EMBEDDER.identity, Analyzer())
    await put(writer, EMBEDDER, a_document("new"), "c'est l'OneDrive")
    assert [hit.text for hit in (await pair.grep.grep(request, SCOPES[0])).hits] == ["c'est l'OneDrive"]
