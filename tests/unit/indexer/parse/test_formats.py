import re

import pytest

from domain.errors import Refused
from domain.text.file_endings import DOCUMENTS
from indexer.parse.formats import (
    CODE,
    CONFLUENCE_PAGE,
    DOCX,
    FORMATS,
    HTML,
    JIRA_ISSUE,
    PDF,
    TEXT,
    FileFormat,
    Unparsable,
    recognise,
)
from tests.attacks.documents import archive
from tests.unit.indexer.parse.parsing import parsed, refusal, texts


@pytest.mark.parametrize(
    ("raw", "name", "media_type", "expected"),
    [
        (b"# Hi", "a.md", "", "Markdown"),
        (b"# Hi", "a.MD", "", "Markdown"),
        (b"# Hi", "page", "text/markdown; charset=utf-8", "Markdown"),
        (b"# Hi", "a.md", "text/plain", "Markdown"),
        (b"Hi", "a.rst", "", "reStructuredText"),
        (b"Hi", "README", "", "plain text"),
        (b"Hi", "Release 2.1 of build.sh", "text/html", "HTML"),
        (b"Hi", "unknown", "text/plain", "plain text"),
        (b"<!DOCTYPE html><p>x", "a.txt", "", "HTML"),
        (b"\xef\xbb\xbf <!-- c -->\n<HTML lang=en>", "a", "", "HTML"),
        (b"<div>x</div>", "a", "", "HTML"),
        (b"<div align=center>x</div>\n# T", "a.md", "", "Markdown"),
        (b"%PDF-1.7 \0", "a.txt", "", "PDF"),
        (b"junk\0\n%PDF-1.7", "a", "", "PDF"),
        (b"The header is %PDF-1.7", "a.txt", "", "plain text"),
        (b"BM25 ranks", "a.txt", "", "plain text"),
        (b"a,b\n1,2", "a.csv", "", "CSV"),
        (b"{}", "a.json", "", "JSON"),
        (b"a: 1", "x.yml", "", "YAML"),
        (b"a = 1", "x.toml", "", "TOML"),
        (b"all:\n", "Makefile", "", "code"),
        (b"let x = 1", "a.ts", "video/mp2t", "code"),
        (archive("word/document.xml"), "a.zip", "", "DOCX"),
    ],
)
def test_content_decides_before_media_type_and_name(raw: bytes, name: str, media_type: str, expected: str) -> None:
    assert recognise(raw, name, media_type).name == expected


def test_too_large() -> None:
    assert refusal("x" * 101, "a.txt", input_bytes=100) == "larger than 100 bytes"


def test_byte_order_mark_and_line_ends_are_normalised() -> None:
    assert texts(parsed(b"\xef\xbb\xbfone\r\ntwo\r\rthree", "a.txt")) == ["one\ntwo", "three"]


def test_unparsable_is_a_refusal() -> None:
    assert issubclass(Unparsable, Refused)


def test_every_suffix_and_name_has_one_format() -> None:
    suffixes = [suffix for item in FORMATS for suffix in (*item.suffixes, *item.names)]
    assert len(suffixes) == len(set(suffixes))
    assert all(suffix == suffix.lower() for suffix in suffixes)


@pytest.mark.parametrize(
    "item", [item for item in FORMATS if item.suffixes and not item.binary], ids=lambda item: item.name
)
def test_every_text_format_reads_a_word(item: FileFormat) -> None:
    assert "word" in " ".join(texts(parsed("word", f"a{min(item.suffixes)}")))


@pytest.mark.parametrize("item", [CONFLUENCE_PAGE, JIRA_ISSUE], ids=lambda item: item.name)
@pytest.mark.parametrize("raw", [b"<html><p>x", b"%PDF-1.7", b"PK\3\4", b"# Hi", b"{}"])
def test_what_our_connectors_declare_is_not_guessed(item: FileFormat, raw: bytes) -> None:
    (media_type,) = item.media_types
    assert recognise(raw, "a.html", media_type) is item
    assert not item.suffixes | item.names


@pytest.mark.parametrize(
    ("item", "raw"),
    [(CONFLUENCE_PAGE, '{"body":{"value":"<p>word</p>"}}'), (JIRA_ISSUE, '{"texts":[["","*word*"]]}')],
)
def test_what_our_connectors_declare_is_read(item: FileFormat, raw: str) -> None:
    (media_type,) = item.media_types
    assert texts(parsed(raw, "", media_type)) == ["word"]


def test_named_formats_are_in_the_table() -> None:
    assert {PDF, DOCX, HTML, CODE, TEXT} <= set(FORMATS)


def test_texts_may_name_the_documents_of_every_format() -> None:
    unknown = [
        each.name
        for each in FORMATS
        if each.suffixes and each is not CODE and not any(re.fullmatch(DOCUMENTS, one[1:]) for one in each.suffixes)
    ]
    assert unknown == []


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        ("xl/workbook.xml", "a spreadsheet: save it as CSV"),
        ("ppt/presentation.xml", "a presentation: save it as PDF"),
        ("content.xml", "an OpenDocument file: save it as DOCX or PDF"),
        ("a.txt", "not a document"),
    ],
)
def test_office_files_that_are_not_read_say_what_would_be(member: str, reason: str) -> None:
    with pytest.raises(Unparsable, match=reason):
        recognise(archive(member), "a.bin", "")
