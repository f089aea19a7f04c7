"""No secret of a folder reaches the database, the embedder or a file of the product, and a newer masking takes out what
an older one let in."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from agent.providers.cached import masking_mark
from bot.app.product import Product
from bot.cli.index_runs import run_source
from domain.access import Scope
from domain.documents import masking_of
from domain.masking import Masker
from domain.search import SearchRequest
from indexer.run.dependencies import RunOptions
from indexer.run.report import RunReport
from storage.index.sources import Source
from tests.command import Kb, connected, database_url, rows, write
from tests.fakes.embedder import HashEmbedder
from tests.fakes.embeddings_server import EmbeddingsServer
from tests.fakes.masking import MASK, SLOW, WordMasker, github_token

PLACES = (
    *("text", "title", "heading", "table", "code", "header", "author", "label", "space", "name", "folder"),
    *("skipped", "broken", "broken_text", "latin"),
)


def dump(url: str) -> str:
    """Every column of every table, and what the planner keeps of them; bytes as they are and as text."""
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    found = [str(row) for row in rows(url, "SELECT * FROM pg_stats WHERE schemaname = 'public'")]
    with connected(url) as connection:
        for (table,) in rows(url, tables):
            for row in connection.execute(f'SELECT * FROM "{table}"'.encode()):
                found += [value.decode("latin-1") if isinstance(value, bytes) else str(value) for value in row]
    return "\n".join(found).lower()


def leaks(canaries: dict[str, str], text: str) -> list[str]:
    """Where the canaries came from that a text holds, in whatever case; their terms lack what stands before the `_`."""
    return [place for place, canary in canaries.items() if canary.partition("_")[2].lower() in text.lower()]


def filled(docs: Path, canaries: dict[str, str]) -> None:
    c = canaries
    write(
        docs,
        text=f"# Plain\n\nUse {c['text']} to log in.\n",
        title=f"# The key {c['title']}\n\nWords below.\n\n## Then {c['heading']}\n\nMore words.\n",
        table=f"# Table\n\n| name | {c['header']} |\n|---|---|\n| a | {c['table']} |\n| b | c |\n",
        code=f"# Code\n\n```\nexport KEY={c['code']}\n```\n",
        matter=f"---\nauthor: Ada {c['author']}\ntags: [one, {c['label']}]\nspace: {c['space']}\n---\n# M\n\nText.\n",
    )
    (docs / f"notes-{c['name']}.txt").write_text("Notes about the name.")
    inner = docs / f"folder {c['folder']}"
    inner.mkdir()
    (inner / "inner é.md").write_text("# Inner\n\nInside of a folder.\n")
    (docs / f"photo-{c['skipped']}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    (docs / f"broken-{c['broken']}.docx").write_text(f"no archive: {c['broken_text']}")
    (docs / f"{c['latin']}-\udcff.md").write_text("not UTF-8 in its name")


@pytest.fixture
def canaries() -> dict[str, str]:
    return {place: github_token() for place in PLACES}


def test_no_secret_reaches_the_database_the_embedder_or_a_file(
    kb: Kb, docs: Path, url: str, embeddings: EmbeddingsServer, data_dir: Path, canaries: dict[str, str]
) -> None:
    filled(docs, canaries)
    assert leaks(canaries, "\n".join([*canaries.values()])) == list(PLACES)
    done = kb("index", str(docs), "--json")
    report = done.report
    assert (report["added"], report["complete"], len(report["skipped"] + report["failed"])) == (7, True, 3), report
    assert leaks(canaries, done.out + done.err) == []
    assert leaks(canaries, dump(url)) == []
    assert leaks(canaries, json.dumps([vars(request) for request in embeddings.requests], default=str)) == []
    for path in data_dir.glob("*"):
        if path.is_file():
            assert leaks(canaries, path.read_text(errors="replace")) == [], path
    assert leaks(canaries, (data_dir / "postgresql" / "server.log").read_text(errors="replace")) == []

    found = kb("search", "notes about the name", "--method", "lexical", "--json").json["results"]
    mask = Masker().secrets(canaries["name"]).text
    assert found[0]["path"] == f"notes-{mask}.txt"

    again = kb("index", str(docs), "--json").report
    assert (again["added"], again["changed"], again["hidden"], again["embedded"]) == (0, 0, 0, 0), again
    assert again["unchanged"] == report["added"]


def test_files_whose_names_are_masked_alike_come_change_and_go(kb: Kb, docs: Path, url: str) -> None:
    one, two = sorted(github_token() for _ in range(2))
    mask = Masker().secrets(one).text
    (docs / f"{one}.txt").write_text("The first is about ferries.")
    (docs / f"{two}.txt").write_text("The second is about trams.")
    assert kb("index", str(docs), "--json").report["added"] == 2
    assert paths(url) == {f"{mask}.txt": "ferries", f"{mask}.txt (2)": "trams"}

    (docs / f"{two}.txt").write_text("The second is about trains.")
    report = kb("index", str(docs), "--json").report
    assert (report["changed"], report["unchanged"]) == (1, 1)
    assert paths(url) == {f"{mask}.txt": "ferries", f"{mask}.txt (2)": "trains"}

    ((document,),) = rows(url, "SELECT document_id FROM documents WHERE external_id LIKE '%% (2)'")
    (docs / f"{two}.txt").write_text("The second is about planes.")
    (docs / f"{one}.txt").write_text("The first is about boats.")
    assert kb("reindex", "--document", document, "--json").report["changed"] == 1
    assert paths(url) == {f"{mask}.txt": "ferries", f"{mask}.txt (2)": "planes"}

    kb("index", str(docs))
    (docs / f"{two}.txt").rename(docs / "plain.txt")
    report = kb("index", str(docs), "--json").report
    assert (report["renamed"], report["added"], report["unchanged"]) == (1, 0, 1)
    assert paths(url) == {f"{mask}.txt": "boats", "plain.txt": "planes"}

    (docs / f"{one}.txt").unlink()
    assert kb("index", str(docs), "--json").report["hidden"] == 1
    assert kb("index", str(docs), "--json").report["purged"] == 1
    assert paths(url) == {"plain.txt": "planes"}


def test_a_rule_of_the_operator_takes_effect_with_the_next_run(kb: Kb, docs: Path, url: str) -> None:
    write(docs, project="# Project\n\nIts code is ZEBRA-4711, they say.\n", other="# Other\n\nOther words.\n")
    kb("index", str(docs))
    assert "zebra-4711" in dump(url)
    assert "Masking" not in kb("status").out
    assert kb("status", "--json").json["index"]["masked_otherwise"] == {"live": 0}

    rule = ["[[masking_rules]]", 'name = "project code"', "pattern = 'ZEBRA-[0-9]{4}'", 'keywords = ["zebra-"]']
    (kb.folder / "kb.toml").write_text("\n".join(rule))
    assert "Masking: 2 documents of the index passed an older one, or none; anew with: kb reindex" in kb("status").out
    done = kb("reindex")
    assert "2 masked anew" in done.out, done
    assert "1 chunk written, 1 embedded now" in done.out
    assert "zebra-4711" not in dump(url)
    assert "[masked: project code]" in dump(url)
    assert "Masking" not in kb("status").out


def paths(url: str) -> dict[str, str]:
    """The last word of each shown document."""
    query = "SELECT path, text FROM chunks JOIN documents USING (document_no) WHERE hidden_at IS NULL"
    return {path: text.rpartition(" ")[2].rstrip(".") for path, text in rows(url, query)}


# -- a newer masking, over the product with a database


class Desk:
    """A source of the product, read under one masking after another."""

    def __init__(self, product: Product, docs: Path) -> None:
        self._product = product
        self._source = Source("docs", "files", {"path": str(docs), "audience": "everyone"})

    async def run(self, masker: Masker, **options: object) -> RunReport:
        """One recorded pass."""
        product = replace(self._product, masker=masker)
        if not await product.storage.sources.states():
            await product.storage.sources.add(self._source)
        return await run_source(product, self._source, product.writer, RunOptions(**options), quiet=True)  # type: ignore[arg-type] # by name

    async def found(self, words: str) -> int:
        """How many chunks hold a word of those."""
        request = SearchRequest(words, retrievals=("lexical",))
        return len((await self._product.search.search(request, Scope.member())).rankings["lexical"])

    async def older(self, masker: Masker) -> int:
        """How many documents passed another masking."""
        return (await self._product.storage.count_outdated_masking(masker.version))["live"]


@pytest.fixture
def desk(product: Product, docs: Path) -> Desk:
    return Desk(product, docs)


@pytest.fixture
def contents(data_dir: Path, database: str) -> Callable[[], str]:
    """Gives the whole database as text."""
    return lambda: dump(database_url(data_dir, database))


def section(word: str, secret: str = "") -> str:
    sentences = " ".join(f"The {word} number {n} is kept in cupboard {n} of the {word} room." for n in range(40))
    return f"## About the {word}\n\n{sentences} {secret}\n\n"


async def test_a_newer_masking_changes_what_it_must_and_embeds_nothing_else(
    desk: Desk, docs: Path, contents: Callable[[], str]
) -> None:
    write(docs, tools="# Tools\n\n" + section("hammer") + section("bucket", "zebra1234") + section("shovel"))
    write(docs, plain="# Plain\n\nNothing is secret here.\n")
    first, second = WordMasker("elsewhere"), WordMasker("zebra1234")
    before = await desk.run(first)
    assert (before.added, before.embedded) == (2, before.chunks)
    assert before.chunks >= 4
    assert await desk.found("zebra1234") == 1
    assert await desk.older(second) == 2

    after = await desk.run(second)
    assert (after.masked_anew, after.changed, after.unchanged, after.added) == (2, 0, 0, 0)
    assert after.embedded == 1, "of all the chunks, one holds the word"
    assert after.chunks == before.chunks - 1, "the other document is not even written"
    assert await desk.found("zebra1234") == 0
    assert await desk.found("bucket") >= 1
    assert "zebra" not in contents()
    assert MASK in contents()
    assert await desk.older(second) == 0

    again = await desk.run(second)
    assert (again.unchanged, again.masked_anew, again.chunks) == (2, 0, 0)


async def test_what_was_indexed_without_masking_is_read_anew_by_a_run_since_a_later_day(
    desk: Desk, docs: Path, product: Product, contents: Callable[[], str]
) -> None:
    from datetime import UTC, datetime

    write(docs, a="# A\n\nIt is zebra1234.\n", b="# B\n\nFine.\n")
    await desk.run(WordMasker())
    async with product.storage.engine.begin() as connection:  # as a release without masking left it
        await connection.exec_driver_sql("UPDATE indexed_documents SET content_hash = substr(content_hash, 1, 16)")
    masker = WordMasker("zebra1234")
    assert await desk.older(masker) == 2
    report = await desk.run(masker, since=datetime(2099, 1, 1, tzinfo=UTC))
    assert (report.masked_anew, report.embedded, await desk.older(masker)) == (2, 1, 0)
    assert "zebra" not in contents()
    states = (await (await product.writer()).indexed_documents("docs")).values()
    assert {masking_of(state.content_hash or b"") for state in states} == {masker.version}


async def test_a_name_that_a_newer_masking_knows_is_stored_anew_at_once(
    desk: Desk, docs: Path, contents: Callable[[], str]
) -> None:
    write(docs, zebra1234="# A\n\nFine words.\n", zebra1234__inner="# B\n\nMore words.\n")
    await desk.run(WordMasker())
    assert "zebra" in contents()
    masker = WordMasker("zebra1234")
    dry = await desk.run(masker, dry_run=True)
    assert (dry.renamed, "zebra" in contents()) == (2, True)
    report = await desk.run(masker)
    assert (report.renamed, report.added, report.hidden, report.embedded) == (2, 0, 0, 0)
    assert "zebra" not in contents()
    assert await desk.found("words") == 2
    assert (await desk.run(masker)).unchanged == 2


async def test_a_document_that_cannot_be_masked_leaves_only_what_passed_the_masking_of_now(
    desk: Desk, docs: Path, contents: Callable[[], str]
) -> None:
    text = f"# A\n\nIt {SLOW} and holds zebra1234.\n"
    write(docs, a="# A\n\nLanterns.\n", b=text.replace(SLOW, "glows"))
    masker = WordMasker("zebra1234")
    await desk.run(WordMasker())
    await desk.run(masker)
    write(docs, a=text, c=text)
    report = await desk.run(masker)
    assert sorted(report.failed) == [(name, "the masker gave up on it") for name in ("a.md", "c.md")]
    assert await desk.found("lanterns") == 1, "what is there passed the same masking"

    report = await desk.run(WordMasker("zebra1234", "more"))
    assert [path for path, _ in report.failed] == ["a.md", "c.md"]
    assert await desk.found("lanterns") == 0
    assert await desk.found("glows") == 1
    assert "zebra" not in contents()


async def test_reports_of_earlier_runs_and_kept_replies_are_masked_as_well(
    desk: Desk, docs: Path, product: Product, contents: Callable[[], str]
) -> None:
    (docs / "zebra1234.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    first, second = WordMasker(), WordMasker("zebra1234")
    report = await desk.run(first)
    assert report.skipped == [("zebra1234.png", "not a document")]
    for masker in (first, second):
        await product.storage.reply_cache().put(masking_mark(masker.version) + b"key", f"a reply of {masker.version}")
    assert "zebra" in contents()
    await desk.run(second)
    assert "zebra" not in contents()
    runs = [run.report for run in await product.storage.runs.latest()]
    assert [run["skipped"] for run in runs] == [[[f"{MASK}.png", "not a document"]]] * 2
    assert [run["masking"] for run in runs] == [second.version] * 2
    assert {name: runs[1][name] for name in ("listed", "seconds")} == {"listed": 1, "seconds": report.seconds}
    assert await product.storage.reply_cache().get(masking_mark(first.version) + b"key") is None
    assert await product.storage.reply_cache().get(masking_mark(second.version) + b"key") is not None


async def test_nothing_stays_under_a_name_that_may_not_be_stored(
    desk: Desk, docs: Path, contents: Callable[[], str]
) -> None:
    write(docs, zebra1234="# A\n\nFine words.\n")
    await desk.run(WordMasker())
    write(docs, zebra1234=f"# A\n\nIt {SLOW}.\n")
    report = await desk.run(WordMasker("zebra1234"))
    assert report.failed == [(f"{MASK}.md", "the masker gave up on it")]
    assert (report.purged, report.added) == (1, 0)
    assert "zebra" not in contents()


async def test_names_that_cannot_be_masked_stop_the_pruning(desk: Desk, docs: Path) -> None:
    write(docs, a="# A\n\nLanterns.\n", b="# B\n\nFine.\n")
    masker = WordMasker()
    await desk.run(masker)
    (docs / "a.md").rename(docs / f"a {SLOW}.md")
    report = await desk.run(masker)
    assert (report.complete, report.hidden, report.unchanged) == (False, 0, 1)
    assert report.failed == [("(a name)", "the masker gave up on it")]
    assert await desk.found("lanterns") == 1


async def test_the_level_of_single_sentences_is_masked_as_well(
    product: Product, docs: Path, contents: Callable[[], str]
) -> None:
    settings = replace(product.settings, index=replace(product.settings.index, index_propositions=True))
    desk = Desk(replace(product, settings=settings, embedder=HashEmbedder()), docs)
    write(docs, a="# A\n\nThe code for the door is zebra1234 today. The house is never closed in summer.\n")
    await desk.run(WordMasker())
    query = "SELECT first, last FROM propositions"
    async with product.storage.engine.connect() as connection:
        before = (await connection.exec_driver_sql(query)).all()
    await desk.run(WordMasker("zebra1234"))
    async with product.storage.engine.connect() as connection:
        after = (await connection.exec_driver_sql(query)).all()
    assert len(before) == len(after) == 2
    assert before != after
    assert "zebra" not in contents()
