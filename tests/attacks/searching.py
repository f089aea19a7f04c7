"""What takes words, patterns and questions that a person typed or a model wrote."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from domain.access import Scope
from domain.answers import Answer, Declined, NotFound, Question
from domain.errors import KbError
from domain.search import GrepRequest, GrepResult
from domain.search_ports import Grep
from domain.text.required_literals import required_literals
from domain.text.required_terms import required_terms
from domain.text.tokens import Analyzer
from storage.search.grep_matching import GrepLimits, LineFinder, ReadChunk
from tests.attacks.surface import Meet
from tests.fakes.agent import a_context, a_service, an_evidence
from tests.fakes.tool_sources import ADA, a_zoo, everything, use

SECONDS = 30
"""Of processor time, for one attack: a limit against hanging. The slowest takes some tenths."""

TEXTS = ["timeout " + "a" * 3_000, "time " * 500, "aaaa b timeout", "x" * 3_000, " " * 3_000]


class MatchedLines(Grep):
    """The product's own matching of lines, over texts that patterns are worked at for longest."""

    async def grep(self, request: GrepRequest, scope: Scope) -> GrepResult:
        finder = LineFinder(request, GrepLimits(seconds=2.0))
        required_terms(required_literals(request.pattern, ignore_case=request.ignore_case), Analyzer())
        finder.take([ReadChunk(f"c{n}", "d", "d.md", n, text, 0, 0) for n, text in enumerate(TEXTS)])
        hits, complete = finder.hits()
        return GrepResult(hits, finder.read, complete and not finder.stopped)


def ending(work: Callable[[str], Awaitable[object]]) -> Meet:
    """Work that ends, with a result or with an error that says why."""

    async def meet(text: str) -> str:
        began = time.process_time()
        try:
            await work(text)
        except (KbError, ValidationError) as error:
            if not str(error):
                return "an error without words"
        used = time.process_time() - began
        return f"{used:.0f} s" if used > SECONDS else ""

    return meet


def tool(name: str, argument: str, **more: object) -> Callable[[Path], AbstractAsyncContextManager[Meet]]:
    """A tool that takes a text."""

    @asynccontextmanager
    async def opened(_folder: Path) -> AsyncIterator[Meet]:
        sources = replace(await everything(await a_zoo()), grep=MatchedLines())
        context = a_context("When is the walrus fed?", scope=ADA, evidence=[an_evidence("a"), an_evidence("b")])
        yield ending(lambda text: use(sources, name, context, **{argument: text, **more}))

    return opened


@asynccontextmanager
async def questions(_folder: Path) -> AsyncIterator[Meet]:
    """A whole question, answered without a model."""
    service = a_service(await a_zoo())

    async def work(text: str) -> None:
        found = await service.ask(Question(text, ADA))
        assert isinstance(found.outcome, Answer | NotFound | Declined), found.outcome

    yield ending(work)
