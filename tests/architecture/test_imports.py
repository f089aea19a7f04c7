import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT, child, module_name, modules

RUN = ("migrations/env.py", "/__main__.py")
"""Alembic and `python -m` run these files for what they do; nothing imports them."""

LIGHT = {"bot", "config", "domain", "indexer", "click"}
"""What `kb --help` may import besides the standard library."""

HELP = """
import json, sys
from bot.cli.entry import run
code = run(["--help"])
print(json.dumps({"code": code, "modules": sorted({name.partition(".")[0] for name in sys.modules})}))
"""


def watched(names: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    script = Path(__file__).with_name("import_watcher.py")
    return child(str(script), str(ROOT), given="\n".join(names), folder=folder)


@pytest.mark.slow
def test_importing_any_module_only_reads_code(tmp_path: Path) -> None:
    names = [module_name(path) for path in modules() if not path.endswith(RUN)]
    done = watched(names, tmp_path)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "import socket; socket.socket(socket.AF_INET6).bind(('::1', 0))",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.posix_spawn('/bin/true', ['true'], {})",
        "open('left-behind', 'w').write('x')",
        "import os; os.open('left-behind', os.O_WRONLY | os.O_CREAT)",
        "import os; os.mkdir('left-behind')",
        "import sqlite3; sqlite3.connect('left-behind')",
        f"open({str(ROOT / 'config' / 'default.toml')!r}).read()",
        "try:\n    import subprocess; subprocess.run(['true'])\nexcept Exception:\n    pass",
    ],
)
def test_a_module_that_does_more_is_caught(code: str, tmp_path: Path) -> None:
    (tmp_path / "busy.py").write_text(code)
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv[1:] = [{str(ROOT)!r}]\n"
    script += "from tests.architecture.import_watcher import main\nmain()"
    done = child("-c", script, given="busy", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("busy: "), done.stderr
    assert not (tmp_path / "left-behind").exists()


def test_help_imports_no_heavy_library(tmp_path: Path) -> None:
    done = child("-c", HELP, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["code"] == 0
    heavy = set(found["modules"]) - LIGHT - sys.stdlib_module_names - {"__main__"} - loaded_by_site(tmp_path)
    assert not heavy


def loaded_by_site(folder: Path) -> set[str]:
    """What any Python here has loaded before its first line, such as the hooks of editable installs."""
    done = child("-c", "import sys; print(*{name.partition('.')[0] for name in sys.modules})", folder=folder)
    return set(done.stdout.split())
