"""Texts of the web in other encodings become UTF-8; other bodies stay as they are."""

import pytest

from indexer.sources.web.connector import as_utf8


@pytest.mark.parametrize(
    ("raw_text", "media_type", "charset"),
    [
        (b"abc", "text/html", "utf-8"),
        (b"abc", "text/html", ""),
        (b"\xff\xd8\xff", "image/jpeg", "iso-8859-1"),
        (b"<?xml encoding='latin1'?>\xfc", "text/xml", "latin1"),
        ("ü".encode("utf-8-sig"), "text/html", "iso-8859-1"),
        (b"xn--" * 100, "text/html", "punycode"),
        (b"616263", "text/html", "hex"),
    ],
)
def test_other_bodies_stay_as_they_are(raw_text: bytes, media_type: str, charset: str) -> None:
    assert as_utf8(raw_text, media_type, charset) == raw_text


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("windows-1251", "Привет"),
        ("koi8-r", "Привет"),
        ("iso-8859-2", "Łódź"),
        ("shift_jis", "日本語"),
        ("euc-jp", "日本語"),
        ("gb2312", "中文"),
        ("big5", "中文"),
        ("euc-kr", "한국어"),
    ],
)
def test_encodings_of_the_web_are_known(charset: str, text: str) -> None:
    assert as_utf8(text.encode(charset), "text/plain", charset).decode("utf-8-sig") == text
