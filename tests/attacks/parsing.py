"""What parses files that others wrote."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from domain.documents import ParsedFile
from domain.errors import KbError
from indexer.parse.formats import parse
from indexer.parse.limits import ParseLimits
from indexer.parse.sandbox import SandboxedParser
from tests.attacks.documents import DocumentAttack
from tests.attacks.surface import Meet

LIMITS = ParseLimits(cpu_seconds=10)
ENDED = ("parser crashed", "parser used", "parser took", "parser ran")
"""How the child process says that its limits, and not the parsers', have ended a file."""


@asynccontextmanager
async def parsers(_folder: Path) -> AsyncIterator[Meet]:
    """The parsers themselves."""

    async def meet(attack: DocumentAttack) -> str:
        async def parsed(raw: bytes) -> ParsedFile:
            return parse(raw, attack.name, attack.media_type, _limits(attack))

        return await _met(attack, parsed)

    yield meet


@asynccontextmanager
async def sandbox(_folder: Path) -> AsyncIterator[Meet]:
    """The child process that parses for every source; it reads the next file, too."""
    async with AsyncExitStack() as stack:
        children: dict[ParseLimits, SandboxedParser] = {}

        async def meet(attack: DocumentAttack) -> str:
            limits = _limits(attack)
            if limits not in children:
                children[limits] = await stack.enter_async_context(SandboxedParser(limits))
            parser = children[limits]
            reached = await _met(attack, lambda raw: parser.parse(raw, attack.name, attack.media_type))
            after = await parser.parse(b"hello", "a.txt")
            return reached or ("" if after.blocks[0].text == "hello" else "the next file is not read")

        yield meet


def _limits(attack: DocumentAttack) -> ParseLimits:
    return replace(LIMITS, **attack.limits)


async def _met(attack: DocumentAttack, parsed: Callable[[bytes], Awaitable[ParsedFile]]) -> str:
    """A file is refused in one line that says why, or read, and then it is not much larger than before."""
    raw = attack.raw()
    try:
        file = await parsed(raw)
    except KbError as error:
        fits = attack.reason and error.what.startswith(attack.reason) and "\n" not in error.what
        return "" if fits and not error.what.startswith(ENDED) else error.what
    size = sum(len(each.text) for each in file.blocks)
    return f"{size} characters: {file.blocks[:1]}" if attack.reason or size > 10 * len(raw) + 1_000 else ""
