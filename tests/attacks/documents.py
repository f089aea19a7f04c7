"""Documents that are made to exhaust a parser, to crash it, or to be taken for something else."""

import gzip
import io
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.unit.indexer.parse.test_docx import changed, made, sample, xml
from tests.unit.indexer.parse.test_pdf import SAMPLE, pdf

MIB = 1 << 20


@dataclass(frozen=True)
class DocumentAttack:
    """A file. reason: how the refusal begins; empty where it is read, within the limits. limits: others than usual."""

    name: str
    raw: Callable[[], bytes]
    reason: str = ""
    media_type: str = ""
    limits: Mapping[str, int] = field(default_factory=dict)


def archive(*names: str) -> bytes:
    """A ZIP file with such members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as opened:
        for name in names:
            opened.writestr(name, "x")
    return buffer.getvalue()


def body(change: Callable[[bytes], bytes], member: str = "word/document.xml") -> bytes:
    """A DOCX file with another body."""
    return changed(sample(), member, change)


def entities(*, levels: int = 9) -> str:
    """Entities of which each is ten of the one before."""
    return "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "boom"}">' for n in range(levels))


def expanding(raw: bytes) -> bytes:
    """The XML of a document whose text is the largest entity."""
    text = raw.decode()
    start = text.index("<w:document")
    return (text[:start] + f"<!DOCTYPE d [{entities()}]>" + text[start:].replace("Intro text.", "Intro &e8;")).encode()


def aliases() -> str:
    """YAML in which each name stands for nine of the one before."""
    steps = zip("abcdefgh", "bcdefghi", strict=True)
    return "a: &a [x, x]\n" + "\n".join(f"{key}: &{key} [{', '.join([f'*{before}'] * 9)}]" for before, key in steps)


def plain(text: str) -> Callable[[], bytes]:
    return text.encode


def raw(content: bytes) -> Callable[[], bytes]:
    return lambda: content


CELL, END = "<w:tbl><w:tr><w:tc/><w:tc>", "</w:tc></w:tr></w:tbl>"
MAIN = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
MACRO = b"application/vnd.ms-word.document.macroEnabled.main+xml"
LOCK = b"/Info 5 0 R /Encrypt << /Filter /Standard /V 1 /R 2 /O <%b> /U <%b> /P -44 >> /ID [<41> <41>]"
RATIO, DAMAGED, UNKNOWN = "unpacks to more than 100 times its size", "a damaged", "its encoding cannot be told"
DEEP, LONG = "nested", {"output_characters": 100_000}
CLOUD = "application/vnd.kb-agent.confluence-page+json"
TICKET = "application/vnd.kb-agent.jira-issue+json"

Row = DocumentAttack

DOCUMENTS: Mapping[str, DocumentAttack] = {
    # bombs
    "a ZIP bomb by its ratio": Row("a.docx", lambda: body(lambda _: b"<w>" + b" " * 20_000_000 + b"</w>"), RATIO),
    "a ZIP bomb by its size": Row(
        "a.docx", lambda: body(lambda _: b" " * 2_000_000), "unpacks to more than", limits={"unpacked_bytes": MIB}
    ),
    "members too large only together": Row(
        "a.docx",
        lambda: changed(body(lambda _: b" " * 600_000), "word/styles.xml", lambda _: b" " * 600_000),
        "unpacks to more than",
        limits={"unpacked_bytes": MIB},
    ),
    "entities of DOCX": Row("a.docx", lambda: body(expanding), "a damaged DOCX file"),
    "entities of XHTML": Row(
        "a.xhtml", plain(f"<!DOCTYPE html [{entities()}]><html><p>&e8; end</p></html>"), limits=LONG
    ),
    "entities of XML": Row("a.xml", plain(f"<!DOCTYPE a [{entities()}]><a>&e8; end</a>"), limits=LONG),
    "aliases of front matter": Row("a.md", plain(f"---\n{aliases()}\ntags: *i\n---\nbody\n"), limits=LONG),
    "aliases of YAML": Row("a.yaml", plain(f"{aliases()}\nz: *i\n"), limits=LONG),
    "cells that span everything": Row(
        "a.html",
        plain(f"<table><tr><td colspan=99999 rowspan=99999>{'long ' * 1_000}<td>b{'<tr><td>x' * 1_000}</table>"),
        limits={"output_characters": 200_000},
    ),
    # deep
    "elements in elements": Row("a.html", plain("<div>" * 50_000 + "deep"), "HTML nested too deeply"),
    "elements a little too deep": Row("a.html", plain("<div>" * 300 + "deep"), DEEP),
    "quotes in quotes": Row("a.md", plain("> " * 300 + "deep"), DEEP),
    "lists in lists": Row("a.md", plain("".join("  " * depth + "- x\n" for depth in range(150))), DEEP),
    "lists on one line": Row("a.md", plain("- " * 3_000 + "deep"), DEEP),
    "tables in tables": Row(
        "a.docx", lambda: made(lambda each: xml(each, f"{CELL * 60}<w:p/>{END * 60}")), DEEP, limits={"nesting": 50}
    ),
    "JSON in JSON": Row("a.json", plain("[" * 100_000)),
    "YAML in YAML": Row("a.yaml", plain("a: " + "[" * 20_000)),
    "TOML in TOML": Row("a.toml", plain("a = " + "[" * 20_000)),
    "XML in XML": Row("a.xml", plain("<a>" * 50_000)),
    "brackets of a program": Row("a.py", plain("x = " + "(" * 20_000)),
    "a page's markup in itself": Row("", plain('{"body":{"value":"' + "<div>" * 20_000 + 'x"}}'), "", CLOUD),
    "a ticket's quotes": Row("", plain('{"texts":[["","' + "{quote}" * 5_001 + 'x"]]}'), media_type=TICKET),
    # huge
    "a table without end": Row("a.md", plain("|a|b|\n|-|-|\n" + "|1|2|\n" * 2_000), limits={"table_rows": 1_000}),
    "a row without end": Row("a.csv", plain("a," * 20_000)),
    "headings that repeat": Row("a.md", plain(f"# T\n## {'h' * 250}\n" + "x\n\n" * 1_000), limits=LONG),
    "a line without end": Row("a.txt", plain("a" * 2_000_000)),
    "a file above the limit": Row("a.txt", raw(b"x" * 1_001), "larger than", limits={"input_bytes": 1_000}),
    "pages above the limit": Row("a.pdf", raw(SAMPLE), limits={"pages": 2}),
    # damaged
    "a tenth of a PDF": Row("a.pdf", raw(SAMPLE[: len(SAMPLE) // 10]), "a damaged PDF file"),
    "half a PDF": Row("a.pdf", raw(SAMPLE[: len(SAMPLE) // 2]), "a damaged PDF file"),
    "a PDF without its end": Row("a.pdf", raw(SAMPLE[: len(SAMPLE) * 97 // 100]), "a damaged PDF file"),
    "a fifth of a DOCX": Row("a.docx", lambda: sample()[:5_000], "a damaged ZIP file"),
    "a DOCX without its end": Row("a.docx", lambda: sample()[:-2_000], "a damaged ZIP file"),
    "XML that breaks off": Row("a.docx", lambda: body(lambda content: content[:-200]), "a damaged DOCX file"),
    "garbage as PDF": Row("a.pdf", raw(b"%PDF-1.7\n" + bytes(range(256)) * 50), "a damaged PDF file"),
    "an encrypted PDF": Row(
        "a.pdf", raw(SAMPLE.replace(b"/Info 5 0 R", LOCK % (b"41" * 32, b"41" * 32))), "encrypted: it needs a password"
    ),
    "a PDF without text": Row("a.pdf", raw(pdf("0 0 100 100 re f")), "no text in it"),
    "a PDF whose pages hold themselves": Row(
        "a.pdf", raw(SAMPLE.replace(b"/Type /Pages /Kids [", b"/Type /Pages /Kids [2 0 R 2 0 R 2 0 R ")), ""
    ),
    "half a character": Row("a.txt", raw("Grüße".encode("utf-16")[:-1]), UNKNOWN),
    "another alphabet": Row("a.txt", raw("Привет, мир".encode("cp1251")), UNKNOWN),
    "all bytes": Row("a.md", raw(bytes(range(128, 256)) * 9), UNKNOWN),
    "a NUL": Row("a.md", raw(b"text with \0 in it"), "binary: has NUL bytes"),
    "half an emoji in JSON": Row("a.json", plain('{"a": "\\ud800 \\u0000"}')),
    "nothing": Row("a.md", raw(b""), "empty"),
    "blanks": Row("a.md", raw(b" \n\t\n"), "empty"),
    # of another type than they say
    "a macro": Row(
        "a.docx", lambda: body(lambda each: each.replace(MAIN, MACRO), "[Content_Types].xml"), "a Word file with macros"
    ),
    "a picture as text": Row("a.txt", raw(b"\xff\xd8\xff\xe0\0"), "not a document"),
    "a program as a picture": Row("a.png", raw(b"\x7fELF\x02\0\0"), "not a document"),
    "a packed archive": Row("a.tar.gz", lambda: gzip.compress(b"x" * MIB), "not a document"),
    "another Office file": Row("a.docx", lambda: archive("xl/workbook.xml"), "a spreadsheet"),
    "an archive in an archive": Row("a.zip", lambda: archive("a.zip"), "not a document"),
    "hidden settings": Row(".env", raw(b"SECRET=1"), "not a document"),
    "a format of its own": Row("a.unknown", raw(b"plain text"), "not a document"),
    "an old Office file": Row(
        "a.docx", raw(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...."), "an old or encrypted Office file"
    ),
    "a login page as PDF": Row("a.pdf", raw(b"<html>Log in</html>"), "not in PDF format"),
    "text as DOCX": Row("a.docx", raw(b"plain text"), "not in DOCX format"),
    "a ZIP that is cut off": Row("a.docx", raw(b"PK\3\4 cut off"), "a damaged ZIP file"),
    "PDF and HTML in one": Row("a.html", raw(b"<html><!-- \0\n%PDF-1.7 -->"), "a damaged PDF file"),
    "a picture and a script in one": Row("a.html", raw(b"GIF89a/*\0<script>x</script>"), "not a document"),
    "DOCX that is not one": Row("a.docx", lambda: archive("word/document.xml"), DAMAGED),
    "a page that is no JSON": Row("", raw(b"<html><p>x"), "damaged JSON", CLOUD),
    "a ticket that is a list": Row("", raw(b"[]"), "not a bundle of an issue", TICKET),
}
