"""Documents and their chunks, with ids that follow from content and position."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

from domain.access import Acl
from domain.knowledge_graph import Facts


class BlockKind(StrEnum):
    """What a block is, which decides where it may be split."""

    PROSE = "prose"
    """Running text: split at sentence ends."""
    LIST = "list"
    """List items, one or more lines each: split between items."""
    TABLE = "table"
    """Rows as `| a | b |` lines: split between rows, the header repeated."""
    CODE = "code"
    """Source code, commands, logs: split between lines, the header repeated."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where text stands in its document."""

    first_line: int = 0
    """1-based, counted in the decoded source text; 0 where a format has no lines."""
    last_line: int = 0
    """Inclusive; else as `first_line`."""
    page: int | None = None
    """1-based page of a paged format; None in others."""


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, list, table or piece of code under its headings."""

    kind: BlockKind
    text: str
    """The block as plain text; list items keep their marker, tables are `| a | b |` rows."""
    heading_path: tuple[str, ...] = ()
    """The headings above it, outermost first, without the document's title."""
    span: Span = Span()
    header: str = ""
    """What every part repeats when the block is split: a table's header row, a function's signature line."""


@dataclass(frozen=True, slots=True)
class PageMention:
    """Another page that a document names."""

    title: str = ""
    page_id: str = ""
    """The page is named by title or by id; the other one may be empty."""
    space: str = ""
    """Key of the page's space; empty for the same one."""
    included: bool = False
    """Whether its text is shown inside this document. Indexing never follows that."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a document points at, as its markup says; each once, in the order of reading. Not masked."""

    pages: tuple[PageMention, ...] = ()
    issues: tuple[str, ...] = ()
    """Issue keys."""
    urls: tuple[str, ...] = ()
    """As written, some relative to the site."""
    attachments: tuple[str, ...] = ()
    """File names."""
    people: tuple[str, ...] = ()
    """As the source identifies them: `accountid:…`, `user:…` (a user key), or a user name."""
    anchors: tuple[str, ...] = ()
    """The words that carry the links."""
    called: tuple[str, ...] = ()
    """Names of people where these are known, else empty."""
    replaces: tuple[str, ...] = ()
    """What its metadata says that it replaces: paths or addresses."""
    replaced_by: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    """Whom or what its metadata names, each behind its label: `owner: Platform`."""
    terms: tuple[str, ...] = ()
    """Its code spans that may be names."""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What a parser makes of one file: structure, no identity."""

    title: str
    """The document's own title; empty when it has none."""
    blocks: tuple[Block, ...]
    metadata: Mapping[str, str] = field(default_factory=dict)
    """What the file says of itself: `labels` (comma separated), `author`, `updated`, `space`."""
    mentions: Mentions = Mentions()
    """What it points at; only formats with links of their own fill it."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document as its source has it, ready to be chunked."""

    source: str
    """Name of the configured source."""
    external_id: str
    """The id within the source, which never follows from the title: a path, a page id, a URL."""
    title: str
    url: str
    """Where a reader opens it."""
    path: str
    """Where it lies in its source, `/` between parts; for people and for filters."""
    blocks: tuple[Block, ...]
    acl: Acl
    content_hash: bytes
    """See `content_hash_of`; equal ones need no new indexing."""
    media_type: str = "text/plain"
    space: str = ""
    labels: tuple[str, ...] = ()
    author: str = ""
    updated_at: datetime | None = None
    """When the source says it last changed, with time zone; None when it does not say."""
    version: str = ""
    """Which version of the document this is, where the source tells that without a download; else empty."""
    facts: Facts = field(default_factory=Facts)
    """Its keys in the knowledge graph, and the relations that its source states."""
    acl_at: datetime | None = None
    """When the source was asked for its ACL, by AccessWriter.now; None where the source says nothing of it."""

    @property
    def document_id(self) -> str:
        """The product's id of this document: the same for the same source and external id."""
        return document_id(self.source, self.external_id)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A retrievable part of a document."""

    document_id: str
    ordinal: int
    """Position among the document's chunks, from 0."""
    title: str
    heading_path: tuple[str, ...]
    text: str
    kind: BlockKind
    span: Span
    acl: Acl
    """Whom this part admits: the document's ACL, or a narrower one."""

    @property
    def chunk_id(self) -> str:
        """Id from document, position and content."""
        return digest("chunk", self.document_id, str(self.ordinal), self.embedded_text).hex()

    @property
    def embedded_text(self) -> str:
        """Title and headings on the first line, then the text."""
        return compose(self.title, self.heading_path, self.text)

    @property
    def text_hash(self) -> bytes:
        """16 bytes over `embedded_text`: equal hashes have equal vectors."""
        return digest("text", self.embedded_text)


def compose(title: str, heading_path: tuple[str, ...], text: str) -> str:
    """The text that stands for a chunk in every index: `title > heading > heading`, a line break, `text`."""
    head = " > ".join(part for part in (title, *heading_path) if part)
    return f"{head}\n{text}" if head else text


class Refusal(NamedTuple):
    """That a document could not be read, and why."""

    mark: str
    """Which form of the document was refused; another mark is worth another try."""
    reason: str


def digest(*parts: str | bytes) -> bytes:
    """16 bytes of BLAKE2b over `parts`, kept apart from each other by their lengths."""
    state = blake2b(digest_size=16)
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        state.update(len(raw).to_bytes(8, "big"))
        state.update(raw)
    return state.digest()


def content_hash_of(content: bytes, masking: str) -> bytes:
    """What a document is compared by.

    content: 16 bytes over everything that indexing reads. masking: the version of the masker that its texts passed.
    It stands behind the digest as it is, so that what passed another one can be told by looking at what is stored; what
    a release without masking wrote has none.
    """
    return content + masking.encode()


def content_of(content_hash: bytes) -> bytes:
    """The 16 bytes over the content alone."""
    return content_hash[:CONTENT_BYTES]


def masking_of(content_hash: bytes) -> str:
    """The version of the masker that the texts passed; empty when they passed none."""
    return content_hash[CONTENT_BYTES:].decode(errors="replace")


CONTENT_BYTES = 16
"""Of a content hash, before the name of the masking."""


def document_id(source: str, external_id: str) -> str:
    """32 hexadecimal digits from the source's name and the id within it."""
    return digest("document", source, external_id).hex()
