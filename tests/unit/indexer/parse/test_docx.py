import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from domain.documents import BlockKind
from tests.unit.indexer.parse.parsing import of_kind, parsed, paths, refusal, shortened, texts, words

NAMESPACES = nsdecls("w")


def saved(document: Any) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def made(*build: Callable[[Any], Any]) -> bytes:
    document = docx.Document()
    document.core_properties.title = ""
    for step in build:
        step(document)
    return saved(document)


def changed(raw: bytes, member: str, change: Callable[[bytes], bytes]) -> bytes:
    """`raw` with one member of the archive rewritten."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as source, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            target.writestr(name, change(content) if name == member else content)
    return buffer.getvalue()


def xml(document: Any, text: str) -> None:
    """Put raw WordprocessingML at the end of the body."""
    document.element.body.insert(-1, parse_xml(text.replace(">", f" {NAMESPACES}>", 1)))


def sample() -> bytes:
    document = docx.Document()
    core = document.core_properties
    core.title, core.author, core.keywords = "Made up by a program", "Jane", "money; travel"
    core.modified = datetime(2024, 1, 15, 10, 30, tzinfo=UTC).replace(tzinfo=None)
    document.styles.add_style("Source Code", WD_STYLE_TYPE.PARAGRAPH)
    document.sections[0].header.paragraphs[0].text = "ACME confidential"
    document.sections[0].footer.paragraphs[0].text = "12"
    document.add_paragraph("Travel policy", style="Title")
    document.add_paragraph("Intro text.")
    document.add_heading("Booking", 1)
    document.add_paragraph("Ask", style="List Number")
    document.add_paragraph("Wait", style="List Number")
    document.add_paragraph("by mail", style="List Bullet")
    document.add_heading("Limits", 2)
    table = document.add_table(rows=3, cols=3)
    for row, cells in zip(
        table.rows, (("City", "Limit", "Note"), ("Oslo", "200", "a|b"), ("", "300", "c")), strict=True
    ):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    document.add_paragraph("if a:", style="Source Code")
    document.add_paragraph("    b()", style="Source Code")
    document.add_heading("Nothing below", 1)
    document.add_heading("After", 1)
    xml(
        document,
        '<w:p><w:r><w:t xml:space="preserve">Kept </w:t></w:r>'
        '<w:ins w:id="1" w:author="a"><w:r><w:t>inserted</w:t></w:r></w:ins>'
        '<w:del w:id="2" w:author="a"><w:r><w:delText>deleted</w:delText></w:r></w:del>'
        "<w:r><w:tab/><w:t>tabbed</w:t><w:br/><w:t>broken</w:t></w:r></w:p>",
    )
    xml(document, "<w:sdt><w:sdtContent><w:p><w:r><w:t>Controlled</w:t></w:r></w:p></w:sdtContent></w:sdt>")
    xml(
        document,
        '<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        "<mc:Choice><w:txbxContent><w:p><w:r><w:t>Boxed</w:t></w:r></w:p></w:txbxContent></mc:Choice>"
        "<mc:Fallback><w:txbxContent><w:p><w:r><w:t>Boxed</w:t></w:r></w:p></w:txbxContent></mc:Fallback>"
        "</mc:AlternateContent></w:r></w:p>",
    )
    xml(document, "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Framed</w:t></w:r></w:p></w:tc></w:tr></w:tbl>")
    return saved(document)


def test_every_visible_word_is_in_some_block() -> None:
    visible = """Travel policy Intro text Booking Ask Wait by mail Limits City Limit Note Oslo 200 a b 300 c if Nothing
    below After Kept inserted tabbed broken Controlled Boxed Framed ACME confidential"""
    found = words(parsed(sample(), "a.docx"))
    assert set(visible.split()) <= found
    assert "deleted" not in found


def test_title_and_metadata() -> None:
    file = parsed(sample(), "a.docx")
    assert file.title == "Travel policy"
    assert file.metadata == {"author": "Jane", "updated": "2024-01-15T10:30:00+00:00", "labels": "money, travel"}


def test_title_of_the_properties_or_the_lone_heading() -> None:
    def entitle(document: Any) -> None:
        document.core_properties.title = "From properties"

    assert parsed(made(entitle, lambda document: document.add_paragraph("x")), "a.docx").title == "From properties"
    file = parsed(
        made(lambda document: document.add_heading("Lone", 1), lambda document: document.add_paragraph("x")), "a.docx"
    )
    assert (file.title, paths(file)) == ("Lone", [()])


def test_order_and_heading_paths() -> None:
    file = parsed(sample(), "a.docx")
    assert [(block.kind.value, block.heading_path, block.text.split("\n")[0]) for block in file.blocks] == [
        ("prose", (), "Intro text."),
        ("list", ("Booking",), "1. Ask"),
        ("table", ("Booking", "Limits"), "| City | Limit | Note |"),
        ("code", ("Booking", "Limits"), "if a:"),
        ("prose", (), "Nothing below"),
        ("prose", ("After",), "Kept inserted tabbed"),
        ("prose", ("After",), "Controlled"),
        ("prose", ("After",), "Boxed"),
        ("prose", ("After",), "Framed"),
        ("prose", (), "ACME confidential"),
    ]


def test_lists_are_numbered_and_marked() -> None:
    assert of_kind(parsed(sample(), "a.docx"), BlockKind.LIST)[0].text == "1. Ask\n2. Wait\n- by mail"


def test_tables_repeat_merged_cells() -> None:
    block = of_kind(parsed(sample(), "a.docx"), BlockKind.TABLE)[0]
    assert block.header == "| City | Limit | Note |"
    assert block.text.split("\n")[1:] == ["| Oslo | 200 | a\\|b |", "| Oslo | 300 | c |"]


def test_cells_over_several_columns() -> None:
    def build(document: Any) -> None:
        table = document.add_table(rows=2, cols=3)
        for number, cell in enumerate(cell for row in table.rows for cell in row.cells):
            cell.text = str(number)
        table.cell(0, 1).merge(table.cell(0, 2))

    assert texts(parsed(made(build), "a.docx")) == ["| 0 | 1 2 | 1 2 |\n| 3 | 4 | 5 |"]


def numbered(document: Any) -> None:
    """Two levels of a list with letters, and a numbered heading."""
    levels = "".join(
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{style}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for depth, style, text in ((0, "decimal", "%1."), (1, "lowerLetter", "%1.%2)"), (2, "upperRoman", "%3"))
    )
    numbering = document.part.numbering_part.element
    kind = parse_xml(f'<w:abstractNum {NAMESPACES} w:abstractNumId="77">{levels}</w:abstractNum>')
    numbering.insert(0, kind)
    numbering.append(parse_xml(f'<w:num {NAMESPACES} w:numId="77"><w:abstractNumId w:val="77"/></w:num>'))
    for text, depth in (("a", 0), ("b", 1), ("c", 1), ("d", 2), ("e", 0), ("f", 1)):
        properties = f'<w:pPr><w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="77"/></w:numPr></w:pPr>'
        xml(document, f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>")


def test_numbers_of_nested_lists() -> None:
    assert texts(parsed(made(numbered), "a.docx")) == ["1. a\n  1.a) b\n  1.b) c\n    I d\n2. e\n  2.a) f"]


def test_a_list_that_begins_anew_begins_with_the_number_that_it_names() -> None:
    def build(document: Any) -> None:
        numbered(document)
        document.add_paragraph("between")
        override = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
        other = f'<w:num {NAMESPACES} w:numId="78"><w:abstractNumId w:val="77"/>{override}</w:num>'
        document.part.numbering_part.element.append(parse_xml(other))
        for text, depth in (("g", 0), ("h", 1), ("i", 0)):
            properties = f'<w:pPr><w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="78"/></w:numPr></w:pPr>'
            xml(document, f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>")

    assert texts(parsed(made(build), "a.docx"))[2] == "5. g\n  5.a) h\n6. i"


def with_notes(body: str, *notes: str, kind: str = "footnote") -> bytes:
    """A document of this body, a line for each element, with notes whose ids begin with 3."""
    shown = "".join(
        f'<w:{kind} w:id="{number}"><w:p><w:r><w:t>{note}</w:t></w:r></w:p></w:{kind}>'
        for number, note in enumerate(notes, 3)
    )
    relation = (
        f'<Relationship Id="rId99" Target="{kind}s.xml" '
        f'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}s"/></Relationships>'
    )
    override = (
        f'<Override PartName="/word/{kind}s.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        f'wordprocessingml.{kind}s+xml"/></Types>'
    )
    raw = made(*(lambda document, part=part: xml(document, part) for part in body.split("\n")))
    raw = changed(
        raw,
        "word/_rels/document.xml.rels",
        lambda content: content.replace(b"</Relationships>", relation.encode()),
    )
    raw = changed(raw, "[Content_Types].xml", lambda content: content.replace(b"</Types>", override.encode()))
    buffer = io.BytesIO(raw)
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr(f"word/{kind}s.xml", f"<w:{kind}s {NAMESPACES}>{shown}</w:{kind}s>")
    return buffer.getvalue()


def noted(text: str, number: int, kind: str = "footnote") -> str:
    """A paragraph of `text` and a reference."""
    return f'<w:p><w:r><w:t>{text}</w:t><w:{kind}Reference w:id="{number}"/></w:r></w:p>'


def test_notes_stand_below_their_paragraph_numbered_in_the_order_of_the_text() -> None:
    raw = with_notes(f"{noted('Text', 4)}\n{noted('More', 3)}", "late", "early")
    assert texts(parsed(raw, "a.docx")) == ["Text[1]", "[1] early", "More[2]", "[2] late"]
    assert texts(parsed(with_notes(noted("Text", 3, "endnote"), "end", kind="endnote"), "a.docx")) == [
        "Text[i]",
        "[i] end",
    ]


def test_notes_to_cells_stand_below_their_table() -> None:
    cells = f"<w:tc>{noted('Bolt', 3)}</w:tc><w:tc><w:p><w:r><w:t>5</w:t></w:r></w:p></w:tc>"
    raw = with_notes(f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>\n{noted('After', 4)}", "never beyond 3 Nm", "other")
    assert texts(parsed(raw, "a.docx")) == ["| Bolt[1] | 5 |", "[1] never beyond 3 Nm", "After[2]", "[2] other"]


def test_notes_with_a_sign_of_their_own_are_not_counted() -> None:
    own = '<w:p><w:r><w:t>Own</w:t><w:footnoteReference w:customMarkFollows="1" w:id="3"/><w:t>*</w:t></w:r></w:p>'
    raw = with_notes(f"{own}\n{noted('Text', 4)}", "* own note", "first")
    assert texts(parsed(raw, "a.docx")) == ["Own*", "* own note", "Text[1]", "[1] first"]


def test_a_note_to_a_last_paragraph_that_is_only_its_sign_is_read() -> None:
    own = '<w:p><w:r><w:footnoteReference w:customMarkFollows="1" w:id="3"/></w:r></w:p>'
    raw = with_notes(f"<w:p><w:r><w:t>Text</w:t></w:r></w:p>\n{own}", "* own note")
    assert texts(parsed(raw, "a.docx")) == ["Text", "* own note"]


@pytest.mark.parametrize("around", ["w:del", "w:moveFrom"])
def test_notes_and_boxes_that_were_deleted_are_left_out(around: str) -> None:
    box = "<w:r><w:txbxContent><w:p><w:r><w:t>secret box</w:t></w:r></w:p></w:txbxContent></w:r>"
    gone = f'<{around} w:id="9" w:author="a"><w:r><w:footnoteReference w:id="3"/></w:r>{box}</{around}>'
    raw = with_notes(f"<w:p><w:r><w:t>Fee</w:t></w:r>{gone}</w:p>\n{noted('Kept', 4)}", "secret", "second")
    assert texts(parsed(raw, "a.docx")) == ["Fee", "Kept[1]", "[1] second"]


@pytest.mark.parametrize(
    ("font", "code", "shown"),
    [
        *[("Symbol", "F02D", "−"), ("Symbol", "F0A3", "≤"), ("symbol", "b1", "±"), ("Symbol", "F06D", "µ")],
        *[("Wingdings", "F0E0", "→"), ("Wingdings", "F0FC", "✓"), ("Webdings", "F041", "�"), ("Symbol", "F0FE", "�")],
        *[("Arial", "2264", "≤"), ("Symbol", "x", "�")],
    ],
)
def test_signs_of_fonts(font: str, code: str, shown: str) -> None:
    run = f'<w:r><w:t>a</w:t><w:sym w:font="{font}" w:char="{code}"/><w:t>5</w:t></w:r>'
    assert texts(parsed(made(lambda document: xml(document, f"<w:p>{run}</w:p>")), "a.docx")) == [f"a{shown}5"]


def test_gigantic_table_is_refused() -> None:
    row = "<w:tr><w:tc><w:p/></w:tc><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr>"
    raw = made(lambda document: xml(document, f"<w:tbl>{row * 2_000}</w:tbl>"))
    assert shortened(raw, "a.docx", table_rows=1_000) == "a table of more than 1,000 rows"


def test_document_without_text_is_refused() -> None:
    assert refusal(made(), "a.docx") == "empty: no text in it"
