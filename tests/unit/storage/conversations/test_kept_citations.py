"""A citation is read as another release kept it."""

from domain.answers import Citation
from storage.conversations.corrections import as_citation

KEPT = {
    "n": 1,
    "title": "VPN",
    "url": "https://wiki/vpn",
    "path": "vpn.md",
    "source": "docs",
    "document_id": "d1",
    "section": "Start",
    "place": "line 1",
    "quote": "words",
    "updated_at": None,
    "chunk_id": "c1",
}


def test_what_a_newer_release_added_is_left_out() -> None:
    assert as_citation({**KEPT, "relation": "replaces", "span": [1, 2]}) == as_citation(KEPT)


def test_what_an_older_release_did_not_keep_is_empty() -> None:
    assert as_citation({"n": 2}) == Citation(2, "", "", "", "", "", "", "", "", None)
