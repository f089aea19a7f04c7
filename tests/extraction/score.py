"""How much of the names and relations of annotated texts the knowledge graph holds.

    python -m tests.extraction.score development|held_out [--spacy PIPELINE]

Each text goes the way of a page that is indexed: parsed, cut into chunks, made into its part of the graph. A name
counts when its normalised form is one of those annotated. A relation counts when its subject and its object match; its
predicate is not compared, and neither is its direction, for "X is owned by Y" may be kept as "Y owns X" (how many stand
in the annotated direction is printed beside). Not counted at all: addresses, labels and folders, and the links that
every page has (to what it refers to). Texts are shown of the half for development only.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from domain.access import ORGANISATION
from domain.documents import digest
from domain.knowledge_graph import (
    DocumentGraph,
    EntityType,
    MentionRole,
    RelationOrigin,
    split_key,
)
from domain.text.name_forms import normalised
from indexer.chunking.chunker import chunk_document
from indexer.graph.annotation import Annotator
from indexer.graph.document_graph import document_graph
from indexer.graph.facts import IN_FOLDER, LABELLED, LINKS_TO, REFERS_TO, document_facts
from indexer.graph.plain_annotator import PlainAnnotator
from indexer.graph.spacy_annotator import open_spacy
from indexer.parse.formats import parse
from indexer.parse.limits import ParseLimits
from indexer.run.source_document import source_document
from indexer.sources.connector import FetchedDocument, ListedDocument
from tests.fakes.embedder import HashEmbedder

HALVES = ("development", "held_out")
HERE = "this document"
_UNTITLED = "page.md"
_NAMES = {EntityType.NAME, EntityType.ISSUE, EntityType.FILE, EntityType.PERSON}
_OF_EVERY_PAGE = {LABELLED, IN_FOLDER, LINKS_TO, REFERS_TO}

Ends = tuple[str, str]


@dataclass(frozen=True)
class AnnotatedText:
    """A text with what a knowledge graph should hold of it; names in the forms that are compared."""

    id: str
    form: str
    text: str
    names: tuple[frozenset[str], ...]
    may: tuple[frozenset[str], ...]
    relations: frozenset[Ends]
    may_relations: frozenset[Ends]

    def told_as(self, name: str) -> str:
        """One form for all forms of a name."""
        return next((min(forms) for forms in (*self.names, *self.may) if name in forms), name)


@dataclass
class Tally:
    """Found, expected and right things of one kind."""

    right: int = 0
    found: int = 0
    expected: int = 0

    def add(self, right: int, found: int, expected: int) -> None:
        """Counts those of one text."""
        self.right, self.found, self.expected = self.right + right, self.found + found, self.expected + expected

    def __str__(self) -> str:
        precision = f"precision {100 * self.right / max(1, self.found):5.1f} ({self.right}/{self.found})"
        return f"{precision}  recall {100 * self.right / max(1, self.expected):5.1f} ({self.right}/{self.expected})"


@dataclass(frozen=True)
class Outcome:
    """What is wrong with one text."""

    missing_names: frozenset[str]
    wrong_names: frozenset[str]
    missing_relations: frozenset[Ends]
    wrong_relations: frozenset[Ends]


@dataclass
class Score:
    """The tallies of a half."""

    names: Tally = field(default_factory=Tally)
    relations: Tally = field(default_factory=Tally)
    directed: int = 0
    """Of the relations that are right, those in the annotated direction."""
    by_form: dict[str, tuple[Tally, Tally]] = field(default_factory=lambda: defaultdict(lambda: (Tally(), Tally())))

    def add(self, text: AnnotatedText, graph: DocumentGraph, title: str) -> Outcome:
        """Counts one text."""
        forms = {min(forms) for forms in text.names}
        ignored = {min(forms) for forms in text.may}
        told = {text.told_as(name) for name in found_names(graph)}
        names = told - ((ignored | {normalised(title)}) - forms)
        said = {(text.told_as(one), text.told_as(other)) for one, other in found_relations(graph, title)}
        wanted = {_pair(ends) for ends in text.relations}
        harmless = {_pair(ends) for ends in text.may_relations}
        pairs = {
            pair for pair in map(_pair, said) if pair in wanted or not (pair in harmless or ignored.intersection(pair))
        }
        for tally in (self.names, self.by_form[text.form][0]):
            tally.add(len(names & forms), len(names), len(forms))
        for tally in (self.relations, self.by_form[text.form][1]):
            tally.add(len(pairs & wanted), len(pairs), len(wanted))
        self.directed += len(said & text.relations)
        return Outcome(
            frozenset(forms - names), frozenset(names - forms), frozenset(wanted - pairs), frozenset(pairs - wanted)
        )


def _pair(ends: Ends) -> Ends:
    return min(ends), max(ends)


def annotated(path: Path) -> list[AnnotatedText]:
    """The texts of a file."""
    return [_annotated(entry) for entry in yaml.safe_load(path.read_text(encoding="utf-8"))]


def _annotated(entry: dict[str, Any]) -> AnnotatedText:
    names, may = tuple(_forms(entry.get("names", ()))), tuple(_forms(entry.get("may", ())))
    text = AnnotatedText(entry["id"], entry["form"], entry["text"], names, may, frozenset(), frozenset())

    def ends(field: str) -> frozenset[Ends]:
        stated = ((_end(one), _end(other)) for one, _, other in entry.get(field, ()))
        return frozenset((text.told_as(one), text.told_as(other)) for one, other in stated)

    return AnnotatedText(text.id, text.form, text.text, names, may, ends("relations"), ends("may_relations"))


def _end(name: str) -> str:
    return name if name == HERE else normalised(name)


def _forms(names: Iterable[str | list[str]]) -> Iterator[frozenset[str]]:
    for name in names:
        yield frozenset(map(normalised, [name] if isinstance(name, str) else name))


def graph_of(text: str, annotator: Annotator) -> tuple[DocumentGraph, str]:
    """A text's part of the graph, as indexing makes it, and the title of the page."""
    raw, name = text.encode(), _UNTITLED
    parsed = parse(raw, name, "", ParseLimits())
    item = ListedDocument(name, name, f"file:///{name}")
    page = source_document("docs", item, FetchedDocument(raw, name), parsed, ORGANISATION, digest(name, text))
    facts = document_facts(page, (), parsed.mentions)
    chunks = chunk_document(page, HashEmbedder())
    return document_graph(page.title, page.path, facts, chunks, annotator), page.title


def found_names(graph: DocumentGraph) -> set[str]:
    """The names that a part of the graph holds, normalised; without the document itself."""
    parts = (split_key(each.key) for each in graph.mentions if each.role is not MentionRole.IDENTITY)
    return {normalised(name) for kind, name in parts if kind in _NAMES} - {"", normalised(_UNTITLED), "page"}


def found_relations(graph: DocumentGraph, title: str) -> set[Ends]:
    """The subjects and objects that a part of the graph relates, normalised; HERE stands for the document."""
    own = set(graph.facts.keys)

    def end(key: str) -> str:
        name = normalised(split_key(key)[1])
        return HERE if key in own or name in {normalised(title), normalised(_UNTITLED)} else name

    told = (
        (end(each.subject), end(each.object))
        for each in graph.relations
        if each.pattern is not RelationOrigin.REFERENCE and each.predicate not in _OF_EVERY_PAGE
    )
    return {(one, other) for one, other in told if one != other}


def report(half: str, annotator: Annotator) -> Iterator[str]:
    """The lines that tell how a half fares."""
    score = Score()
    for text in annotated(Path(__file__).with_name(f"{half}.yaml")):
        graph, title = graph_of(text.text, annotator)
        outcome = score.add(text, graph, title)
        if half == "development":
            yield from _detail(text, outcome)
    for form, (names, relations) in sorted(score.by_form.items()):
        yield f"{form:12} names      {names}\n{'':12} relations  {relations}"
    yield f"{'all':12} names      {score.names}"
    yield f"{'':12} relations  {score.relations}  {score.directed} in the annotated direction"


def _detail(text: AnnotatedText, outcome: Outcome) -> Iterator[str]:
    lines = [
        *(f"  name missing: {name}" for name in sorted(outcome.missing_names)),
        *(f"  name wrong: {name}" for name in sorted(outcome.wrong_names)),
        *(f"  relation missing: {one} - {other}" for one, other in sorted(outcome.missing_relations)),
        *(f"  relation wrong: {one} - {other}" for one, other in sorted(outcome.wrong_relations)),
    ]
    if lines:
        yield "\n".join([f"{text.id} {text.form}: {text.text!r}", *lines])


def main() -> None:
    """Prints the report of the half that is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.extraction.score")
    parser.add_argument("half", choices=HALVES)
    parser.add_argument("--spacy", metavar="PIPELINE", help="a spaCy pipeline in place of the rules")
    chosen = parser.parse_args()
    annotator = open_spacy(chosen.spacy) if chosen.spacy else PlainAnnotator()
    sys.stdout.writelines(f"{line}\n" for line in report(chosen.half, annotator))


if __name__ == "__main__":
    main()
