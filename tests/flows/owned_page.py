"""A page whose owner has an address, and a question that it comes near to and does not answer."""

from pathlib import Path

from tests.command import Kb

PAGE = """---
title: Harbour crane
author: Olga Owner <olga@example.com>
---

# Harbour crane

The harbour crane lifts forty tonnes. Its driver sits in the upper cabin.
"""
QUESTION = "Who repaired the harbour crane of admiral Zheng in zzz?"
SENT = "asks about your page “Harbour crane”: “Who repaired the harbour crane"


def with_owned_page(kb: Kb, folder: Path) -> None:
    """Indexes the page."""
    (folder / "yard").mkdir()
    (folder / "yard" / "crane.md").write_text(PAGE)
    assert kb("index", str(folder / "yard")).code == 0
