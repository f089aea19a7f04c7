import ast

import pytest

from tests.architecture.checkout import modules, tree

MOCKING = {"mock", "unittest.mock", "pytest_mock"}
ALLOWED = {"setenv", "delenv", "chdir"}
"""What may be changed for the length of a test: the environment and the working folder."""


def test_tests_patch_nothing() -> None:
    found = [f"{path}:{line}" for path in modules("tests") for line in patches(tree(path))]
    assert not found, "give the code another port, setting or argument instead"


def patches(module: ast.Module) -> list[int]:
    """The lines that put something of ours, or of a library's, in another thing's place."""
    return [node.lineno for node in ast.walk(module) if isinstance(node, ast.stmt | ast.expr) and is_patch(node)]


def is_patch(node: ast.stmt | ast.expr) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name in MOCKING for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return node.module in MOCKING or (
            node.module == "unittest" and any(alias.name == "mock" for alias in node.names)
        )
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return "monkeypatch" in node.value.id.lower() and node.attr not in ALLOWED
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "patch"


@pytest.mark.parametrize(
    "code",
    [
        "from unittest.mock import Mock",
        "from unittest import mock",
        "import unittest.mock",
        "patch('agent.service.AnswerService')",
        "monkeypatch.setattr(service, 'ask', None)",
        "monkeypatch.setitem(table, 'a', 1)",
        "MonkeyPatch.context()",
    ],
)
def test_patching_is_seen(code: str) -> None:
    assert patches(ast.parse(code)) == [1]


@pytest.mark.parametrize("code", ["monkeypatch.setenv('A', '1')", "monkeypatch.chdir(folder)", "pytest.MonkeyPatch"])
def test_what_is_allowed_is_not(code: str) -> None:
    assert patches(ast.parse(code)) == []
