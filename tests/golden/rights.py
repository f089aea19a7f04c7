"""What people see when a source is closed to them, as files: `python -m tests.golden.rights --write` plays it on the
local platforms, writes the files, and puts them into docs/closed-sources.md."""

import re
import sys
import textwrap
from pathlib import Path

from tests.command import ROOT

FOLDER = Path(__file__).with_name("files") / "rights"
PAGE = ROOT / "docs" / "closed-sources.md"

FLOWS = ("tests/flows/platforms/test_closed_meanwhile.py", "tests/flows/platforms/test_corrections.py")
"""Where it is played."""

WIDTH = 110

_CHANGING = (
    (re.compile(r"http://127\.0\.0\.1:\d+"), "https://wiki.example"),
    (re.compile(r"file:///\S*/harbour/"), "file:///harbour/"),
    (re.compile(r"updated (?:\d+ \w+ ago|just now)"), "updated …"),
    (re.compile(r"\d{4}-\d\d-\d\d"), "…"),
    (re.compile(r"^\((?:complete|in_progress)\) .*\n", re.MULTILINE), ""),  # how far it is; as fast as the machine
)
"""What is another each time, and what stands for it."""

writing = False
"""Whether files are written instead of compared."""


class Transcript:
    """What is said and seen, one below the other."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def said(self, who: str, text: str) -> None:
        """Somebody's words."""
        for pattern, shown in _CHANGING:
            text = pattern.sub(shown, text)
        wrapped = [part for line in text.splitlines() for part in textwrap.wrap(line, WIDTH) or [""]]
        self._lines += [who, *(f"  {line}".rstrip() for line in wrapped), ""]

    def happens(self, line: str) -> None:
        """What somebody does elsewhere."""
        self._lines += [f"── {line}", ""]

    def is_held(self, name: str) -> None:
        """Compares it with its file."""
        FOLDER.mkdir(exist_ok=True)
        path, text = FOLDER / f"{name}.txt", "\n".join(self._lines).strip() + "\n"
        if writing:
            path.write_text(text, encoding="utf-8")
        golden = path.read_text(encoding="utf-8")
        assert text == golden, "if it was meant to change: python -m tests.golden.rights --write"


def in_page(name: str, text: str) -> str:
    """A transcript as it stands in the page."""
    return f"<!-- {name}: made by `python -m tests.golden.rights --write` -->\n\n```text\n{text}```\n"


def names() -> list[str]:
    """Of all transcripts."""
    return sorted(path.stem for path in FOLDER.iterdir())


def main() -> int:
    """Plays, and writes."""
    import pytest

    from tests.golden import rights

    if "--write" not in sys.argv[1:]:
        sys.exit("with --write it writes the files anew; the tests compare them")
    rights.writing = True
    code = pytest.main(["-q", *FLOWS])
    page = PAGE.read_text(encoding="utf-8")
    for name in names():
        made = in_page(name, (FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
        (before,) = re.findall(rf"<!-- {name}: .*?\n```\n", page, flags=re.DOTALL)
        page = page.replace(before, made)
    PAGE.write_text(page, encoding="utf-8")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
