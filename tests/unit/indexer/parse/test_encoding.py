"""Files in the encodings that people have are read as they were written, or refused."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.documents import BlockKind
from indexer.parse.encoding import decoded
from tests.unit.indexer.parse.parsing import parsed, refusal, texts

GERMAN = "Die Größe der Tür beträgt 90 cm – „Öl“ kostet 5 €."
FRENCH = "Le café de Noël fermé à l'été, œuvre d'élèves : garçon, forêt, où, sûr."
SPANISH = "El niño pidió piñas y jamón, ¿no? ¡Sí! La 1ª señora."
UNITS = "Verbrauch: 50 kWh/m²a, voir les n°s 5 et 6; 3 µs, 2 µm."
UNKNOWN = "its encoding cannot be told"


@pytest.mark.parametrize("text", [GERMAN, FRENCH, SPANISH, UNITS, "Grüße"])
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.ini"])
def test_western_text_of_windows_is_read(text: str, name: str) -> None:
    raw = f"[part]\nkey = {text}\n" if name == "a.ini" else text
    assert text in "\n".join(texts(parsed(raw.encode("cp1252"), name)))


@pytest.mark.parametrize(
    ("codec", "mark"),
    [
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-32-le", codecs.BOM_UTF32_LE),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
        ("utf-8", codecs.BOM_UTF8),
    ],
)
@pytest.mark.parametrize("text", [GERMAN, "Морж живёт в доме.\nИ рад."])
def test_wide_text_is_read_with_and_without_its_mark(codec: str, mark: bytes, text: str) -> None:
    raw = mark + text.encode(codec)
    assert decoded(raw) == text


def test_a_table_of_values_has_its_words() -> None:
    for codec in ("utf-16", "cp1252"):
        (block,) = parsed("Name;Größe\nJörg;groß\nÜla;klein".encode(codec), "a.csv").blocks
        assert block.kind is BlockKind.TABLE
        assert "Jörg" in block.text
        assert "Größe" in block.header


def test_source_code_says_its_encoding_and_is_read_without() -> None:
    said = "# -*- coding: iso-8859-2 -*-\n# Zażółć gęślą jaźń\nx = 1\n"
    assert "Zażółć gęślą jaźń" in texts(parsed(said.encode("iso-8859-2"), "a.py"))[0]
    plain = "// die Größe\nlet x = 1;\n"
    assert "die Größe" in texts(parsed(plain.encode("latin-1"), "a.js"))[0]


@pytest.mark.parametrize("codec", ["cp1251", "koi8-r", "shift_jis", "cp1252"])
def test_a_web_page_declares_its_encoding(codec: str) -> None:
    text = {"shift_jis": "日本語の文章です。", "cp1252": "Größe"}.get(codec, "Морж живёт здесь.")
    name = {"cp1251": "windows-1251", "cp1252": "iso-8859-1"}.get(codec, codec)
    page = f'<html><head><meta charset="{name}"></head><body><p>{text}</p></body></html>'
    assert texts(parsed(page.encode(codec), "a.html")) == [text]


def test_the_server_may_declare_it() -> None:
    assert texts(parsed("Морж живёт здесь.".encode("cp1251"), "a.txt", 'text/plain; charset="windows-1251"')) == [
        "Морж живёт здесь."
    ]


def test_what_is_utf_8_is_that_whatever_it_says_of_itself() -> None:
    page = f'<html><head><meta charset="iso-8859-1"></head><body><p>{GERMAN}</p></body></html>'
    assert texts(parsed(page.encode(), "a.html")) == [GERMAN]
    assert texts(parsed(GERMAN.encode(), "a.txt", "text/plain; charset=iso-8859-1")) == [GERMAN]


@pytest.mark.parametrize(
    "raw",
    [
        "Морж живёт здесь, в доме у реки.".encode("cp1251"),
        "Морж живёт здесь, в доме у реки.".encode("koi8-r"),
        "日本語の文章です。".encode("shift_jis"),
        "Zażółć gęślą jaźń, a potem wróć łódką.".encode("cp1250"),
        "Ο θαλάσσιος ίππος".encode("iso-8859-7"),
        b"caf\xe9 \x01\x02\x03",
        GERMAN.encode("utf-16")[:-1],
        GERMAN.encode() + b"\xff",
    ],
)
def test_what_fits_no_western_language_is_refused_rather_than_garbled(raw: bytes) -> None:
    assert refusal(raw, "a.txt").startswith(UNKNOWN)


@given(st.text(min_size=1))
def test_utf_8_is_never_taken_for_anything_else(text: str) -> None:
    raw = text.encode()
    if "\0" not in text:
        assert decoded(raw) == text.removeprefix("\ufeff") or raw.startswith(b"\xef\xbb\xbf")


@given(st.binary(max_size=400))
def test_any_bytes_are_a_text_or_refused(raw: bytes) -> None:
    found = decoded(raw)
    assert found is None or isinstance(found, str)
