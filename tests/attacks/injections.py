"""Instructions to machines, where documents, live pages and earlier replies bring them to a model."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from agent.nodes.tool_exec import with_injection_flags
from agent.prompts.text import LEFT_OUT, conversation, fence_for, fenced, passages_of
from agent.state import Evidence
from agent.tools.live_pages import PageReader
from domain.answers import Turn
from domain.injection import injection_in
from domain.masking import Masker
from domain.tool_ports import LivePage
from tests.attacks.surface import Meet
from tests.fakes.agent import MODEL, a_passage, an_evidence, by_key

FILE = Path(__file__).parents[1] / "injections" / "development.jsonl"
INJECTIONS: Mapping[str, str] = {
    f"{row['name']} {number}": row["text"]
    for number, row in enumerate(json.loads(line) for line in FILE.read_text().splitlines())
}

SETS = ("unseen", "second", "third", "fourth")
BY_OTHERS: Mapping[str, str] = {
    f"{name} {number}": row["text"]
    for name in SETS
    for number, row in enumerate(
        map(json.loads, Path(__file__).with_name(f"injections_{name}.jsonl").read_text().splitlines())
    )
    if row["injected"]
}
"""Those that others wrote than the author of the rules, before the rules and the weights knew them."""
MISSED = 2
"""How many of these are not found."""

WITHIN = "The pump is serviced in March. {} The boiler is serviced in May."


@asynccontextmanager
async def indexing(_folder: Path) -> AsyncIterator[Meet]:
    """What marks a chunk when it is written: also in the midst of other text."""

    async def meet(text: str) -> str:
        return "" if injection_in(text) and injection_in(WITHIN.format(text)) else "it is not marked"

    yield meet


def prompts(place: Callable[[str], Evidence]) -> Callable[[Path], AbstractAsyncContextManager[Meet]]:
    """What a model reads of evidence, with the text at a place."""

    @asynccontextmanager
    async def opened(_folder: Path) -> AsyncIterator[Meet]:
        async def meet(text: str) -> str:
            found = passages_of([*with_injection_flags(by_key(place(text))).values()])
            return _read(fenced(found, fence_for(found)), text)

        yield meet

    return opened


def _read(prompt: str, text: str) -> str:
    return "" if LEFT_OUT in prompt and text not in prompt else f"a model reads: {prompt[:200]}"


in_texts = prompts(lambda text: an_evidence(a_passage(WITHIN.format(text))))
in_titles = prompts(lambda text: an_evidence(a_passage("The pump is serviced in March.", title=text)))
in_headings = prompts(lambda text: an_evidence(a_passage("The pump is serviced in March.", headings=(text,))))
in_relations = prompts(lambda text: replace(an_evidence("The pump is serviced in March."), stated_relations=(text,)))


@asynccontextmanager
async def live_pages(_folder: Path) -> AsyncIterator[Meet]:
    """A page that is fetched while answering."""
    reader = PageReader(MODEL, Masker())

    async def meet(text: str) -> str:
        page = LivePage("https://x.example/pump", "Pump", WITHIN.format(text))
        result = await reader.read(page, page.url, "When is the pump serviced?", 5)
        found = passages_of(
            [*with_injection_flags(by_key(*(an_evidence(each.passage) for each in result.found))).values()]
        )
        return _read(fenced(found, fence_for(found)), text)

    yield meet


@asynccontextmanager
async def earlier_replies(_folder: Path) -> AsyncIterator[Meet]:
    """What a model reads of a conversation."""

    async def meet(text: str) -> str:
        return _read(conversation([Turn("When is the pump serviced?", f"In March. {text}")]), text)

    yield meet
