"""Every line of shell on the pages about HTTP does what it says."""

import json
import os
import re
import shlex
import subprocess

import pytest

from tests.architecture.checkout import text
from tests.command import ROOT, Kb
from tests.flows.web.conftest import calling, token
from tests.flows.web.test_pages import trying

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINES = [
    line
    for page in ("docs/http-api.md", "docs/web.md")
    for block in BLOCK.findall(text(page))
    for line in block.splitlines()
]
CURL = [line for line in LINES if line.startswith("curl ")]
COMMANDS = [line for line in LINES if line.startswith("kb ")]


def test_there_is_no_other_kind_of_line() -> None:
    assert {line for line in LINES if line not in CURL + COMMANDS} == {"export KB_AGENT_API_PORT=3980"}
    assert len(CURL) > 10


@pytest.fixture(scope="module")
def variables(served: tuple[Kb, str]) -> dict[str, str]:
    """What the lines name."""
    kb, base = served
    ann, root = token(kb, "ann@example.com"), token(kb, "root@example.com", "ask", "search", "operate")
    number = calling(base, ann).ask("How many days of vacation?")["number"]
    return {"API": base, "TOKEN": ann, "ADMIN": root, "NUMBER": str(number), "PATH": os.environ["PATH"]}


@pytest.mark.parametrize("line", CURL)
def test_a_request_is_answered(line: str, variables: dict[str, str]) -> None:
    done = subprocess.run(["sh", "-c", line], env=variables, capture_output=True, text=True, timeout=60, check=True)
    if "event-stream" in line:
        assert re.findall(r"^event: (\w+)$", done.stdout, re.MULTILINE)[-1] == "outcome"
        return
    found = json.loads(done.stdout)
    assert "code" not in found, found


def test_commands_run(kb: Kb) -> None:
    for line in COMMANDS:
        words = shlex.split(line)[1:]
        if words[0] == "tokens":
            done = kb(*words)
            assert done.code == 0, done.err
        else:
            assert words in (["serve"], ["try"]), "tests/flows/web runs both"


def test_the_demo_ends_with_the_line_that_opens_its_index(indexed: Kb) -> None:
    last = (ROOT / "scripts" / "demo.sh").read_text(encoding="utf-8").splitlines()[-1]
    assert last == """printf 'In a browser:  KB_AGENT_DATA_DIR=%s %s/kb try\\n' "$data" "$bin\""""
    with trying(indexed) as (_, address):
        assert address.startswith("http://127.0.0.1:")
