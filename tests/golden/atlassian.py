"""What is read from Confluence's and Jira's formats: `python -m tests.golden.atlassian --write` writes it anew.

Beside each source under `files/atlassian` stands what its parser makes of it, to be looked at after a wanted change.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from domain.documents import ParsedFile
from indexer.parse.formats import Unparsable
from tests.fakes.atlassian.markup import read_markup

FOLDER = Path(__file__).with_name("files") / "atlassian"
SUFFIX = ".blocks.json"


def sources() -> Mapping[str, Path]:
    """The sources, by the name of their format's folder and their own: `wiki/lists.wiki`."""
    found = [path for path in sorted(FOLDER.glob("*/*")) if not path.name.endswith(SUFFIX)]
    return {f"{path.parent.name}/{path.name}": path for path in found}


def read(path: Path) -> ParsedFile:
    """What the parser of its format makes of a source. Raises Unparsable."""
    return read_markup(path.parent.name, path.read_text(encoding="utf-8"))


def golden(path: Path) -> Path:
    """The file that says what a source is read as."""
    return path.with_name(path.name + SUFFIX)


def shown(path: Path) -> str:
    """What a source is read as, or why it is refused, as the text of its golden file."""
    try:
        file = read(path)
        content = {
            "blocks": [_block(asdict(block)) for block in file.blocks],
            "mentions": _filled(asdict(file.mentions)),
        }
    except Unparsable as refusal:
        content = {"refused": refusal.what}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _block(values: dict[str, Any]) -> dict[str, Any]:
    """A block without its place, which these formats do not have; its text by the line."""
    filled = _filled({**values, "span": None, "text": values["text"].split("\n")})
    header = {"header": values["header"].split("\n")} if values["header"] else {}
    return {**filled, **header}


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    """The values that say something."""
    return {name: value for name, value in values.items() if value}


def main(arguments: list[str]) -> int:
    """Writes all golden files anew, and removes those whose source is gone."""
    if arguments != ["--write"]:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    for stale in FOLDER.glob(f"*/*{SUFFIX}"):
        stale.unlink()
    for path in sources().values():
        golden(path).write_text(shown(path), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
