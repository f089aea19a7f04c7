"""Docstrings and comments of the code name modules, classes and files that exist."""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.architecture.checkout import PACKAGES, ROOT, module_name, modules, text, tree

FOLDERS = (*PACKAGES, "tests", "benchmarks")
PLACES = "|".join(FOLDERS)
DOTTED = re.compile(rf"(?<![\w./@-])(?:{PLACES})(?:\.\w+)+")
SHORT = re.compile(r"(?<![\w./@-])([a-z_]+)\.([A-Z]\w*[a-z]\w*)\b")
COMMENT = re.compile(r"(?:^|\s)# .*")
PATH = re.compile(rf"(?<![\w/.:@-])(?:{PLACES}|docs|deploy|scripts|examples)/[\w./-]*[\w/]")


@pytest.mark.parametrize("folder", FOLDERS)
def test_names_in_docstrings_and_comments_exist(folder: str) -> None:
    missing = [
        f"{path}:{line} {name}"
        for path in modules(folder)
        for line, words in described(path)
        for name in names(words)
        if not exists(name)
    ]
    assert missing == []


def described(path: str) -> Iterator[tuple[int, str]]:
    """The lines and texts of docstrings (of modules, classes, functions and fields), and of the packages' comments."""
    for node in statements(tree(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value
    if path.startswith(PACKAGES):  # tests and benchmarks have comments inside the texts that they mask or index
        for number, line in enumerate(text(path).splitlines(), start=1):
            yield from ((number, comment) for comment in COMMENT.findall(line))


def statements(within: ast.AST) -> Iterator[ast.AST]:
    """The statements of a module, class or function, with those inside them."""
    for node in getattr(within, "body", ()):
        yield node
        yield from statements(node)


def names(words: str) -> Iterator[str]:
    """Dotted names of the product, `module.Class` with a module's last name, and paths."""
    yield from DOTTED.findall(words)
    yield from PATH.findall(words)
    yield from (f"{module}.{name}" for module, name in SHORT.findall(words))


def exists(name: str) -> bool:
    """Whether a name leads to a module, to something that a module defines, or to a file."""
    if "/" in name:
        return (ROOT / name).exists()
    first, *rest = name.split(".")
    if first in FOLDERS:
        return is_defined(first, rest)
    found = [module for module in contents() if module.split(".")[-1] == first]
    return not found or any(set(rest) <= contents()[module] for module in found)


def is_defined(module: str, rest: list[str]) -> bool:
    """Whether `rest` leads on from a module: through modules as far as there are any, then to what the last defines."""
    while rest and f"{module}.{rest[0]}" in contents():
        module, rest = f"{module}.{rest[0]}", rest[1:]
    return set(rest) <= contents()[module]


@cache
def contents() -> dict[str, set[str]]:
    """What each module defines, by the module's name: names at its top, and of its classes."""
    found: dict[str, set[str]] = {folder: set() for folder in FOLDERS}
    for path in modules(*FOLDERS):
        name = module_name(path)
        found[name] = found.get(name, set()) | set(defined(tree(path).body))
        while "." in name:
            name = name.rpartition(".")[0]
            found.setdefault(name, set())
    return found


def defined(body: list[ast.stmt]) -> Iterator[str]:
    """The names that statements define, with those inside classes."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from defined(node.body)
        if isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
