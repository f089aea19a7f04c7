import ast
from collections.abc import Iterable
from dataclasses import fields

import pytest

from config.load import slices_of_settings
from tests.architecture.checkout import modules, tree

READER = "config/load.py"
NAMES = {"environ", "environb", "getenv", "getenvb"}


def test_only_the_settings_read_the_environment() -> None:
    found = [f"{path}:{line}" for path in modules() if path != READER for line in readings(tree(path))]
    assert not found


def test_the_settings_do_read_it() -> None:
    assert readings(tree(READER))


def readings(module: ast.Module) -> list[int]:
    """The lines that touch the environment."""
    return [node.lineno for node in ast.walk(module) if isinstance(node, ast.stmt | ast.expr) and reads(node)]


def reads(node: ast.stmt | ast.expr) -> bool:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.value.id == "os" and node.attr in NAMES
    return isinstance(node, ast.ImportFrom) and node.module == "os" and any(name.name in NAMES for name in node.names)


@pytest.mark.parametrize(
    "code", ["os.environ['A']", "os.getenv('A')", "from os import environ", "from os import getenv"]
)
def test_readings_are_seen(code: str) -> None:
    assert readings(ast.parse(code)) == [1]


def test_each_setting_is_read_by_the_composition_root() -> None:
    slices = slices_of_settings().values()
    unread = {field.name for kind in slices for field in fields(kind)} - attributes(map(tree, modules("bot")))
    assert not unread, "only bot/ hands settings on to the other packages"


def attributes(trees: Iterable[ast.Module]) -> set[str]:
    """The names that are read behind a dot."""
    nodes = (node for each in trees for node in ast.walk(each))
    return {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)}


def test_what_is_read_behind_a_dot_is_seen() -> None:
    assert attributes([ast.parse("a.b = c.d.e(f=1)")]) == {"d", "e"}
