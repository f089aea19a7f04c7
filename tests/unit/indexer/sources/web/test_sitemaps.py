"""Sitemaps as bytes: what is one, what it says of each page, and which are refused."""

import gzip
import time
from datetime import UTC, datetime

import pytest

from domain.errors import Refused
from indexer.sources.web.sitemaps import SitemapEntry, read_sitemap

JULY = datetime(2025, 7, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        *(
            b"",
            b"plain text",
            b"%PDF-1.7",
            b"<!DOCTYPE html><html><br></html>",
            b"<html xmlns='x'/>",
            b"\x1f\x8bbroken",
        ),
        *(b"<rss><channel/></rss>", b"<p>see <urlset></p>", b"<!-- <urlset> --><html/>", b"\xff\xfe<\x00", b"<"),
    ],
)
def test_what_is_not_a_sitemap_is_a_page(text: bytes) -> None:
    assert read_sitemap(text, 1000) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('<!DOCTYPE urlset [<!ENTITY a "x">]><urlset><url><loc>&a;</loc></url></urlset>', "document type"),
        ('<!DOCTYPE urlset SYSTEM "file:///etc/passwd"><urlset/>', "document type"),
        ('<!DOCTYPE x [<!ENTITY % a SYSTEM "http://127.0.0.1/">%a;]><sitemapindex/>', "document type"),
        ('<?xml version="1.0" encoding="utf-16"?><!DOCTYPE urlset [<!ENTITY a "x">]><urlset/>', "document type"),
        ("<urlset><url><loc>&a;</loc></url></urlset>", "well-formed"),
        ("<urlset><url>", "well-formed"),
        ("<urlset>" + "<a>" * 300 + "</a>" * 300 + "</urlset>", "well-formed"),
        ("<urlset>" + "<a/>" * 5_000 + "</urlset>", "elements"),
        ("<urlset><url></loc></url></urlset>", "well-formed"),
        ("\n\n<?xml version='1.0'?><urlset><url>", "well-formed"),
    ],
)
def test_a_hostile_sitemap_is_refused(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        read_sitemap(text.encode("utf-16" if "utf-16" in text else "utf-8"), 100_000, 5_000)


def laughs(levels: int) -> bytes:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, levels))
    text = f'<!DOCTYPE urlset [<!ENTITY l0 "ha">{entities}]><urlset><url><loc>&l{levels - 1};</loc></url></urlset>'
    return text.encode()


def test_billion_laughs_cost_nothing() -> None:
    began = time.process_time()
    with pytest.raises(Refused, match="document type"):
        read_sitemap(laughs(10), 10_000)
    with pytest.raises(Refused, match="document type"):
        read_sitemap(laughs(30), 10_000)
    assert time.process_time() - began < 1


def test_a_packed_bomb_is_refused() -> None:
    with pytest.raises(Refused, match="when unpacked"):
        read_sitemap(gzip.compress(b"<urlset>" + bytes(1_000_000)), 100_000)


def test_namespaces_comments_and_extensions_do_not_matter() -> None:
    text = """<?xml version="1.0"?><?xml-stylesheet href="x"?><!-- a -->
        <s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:i="image"><!-- b -->
        <s:url><s:loc> http://a/<![CDATA[?x&y]]><!-- c --> </s:loc><i:image><i:loc>http://a/i.png</i:loc></i:image></s:url>
        <s:other><s:url><s:loc>http://nested/</s:loc></s:url></s:other><s:url><s:lastmod>2025</s:lastmod></s:url>
        </s:urlset>"""
    found = read_sitemap(text.encode(), 10_000)
    assert found is not None
    assert found.entries == (SitemapEntry("http://a/?x&y", None),)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2025-07-01", JULY),
        ("2025-07-01T02:00:00+02:00", JULY),
        ("2025-07-01T00:00Z", JULY),
        ("2025-07-01T00:00:00", JULY),
        *((text, None) for text in ("", "2025", "2025-07", "yesterday", "0001-01-01T00:00:00+14:00", "2025-13-01")),
    ],
)
def test_lastmod(text: str, moment: datetime | None) -> None:
    found = read_sitemap(f"<urlset><url><loc>x</loc><lastmod>{text}</lastmod></url></urlset>".encode(), 1000)
    assert found is not None
    assert found.entries[0].modified_at == moment
