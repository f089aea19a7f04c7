import ast

import pytest

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
