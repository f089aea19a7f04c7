"""The contracts of .importlinter report what they are named for: forbidden imports are planted in a copy of the tree,
and one run reports each of them."""

import ast
import os
import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

from tests.architecture.checkout import PACKAGES, ROOT, modules, text, tree

pytestmark = pytest.mark.check

PLANTS = {
    # the importer: what it must not import
    "agent.nodes.plan": "httpx",
    "agent.questions.narrowing": "domain.masking.ruleset.table",
    "agent.retrieval": "agent.providers.minilm",
    "agent.routing": "langgraph",
    "agent.service": "agent.nodes.plan",
    "agent.tools.search": "storage.search",
    "agent.replies.writer": "openai",
    "bot.conversation.commands": "bot.slack.block_kit",
    "bot.app.product": "bot.cli.ask",
    "bot.markup.inline": "bot.conversation.texts",
    "bot.app.scheduled_jobs": "slack_sdk",
    "bot.slack.events": "botbuilder",
    "bot.slack.event_parsing": "storage",
    "bot.teams.render": "bot.slack.mrkdwn",
    "bot.terminal.render": "storage.open",
    "config.load": "sqlalchemy",
    "domain.answers": "aiohttp",
    "domain.text.tokens": "config.settings",
    "indexer.chunking.chunker": "onnxruntime",
    "indexer.run.index_run": "agent.retrieval",
    "indexer.run.prune": "indexer.sources.jira.connector",
    "indexer.parse.markdown": "slack_bolt",
    "storage.server.schema_check": "apscheduler",
    "storage.search": "networkx",
}

CYCLES = {
    # the importer, and a module whose folder imports the importer's folder: the two as a cycle reports them
    ("agent.state", "agent.tools.base"): (".state", ".tools"),
    ("indexer.parse.formats", "indexer.sources.files.connector"): (".parse", ".sources"),
    ("storage.server.pool", "storage.index.chunks"): (".server", ".index"),
}

REPORTED = re.compile(r"^-\s+(\S+) -> (\S+) \(", re.MULTILINE)


def test_each_planted_import_is_reported_and_no_other(tmp_path: Path) -> None:
    copy_tree(tmp_path)
    for importer, imported in [*PLANTS.items(), *CYCLES]:
        with (tmp_path / file_of(importer)).open("a", encoding="utf-8") as file:
            file.write(f"\nimport {imported}\n")
    reported = set(REPORTED.findall(lint(tmp_path)))
    assert sorted({*PLANTS.items(), *CYCLES.values()} - reported) == []
    by_contract = {pair for pair in reported if not pair[0].startswith(".")}  # cycles are reported as names of folders
    assert sorted(by_contract - set(PLANTS.items())) == []


def copy_tree(folder: Path) -> None:
    """The Python files of all packages, and the contracts."""
    for path in modules():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, folder / path)
    shutil.copyfile(ROOT / ".importlinter", folder / ".importlinter")


def file_of(module: str) -> str:
    """The path of a module or package."""
    path = module.replace(".", "/")
    return f"{path}/__init__.py" if (ROOT / path).is_dir() else f"{path}.py"


def lint(folder: Path) -> str:
    """What lint-imports prints about the tree in a folder."""
    script = "from importlinter.cli import lint_imports_command as lint; lint(['--no-cache', '--no-logo'])"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder), "COLUMNS": "500"}
    command = [sys.executable, "-c", script]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout


def test_each_foreign_library_has_its_room() -> None:
    assert sorted(imported_libraries() - protected_modules()) == []


def test_each_library_with_a_room_is_imported() -> None:
    foreign = {name for name in protected_modules() if name.partition(".")[0] not in PACKAGES}
    assert sorted(foreign - imported_libraries()) == []


def imported_libraries() -> set[str]:
    """The top-level names of all libraries that the product imports, the standard library excepted."""
    names = {
        name.partition(".")[0] for path in modules() for node in ast.walk(tree(path)) for name in imported_names(node)
    }
    return names - set(PACKAGES) - sys.stdlib_module_names


def imported_names(node: ast.AST) -> list[str]:
    """What an import statement imports; nothing for another node."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    # a relative one is of the package itself
    return [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []


def protected_modules() -> set[str]:
    """What the contracts of type `protected` name."""
    contracts = ConfigParser()
    contracts.read_string(text(".importlinter"))
    return {
        module
        for section in contracts.values()
        if section.get("type") == "protected"
        for module in section["protected_modules"].split()
    }
