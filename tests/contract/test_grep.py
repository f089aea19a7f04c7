"""What domain.search_ports.Grep promises, held against every implementation."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from domain.access import NOBODY, ORG, PUBLIC, Acl, Scope, user
from domain.documents import Chunk, SourceDocument, Span
from domain.errors import Refused
from domain.search import Filters, GrepRequest, GrepResult
from tests.contract.knowledge import MEMBER, OTHER, Knowledge
from tests.fakes.documents import SOURCE, a_document, chunks_of
from tests.fakes.rights import EVERYONE

BOBS = Acl.any_of(user("bob@example.com"))
BOB_ASKS = Scope.member("bob@example.com")


async def asked(
    knowledge: Knowledge,
    pattern: str,
    scope: Scope = MEMBER,
    *,
    ignore_case: bool = False,
    limit: int = 50,
    filters: Filters | None = None,
) -> GrepResult:
    return await knowledge.grep.grep(GrepRequest(pattern, ignore_case, limit, filters or Filters()), scope)


async def lines(knowledge: Knowledge, pattern: str, scope: Scope = MEMBER, *, ignore_case: bool = False) -> list[str]:
    return [hit.text for hit in (await asked(knowledge, pattern, scope, ignore_case=ignore_case)).hits]


async def put_at(knowledge: Knowledge, document: SourceDocument, *parts: tuple[str, Span]) -> list[Chunk]:
    """Writes chunks that stand at given lines."""
    made = chunks_of(document, [text for text, _ in parts])
    chunks = [replace(chunk, span=span) for chunk, (_, span) in zip(made, parts, strict=True)]
    vectors = knowledge.embedder.vectors([chunk.embedded_text for chunk in chunks])
    await knowledge.writer.put(document, chunks, vectors)
    return chunks


async def test_a_hit_says_where_the_line_is_and_what_matches_in_it(knowledge: Knowledge) -> None:
    document = a_document("a", path="x/settings.py")
    (chunk,) = await put_at(knowledge, document, ("port = 1\nTIMEOUT_MS = 500\nhost", Span(10, 12)))
    result = await asked(knowledge, r"TIMEOUT_\w+")
    (hit,) = result.hits
    assert (hit.chunk_id, hit.document_id, hit.path) == (chunk.chunk_id, document.document_id, "x/settings.py")
    assert (hit.line, hit.text, hit.text[hit.start : hit.end]) == (11, "TIMEOUT_MS = 500", "TIMEOUT_MS")
    assert (result.read, result.complete) == (1, True)


async def test_places_are_characters_not_bytes(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "naïve 密码 → password")
    (hit,) = (await asked(knowledge, "password")).hits
    assert (hit.start, hit.end) == (11, 19)


FOUND: list[tuple[str, list[str]]] = [
    ("time", ["a timeout occurred", "time flies", "some-time.limit", "sometimes"]),
    (r"\btime\b", ["time flies", "some-time.limit"]),
    ("^time", ["time flies"]),
    ("time$", []),
    ("occurr.d$", ["a timeout occurred"]),
    ("(?i)TIME f", ["time flies"]),
    ("flies|sometimes", ["time flies", "sometimes"]),
    (r"time\w*s", ["sometimes"]),
    (r"time\.limit", ["some-time.limit"]),
    (r"time[.]limit", ["some-time.limit"]),
    ("xylophone", []),
]


async def test_lines_that_match(knowledge: Knowledge) -> None:
    texts = ["a timeout occurred\ntime flies", "some-time.limit", "sometimes", "other matters"]
    await knowledge.put(a_document("a"), *texts)
    for pattern, found in FOUND:
        assert await lines(knowledge, pattern) == found, pattern


async def test_case_counts_unless_it_is_ignored(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "Timeout", "timeout", "TIMEOUTS", "l'TimeOut")
    assert await lines(knowledge, "timeout") == ["timeout"]
    assert await lines(knowledge, "timeout", ignore_case=True) == ["Timeout", "timeout", "TIMEOUTS", "l'TimeOut"]


async def test_stemmed_and_dropped_words_are_found_as_they_stand(knowledge: Knowledge) -> None:
    await knowledge.put(
        a_document("a"), "operationalizations", "the running of it", "ran about", "l'OneDrive 1'000'000"
    )
    assert await lines(knowledge, "ationaliz") == ["operationalizations"]
    assert await lines(knowledge, "running") == ["the running of it"]
    assert await lines(knowledge, "about") == ["ran about"]
    assert await lines(knowledge, "000") == ["l'OneDrive 1'000'000"]
    assert await lines(knowledge, "onedrive", ignore_case=True) == ["l'OneDrive 1'000'000"]


async def test_what_stands_far_in_a_long_run_of_letters_is_found(knowledge: Knowledge) -> None:
    run = "x" * 80 + "needle" + "y" * 5
    await knowledge.put(a_document("a"), run, f"{run}.needful", "other")
    assert await lines(knowledge, "needle") == [run, f"{run}.needful"]


async def test_a_match_stays_within_its_line(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "first part\nsecond part", "third part")
    assert await lines(knowledge, r"first\s+part\s+second") == []
    assert await lines(knowledge, r"part\s*") == ["first part", "second part", "third part"]


async def test_hits_come_by_path_and_line(knowledge: Knowledge) -> None:
    await put_at(knowledge, a_document("z", path="b/z"), ("match 20", Span(20, 20)), ("match 3\nmatch 4", Span(3, 4)))
    await put_at(knowledge, a_document("y", path="a/y"), ("match", Span(7, 7)))
    await put_at(knowledge, a_document("x", path="C"), ("match", Span(1, 1)))
    hits = (await asked(knowledge, "match")).hits
    assert [(hit.path, hit.line) for hit in hits] == [("C", 1), ("a/y", 7), ("b/z", 3), ("b/z", 4), ("b/z", 20)]


async def test_no_more_hits_than_asked_for_and_it_is_said_when_there_are_more(knowledge: Knowledge) -> None:
    for number in range(6):
        await knowledge.put(a_document(f"d{number}"), "needle one\nneedle two", "needle three")
    for limit, complete in ((1, False), (5, False), (17, False), (18, True), (100, True)):
        result = await asked(knowledge, "needle", limit=limit)
        assert (len(result.hits), result.complete) == (min(limit, 18), complete)
    everything = (await asked(knowledge, "needle")).hits
    assert (await asked(knowledge, "needle", limit=7)).hits == everything[:7]


async def test_a_line_that_two_chunks_hold_is_given_once(knowledge: Knowledge) -> None:
    numbered = a_document("n", path="numbered")
    await put_at(knowledge, numbered, ("alpha key\nbeta key", Span(1, 2)), ("beta key\ngamma key", Span(2, 3)))
    assert [(hit.line, hit.text) for hit in (await asked(knowledge, "key")).hits] == [
        (1, "alpha key"),
        (2, "beta key"),
        (3, "gamma key"),
    ]
    pages = a_document("p", path="pages")
    parts: Sequence[str] = ["One lock. Two lock.", "Two lock. Three lock.", "Three bolts. Four."]
    await put_at(knowledge, pages, *((part, Span()) for part in parts))
    found = (await asked(knowledge, "Two lock")).hits
    assert [(hit.line, hit.text) for hit in found] == [(0, "One lock. Two lock.")]
    assert await lines(knowledge, "Three") == parts[1:]


async def test_equal_lines_are_each_given(knowledge: Knowledge) -> None:
    same = [("same words", Span(number, number)) for number in (1, 2, 3)]
    await put_at(knowledge, a_document("a"), *same)
    assert [hit.line for hit in (await asked(knowledge, "same")).hits] == [1, 2, 3]


async def test_where_lines_are_not_the_sources_the_first_is_given(knowledge: Knowledge) -> None:
    await put_at(knowledge, a_document("a"), ("joined words\nof a table", Span(5, 9)))
    assert [hit.line for hit in (await asked(knowledge, "table")).hits] == [5]


async def test_nobody_gets_lines_they_may_not_read(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "open salary", ("salary of Bob", BOBS), ("salary of nobody", NOBODY))
    await knowledge.put(a_document("b", acl=BOBS), ("salary list", EVERYONE))
    assert await lines(knowledge, "salary") == ["open salary"]
    assert await lines(knowledge, "salary", BOB_ASKS) == ["open salary", "salary of Bob", "salary list"]
    assert await lines(knowledge, "salary", replace(BOB_ASKS, audience=frozenset({PUBLIC, ORG}))) == ["open salary"]
    assert await lines(knowledge, "salary", Scope.outsider()) == []
    assert (await asked(knowledge, "salary")).read <= 1
    assert (await asked(knowledge, "salary", Scope.outsider())).read == 0


async def test_rights_withdrawn_and_documents_hidden_count_at_once(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "ledger a")
    await knowledge.put(a_document("b"), "ledger b")
    await knowledge.put(a_document("c"), "ledger c")
    await knowledge.writer.set_acl(SOURCE, ["a"], BOBS)
    await knowledge.writer.hide(SOURCE, ["b"])
    assert await lines(knowledge, "ledger") == ["ledger c"]
    await knowledge.writer.purge(SOURCE, ["c"])
    assert await lines(knowledge, "ledger", BOB_ASKS) == ["ledger a"]


async def test_what_is_replaced_is_gone(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "old wording")
    await knowledge.put(a_document("a", content="2"), "new wording")
    assert await lines(knowledge, "wording") == ["new wording"]


async def test_filters_narrow(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a", labels=["x"], title="Guide"), "router a")
    await knowledge.put(a_document("b", source=OTHER, space="IT"), "router b")
    for filters, expected in (
        (Filters(sources=(OTHER,)), ["router b"]),
        (Filters(labels=("x",)), ["router a"]),
        (Filters(spaces=("IT",)), ["router b"]),
        (Filters(titles=("guid",)), ["router a"]),
        (Filters(sources=(OTHER,), labels=("x",)), []),
    ):
        assert [hit.text for hit in (await asked(knowledge, "router", filters=filters)).hits] == expected


async def test_what_is_no_pattern_is_refused(knowledge: Knowledge) -> None:
    for pattern in ("", "(", "a" * 513, r"(?=a)", "[z-a]", "a**", "\ud800"):
        with pytest.raises(Refused):
            await asked(knowledge, pattern)


async def test_without_a_word_little_is_read_or_nothing(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a"), "ab 12", "cd 34")
    request = GrepRequest(r"\d+")
    assert [hit.text for hit in (await knowledge.thrifty.grep(request, MEMBER)).hits] == ["ab 12", "cd 34"]
    await knowledge.put(a_document("b"), ("ef 56", BOBS))
    assert len((await knowledge.thrifty.grep(request, MEMBER)).hits) == 2
    with pytest.raises(Refused) as caught:
        await knowledge.thrifty.grep(request, BOB_ASKS)
    assert "word" in caught.value.next_step
