"""The entities that each chunk of a document mentions. Pure: the same chunks always give the same mentions."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from domain.documents import BlockKind, Chunk
from domain.knowledge_graph import Mention, MentionRole, name_key
from domain.text.name_candidates import SURE, NameCandidate, name_candidates
from domain.text.name_forms import without_brackets
from domain.text_references import references_in
from indexer.graph.annotation import Annotation, Annotator, Field, NamedSpan, named_spans
from indexer.graph.fields import fields_in, listed_names

MAX_NAMES = 60
"""At most so many names of one chunk are kept, those with the highest confidence: a list of hundreds of names says
nothing about any of them."""
MAX_WORDS = 12
"""A title or heading of more words is not taken for a name."""
LONGEST_SURFACE = 200
"""Characters of a written name that are kept."""

_SHOWN = 0.6
"""Confidence of a name that the markup shows."""
_TERM = re.compile(r"(?<![\w.-])[A-Za-z](?:[\w.-]{1,38}\w)(?![\w-]|\.\w)")
_NUMBER = re.compile(r"[A-Z]{2,10}[- ]?\d{1,8}")


AnnotatedChunk = tuple[Chunk, Annotation]


def annotated_chunks(
    chunks: Sequence[Chunk], annotator: Annotator, terms: Collection[str] = ()
) -> list[AnnotatedChunk]:
    """The chunks annotated. Of code only what is named by a key or an address counts. terms: names that the markup of
    the document shows as such, however they are written."""
    found: list[AnnotatedChunk] = []
    known = frozenset(terms)
    for chunk in chunks:
        references = references_in(chunk.text)
        if chunk.kind is BlockKind.CODE:
            annotation = Annotation(chunk.text, (), named_spans([], references))
        else:
            fields = tuple(fields_in(chunk.text, known))
            candidates = [*name_candidates(chunk.text), *_terms(chunk.text, known), *_field_names(fields, chunk.text)]
            annotation = annotator.annotate(chunk.text, named_spans(candidates, references))
            annotation = replace(annotation, fields=fields)
        found.append((chunk, annotation))
    return found


def _terms(text: str, terms: frozenset[str]) -> Iterator[NameCandidate]:
    for match in _TERM.finditer(text) if terms else ():
        if match[0] in terms:
            yield NameCandidate(match.start(), match.end(), match[0], _SHOWN)


def _field_names(fields: Iterable[Field], text: str) -> Iterator[NameCandidate]:
    ends = (name for field in fields for name in (field.subject, field.object))
    for name in (*ends, *listed_names(text)):
        if name is not None:
            yield NameCandidate(name.start, name.end, name.surface, name.confidence)


def title_names(title: str, path: str) -> Iterator[tuple[str, float]]:
    """The names of a document, each with its confidence: the title without an issue's key, or the words of the file
    name; and the same without brackets and what stands in them."""
    title = title.strip()
    if title == PurePosixPath(path).name:
        title = PurePosixPath(title).stem.replace("_", " ").replace("-", " ")
    lead, _, rest = title.partition(": ")
    if rest and any(reference.surface == lead for reference in references_in(lead)):
        title = rest
    for name, confidence in ((title, 0.95), (without_brackets(title), 0.8)):
        if name and len(name.split()) <= MAX_WORDS:
            yield name, confidence


def title_number(title: str) -> str:
    """The number at the beginning of a title by which people call the document, as in `ADR-006: Alerts carry a key`.
    Empty where there is none, and for an issue's key, which is no name."""
    lead, _, rest = title.strip().partition(": ")
    return lead if rest and _NUMBER.fullmatch(lead) and not references_in(lead) else ""


def chunk_mentions(title: str, path: str, parts: Sequence[AnnotatedChunk]) -> list[Mention]:
    """The mentions in the chunks of a document. Those of its titles are at the first chunk; headings count as well."""
    found: list[Mention] = []
    for name, confidence in (*title_names(title, path), (title_number(title), 0.9)):
        found.append(Mention(name_key(name), 0, MentionRole.TITLE, confidence, name[:LONGEST_SURFACE]))
    for chunk, _ in parts:
        last = chunk.heading_path[-1] if chunk.heading_path else ""
        if last and len(last.split()) <= MAX_WORDS:
            found.append(Mention(name_key(last), chunk.ordinal, MentionRole.HEADING, 0.7, last[:LONGEST_SURFACE]))
    certain = {each.key for each in found} | {
        name.key for _, annotation in parts for name in annotation.names if name.confidence >= SURE
    }
    for chunk, annotation in parts:
        found += _of_chunk(chunk, annotation, certain)
    return [each for each in found if each.key]


def _of_chunk(chunk: Chunk, annotation: Annotation, certain: Iterable[str]) -> Iterator[Mention]:
    best: dict[str, NamedSpan] = {}
    for name in annotation.names:
        if name.key in certain and (name.key not in best or name.confidence > best[name.key].confidence):
            best[name.key] = name
    chosen = sorted(best.values(), key=lambda each: (-each.confidence, each.start, each.key))[:MAX_NAMES]
    for name in chosen:
        confidence = round(max(name.confidence, SURE), 2)
        yield Mention(name.key, chunk.ordinal, MentionRole.MENTION, confidence, name.surface[:LONGEST_SURFACE])
