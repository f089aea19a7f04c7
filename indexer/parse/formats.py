"""Which format a file has, judged by its content first, and the table of formats that are read."""

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePosixPath

from domain.documents import ParsedFile
from domain.errors import Refused
from indexer.parse.encoding import decoded, utf8
from indexer.parse.limits import ParseLimits

EMPTY = "empty"
"""Begins the reason of what was read, and is empty."""


class Unparsable(Refused):
    """The file cannot be read as a document. `what` is the reason, one line, fit for a report."""


@dataclass(frozen=True, slots=True)
class FileContent:
    r"""A file as its loader gets it.

    name: the file's name. text: decoded, without a byte order mark, line ends as `\n`; empty for a binary format.
    """

    name: str
    raw: bytes
    text: str = ""


Loader = Callable[[FileContent, ParseLimits], ParsedFile]


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format that is read."""

    name: str
    loader: str
    """`module:function` of its Loader, imported when the first such file comes."""
    suffixes: frozenset[str] = frozenset()
    """Of file names, in lower case."""
    media_types: frozenset[str] = frozenset()
    """As servers call it; they count before the name, but for `text/plain`."""
    names: frozenset[str] = frozenset()
    """Whole file names, in lower case."""
    binary: bool = False
    """Whether it is not text."""
    ours: bool = False
    """Whether its media type is one that only our connectors give, so that neither name nor content say otherwise: an
    issue may begin with a pasted `<html>`."""

    def load(self, content: FileContent, limits: ParseLimits) -> ParsedFile:
        """The parsed file. Raises Unparsable."""
        module, _, function = self.loader.partition(":")
        load: Loader = getattr(import_module(module), function)
        return load(content, limits)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PDF = FileFormat("PDF", "indexer.parse.pdf:load", _words(".pdf"), _words("application/pdf"), binary=True)
DOCX = FileFormat(
    "DOCX",
    "indexer.parse.docx:load",
    _words(".docx"),
    _words("application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    binary=True,
)
HTML = FileFormat(
    "HTML",
    "indexer.parse.html:load",
    _words(".html .htm .xhtml"),
    _words("text/html application/xhtml+xml"),
)
TEXT = FileFormat(
    "plain text",
    "indexer.parse.plain_text:load",
    _words(".txt .text .adoc .asciidoc .org .log .srt .vtt"),
    _words("text/plain"),
    _words("readme license licence copying notice authors contributors changelog changes news todo install codeowners"),
)
CODE = FileFormat(
    "code",
    "indexer.parse.code:load",
    _words(
        ".py .pyi .js .mjs .cjs .jsx .ts .mts .cts .tsx .go .rs .java .kt .kts .scala .groovy .gradle .c .h .cc .cpp"
        " .cxx .hh .hpp .hxx .m .mm .cs .fs .vb .swift .rb .rake .php .pl .pm .lua .r .jl .dart .ex .exs .erl .hrl"
        " .clj .cljs"
        " .elm .hs .ml .mli .nim .zig .sh .bash .zsh .fish .ps1 .psm1 .bat .cmd .sql .graphql .gql .proto .thrift .tf"
        " .tfvars .hcl .bzl .cmake .mk .nix .vue .svelte .css .scss .sass .less .xml .xsd .xsl .xslt .tex .bib .j2"
        " .jinja .tpl .tmpl .mustache .hbs .rego .cue .jsonnet .libsonnet .dockerfile .diff .patch"
    ),
    _words("text/x-python text/javascript application/javascript text/css application/xml text/xml application/sql"),
    _words(
        "cmakelists.txt makefile dockerfile containerfile jenkinsfile vagrantfile rakefile gemfile procfile justfile"
    ),
)
CONFLUENCE_PAGE = FileFormat(
    "Confluence page",
    "indexer.parse.confluence_page:load",
    media_types=_words("application/vnd.kb-agent.confluence-page+json"),
    ours=True,
)
JIRA_ISSUE = FileFormat(
    "Jira issue",
    "indexer.parse.jira_issue:load",
    media_types=_words("application/vnd.kb-agent.jira-issue+json"),
    ours=True,
)
FORMATS = (
    PDF,
    DOCX,
    HTML,
    FileFormat(
        "Markdown",
        "indexer.parse.markdown:load",
        _words(".md .markdown .mdown .mkd .mdx"),
        _words("text/markdown text/x-markdown"),
    ),
    FileFormat(
        "reStructuredText",
        "indexer.parse.restructuredtext:load",
        _words(".rst .rest"),
        _words("text/x-rst text/prs.fallenstein.rst"),
    ),
    FileFormat(
        "CSV", "indexer.parse.delimited:load", _words(".csv .tsv"), _words("text/csv text/tab-separated-values")
    ),
    FileFormat(
        "JSON",
        "indexer.parse.data_files:load_json",
        _words(".json .jsonc .json5 .webmanifest"),
        _words("application/json"),
    ),
    FileFormat(
        "YAML",
        "indexer.parse.data_files:load_yaml",
        _words(".yaml .yml"),
        _words("application/yaml application/x-yaml text/yaml text/x-yaml"),
    ),
    FileFormat("TOML", "indexer.parse.data_files:load_toml", _words(".toml"), _words("application/toml")),
    FileFormat(
        "settings",
        "indexer.parse.data_files:load_ini",
        _words(".ini .cfg .conf .cnf .properties .service"),
        names=_words(".editorconfig .gitconfig"),
    ),
    CODE,
    TEXT,
    CONFLUENCE_PAGE,
    JIRA_ISSUE,
)

_MEMBERS = {"word/document.xml": DOCX}
"""ZIP files that are read, by a file that they must have in them."""
_OTHER_OFFICE = {
    "xl/workbook.xml": "a spreadsheet: save it as CSV",
    "ppt/presentation.xml": "a presentation: save it as PDF",
    "content.xml": "an OpenDocument file: save it as DOCX or PDF",
}
"""Why others of them are not read."""
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NO_DOCUMENTS = (
    *(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"RIFF", b"OggS", b"ID3", b"fLaC", b"\0\0\1\0"),
    *(b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"7z\xbc\xaf\x27\x1c", b"Rar!", b"\x28\xb5\x2f\xfd", b"PK\5\6", b"!<arch>"),
    *(b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\0asm", b"SQLite format 3"),
)
_CHARSET = re.compile(r";\s{0,9}charset\s{0,9}=\s{0,9}\"?([\w.:-]{1,40})", re.IGNORECASE)
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
_HTML_START = re.compile(
    r"\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,2000}?-->\s*){0,5}<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_HTML_TAG = re.compile(r"\s*<(?:head|body|div|p|h[1-6]|table|ul|ol|section|article|main|span)\b[^<>]*>", re.IGNORECASE)


def parse(raw: bytes, name: str, media_type: str, limits: ParseLimits) -> ParsedFile:
    """The parsed file, in this very process: only for trusted content; `sandbox.SandboxedParser` is for all else.

    name, media_type: say what the content alone does not tell; either may be empty.
    Raises Unparsable.
    """
    check_size(raw, media_type, limits)
    chosen = recognise(raw, name, media_type)
    text = "" if chosen.binary else decode(raw, media_type)
    return chosen.load(FileContent(name, raw, text), limits)


def check_size(raw: bytes, media_type: str, limits: ParseLimits) -> None:
    """Raises Unparsable for an empty file and for one that is too large. What our connectors put together, they cut."""
    if not raw.strip():
        raise Unparsable(EMPTY)
    ours = _by_type(media_type)
    if len(raw) > limits.input_bytes and not (ours and ours.ours):
        raise Unparsable(f"larger than {limits.input_bytes:,} bytes")


def is_readable(name: str, media_type: str) -> bool:
    """Whether a file may be one that is read, as far as its name and type tell."""
    return _declared(name, media_type) is not None


def recognise(raw: bytes, name: str, media_type: str = "") -> FileFormat:
    """The format of `raw`. Raises Unparsable, with the reason, when it is none that is read."""
    ours = _by_type(media_type)
    if ours is not None and ours.ours:
        return ours
    by_magic = _by_magic(raw)
    if by_magic is not None:
        return by_magic
    named = _declared(name, media_type)
    if named is not None and named.binary:
        # most often the error or login page of a web server, saved under the name of the file
        raise Unparsable(f"not in {named.name} format, though its name or type says so")
    text = decode(raw, media_type)
    if _HTML_START.match(text) or (named is None and _HTML_TAG.match(text)):
        return HTML
    if named is None:
        raise Unparsable("not a document")
    return named


def decode(raw: bytes, media_type: str = "") -> str:
    """The text of `raw`. media_type: may name its encoding. Raises Unparsable."""
    charset = _CHARSET.search(media_type)
    text = decoded(raw, charset[1] if charset else "")
    if text is None:
        binary = b"\0" in raw and not raw.startswith(_WIDE_MARKS)
        raise Unparsable("binary: has NUL bytes" if binary else "its encoding cannot be told: save it as UTF-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _by_magic(raw: bytes) -> FileFormat | None:
    if raw.startswith(b"PK\3\4"):
        return _by_members(raw)
    if raw.lstrip().startswith(b"%PDF-") or (b"%PDF-" in raw[:1024] and not _is_text(raw)):
        return PDF
    if raw.startswith(_OLE):
        raise Unparsable("an old or encrypted Office file: save it as DOCX without a password")
    if raw.startswith(_NO_DOCUMENTS) and not _is_text(raw):
        raise Unparsable("not a document")
    return None


def _by_members(raw: bytes) -> FileFormat:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise Unparsable("a damaged ZIP file") from None
    found = next((item for member, item in _MEMBERS.items() if member in names), None)
    if found is None:
        other = next((reason for member, reason in _OTHER_OFFICE.items() if member in names), "not a document")
        raise Unparsable(other)
    return found


def _declared(name: str, media_type: str) -> FileFormat | None:
    """What the media type says, else the name; servers call anything `text/plain`, so that counts last."""
    by_type, path = _by_type(media_type), PurePosixPath(name.lower())
    by_name = next((item for item in FORMATS if path.name in item.names or path.suffix in item.suffixes), None)
    return by_name or by_type if by_type in (None, TEXT) else by_type


def _by_type(media_type: str) -> FileFormat | None:
    kind = media_type.partition(";")[0].strip().lower()
    return next((item for item in FORMATS if kind in item.media_types), None)


def _is_text(raw: bytes) -> bool:
    """Whether bytes that look like a magic number begin a text all the same: `BM25 is …`, `%PDF-1.4 was …`."""
    return utf8(raw) is not None
