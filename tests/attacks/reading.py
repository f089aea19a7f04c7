"""What reads a file or a document whose name somebody gave."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from domain.access import ORGANISATION
from domain.errors import KbError, Refused
from indexer.parse.sandbox import SandboxedParser
from indexer.sources.connector import ListedDocument
from indexer.sources.files.connector import FilesConnector
from indexer.sources.files.live_files import FolderFiles
from tests.attacks.paths import SECRET, Made, PathAttack, plant
from tests.attacks.surface import Meet
from tests.fakes.agent import MEMBER
from tests.fakes.tool_sources import a_zoo, everything, paths, use

WHY = {"malformed": "not that of a file", "private": "may not be read"}
NOT_THE_ASKERS = {"ada/diary.md", "vault.md"}
"""Of the zoo's documents."""


def folders(folder: Path) -> FolderFiles:
    return FolderFiles({"docs": folder, "dev": Path("/dev")}, {"docs": ORGANISATION, "dev": ORGANISATION})


@asynccontextmanager
async def live_files(tmp_path: Path) -> AsyncIterator[Meet]:
    """The folders that may be read: each name has its verdict."""
    files = folders(plant(tmp_path))

    async def meet(attack: PathAttack) -> str:
        try:
            found = await files.fetch(attack.name, MEMBER)
        except Refused as error:
            return "" if attack.verdict in WHY and WHY[attack.verdict] in error.what else str(error)
        return "" if found is None and attack.verdict == "not there" else f"{found}"

    yield meet


@asynccontextmanager
async def read_file(tmp_path: Path) -> AsyncIterator[Meet]:
    """The same by the tool: nothing is found."""
    sources = replace(await everything(await a_zoo()), files=folders(plant(tmp_path)))

    async def meet(attack: PathAttack) -> str:
        try:
            result = await use(sources, "read_file", path=attack.name)
        except (KbError, ValidationError):
            return ""
        return " ".join(item.passage.text for item in result.found)

    yield meet


@asynccontextmanager
async def files_source(tmp_path: Path) -> AsyncIterator[Meet]:
    """A source of files: what is hidden is not listed, and what lies outside is not read, whatever an id says."""
    connector = FilesConnector(plant(tmp_path), ORGANISATION)
    listed = {each.path async for each in connector.listing()}

    async def meet(attack: PathAttack) -> str:
        name = attack.name.removeprefix("docs/")
        if name in listed and "/." in f"/{name}":
            return f"{name} is listed"
        try:
            raw = (await connector.fetch(ListedDocument(name, name, ""))).raw
        except KbError:
            return ""
        return raw.decode() if SECRET.encode() in raw else ""

    yield meet


def named(tool: str, argument: str) -> Callable[[Path], AbstractAsyncContextManager[Meet]]:
    """A tool that finds documents by name: those of others stay unseen, however they are spelt."""

    @asynccontextmanager
    async def opened(_folder: Path) -> AsyncIterator[Meet]:
        sources = await everything(await a_zoo())

        async def meet(name: str) -> str:
            try:
                result = await use(sources, tool, **{argument: name})
            except (KbError, ValidationError):
                return ""
            told = [each for each in NOT_THE_ASKERS if each in result.note and each not in name]
            return " ".join([*told, *(each for each in paths(result) if each in NOT_THE_ASKERS)])

        yield meet

    return opened


@asynccontextmanager
async def parsers(tmp_path: Path) -> AsyncIterator[Meet]:
    """The parsers: no file is read but the one that is parsed, and none is written."""
    secret, written = tmp_path / "outer.txt", tmp_path / "owned"
    secret.write_text(SECRET)
    async with SandboxedParser() as parser:

        async def meet(made: Made) -> str:
            name, raw = made(secret)
            try:
                file = await parser.parse(raw, name)
            except Refused:
                return ""
            text = " ".join([file.title, *file.metadata.values(), *(each.text for each in file.blocks)])
            return text if SECRET in text or written.exists() else ""

        yield meet
