"""Counting and listing: documents of a kind, that speak of something, that belong to somebody, that changed since; and
rows of tables."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from pydantic import Field

from agent.questions.filters import possible_names, take_filters
from agent.questions.listings import Listing, listing_of, without_now
from agent.questions.narrowing import merged_filters
from agent.retrieval.retriever import Retriever, one_a_document
from agent.retrieval.table_rows import matching_items, matching_rows
from agent.state import LIST_ENTRIES
from agent.tools.base import Arguments, FoundPassage, Tool, ToolContext, ToolResult, ToolSpec
from agent.tools.search import LONGEST_QUERY
from agent.wording import listed_documents, listed_rows, more_of_them
from domain.knowledge_graph import OWNING, EntityType
from domain.relation_matching import MAX_STATED
from domain.search import DocumentInfo, Filters, GrepRequest, Passage
from domain.search_ports import DocumentCatalog, GraphSearch, Grep, KnowledgeSearch
from domain.text.german import glossed
from domain.text.owners import OWN_THIS, OWNING_WORDS, Said, is_among, names_owner
from domain.text.tokens import Analyzer

TABLES = 5
"""Documents whose tables are looked at."""

TABLES_OF_THINGS = 8
"""The same, of those that are found by the words for the things alone."""

PARTS = 60
"""Parts of each."""

LINES = 500
"""Lines that may speak of something."""

IN_A_FOLDER = 2_000
"""Documents that may lie in a folder, or in one of a similar name."""

SCORE = 0.9
"""Of what is listed: it answers by itself."""

_DOCUMENTS = frozenset({EntityType.DOCUMENT, EntityType.PAGE, EntityType.FILE})
_PLAIN = Analyzer("none").tokens


class ListingArguments(Arguments):
    """question: what to count or to list, in words, as `Which documents mention Skerry?`."""

    question: str = Field(min_length=1, max_length=LONGEST_QUERY)


@dataclass(eq=False)
class ListEntries(Tool[ListingArguments]):
    """All documents or rows of a table that a question asks for, each stated by itself."""

    spec = ToolSpec(
        LIST_ENTRIES,
        "to count or list documents (of a kind, that mention something, with a #label, changed since a date) or rows of"
        " a table",
        ListingArguments,
        budget=2,
        place="the list of documents",
    )

    catalog: DocumentCatalog
    search: KnowledgeSearch
    grep: Grep
    retriever: Retriever
    graph: GraphSearch | None = None

    async def run(self, args: ListingArguments, context: ToolContext) -> ToolResult:
        """Every document or row, or nothing where the question asks for neither, or none is known by these words."""
        question, context = await self._take_written_filters(without_now(args.question), context)
        wanted = listing_of(question) or (None if "?" in question else listing_of(f"list all {question}"))
        wanted = wanted or listing_of(args.question)  # of "What changed since May?", filters are all there is
        within = await self._within(wanted, context) if wanted else None
        if wanted is None or within is None:
            return ToolResult(note="nothing that can be listed")
        context = within
        found = await self._find_entries(question, wanted, context)
        in_english = replace(wanted, things=_glossed(wanted.things))
        if not found and in_english != wanted:  # a German question about English pages
            found = await self._find_entries(_glossed(question), in_english, context)
        return ToolResult(found, args.question, f"{len(found)} passages of what is listed")

    async def _take_written_filters(self, question: str, context: ToolContext) -> tuple[str, ToolContext]:
        """The question without the filters that a model wrote into it, and these among the others, where they leave a
        document: `documents changed since 2026-09-01`, `pages with the label security`."""
        names = possible_names(question)
        known = await self.search.existing_names(names, context.scope) if names else Filters()
        taken = take_filters(question, known, datetime.now(UTC))
        filters = merged_filters(context.filters, taken.filters)
        if not taken.filters or not await self.search.count_documents(context.scope, filters):
            return question, context
        for words in taken.dropped:  # the words of filters do not name what is listed
            question = question.replace(words, " ")
        return " ".join(question.split()), replace(context, filters=filters)

    async def _find_entries(self, question: str, wanted: Listing, context: ToolContext) -> tuple[FoundPassage, ...]:
        found = (
            () if wanted.of_any_kind or wanted.mentions or wanted.place else await self._rows(question, wanted, context)
        )
        if found or wanted.condition:
            return found
        return await self._documents(wanted, context)

    async def _rows(self, question: str, wanted: Listing, context: ToolContext) -> tuple[FoundPassage, ...]:
        asked = " ".join(word for word in question.split() if word.strip("?!.,") != wanted.verb)
        near = await self._tables(question, TABLES, context)
        related = bool(wanted.verb)
        if rows := matching_rows(asked, wanted.things, near, owner=wanted.owner, related=related):
            return _stating([(row.passage, row.text) for row in rows], listed_rows(len(rows)), len(rows))
        if not wanted.owner and (items := matching_items(question, wanted.things, near)):
            return _stating(items, listed_rows(len(items)), len(items))
        further = await self._tables(wanted.things, TABLES_OF_THINGS, context)
        rows = matching_rows(asked, wanted.things, further, owner=wanted.owner, related=related)
        return _stating([(row.passage, row.text) for row in rows], listed_rows(len(rows)), len(rows)) if rows else ()

    async def _tables(self, words: str, documents: int, context: ToolContext) -> list[Passage]:
        """The parts of the documents that are nearest to words."""
        retrieved = await self.retriever.rank(words, context.scope, limit=30, filters=context.filters)
        passages: list[Passage] = []
        for best in one_a_document(retrieved.ranked)[:documents]:
            passages += await self.catalog.chunks(best.document_id, context.scope, limit=PARTS)
        return passages

    async def _documents(self, wanted: Listing, context: ToolContext) -> tuple[FoundPassage, ...]:
        given = context.filters
        labels = await self._labels(wanted.things, context) if wanted.things and not given.labels else ()
        asked = wanted.documents or wanted.mentions or wanted.owner or given.since or given.until
        if not (asked or labels):
            return ()  # the question does not ask for documents
        kinds = [given]
        if wanted.things:
            kinds = [replace(given, labels=labels)] * bool(labels)
            kinds += filter(None, [await self._title_filters(wanted.things, context)])
        if not kinds:
            return ()
        if wanted.mentions or wanted.owner:
            return await self._documents_holding(wanted, kinds, context)
        count = sum([await self.search.count_documents(context.scope, each) for each in kinds])
        if len(kinds) > 1:  # what has the label and the title is counted once
            count -= await self.search.count_documents(context.scope, replace(kinds[1], labels=labels))
        found: dict[str, DocumentInfo] = {}
        for each in kinds:
            documents = await self.catalog.find("", context.scope, filters=each, limit=MAX_STATED)
            found |= {one.document_id: one for one in documents}
        newest = sorted(
            found.values(), key=lambda one: one.updated_at.timestamp() if one.updated_at else 0, reverse=True
        )
        return await self._first_passages(newest[:MAX_STATED], count, context)

    async def _within(self, wanted: Listing, context: ToolContext) -> ToolContext | None:
        """Narrowed to what lies in a folder, however deep, or else in a space, where a place is asked for; None where
        there is none or are several, or more in it than can be gone through."""
        place = wanted.place
        if not place:
            return context
        if wanted.space:
            return await self._in_space(place, context)
        filters, name = context.filters, _folded(place)
        titles = tuple(f"{name.replace(' ', sign)}/" for sign in " -_")
        near = await self.catalog.find("", context.scope, filters=replace(filters, titles=titles), limit=IN_A_FOLDER)
        inside = [each for each in near if f"/{name}/" in f"/{_folded(each.path.rpartition('/')[0])}/"]
        if filters.titles or len(near) == IN_A_FOLDER:
            return None
        if inside:
            there = _in_topmost(name, inside)
            return replace(context, filters=replace(filters, documents=there)) if there else None
        return await self._in_space(place, context)

    async def _in_space(self, place: str, context: ToolContext) -> ToolContext | None:
        """Narrowed to a space; None where there is none of this name."""
        filters = context.filters
        known = await self.search.existing_names(Filters(spaces=(place, place.upper())), context.scope)
        return replace(context, filters=replace(filters, spaces=known.spaces)) if known.spaces else None

    async def _labels(self, things: str, context: ToolContext) -> tuple[str, ...]:
        """The labels that documents of a kind have: its name in the singular or plural, in small letters or not."""
        names = Filters(labels=tuple(_labels_of(things)))
        return (await self.search.existing_names(names, context.scope)).labels

    async def _title_filters(self, things: str, context: ToolContext) -> Filters | None:
        """Filters that leave the documents whose title or path bears the words for them; None where none does."""
        for words in _names_of(things):
            filters = _with_title(context.filters, words)
            if await self.search.count_documents(context.scope, filters):
                return filters
        return None

    async def _documents_holding(
        self, wanted: Listing, kinds: Sequence[Filters], context: ToolContext
    ) -> tuple[FoundPassage, ...]:
        """The documents of any of some kinds that hold the words, each with the first part of it that does."""
        name = rf"\b{_literal(wanted.mentions or wanted.owner)}\b"
        pattern = name if wanted.mentions else rf"(?:\b|_)(?:{OWNING_WORDS})\b.*{name}|{name}.*\b(?:{OWN_THIS})\b"
        first: dict[str, str] = {}
        owned: list[tuple[Said, str, str]] = []
        complete = bool(wanted.mentions or self.graph)  # metadata is known to the graph alone
        for filters in kinds:
            request = GrepRequest(pattern, ignore_case=True, limit=LINES, filters=filters)
            result = await self.grep.grep(request, context.scope)
            complete = complete and result.complete
            if wanted.mentions:
                hits = {hit.document_id: hit.chunk_id for hit in reversed(result.hits)}
                first = await self._titled(wanted.mentions, filters, context) | first | hits
            else:
                owned += [(names_owner(hit.text, wanted.owner), hit.document_id, hit.chunk_id) for hit in result.hits]
        if wanted.owner and not wanted.mentions:
            denied = {document for _, document, _ in owned} - {each[1] for each in owned if each[0] > Said.NO}
            said, all_of_them = await self._chunks_on_owner(wanted.owner, denied, context)
            met = await self._that_meet(kinds, {document: chunk for _, document, chunk in said}, context)
            first, clear = _owned([*owned, *(each for each in said if each[1] in met)], team=wanted.team)
            complete = complete and all_of_them and clear
        passages = await self.search.passages(list(first.values()), context.scope)
        passages = sorted(passages, key=lambda each: each.title)
        return _of_documents(passages, len(passages), complete=complete)

    async def _titled(self, words: str, filters: Filters, context: ToolContext) -> dict[str, str]:
        """The first part of each document with words in its title, which is no part of the text, by document."""
        near = await self.catalog.find("", context.scope, filters=_with_title(filters, words), limit=MAX_STATED)
        named = [each for each in near if f" {' '.join(_PLAIN(words))} " in f" {' '.join(_PLAIN(each.title))} "]
        parts = [await self.catalog.chunks(each.document_id, context.scope, limit=1) for each in named]
        return {part.document_id: part.chunk_id for found in parts for part in found}

    async def _chunks_on_owner(
        self, owner: str, denied: Collection[str], context: ToolContext
    ) -> tuple[list[tuple[Said, str, str]], bool]:
        """What the knowledge graph says to belong to somebody, alone or with others: how it is said, the document and
        the part of it that says so; and whether these are all. denied: documents that name others in their lines."""
        if self.graph is None:
            return [], False
        stated = await self.graph.stated_owners(owner, context.scope)
        around = await self.graph.neighbourhoods(owner, context.scope, limit=LINES)
        found = [(is_among(each.name, owner), each.document_id, each.chunk_id) for each in stated]
        found += (
            (Said.UNCLEAR if each.document_id in denied else Said.YES, each.document_id, each.chunk_id)
            for thing in around
            for each in thing.neighbours
            if each.direction == "in" and each.kind in _DOCUMENTS and each.predicate.startswith(OWNING)
        )
        return found, all(each.complete for each in around)

    async def _that_meet(
        self, kinds: Sequence[Filters], chunks: Mapping[str, str], context: ToolContext
    ) -> dict[str, str]:
        """Those of some parts whose documents meet any of some filters, by document."""
        if not any(kinds) or not chunks:
            return dict(chunks)
        met: list[DocumentInfo] = []
        for filters in kinds:
            among = [each for each in chunks if not filters.documents or each in filters.documents]
            within = replace(filters, documents=tuple(among))
            met += await self.catalog.find("", context.scope, filters=within, limit=len(among)) if among else []
        return {each.document_id: chunks[each.document_id] for each in met}

    async def _first_passages(
        self, documents: Sequence[DocumentInfo], count: int, context: ToolContext
    ) -> tuple[FoundPassage, ...]:
        passages: list[Passage] = []
        for each in documents:
            passages += await self.catalog.chunks(each.document_id, context.scope, limit=1)
        return _of_documents(passages, count)


def _glossed(text: str) -> str:
    """German words in English, parts of compounds with a hyphen as words: `Tier-1-Dienste` are a `Tier 1 service`."""
    return glossed(text).replace("-", " ")


def _owned(found: Sequence[tuple[Said, str, str]], *, team: bool) -> tuple[dict[str, str], bool]:
    """Of what is said of an owner in parts of documents, a part of each that belongs to them; and whether no other
    may. A longer name is meant where it is no team's and nobody has the name alone: `Ada Lovelace` is `Ada`."""
    said = {kind: {document: chunk for each, document, chunk in reversed(found) if each == kind} for kind in Said}
    longer = {} if team else said[Said.LONGER]
    belong = said[Said.YES] or longer
    return belong, not (longer | said[Said.UNCLEAR]).keys() - belong.keys()


def _of_documents(passages: Sequence[Passage], count: int, *, complete: bool = True) -> tuple[FoundPassage, ...]:
    lines = [(each, _line(each)) for each in passages]
    return _stating(lines, listed_documents(count), count, complete=complete)


def _line(passage: Passage) -> str:
    day = f", {passage.updated_at:%Y-%m-%d}" if passage.updated_at else ""
    return f"{passage.title} ({passage.path}{day})"


def _stating(
    lines: Sequence[tuple[Passage, str]], head: str, count: int, *, complete: bool = True
) -> tuple[FoundPassage, ...]:
    """The passages with what each states: the first with the count, the last with how many are left out."""
    shown = lines[:MAX_STATED]
    by_passage: dict[str, tuple[Passage, list[str]]] = {}
    for passage, text in shown:
        by_passage.setdefault(passage.chunk_id, (passage, []))[1].append(text)
    found = list(by_passage.values())
    if found and complete:
        found[0][1].insert(0, head)
    if found and (count > len(shown) or not complete):
        found[-1][1].append(more_of_them(max(0, count - len(shown))))
    return tuple(FoundPassage(passage, SCORE, tuple(texts)) for passage, texts in found)


def _folded(name: str) -> str:
    return name.casefold().strip("/").replace("-", " ").replace("_", " ")


def _in_topmost(name: str, inside: Sequence[DocumentInfo]) -> tuple[str, ...]:
    """The documents in the topmost of the folders of one name; none where several are as high."""
    folders: dict[tuple[str, str], list[str]] = {}
    for each in inside:
        above = f"/{_folded(each.path)}".partition(f"/{name}/")[0]
        folders.setdefault((each.source, above), []).append(each.document_id)
    highest = min(above.count("/") for _, above in folders)
    topmost = [found for (_, above), found in folders.items() if above.count("/") == highest]
    return tuple(topmost[0]) if len(topmost) == 1 else ()


def _with_title(filters: Filters, words: str) -> Filters:
    return replace(filters, titles=(words,))


def _names_of(things: str) -> list[str]:
    """What a title or path may have: the words in the singular, their first letters, and the last word; then what
    German plurals begin with."""
    words = things.split()
    *before, last = words
    single = _singular(last)
    found = [" ".join([*before, single]), "-".join([*before, single])]
    if before:
        found.append("".join(word[0] for word in words).upper() + "-")
    elif len(last) > 3:
        found.append(single)
    found += (" ".join([*before, stem]) for stem in _german_stems(last))
    return list(dict.fromkeys(found))


def _labels_of(things: str) -> list[str]:
    """How a label for things may be written: as they are named, or each of its last word's forms; with hyphens."""
    words = things.split()
    *before, last = words
    forms = (last, _singular(last), *_german_stems(last))
    written = [sign.join([*before, form]) for form in forms for sign in (" ", "-", "_")]
    return list(dict.fromkeys(name for each in written for name in (each.lower(), each, each.capitalize())))


def _singular(word: str) -> str:
    for ending, instead in (("ies", "y"), ("ses", "s"), ("s", "")):
        if word.lower().endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)] + instead
    return word


def _german_stems(word: str) -> list[str]:
    """What a German plural begins with: a title that has it inside may be meant."""
    return [
        word[: -len(ending)] for ending in ("en", "n", "e") if word.endswith(ending) and len(word) > len(ending) + 4
    ]


def _literal(words: str) -> str:
    return "".join(
        letter if letter.isalnum() or letter in "_ " or ord(letter) > 127 else f"\\{letter}" for letter in words
    )
