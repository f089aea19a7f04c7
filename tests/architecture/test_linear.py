"""Where texts of others are read, patterns take linear time: they run on RE2, or are listed with the reason."""

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from re import _constants as tokens  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from benchmarks.linear import WINDOWS
from domain.patterns import LinearRegex
from tests.architecture.backtracking import APART, BOUNDED, FEW, INLINE, ONE_PLACE, ONE_RUN, REASONS, SHORT
from tests.architecture.checkout import ROOT
from tests.pattern_attacks import patterns

PACKAGES = ("domain", "agent", "bot")
ELSEWHERE = ("bot.cli.", "bot.slack.app")
"""What only the operator writes is read there, and names of listeners, which Bolt takes as patterns of `re`."""
SAFE = {"re.compile", "re.escape"}

LISTED = {
    (module, name): reason
    for reason, modules in REASONS.items()
    for module in modules
    for name in modules[module].split()
}


@cache
def sources() -> dict[str, str]:
    """The modules of the packages, by name."""
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    named = {".".join(file.relative_to(ROOT).with_suffix("").parts): file for file in files}
    return {name: file.read_text() for name, file in named.items() if not name.startswith(ELSEWHERE)}


def kept(tree: ast.Module) -> Iterator[str]:
    """The variables of a module that hold patterns of `re`."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and any(
            _called(each) == "re.compile" for each in ast.walk(node)
        ):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))


def _called(node: ast.AST) -> str:
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def complaints(module: str, source: str) -> list[str]:
    """What a module does with `re` that is not listed."""
    tree = ast.parse(source)
    names = list(kept(tree))
    found = [f"{module}.{name}" for name in names if (module, name) not in LISTED]
    inside = [each for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef) for each in ast.walk(node)]
    found += [f"{module}: {ast.unparse(each)}" for each in inside if _called(each) == "re.compile"]
    for each in ast.walk(tree):
        name = _called(each)
        if re.fullmatch(r"re\.[a-z]+", name) and name not in SAFE and (module, ast.unparse(each)) not in INLINE:
            found.append(f"{module}: {ast.unparse(each)}")
        if isinstance(each, ast.ImportFrom) and each.module == "re" and {one.name for one in each.names} - {"escape"}:
            found.append(f"{module} imports from re")
        if isinstance(each, ast.Import) and any(one.name in {"re", "regex"} and one.asname for one in each.names):
            found.append(f"{module} renames re")
    return found


def test_every_pattern_is_linear_or_listed() -> None:
    assert [each for module, source in sources().items() for each in complaints(module, source)] == []


def test_the_list_names_nothing_else() -> None:
    there = {(module, name) for module, source in sources().items() for name in kept(ast.parse(source))}
    assert set(LISTED) - there == set()


@pytest.mark.parametrize(
    "planted",
    [
        'import re\n_NEW = re.compile("(a+)+b")\n',
        'import re\n_OLD, _NEW = re.compile("a"), re.compile("(a+)+b")\n',
        'import re\ndef read(text):\n    return re.sub("(a+)+b", "", text)\n',
        'import re\ndef read(text):\n    return re.compile("(a+)+b").search(text)\n',
        'import re\nTABLE = [(1, re.compile("(a+)+b"))]\n',
        "from re import compile\n",
        "import re as patterns\n",
    ],
)
def test_a_planted_pattern_is_found(planted: str) -> None:
    assert complaints("domain.planted", planted)


def _patterns_of(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _patterns_of(each)


def _is_one_run(tree: Any) -> bool:
    node = tree[0]
    return (
        len(tree) == 1
        and node[0] is tokens.MAX_REPEAT
        and len(node[1][2]) == 1
        and node[1][2][0][0] in {tokens.IN, tokens.LITERAL}
    )


def test_the_reasons_hold() -> None:
    """As far as they can be read off a pattern; benchmarks.linear tries all of them."""
    assert [each for each, reason in LISTED.items() if not _holds(reason, *each)] == []


def _holds(reason: str, module: str, name: str) -> bool:
    source = sources()[module]
    trees = [
        parser.parse(each.pattern, each.flags) for each in _patterns_of(getattr(importlib.import_module(module), name))
    ]
    uses = set(re.findall(rf"\b{name}\.(match|fullmatch|search|finditer|findall|sub|split)\(", source))
    longest = max(tree.getwidth()[1] for tree in trees)
    holds: dict[str, bool] = {
        FEW: longest <= 64,
        BOUNDED: longest <= 2_600,
        ONE_RUN: all(map(_is_one_run, trees)),
        ONE_PLACE: uses <= {"match", "fullmatch"},
        SHORT: f"{module}.{name}" in WINDOWS,
        APART: True,
    }
    return holds[reason]


@pytest.mark.check
def test_every_other_pattern_can_be_compiled() -> None:
    """They are compiled when they are first used."""
    found = [each for each in patterns(PACKAGES) if (*each.name.rpartition(".")[::2],) not in LISTED]
    assert len(found) > 100
    for each in found:
        each.search("")
        each.search("é")


def test_look_around_and_what_re2_reads_otherwise_is_refused() -> None:
    for source in (r"\bword", r"(a)\1", r"[\S]"):
        with pytest.raises(ValueError, match="RE2 has nothing"):
            LinearRegex(source).search("word")
