"""Conflicts between documents, counted without a question: sentences of two documents that cannot both hold.

    python -m benchmarks.conflicts [--corpus FILE] [--show]

By default over the example company as it is indexed; with --corpus over a file of JSON objects, a line each, gzipped or
not, in the layout of BEIR, whose ids are a page and `#` and the number of a part. Sentences with numbers, denials or
duties are compared, each with those of other documents with which it shares two words or synonyms; of a large corpus,
one of these two must stand in at most one sentence of fifty. Prints one JSON object on standard output; with --show,
the sentences on standard error: whether they really differ is for a reader to say. The example company's 50 documents
give 17 pairs: 13 conflicts, two of documents that do conflict but over values of different things, and two that are
none. The 883 pages of a handbook gave 5, all of them parallel pages about different exercises or steps.
"""

import asyncio
import gzip
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from agent.checking.conflicts import difference_between
from agent.checking.same_subject import StatedSentence, stated_sentences
from benchmarks.measuring import index_knowledge_base, new_folder, parser, product_in, report, say
from domain.access import Scope
from domain.documents import BlockKind, Span
from domain.search import Filters, Passage

FEW = 5_000
"""Sentences of which each is compared with all with which it shares two words or synonyms."""

RARE = 0.02
"""Of more, one of the two must stand in no greater share of the sentences than this."""


async def example() -> list[Passage]:
    """All passages of the example company."""
    with new_folder() as folder:
        index_knowledge_base({"KB_AGENT_DATA_DIR": str(folder)})
        async with product_in(folder) as product:
            scope = Scope.member("ada@example.com")
            catalog = product.storage.document_catalog()
            found = await catalog.find("", scope, filters=Filters(), limit=1_000)
            return [each for one in found for each in await catalog.chunks(one.document_id, scope, limit=10_000)]


def read_corpus(path: Path) -> list[Passage]:
    """The parts of the pages of a file."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return [_passage(row["_id"], row["title"].split(" > "), row["text"]) for row in rows]


def _passage(name: str, titles: Sequence[str], text: str) -> Passage:
    page = name.partition("#")[0]
    return Passage(
        *(name, page, 0, titles[0], "", page, "corpus", tuple(titles[1:]), text, BlockKind.PROSE, Span(1, 1), None),
        vector=np.zeros(1, np.float32),
    )


def sentences_of(passages: Iterable[Passage]) -> list[StatedSentence]:
    """Those with numbers, denials or duties."""
    found = (each for passage in passages if not passage.injection for each in stated_sentences(passage))
    return [each for each in found if each.quantities or each.reading.denials or any(each.reading.forces)]


def compared(said: Sequence[StatedSentence]) -> Iterator[tuple[StatedSentence, StatedSentence]]:
    """Pairs of different documents that may speak of the same."""
    keys = [
        {word.stem for word in each.reading.words} | {one for word in each.reading.words for one, _ in word.concepts}
        for each in said
    ]
    count = Counter(key for each in keys for key in each)
    most = len(said) if len(said) <= FEW else RARE * len(said)
    holding: defaultdict[str | int, list[int]] = defaultdict(list)
    for place, here in enumerate(said):
        telling = [key for key in keys[place] if count[key] <= most]
        for other in sorted({each for key in telling for each in holding[key]}):
            there = said[other]
            if here.passage.document_id != there.passage.document_id and len(keys[place] & keys[other]) > 1:
                yield there, here
        for key in telling:
            holding[key].append(place)


def measure(passages: Sequence[Passage], *, show: bool) -> dict[str, object]:
    """How many sentences and pairs there are, and how many of them differ."""
    said = sentences_of(passages)
    say(f"{len(said)} sentences")
    began, pairs = time.process_time(), 0
    found: list[tuple[StatedSentence, StatedSentence, str]] = []
    for one, other in compared(said):
        pairs += 1
        if differs := difference_between(one, other, None):
            found.append((one, other, differs))
    if show:
        for one, other, differs in found:
            sides = "\n".join(f"  {each.passage.path}: {each.sentence}" for each in (one, other))
            print(f"{differs}\n{sides}", file=sys.stderr)
    return {
        "documents": len({each.document_id for each in passages}),
        "sentences": len(said),
        "pairs_compared": pairs,
        "pairs_that_differ": len(found),
        "documents_that_differ": len({frozenset((a.passage.path, b.passage.path)) for a, b, _ in found}),
        "cpu_s": round(time.process_time() - began, 1),
    }


if __name__ == "__main__":
    wanted = parser(__doc__)
    wanted.add_argument("--corpus", type=Path, help="a file of passages; by default the example company")
    wanted.add_argument("--show", action="store_true", help="print the sentences that differ")
    given = wanted.parse_args()
    parts = read_corpus(given.corpus) if given.corpus else asyncio.run(example())
    report(measure(parts, show=given.show))
