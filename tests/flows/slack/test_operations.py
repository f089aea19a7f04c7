"""What a process tells those who look after it."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any

from tests.command import Kb, KbProcess, wait_for
from tests.fakes.slack import Fault, LocalSlack
from tests.flows.slack.conftest import serving, slack_env

CHECKS = {"database", "schema", "queue", "login", "connection", "freshness"}


def address(process: KbProcess) -> str:
    """Of the listener for operators, once the process has said it."""
    wait_for(lambda: "Ctrl-C ends." in process.said)
    (found,) = re.findall(r"operations at (http://127\.0\.0\.1:\d+)/readyz", process.said)
    return str(found)


def got(url: str) -> tuple[int, Any]:
    try:
        with urllib.request.urlopen(url, timeout=30) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_a_process_that_serves_lives_and_is_ready_and_keeps_its_port(
    indexed: Kb, slack: LocalSlack, start: Callable[..., KbProcess]
) -> None:
    kb = indexed.having(**slack_env(slack))
    with serving(kb, slack, "serve") as process:
        base = address(process)
        assert got(f"{base}/healthz") == (200, {"status": "ok"})
        wait_for(lambda: got(f"{base}/readyz")[0] == 200)  # its workers give their first sign of life
        _, found = got(f"{base}/readyz")
        assert found == {"ready": True, "phase": "serving", "checks": {name: {"ok": True} for name in CHECKS}}
        second = start(kb.having(OPS_PORT=base.rpartition(":")[2]), "worker").end()
    assert second.code == 2
    assert "cannot be listened on\n  why: " in second.err
    assert "next: Stop what listens there, or set KB_AGENT_OPS_PORT: each process on a machine takes" in second.err


def test_a_worker_says_what_is_not_in_order(indexed: Kb, slack: LocalSlack, start: Callable[..., KbProcess]) -> None:
    process = start(indexed.having(**slack_env(slack)), "worker")
    base = address(process)
    slack.fail("auth.test", Fault.error("token_revoked"), None)
    try:
        wait_for(lambda: got(f"{base}/readyz")[1]["checks"]["queue"]["ok"])
        code, found = got(f"{base}/readyz")
    finally:
        slack.heal("auth.test")
    assert code == 503
    assert found["checks"].pop("login") == {
        "ok": False,
        "why": ["slack: Slack does not let us call auth.test: The token was revoked"],
    }
    assert found == {"ready": False, "phase": "serving", "checks": {name: {"ok": True} for name in CHECKS - {"login"}}}
    assert got(f"{base}/healthz")[0] == 200
