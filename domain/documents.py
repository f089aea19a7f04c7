"""Documents and their chunks, with ids that follow from content and position."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

from domain.access import Acl
from domain.graph import Facts


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
    """Where text stands in its document.

    first_line, last_line: 1-based and inclusive, counted in the decoded source text; 0 where a format has no lines.
    page: 1-based page of a paged format, else None.
    """

    first_line: int = 0
    last_line: int = 0
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, list, table or piece of code under its headings.

    heading_path: the headings above it, outermost first, without the document's title.
    text: the block as plain text; list items keep their marker, tables are `| a | b |` rows.
    header: what every part repeats when the block is split: a table's header row, a function's signature line.
    """

    kind: BlockKind
    text: str
    heading_path: tuple[str, ...] = ()
    span: Span = Span()
    header: str = ""


@dataclass(frozen=True, slots=True)
class PageMention:
    """Another page that a document names.

    title, page_id: how it names the page; one of the two may be empty. space: key of its space, empty for the same one.
    included: whether its text is shown inside this document, which is never followed when indexing.
    """

    title: str = ""
    page_id: str = ""
    space: str = ""
    included: bool = False


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a document points at, as its markup says; each once, in the order of reading. Not masked.

    issues: keys. urls: as written, some relative to the site. anchors: the words that carry them. attachments: file
    names. people: as the source identifies them: `accountid:…`, `user:…` (a user key), or a user name. called: their
    names where these are known, else empty.
    """

    pages: tuple[PageMention, ...] = ()
    issues: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    called: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What a parser makes of one file: structure, no identity.

    title: the document's own title, empty when it has none.
    metadata: what the file says of itself: `labels` (comma separated), `author`, `updated`, `space`.
    mentions: what it points at; only formats with links of their own fill it.
    """

    title: str
    blocks: tuple[Block, ...]
    metadata: Mapping[str, str] = field(default_factory=dict)
    mentions: Mentions = Mentions()


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document as its source has it, ready to be chunked.

    source: name of the configured source.
    external_id: the id within the source, which never follows from the title (a path, a page id, a URL).
    url: where a reader opens it.
    path: where it lies in its source, `/` between parts; for people and for filters.
    updated_at: when the source says it last changed, with time zone; None when it does not say.
    content_hash: see `content_hash_of`; equal ones need no new indexing.
    version: which form of it this is, where the source tells that without showing it; else empty.
    facts: what it is known as, and the relations that its source states.
    acl_at: when the source was asked for its ACL, by AccessWriter.moment; None where it says nothing of it.
    """

    source: str
    external_id: str
    title: str
    url: str
    path: str
    blocks: tuple[Block, ...]
    acl: Acl
    content_hash: bytes
    media_type: str = "text/plain"
    space: str = ""
    labels: tuple[str, ...] = ()
    author: str = ""
    updated_at: datetime | None = None
    version: str = ""
    facts: Facts = field(default_factory=Facts)
    acl_at: datetime | None = None

    @property
    def document_id(self) -> str:
        """The product's id of this document: the same for the same source and external id."""
        return document_id(self.source, self.external_id)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A retrievable part of a document.

    ordinal: position among the document's chunks, from 0.
    embedded_text: what is embedded and matched: title, heading path and text.
    acl: whom this part admits; the document's, or narrower.
    """

    document_id: str
    ordinal: int
    title: str
    heading_path: tuple[str, ...]
    text: str
    kind: BlockKind
    span: Span
    acl: Acl

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
    """That a document could not be read, and why. mark: another one as soon as it is worth another try."""

    mark: str
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
