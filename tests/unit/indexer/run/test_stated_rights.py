"""Runs over a source that says of each document whom it admits: who reads which text, and when."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace

import pytest

from domain.access import NOBODY, Acl, Scope, SourceDirectory, account, group
from domain.documents import Block, BlockKind, ParsedFile
from domain.errors import Transient
from domain.masking import Masker
from domain.search import Filters
from indexer.parse.formats import Unparsable
from indexer.run.dependencies import RunDependencies, RunOptions
from indexer.run.index_run import IndexRun
from indexer.run.report import RunReport
from indexer.sources.connector import Connector, FetchedDocument, ListedDocument, SkippedDocument
from tests.fakes.access import MemoryAccessWriter
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge

EMBEDDER = HashEmbedder()
ANN, BOB = "ann@example.com", "bob@example.com"
STAFF, BOSSES, GUESTS = (Acl.any_of(group("office", name)) for name in ("staff", "bosses", "guests"))
PEOPLE = SourceDirectory(
    {
        ANN: frozenset({account("office", "ann"), *(group("office", name) for name in ("staff", "bosses"))}),
        BOB: frozenset({account("office", "bob"), *(group("office", name) for name in ("staff", "guests"))}),
    }
)
PERMISSIONS = RunOptions(permissions=True)


@dataclass(frozen=True)
class Sheet:
    """A document as the office has it."""

    text: str
    acl: Acl | None = STAFF
    """None: its permissions cannot be read."""
    version: str = "1"
    path: str = "sheet"


class Office(Connector):
    """Sheets by name.

    passed: names that are passed over. away: nothing can be fetched. unparsable: names of which nothing can be read.
    broken: what a listing ends with. fetched: names, in order. meanwhile: done once, before the next sheet is fetched.
    """

    acl = NOBODY
    unreadable = ()

    def __init__(self, **sheets: Sheet) -> None:
        self.sheets = sheets
        self.passed: set[str] = set()
        self.away = False
        self.unparsable: set[str] = set()
        self.broken: Exception | None = None
        self.fetched: list[str] = []
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    async def permissions(self) -> SourceDirectory:
        return PEOPLE

    async def listing(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        for name, sheet in list(self.sheets.items()):
            yield self._listed(name, sheet)
        if self.broken:
            raise self.broken

    def _listed(self, name: str, sheet: Sheet) -> ListedDocument | SkippedDocument:
        if name in self.passed:
            return SkippedDocument(name, sheet.path, "too large", acl=sheet.acl)
        url = f"https://office.example/{name}"
        return ListedDocument(name, f"{sheet.path}/{name}", url, acl=sheet.acl, version=sheet.version)

    async def orient(self) -> None:
        """There is nothing to know."""

    async def one(self, name: str) -> ListedDocument | None:
        listed = self._listed(name, self.sheets[name]) if name in self.sheets else None
        return listed if isinstance(listed, ListedDocument) else None

    async def fetch(self, item: ListedDocument) -> FetchedDocument:
        self.fetched.append(item.external_id)
        if self.meanwhile:
            now, self.meanwhile = self.meanwhile, None
            await now()
        if self.away:
            raise Transient("It does not answer")
        if item.external_id in self.unparsable:
            raise Unparsable("protected by a password")
        return FetchedDocument(self.sheets[item.external_id].text.encode(), item.external_id)

    def change(self, name: str, **changes: object) -> None:
        """Changes a sheet."""
        self.sheets[name] = replace(self.sheets[name], **changes)  # type: ignore[arg-type] # what a Sheet has


class ReadersOffice(Office):
    """Where readers alone are listed, versions say nothing of the text."""

    async def readers(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        async for item in self.listing():
            if isinstance(item, ListedDocument):
                yield replace(item, version="of the readers", version_of_all=False)
            else:
                yield item


class FilesOffice(Office):
    """Where readers alone are listed, versions are those of a listing."""

    async def readers(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        async for item in self.listing():
            yield item


class Lines:
    """Reads a file as one paragraph."""

    async def parse(self, raw: bytes, name: str, media_type: str = "") -> ParsedFile:
        del media_type
        return ParsedFile(name, (Block(BlockKind.PROSE, raw.decode()),))


@pytest.fixture
def memory() -> MemoryKnowledge:
    return MemoryKnowledge(EMBEDDER.identity)


async def run(memory: MemoryKnowledge, office: Office, options: RunOptions | None = None) -> RunReport:
    dependencies = RunDependencies(memory, EMBEDDER, EMBEDDER, Lines(), Masker(), MemoryAccessWriter(memory))
    office.fetched.clear()
    return await IndexRun("office", office, dependencies, options or RunOptions(), lambda _step: None).run()


def reads(memory: MemoryKnowledge, email: str) -> set[str]:
    """The texts that somebody finds."""
    scope = Scope.member(email)
    return {chunk.text for _, chunks in memory.visible(scope, Filters()) for chunk in chunks}


# who comes to be a reader


@pytest.mark.parametrize("options", [None, PERMISSIONS], ids=["content", "permissions"])
@pytest.mark.parametrize("kind", [Office, ReadersOffice])
async def test_a_text_that_was_changed_before_it_was_opened_is_read_anew_first(
    memory: MemoryKnowledge, kind: type[Office], options: RunOptions | None
) -> None:
    office = kind(pay=Sheet("plan and secret", BOSSES))
    await run(memory, office)
    office.change("pay", text="plan", acl=STAFF, version="2")
    office.away = True
    assert (await run(memory, office, options)).failed
    assert reads(memory, BOB) == set(), "it could not be read anew"
    assert reads(memory, ANN) == {"plan and secret"}, "who could read it before still can"
    office.away = False

    async def looked() -> None:
        assert reads(memory, BOB) == set(), "it is listed and not read yet"

    office.meanwhile = looked
    report = await run(memory, office, options)
    assert (report.changed, office.fetched) == (1, ["pay"])
    assert reads(memory, ANN) == reads(memory, BOB) == {"plan"}
    await run(memory, office)
    assert reads(memory, BOB) == {"plan"}


async def test_a_text_that_is_that_of_now_is_opened_without_reading_it(memory: MemoryKnowledge) -> None:
    office = Office(pay=Sheet("plan", BOSSES), other=Sheet("other"))
    await run(memory, office)
    office.change("pay", acl=STAFF)
    report = await run(memory, office, PERMISSIONS)
    assert (report.readdressed, office.fetched) == (1, [])
    assert reads(memory, BOB) == {"plan", "other"}


async def test_without_versions_that_mean_anything_it_is_read_once(memory: MemoryKnowledge) -> None:
    office = ReadersOffice(pay=Sheet("plan", BOSSES), other=Sheet("other"))
    await run(memory, office)
    for acl, fetched, seen in (
        (STAFF, ["pay"], {"plan", "other"}),
        (STAFF, [], {"plan", "other"}),
        (STAFF.and_also(BOSSES), [], {"other"}),
    ):
        office.change("pay", acl=acl)
        report = await run(memory, office, PERMISSIONS)
        assert (report.embedded, office.fetched) == (0, fetched)
        assert reads(memory, BOB) == seen


async def test_a_text_read_in_a_run_over_permissions_has_no_version_of_such_a_listing(memory: MemoryKnowledge) -> None:
    office = ReadersOffice(pay=Sheet("plan", BOSSES))
    await run(memory, office)
    office.change("pay", acl=STAFF)
    await run(memory, office, PERMISSIONS)
    assert (await memory.indexed_documents("office"))["pay"].version == ""
    office.change("pay", acl=BOSSES)
    await run(memory, office, PERMISSIONS)
    office.change("pay", acl=STAFF)
    await run(memory, office, PERMISSIONS)
    assert office.fetched == ["pay"], "equal versions would say that it is the text of now"


async def test_who_lost_a_text_at_the_same_time_does_not_keep_it(memory: MemoryKnowledge) -> None:
    office = Office(pay=Sheet("plan and secret", BOSSES))
    await run(memory, office)
    office.change("pay", acl=GUESTS, version="2", text="plan")
    office.away = True
    await run(memory, office, PERMISSIONS)
    assert reads(memory, ANN) == reads(memory, BOB) == set()
    office.away = False
    await run(memory, office, PERMISSIONS)
    assert (reads(memory, ANN), reads(memory, BOB)) == (set(), {"plan"})


async def test_what_is_passed_over_keeps_an_older_text_and_comes_to_no_other_readers(memory: MemoryKnowledge) -> None:
    office = Office(pay=Sheet("plan and secret", BOSSES), other=Sheet("other"))
    await run(memory, office)
    office.passed = {"pay", "other"}
    office.change("pay", acl=STAFF)
    office.change("other", acl=BOSSES)
    for options in (PERMISSIONS, None):
        await run(memory, office, options)
        assert (reads(memory, ANN), reads(memory, BOB)) == ({"plan and secret", "other"}, set())
    office.passed = set()
    await run(memory, office)
    assert reads(memory, BOB) == {"plan and secret"}


async def test_permissions_that_could_not_be_read_once_come_back_without_reading_a_text(
    memory: MemoryKnowledge,
) -> None:
    office = ReadersOffice(pay=Sheet("plan"))
    await run(memory, office)
    office.change("pay", acl=None)
    await run(memory, office, PERMISSIONS)
    assert reads(memory, BOB) == set()
    office.change("pay", acl=STAFF)
    for options in (PERMISSIONS, None):
        await run(memory, office, options)
        assert (office.fetched, reads(memory, BOB)) == ([], {"plan"})


async def test_what_was_closed_until_it_is_read_anew_stays_so(memory: MemoryKnowledge) -> None:
    office = Office(pay=Sheet("plan and secret", BOSSES))
    await run(memory, office)
    office.away = True
    office.change("pay", acl=STAFF, version="2", path="elsewhere")
    for path, acl in (("elsewhere", STAFF), ("sheet", STAFF), ("sheet", None), ("sheet", STAFF)):
        office.change("pay", path=path, acl=acl)
        await run(memory, office, PERMISSIONS)
        assert reads(memory, ANN) == reads(memory, BOB) == set()


async def test_what_nothing_can_be_read_of_is_not_fetched_in_each_run_over_permissions(
    memory: MemoryKnowledge,
) -> None:
    office = FilesOffice(pay=Sheet("plan and secret", BOSSES), other=Sheet("other"))
    office.unparsable = {"other"}
    await run(memory, office)
    office.change("pay", acl=STAFF, version="2", text="plan")
    office.unparsable = {"pay", "other"}
    for options, fetched in ((PERMISSIONS, ["pay"]), (PERMISSIONS, []), (None, [])):
        await run(memory, office, options)
        assert office.fetched == fetched
        assert (reads(memory, ANN), reads(memory, BOB)) == ({"plan and secret"}, set())
    office.unparsable = {"other"}
    office.change("pay", version="3")
    await run(memory, office, PERMISSIONS)
    assert reads(memory, BOB) == {"plan"}


async def test_what_moved_is_fetched_once_where_its_version_is_that_of_all_of_it(memory: MemoryKnowledge) -> None:
    office = FilesOffice(pay=Sheet("plan"))
    await run(memory, office)
    office.change("pay", path="elsewhere", version="2")
    for options, fetched in ((PERMISSIONS, ["pay"]), (None, [])):
        await run(memory, office, options)
        assert office.fetched == fetched


@pytest.mark.parametrize("error", [Transient("It does not answer"), ValueError("an error of ours")])
async def test_a_right_that_was_taken_away_does_not_wait_for_a_whole_listing(
    memory: MemoryKnowledge, error: Exception
) -> None:
    office = Office(pay=Sheet("plan"), other=Sheet("other"))
    await run(memory, office)
    office.change("pay", acl=BOSSES)
    office.broken = error
    with pytest.raises(type(error)):
        await run(memory, office, PERMISSIONS)
    assert (reads(memory, ANN), reads(memory, BOB)) == ({"plan", "other"}, {"other"})


# what is missing from a listing that is older than what was read since


async def test_what_came_back_while_a_run_goes_on_is_not_purged(memory: MemoryKnowledge) -> None:
    office = Office(**{f"d{number}": Sheet(f"text {number}") for number in range(12)})
    await run(memory, office)
    gone = office.sheets.pop("d3")
    await run(memory, office)
    assert (await memory.indexed_documents("office"))["d3"].hidden
    office.change("d5", path="elsewhere")

    async def restored() -> None:
        office.sheets["d3"] = gone
        await run(memory, office, RunOptions(names=("d3",)))

    office.meanwhile = restored
    await run(memory, office, PERMISSIONS)
    assert "text 3" in reads(memory, BOB)
    del office.sheets["d3"]
    await run(memory, office)
    await run(memory, office)
    assert "d3" not in await memory.indexed_documents("office")
