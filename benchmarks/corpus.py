"""A made corpus of any size for the benchmarks: real sentences and real vectors, mixed.

Texts: each chunk is made of sentences drawn from the example knowledge base, in which a word stays as it is or takes
one of many numbered forms, by Zipf's law. So the vocabulary grows with the corpus, and a question's words are held by
as many chunks as in real documentation: their document frequencies add up to about 0.3 of the number of chunks (0.28
for the headings asked of a company handbook; benchmarks.search measures and prints it).

Vectors: of two sentences drawn at random, 0.7 and 0.3 of their MiniLM vectors, plus normal noise of length 0.35,
normalised again. Vectors drawn at random would lie far from each other and from every question, and flatter the index.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import KW_ONLY, dataclass

import numpy as np

from benchmarks.measuring import KNOWLEDGE_BASE, say
from domain.access import ORGANISATION, Acl
from domain.documents import BlockKind, Chunk, SourceDocument, Span, digest
from domain.index_ports import KnowledgeWriter
from domain.model_ports import Embedder, Vectors
from domain.text.sentences import sentences

SENTENCES_A_CHUNK = 6
CHUNKS_A_DOCUMENT = 25
FORMS = 1.75
"""Exponent of Zipf's law over a word's forms: the word itself has a share of 0.51."""

OWN, OTHER, NOISE = 0.7, 0.3, 0.35


def real_sentences() -> list[str]:
    """The sentences of the example knowledge base's Markdown pages, of 40 to 300 characters."""
    found: list[str] = []
    for page in sorted(KNOWLEDGE_BASE.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        found += [" ".join(text[start:end].split()) for start, end in sentences(text)]
    return [text for text in dict.fromkeys(found) if 40 <= len(text) <= 300]


@dataclass(eq=False)
class MadeCorpus:
    """Documents with chunks and vectors, the same for the same seed.

    chunks: how many chunks in all. source: the name of the source they belong to. acl: of a document, by its number
    from 0. halves: whether documents with even numbers are about the first half of the knowledge base, and the others
    about the second.
    """

    chunks: int
    source: str
    texts: list[str]
    vectors: Vectors
    _: KW_ONLY
    acl: Callable[[int], Acl] = lambda _: ORGANISATION
    halves: bool = False
    seed: int = 7

    def __post_init__(self) -> None:
        self._random = np.random.default_rng(self.seed)

    @classmethod
    async def make(
        cls,
        chunks: int,
        source: str,
        model: Embedder,
        *,
        acl: Callable[[int], Acl] = lambda _: ORGANISATION,
        halves: bool = False,
    ) -> "MadeCorpus":
        """Embeds the sentences once."""
        texts = real_sentences()
        return cls(chunks, source, texts, await model.embed(texts), acl=acl, halves=halves)

    def documents(self) -> Iterator[tuple[SourceDocument, list[Chunk], Vectors]]:
        """Every document; see `document`."""
        return (self.document(number) for number in range(self.chunks // CHUNKS_A_DOCUMENT))

    def document(self, number: int, edition: int = 0) -> tuple[SourceDocument, list[Chunk], Vectors]:
        """A document with its chunks and their vectors, shape (chunks of the document, dimensions): the same whatever
        was made before. edition: another number gives it another text."""
        self._random = np.random.default_rng([self.seed, number, edition])
        document = SourceDocument(
            source=self.source,
            external_id=f"made/{number}",
            title=f"Document {number}",
            url=f"https://docs.example/{number}",
            path=f"made/{number}",
            blocks=(),
            acl=self.acl(number),
            content_hash=digest("made", str(number), str(edition)),
        )
        half = len(self.texts) // 2
        about = range(number % 2 * half, number % 2 * half + half) if self.halves else range(len(self.texts))
        made = [self._chunk(document, ordinal, about) for ordinal in range(CHUNKS_A_DOCUMENT)]
        return document, [chunk for chunk, _ in made], np.array([vector for _, vector in made], np.float32)

    async def written(self, writer: KnowledgeWriter) -> AsyncIterator[list[Chunk]]:
        """Writes every document; gives its chunks."""
        for number, (document, chunks, vectors) in enumerate(self.documents()):
            await writer.put(document, chunks, vectors)
            if number % 100 == 0:
                await writer.merge_segments()
                say(f"{number * CHUNKS_A_DOCUMENT} of {self.chunks} chunks")
            yield chunks

    def questions(self, count: int, *, first_half: bool = False) -> list[str]:
        """Questions made of seven neighbouring words of a sentence. first_half: of the knowledge base's first half."""
        found: list[str] = []
        chance = np.random.default_rng(self.seed)
        while len(found) < count:
            words = self.texts[chance.integers(len(self.texts) // (2 if first_half else 1))].split()
            if len(words) >= 9:
                start = chance.integers(len(words) - 7)
                found.append(" ".join(words[start : start + 7]) + "?")
        return found

    def _chunk(self, document: SourceDocument, ordinal: int, about: range) -> tuple[Chunk, Vectors]:
        chosen = self._random.integers(len(self.texts), size=SENTENCES_A_CHUNK)
        chosen[0] = about[chosen[0] % len(about)]
        text = " ".join(self._varied(self.texts[i]) for i in chosen)
        mixed = OWN * self.vectors[chosen[0]] + OTHER * self.vectors[chosen[1]]
        noise = self._random.normal(size=mixed.shape)
        mixed = mixed + NOISE * noise / np.linalg.norm(noise)
        chunk = Chunk(
            document_id=document.document_id,
            ordinal=ordinal,
            title=document.title,
            heading_path=(),
            text=text,
            kind=BlockKind.PROSE,
            span=Span(ordinal + 1, ordinal + 1),  # a line each
            acl=document.acl,
        )
        return chunk, (mixed / np.linalg.norm(mixed)).astype(np.float32)

    def _varied(self, text: str) -> str:
        words = text.split()
        forms = self._random.zipf(FORMS, len(words))
        varied = (
            word if form == 1 else f"{word.rstrip('.,:;')}{form}" for word, form in zip(words, forms, strict=True)
        )
        return " ".join(varied)
