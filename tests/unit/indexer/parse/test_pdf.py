import io

import pypdfium2
import pytest

from domain.documents import Block, BlockKind, Span
from tests.unit.indexer.parse.parsing import of_kind, parsed, paths, refusal, shortened, texts, words

Item = tuple[str, int, float, float]
"""A piece of text, its size, and where it begins on the page."""


def page(*items: Item, font: str = "F1") -> str:
    """The content of a page."""
    shown = (f"/{font} {size} Tf 1 0 0 1 {left} {bottom} Tm ({text}) Tj" for text, size, left, bottom in items)
    return f"BT {' '.join(shown)} ET"


def pdf(*pages: str, info: str = "", form: tuple[str, ...] = ()) -> bytes:
    """A PDF file with these pages, written by hand. form: the fields on its one page, each before how it looks."""
    fields = " ".join(f"{8 + at} 0 R" for at in range(0, len(form), 2))
    numbers = [6 + 2 * index for index in range(len(pages))]
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {f'/AcroForm << /Fields [{fields}] >>' if form else ''} >>",
        f"<< /Type /Pages /Kids [{' '.join(f'{number} 0 R' for number in numbers)}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
        f"<< {info} >>",
    ]
    marks = f"/Annots [{fields}]" if form else ""
    for number, content in zip(numbers, pages, strict=True):
        fonts = "<< /Font << /F1 3 0 R /F2 4 0 R >> >>"
        box = "/MediaBox [0 0 612 792]"
        objects.append(f"<< /Type /Page /Parent 2 0 R {box} /Resources {fonts} {marks} /Contents {number + 1} 0 R >>")
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    objects += form
    out = b"%PDF-1.4\n"
    offsets = []
    for number, text in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode("latin-1")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer << /Size {size} /Root 1 0 R /Info 5 0 R >>"
    return out + f"{tail}\nstartxref\n{len(out)}\n%%EOF\n".encode()


def sheet(number: int, *items: Item) -> str:
    """A page with the running lines that all have."""
    return page(("ACME internal", 8, 72, 760), *items, (f"Page {number} of 3", 8, 280, 30))


FIRST = sheet(
    1,
    ("Travel policy", 24, 72, 720),
    ("1. Booking", 16, 72, 690),
    ("Book through the tool for every jour-", 11, 72, 670),
    ("ney, and use the self-", 11, 72, 656),
    ("service desk. Self-service is open.", 11, 72, 642),
    ("A second paragraph.", 11, 72, 610),
    ("\\225 first item", 11, 72, 580),
    ("\\225 second item that", 11, 72, 566),
    ("goes on", 11, 80, 552),
)
SECOND = sheet(
    2, ("1.1 Limits", 13, 72, 720), ("Two hundred a day.", 11, 72, 700), ("2. After", 16, 72, 640), ("End", 11, 72, 620)
)
THIRD = sheet(3, ("plain words", 11, 72, 700)) + page(
    ("if a:", 10, 72, 600), ("run\\(\\)", 10, 96, 588), ("done", 10, 72, 576), font="F2"
)
SAMPLE = pdf(FIRST, SECOND, THIRD, info="/Author (Jane) /ModDate (D:20240115103000+02'00') /Keywords (money; travel)")


def test_every_visible_word_is_in_some_block() -> None:
    visible = """ACME internal Travel policy 1 Booking Book through the tool for every journey and use self service desk
    Self is open A second paragraph first item that goes on Limits Two hundred a day 2 After End plain words if run
    done"""
    assert set(visible.split()) <= words(parsed(SAMPLE, "a.pdf"))


def test_title_is_the_largest_line_of_the_first_page() -> None:
    file = parsed(SAMPLE, "a.pdf")
    assert file.title == "Travel policy"
    assert file.metadata == {"author": "Jane", "updated": "2024-01-15T10:30:00+02:00", "labels": "money, travel"}


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("The Policy", "The Policy"),
        ("Microsoft Word - Plan", "Plan"),
        ("untitled", "Travel policy"),
        ("a.docx", "Travel policy"),
    ],
)
def test_title_of_the_properties_comes_first_unless_a_program_made_it_up(said: str, title: str) -> None:
    assert parsed(pdf(FIRST, SECOND, THIRD, info=f"/Title ({said})"), "a.pdf").title == title


def test_headings_by_size_and_number_and_pages_as_spans() -> None:
    file = parsed(SAMPLE, "a.pdf")
    assert [(block.heading_path, block.span.page) for block in file.blocks] == [
        ((), 1),
        (("1. Booking",), 1),
        (("1. Booking",), 1),
        (("1. Booking",), 1),
        (("1. Booking", "1.1 Limits"), 2),
        (("2. After",), 2),
        (("2. After",), 3),
        (("2. After",), 3),
    ]
    assert file.blocks[4] == Block(BlockKind.PROSE, "Two hundred a day.", ("1. Booking", "1.1 Limits"), Span(page=2))


def test_words_are_put_together_at_line_ends() -> None:
    found = texts(parsed(SAMPLE, "a.pdf"))
    assert found[1] == "Book through the tool for every journey, and use the self-service desk. Self-service is open."
    assert found[2] == "A second paragraph."


def test_running_lines_are_told_once_and_page_numbers_not_at_all() -> None:
    found = texts(parsed(SAMPLE, "a.pdf"))
    assert [text for text in found if "ACME" in text] == ["ACME internal"]
    assert not any("Page" in text for text in found)


def test_running_lines_of_short_documents_stay() -> None:
    assert "Page" in words(parsed(pdf(FIRST, SECOND), "a.pdf"))


def test_lists_and_code() -> None:
    file = parsed(SAMPLE, "a.pdf")
    assert of_kind(file, BlockKind.LIST)[0].text == "• first item\n• second item that goes on"
    assert of_kind(file, BlockKind.CODE)[0].text == "if a:\n    run()\ndone"


def test_page_without_headings() -> None:
    file = parsed(pdf(page(("all the same", 11, 72, 700))), "a.pdf")
    assert (file.title, paths(file), texts(file)) == ("", [()], ["all the same"])


def test_scanned_pages_are_refused() -> None:
    assert refusal(pdf("0 0 100 100 re f"), "a.pdf") == "no text in it: the pages seem to be scanned"


def test_too_many_pages_are_refused() -> None:
    assert shortened(SAMPLE, "a.pdf", pages=2) == "more than 2 pages"


def test_too_much_text_is_refused_before_it_is_read() -> None:
    assert shortened(SAMPLE, "a.pdf", output_characters=100) == "more than 100 characters of text"


def test_file_of_the_library_itself() -> None:
    made = pypdfium2.PdfDocument.new()
    made.new_page(200, 200)
    buffer = io.BytesIO()
    made.save(buffer)
    made.close()
    assert "scanned" in refusal(buffer.getvalue(), "a.pdf")


def of_lines(*lines: str) -> set[str]:
    """Those of `lines` that are text of a document in which each begins a page."""
    pages = (
        page((line, 11, 72, 700), *((f"{at} of {line}.", 11, 72, 400 - 20 * at) for at in range(4))) for line in lines
    )
    found = texts(parsed(pdf(*pages), "a.pdf"))
    return {line for line in lines if any(line.replace("\\200", "€") in text.split("\n") for text in found)}


@pytest.mark.parametrize(
    "lines",
    [
        ("Results 2021", "Results 2022", "Results 2023", "Results 2024"),
        ("Open risks: 3", "Open risks: 6", "Open risks: 9"),
        ("Results 2021, 5", "Results 2022, 7", "Results 2023, 4"),
        ("Version 3.1", "Version 3.2", "Version 3.3"),
        ("2024-01-01 Log", "2024-01-02 Log", "2024-01-03 Log"),
        ("\\200 1250", "\\200 2250", "\\200 3250"),
        ("1 %", "2 %", "3 %"),
        ("125", "250", "375"),
        ("2021", "2022", "2023"),
    ],
)
def test_lines_that_differ_in_their_digits_are_no_running_lines(lines: tuple[str, ...]) -> None:
    assert of_lines(*lines) == set(lines)


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (("4", "5", "6"), set()),
        (("- 1 -", "- 2 -", "- 3 -"), set()),
        (("3/9", "4/9", "5/9"), set()),
        (("Plan 4", "5", "Outlook 6"), {"Plan 4", "Outlook 6"}),
        (("Seite 7", "Seite 8", "Seite 9"), set()),
        (("ACME | 4 of 9", "ACME | 5 of 9", "ACME | 6 of 9"), {"ACME | 4 of 9"}),
        (("4 | ACME", "5 | ACME", "6 | ACME"), {"4 | ACME"}),
        (("ACME | 4 | Rev. A", "ACME | 5 | Rev. A", "ACME | 6 | Rev. A"), {"ACME | 4 | Rev. A"}),
        (("Acme Handbook 12", "Acme Handbook 13", "Acme Handbook 14"), {"Acme Handbook 12"}),
        (("12 Acme Handbook", "13 Acme Handbook", "14 Acme Handbook"), {"12 Acme Handbook"}),
        (("Blatt 1 von 3", "Blatt 2 von 3", "Blatt 3 von 3"), {"Blatt 1 von 3"}),
        (
            ("ACME - page 1 of 3 - internal", "ACME - page 2 of 3 - internal", "ACME - page 3 of 3 - internal"),
            {"ACME - page 1 of 3 - internal"},
        ),
        (("Part 1: Use 4", "Part 1: Use 5", "Part 2: Use 6"), {"Part 1: Use 4", "Part 2: Use 6"}),
        (("999", "1000", "1001"), set()),
        (("ACME 2024, page 1", "ACME 2024, page 2", "ACME 2024, page 3"), {"ACME 2024, page 1"}),
    ],
)
def test_page_numbers_step_with_the_pages(lines: tuple[str, ...], shown: set[str]) -> None:
    assert of_lines(*lines) == shown


Field = tuple[str, str, float, float]
"""What is said of a field, what it shows, and where its lower left corner is."""


def filled(*fields: Field, asked: str) -> list[str]:
    """The texts of a page on which `asked` is printed."""
    form: list[str] = []
    for at, (kind, text, left, bottom) in enumerate(fields):
        shown = f"BT /F1 12 Tf 2 6 Td ({text}) Tj ET"
        place = f"/Rect [{left} {bottom} {left + 100} {bottom + 20}] /AP << /N {9 + 2 * at} 0 R >>"
        look = "/Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F1 3 0 R >> >>"
        flags = "" if "/F " in kind else "/F 4"
        form += (
            f"<< /Type /Annot /Subtype /Widget /T (f{at}) {flags} {place} {kind} >>",
            f"<< {look} /Length {len(shown)} >>\nstream\n{shown}\nendstream",
        )
    return texts(parsed(pdf(asked, form=tuple(form)), "a.pdf"))


def typed(text: str, left: float, bottom: float = 694) -> Field:
    """A field with a text."""
    return f"/FT /Tx /V ({text})", text, left, bottom


def test_what_was_filled_into_a_form_stands_behind_what_it_was_asked_for() -> None:
    asked = page(("Limit in EUR:", 12, 72, 700), ("Approved by", 12, 72, 640))
    assert filled(typed("25000", 170), asked=asked) == ["Limit in EUR: 25000 Approved by"]


def test_each_of_several_fields_in_a_line_stands_behind_its_own_label() -> None:
    asked = page(("Name:", 12, 72, 700), ("Until:", 12, 300, 700))
    assert filled(typed("Erika B", 120), typed("noon", 350), asked=asked) == ["Name: Erika B Until: noon"]
    asked = page(("Name: ____________ Until: ________", 12, 72, 700))
    assert filled(typed("Erika B", 115), typed("noon", 240), asked=asked) == [
        "Name: ____________ Erika B Until: ________ noon"
    ]


def test_a_field_on_the_left_of_its_label_stands_before_it() -> None:
    asked = page(("Day", 12, 92, 700), ("Night", 12, 300, 700))
    assert filled(typed("x", 72), asked=asked) == ["x Day Night"]
    assert filled(typed("x", 280), asked=asked) == ["Day x Night"]


def test_a_field_beside_nothing_stands_below_what_is_above() -> None:
    asked = page(("Reason", 12, 72, 700), ("End", 12, 72, 600))
    assert " ".join(filled(typed("a leak", 72, 650), asked=asked)) == "Reason a leak End"


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("/FT /Ch /V (Green) /Opt [(Red) (Green)]", ["Colour: Green"]),
        ("/FT /Ch /V [(Green) (Red)] /Opt [(Red) (Green) (Blue)]", ["Colour: Red, Green"]),
        ("/FT /Ch /Opt [(Red) (Green)]", ["Colour:"]),
        ("/FT /Btn /Ff 65536", ["Colour:"]),
        ("/FT /Tx /V (Red) /F 36", ["Colour:"]),
        ("/FT /Tx /V (Red) /Ff 8192", ["Colour:"]),
        ("/FT /Btn /V /Yes /AS /Yes /AP << /N << /Yes 9 0 R >> >>", ["Colour: ✔"]),
        ("/FT /Btn /V /Off /AS /Off /AP << /N << /Yes 9 0 R >> >>", ["Colour:"]),
        ("/Subtype /FreeText /Contents (Dark red)", ["Colour: Dark red"]),
        ("/FT /Tx /V (Dark\\nred)", ["Colour: Dark red"]),
        ("/FT /Ch /Ff 131072 /V (Red) /Opt [(Red) (Green)]", ["Colour: Red"]),
    ],
)
def test_fields_are_read_as_they_show_and_buttons_and_what_is_hidden_are_not(kind: str, shown: list[str]) -> None:
    assert filled((kind, "Red", 170, 694), asked=page(("Colour:", 12, 72, 700))) == shown
