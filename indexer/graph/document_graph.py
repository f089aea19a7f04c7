"""Makes a document's part of the knowledge graph: its keys, the entities that it mentions, and their relations.

Pure: the part depends on the document alone, so that one document can be read again without the others.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from zlib import crc32

from domain.documents import Chunk
from domain.knowledge_graph import (
    SAME_AS,
    DocumentGraph,
    Facts,
    Mention,
    MentionRole,
    Relation,
    RelationOrigin,
    name_key,
    split_key,
)
from indexer.graph.aliases import CONFIDENCE as INTRODUCED
from indexer.graph.aliases import introduced_aliases
from indexer.graph.annotation import Annotator
from indexer.graph.entities import LONGEST_SURFACE, AnnotatedChunk, annotated_chunks, chunk_mentions, title_names
from indexer.graph.facts import REFERS_TO
from indexer.graph.fields import CONFIDENCE as STATED
from indexer.graph.relations import relations_in

GRAPH_REVISION = 3
"""Raise it whenever the same document would give another part: then the parts of all documents are made anew."""

MAX_LINKS = 2_000
"""At most so many relations that the source states are kept for one document."""

LONGEST_PREDICATE = 80
"""Characters of a predicate. A longer one says nothing, and the index over relations takes 2,704 bytes."""

_MOST_RELATIONS = 40
_MOST_FIELDS = 200
_MOST_LOOKED_AT = 200
_WORD = re.compile(r"\w+")
_REFERRED = 0.9
_BRACKETS = 0.7


def revision_of(annotator: Annotator | None) -> int:
    """The revision of the parts that `annotator` makes, 1 to 32,767; 0 without an annotator, when no part is made."""
    return crc32(f"{GRAPH_REVISION} {annotator.name}".encode()) % 32_767 + 1 if annotator else 0


def document_graph(
    title: str, path: str, facts: Facts, chunks: Sequence[Chunk], annotator: Annotator | None
) -> DocumentGraph:
    """The part of the document whose text is `chunks`. Without chunks, or without an annotator, it holds the facts
    alone."""
    revision = revision_of(annotator)
    if annotator is None or not chunks:
        return DocumentGraph(revision, facts)
    parts = annotated_chunks(chunks, annotator, facts.terms)
    names = [name_key(name) for name, _ in title_names(title, path)]
    itself = next(filter(None, (*facts.keys, *names)), "")
    found = [*_stated(facts, chunks), *_of_texts(facts, parts), *_of_fields(itself, parts)]
    if len(names) == 2 and all(names) and names[0] != names[1]:  # the same without what stands in brackets
        found.append(Relation(names[1], SAME_AS, names[0], 0, _BRACKETS, RelationOrigin.BRACKETS))
    relations = [each for each in found if len(each.predicate) <= LONGEST_PREDICATE]
    own = [Mention(key, 0, MentionRole.IDENTITY, 1.0, split_key(key)[1][:LONGEST_SURFACE]) for key in facts.keys]
    spoken = [*own, *chunk_mentions(title, path, parts), *_aliased(parts)]
    return DocumentGraph(revision, facts, _once([*spoken, *_ends(relations, spoken, facts)]), _each_once(relations))


def _stated(facts: Facts, chunks: Sequence[Chunk]) -> Iterator[Relation]:
    """The relations that the source states, each at the chunk that shows it."""
    if not facts.keys:
        return
    # guarded links come last, so that MAX_LINKS cuts off these before those that everybody may see
    own, links = facts.keys[0], sorted(facts.links, key=lambda link: link.guarded)[:MAX_LINKS]
    shown = _Shown(chunks, [link.words for link in links])
    for link in links:
        place = shown.at(link.words)
        ends = (link.key, own) if link.inverse else (own, link.key)
        yield Relation(ends[0], link.predicate, ends[1], place, 1.0, RelationOrigin.STRUCTURE, link.guarded)
        name = name_key(link.name)
        if name and name != link.key and not link.guarded:
            yield Relation(name, SAME_AS, link.key, place, 1.0, RelationOrigin.STRUCTURE)


class _Shown:
    """Finds the chunk that shows some words, by an index of words: there can be thousands of chunks and of links.

    All chunks that are read here have the rights of their document. Chunks with rights of their own, should there ever
    be any, would have to keep a link from a chunk that more people may read than the one that states it.
    """

    def __init__(self, chunks: Sequence[Chunk], wanted: Iterable[str]) -> None:
        self._first = chunks[0].ordinal
        self._chunks: dict[str, list[Chunk]] = {word: [] for words in wanted for word in _whole_words(words)}
        for chunk in chunks if self._chunks else ():
            for word in set(_WORD.findall(chunk.text)) & self._chunks.keys():
                self._chunks[word].append(chunk)

    def at(self, words: str) -> int:
        """The ordinal of the first chunk that holds these words. The ordinal of the first chunk of all where no chunk
        holds them, where there is no word to look for, or where each word is in more chunks than are looked at."""
        places = [self._chunks[word] for word in _whole_words(words)]
        if places:
            whole = _whole(words)
            for chunk in min(places, key=len)[:_MOST_LOOKED_AT]:
                if words in chunk.text and whole.search(chunk.text):
                    return chunk.ordinal
        return self._first


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(words)}(?!\w|-\d)" if words[:1].isalnum() else re.escape(words))


def _whole_words(words: str) -> list[str]:
    """The words of `words` that are whole words in any text in which `_whole` finds them."""
    bounded = words[:1].isalnum()
    found = _WORD.finditer(words)
    return [each[0] for each in found if bounded or (each.start() > 0 and each.end() < len(words))]


def _of_texts(facts: Facts, parts: Iterable[AnnotatedChunk]) -> Iterator[Relation]:
    known = {*facts.keys, *(link.key for link in facts.links if not link.guarded)}
    for chunk, annotation in parts:
        place = chunk.ordinal
        for pair in introduced_aliases(annotation.text):
            short, long = name_key(pair.short), name_key(pair.long)
            if short and long and short != long:
                yield Relation(short, SAME_AS, long, place, INTRODUCED, RelationOrigin.ACRONYM)
        for stated in relations_in(annotation)[:_MOST_RELATIONS]:
            subject, other = stated.subject.key, stated.object.key
            yield Relation(subject, stated.predicate, other, place, stated.confidence, stated.pattern)
        # what the text names by a key or an address and the source does not link; without the document itself
        for name in annotation.names if facts.keys else ():
            if not name.key.startswith("name:") and name.key not in known:
                yield Relation(facts.keys[0], REFERS_TO, name.key, place, _REFERRED, RelationOrigin.REFERENCE)


def _of_fields(itself: str, parts: Iterable[AnnotatedChunk]) -> Iterator[Relation]:
    """What labels and tables state. itself: the document's key, empty where it has none."""
    for chunk, annotation in parts:
        for field in annotation.fields[:_MOST_FIELDS]:
            subject = field.subject.key if field.subject is not None else itself
            if subject and subject != field.object.key:
                yield Relation(subject, field.predicate, field.object.key, chunk.ordinal, STATED, field.origin)


def _aliased(parts: Iterable[AnnotatedChunk]) -> Iterator[Mention]:
    """The short and the long name of each alias that a text introduces."""
    for chunk, annotation in parts:
        for pair in introduced_aliases(annotation.text):
            for surface in (pair.short, pair.long):
                key = name_key(surface)
                if key:
                    yield Mention(key, chunk.ordinal, MentionRole.MENTION, INTRODUCED, surface[:LONGEST_SURFACE])


def _ends(relations: Iterable[Relation], spoken: Iterable[Mention], facts: Facts) -> Iterator[Mention]:
    """The ends of relations that their chunk does not mention otherwise. An end without words is shown as its key,
    which was made from masked text."""
    there = {(each.key, each.chunk) for each in spoken}
    names = {link.key: link.words for link in facts.links}
    names |= {name_key(link.name): link.name for link in facts.links if link.name}
    for relation in relations:
        for end in (relation.subject, relation.object):
            if (end, relation.chunk) not in there:
                surface = names.get(end) or split_key(end)[1]
                role = MentionRole.GUARDED if relation.guarded and end not in facts.keys else MentionRole.LINK
                yield Mention(end, relation.chunk, role, relation.confidence, surface[:LONGEST_SURFACE])


def _once(found: Iterable[Mention]) -> tuple[Mention, ...]:
    """Each key once for a chunk and role, with its highest confidence."""
    best: dict[tuple[int, str, str], Mention] = {}
    for each in sorted(found, key=lambda each: -each.confidence):
        best.setdefault((each.chunk, each.key, each.role.value), each)
    return tuple(best[place] for place in sorted(best))


def _each_once(found: Iterable[Relation]) -> tuple[Relation, ...]:
    """Each relation once for a chunk and pattern: an unguarded one before a guarded one, then by confidence."""
    best: dict[tuple[int, str, str, str, str], Relation] = {}
    for each in sorted(found, key=lambda each: (each.guarded, -each.confidence)):
        best.setdefault((each.chunk, each.subject, each.predicate, each.object, each.pattern.value), each)
    return tuple(best[place] for place in sorted(best))
