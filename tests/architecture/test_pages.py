"""The pages name files, classes and headings that exist."""

import ast
import re
from functools import cache
from importlib import import_module

import pytest

from tests.architecture.checkout import PACKAGES, ROOT, committed, modules, text, tree

PAGES = [path for path in committed() if re.fullmatch(r"(README|CONTRIBUTING)\.md|docs/.+\.md", path)]
ARCHITECTURE = "docs/architecture.md"
DECISIONS = "docs/decisions/"
REMOVED = f"{DECISIONS}removed-code.md"
"""Names files that were there once."""
LINES = 200

EXAMPLES = {
    *("bot/app/serving_discord.py", "bot/discord", "docs/discord.md", "tests/fakes/discord", "tests/flows/discord"),
    *(
        "tests/unit/bot/discord",
        "docs/notion.md",
        "indexer/sources/notion/connector.py",
        "indexer/sources/notion/kind.py",
    ),
    *("tests/fakes/notion", "tests/unit/indexer/sources/notion/test_connector.py"),
    "tests/unit/indexer/parse/test_epub.py",
}
"""Paths that a recipe tells to write."""

TOP = (*PACKAGES, "tests", "benchmarks", "docs", "deploy", "scripts", "examples")
PATH = re.compile(rf"(?<![\w/.-])(?:{'|'.join(TOP)})/[\w./-]*[\w/]")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`([^`\n]+)`")
CLASS = re.compile(r"(?:[A-Z][a-z0-9]+){2,}")
DRAWN = re.compile(r"\w\[([A-Z]\w+)\]")
TREE_ENTRY = re.compile(r"(?<![\w/])((?:[a-z_]+/)+|(?:[a-z_]+/)*[a-z_]+\.py)(?=[\s,]|$)")


def test_the_architecture_is_read_in_one_sitting() -> None:
    assert len(text(ARCHITECTURE).splitlines()) < LINES


@pytest.mark.parametrize("page", [page for page in PAGES if page != REMOVED])
def test_paths_that_a_page_names_exist(page: str) -> None:
    named = {path for span in QUOTED.findall(FENCED.sub("", text(page))) for path in PATH.findall(span)}
    assert sorted(path for path in named if not exists(path)) == []


def exists(path: str) -> bool:
    """Whether there is such a file or folder, or one that a recipe tells to write."""
    return path.rstrip("/") in EXAMPLES or (ROOT / path).exists()


@pytest.mark.parametrize("page", [page for page in PAGES if "```python" in text(page)])
def test_names_that_a_page_imports_exist(page: str) -> None:
    imports = [
        (node.module, alias.name)
        for block in PYTHON.findall(text(page))
        for node in ast.walk(ast.parse(block))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in PACKAGES
        for alias in node.names
    ]
    assert [(module, name) for module, name in imports if not hasattr(import_module(module), name)] == []


@pytest.mark.parametrize("page", PAGES)
def test_links_of_a_page_lead_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    links = LINK.findall(FENCED.sub("", text(page)))
    assert [target for target, _ in links if target and not (folder / target).exists()] == []
    to_headings = [
        ((folder / target if target else ROOT / page).resolve(), anchor) for target, anchor in links if anchor
    ]
    assert [(path.name, anchor) for path, anchor in to_headings if anchor not in anchors(path.read_text())] == []


def anchors(page: str) -> set[str]:
    """What links call the headings of a page."""
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(FENCED.sub("", page))}


def test_rooms_of_the_architecture_exist() -> None:
    missing, package = [], ""
    for line in next(iter(FENCED.findall(text(ARCHITECTURE)))).splitlines()[1:-1]:
        entries = TREE_ENTRY.findall(line)
        if not line.startswith(" "):
            package, entries = entries[0], entries[1:]
        missing += [f"{package}{entry}" for entry in entries if not (ROOT / package / entry).exists()]
    assert missing == []


@pytest.mark.parametrize("page", [ARCHITECTURE, "CONTRIBUTING.md"])
def test_classes_that_a_page_names_exist(page: str) -> None:
    named = {name for span in QUOTED.findall(FENCED.sub("", text(page))) for name in CLASS.findall(span)}
    drawn = {name for picture in FENCED.findall(text(page)) for name in DRAWN.findall(picture)}
    assert sorted((named | drawn) - defined_names()) == []


def test_each_decision_is_in_the_list() -> None:
    pages = {page.removeprefix(DECISIONS) for page in PAGES if page.startswith(DECISIONS)} - {"README.md"}
    assert pages == {target for target, _ in LINK.findall(text(f"{DECISIONS}README.md")) if not target.startswith("..")}


@cache
def defined_names() -> set[str]:
    """The classes, and the aliases of types, that the product defines."""
    nodes = [node for path in modules() for node in tree(path).body]
    classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    assigned = {target.id for node in nodes if isinstance(node, ast.Assign) for target in names(node)}
    return classes | assigned


def names(node: ast.Assign) -> list[ast.Name]:
    """The plain names that an assignment gives a value."""
    return [target for target in node.targets if isinstance(target, ast.Name)]
