"""What the site is built from: each page has its place in it, and the page of the commands says what they say."""

import re

from scripts.commands_page import page
from tests.architecture.checkout import committed, text

INDEX = "docs/index.md"


def test_each_page_has_its_place() -> None:
    placed = {f"docs/{line}.md" for line in text(INDEX).splitlines() if re.fullmatch(r"[a-z-]+", line)}
    assert placed == {path for path in committed() if re.fullmatch(r"docs/[^/]+\.md", path)} - {INDEX}


def test_the_page_of_the_commands_is_what_they_say() -> None:
    assert text("docs/commands.md") == page(), "run: make docs"
