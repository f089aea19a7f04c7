"""What a process tells those who look after it."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from storage.server.health import WITHOUT_ROW_SECURITY
from tests.command import ROOT, Kb, KbProcess, app_url, rows, wait_for, write
from tests.fakes.slack import Fault, LocalSlack, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.talk import room

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
    url = indexed.env["KB_AGENT_DATABASE_URL"]
    kb = indexed.having(**slack_env(slack), DATABASE_URL=app_url(url), DATABASE_OWNER_URL=url)
    with serving(kb, slack, "serve") as process:
        base = address(process)
        assert got(f"{base}/healthz") == (200, {"status": "ok"})
        wait_for(lambda: got(f"{base}/readyz")[0] == 200)  # its workers give their first sign of life
        named = rows(url, "SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = current_database()")
        assert ("kb serve",) in named
        _, found = got(f"{base}/readyz")
        in_order: dict[str, Any] = {
            "ready": True,
            "phase": "serving",
            "checks": {name: {"ok": True} for name in CHECKS},
        }
        assert found == in_order | {"notes": {"row_security": {"ok": True}}}
        second = start(kb.having(OPS_PORT=base.rpartition(":")[2]), "worker").end()
    assert second.code == 2
    assert "cannot be listened on\n  why: " in second.err
    assert "next: Stop what listens there, or set KB_AGENT_OPS_PORT: each process on a machine takes" in second.err


def test_a_port_that_is_taken_is_told_of_alone(indexed: Kb, slack: LocalSlack, start: Callable[..., KbProcess]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = start(indexed.having(**slack_env(slack) | {"HTTP_PORT": port, "SCHEDULE": "true"}), "serve").end()
    assert ended.code == 2
    assert f"127.0.0.1:{port} cannot be listened on" in ended.err
    assert "Traceback" not in ended.err


def healthy(port: int) -> int:
    """The exit code of the image's health check, where the listener for operators has this port."""
    dockerfile = (ROOT / "Dockerfile").read_text().replace("\\\n", "")
    (check,) = re.findall(r"^HEALTHCHECK .* CMD (\[.*\])$", dockerfile, re.MULTILINE)
    program, *words = json.loads(check)
    assert program == "python"
    return subprocess.run([sys.executable, *words], env={"KB_AGENT_OPS_PORT": str(port)}, check=False).returncode


def test_the_images_health_check_says_whether_a_process_lives(indexed: Kb, slack: LocalSlack) -> None:
    kb = indexed.having(**slack_env(slack))
    with serving(kb, slack, "serve") as process:
        port = int(address(process).rpartition(":")[2])
        assert healthy(port) == 0
        process.process.send_signal(signal.SIGSTOP)
        assert healthy(port) == 1, "it does not answer"
        process.process.send_signal(signal.SIGCONT)
        assert healthy(port) == 0
    assert healthy(port) == 1


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
    why = [f"The database user postgres {WITHOUT_ROW_SECURITY}"]
    assert found.pop("notes") == {"row_security": {"ok": False, "why": why}}
    assert found == {"ready": False, "phase": "serving", "checks": {name: {"ok": True} for name in CHECKS - {"login"}}}
    assert got(f"{base}/healthz")[0] == 200


def test_what_fails_on_the_schedule_is_told_in_a_channel_once(
    indexed: Kb, slack: LocalSlack, start: Callable[..., KbProcess], tmp_path: Path
) -> None:
    docs = write(tmp_path / "gone", walrus="# Walrus")
    assert indexed("index", str(docs)).code == 0
    docs.rename(tmp_path / "away")
    assert indexed("schedule", "run", "content").code == 2
    why = "There is no file or folder "
    failed = next(run for run in indexed("runs", "--json").json["runs"] if run["source"] == "gone")
    assert why in failed["reason"]
    assert f"gone: {failed['reason']}" in indexed("runs").out
    operations = slack.add_channel("operations", [slack.add_user("op", email="op@example.com")]).id
    kb = indexed.having(**slack_env(slack), ALERT_CHANNEL=f"slack:{operations}")
    processes = [start(kb, "worker"), start(kb, "worker")]
    for each in processes:
        address(each)
    wait_for(lambda: bool(slack.channel(operations)))
    for each in processes:
        each.interrupt()
        assert each.end().code == 0
    (told,) = slack.channel(operations)
    head, gone, more = plain(told).splitlines()
    assert re.fullmatch(r"content of manual:\S+: 1 of 2 sources need a look", head)
    assert gone.startswith(f"• gone: {why}")
    assert more == "More: kb schedule, kb runs"
    assert "What fails is told on slack, where KB_AGENT_ALERT_CHANNEL says." in kb("schedule").out
    assert indexed("sources", "remove", "gone", "--yes").code == 0


def test_a_question_is_measured_and_its_lines_of_the_log_bear_its_number(indexed: Kb, slack: LocalSlack) -> None:
    kb = indexed.having(**slack_env(slack), LOG_FORMAT="json")
    with serving(kb, slack, "serve") as process:
        base = address(process)
        here = room(slack, "measured")
        for question in ("How many days of vacation does everybody have?", "Who feeds the walrus of the ministry?"):
            here.outcome(here.ask(question))
        wait_for(lambda: process.said.count("question_ended") == 2)
        with urllib.request.urlopen(f"{base}/metrics", timeout=30) as response:
            assert response.headers["Content-Type"].startswith("text/plain; version=")
            page = response.read().decode()
    found = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }
    assert found["kb_questions_total", "answered", "slack"] == 1
    assert found["kb_questions_total", "not_found", "slack"] == 1
    assert found["kb_answer_seconds_count", "slack"] == 2
    assert found["kb_answer_stage_seconds_count", "search"] >= 2
    assert found["kb_ready", "database"] == 1
    assert (found["kb_open_questions",], found["kb_overdue_questions",]) == (0, 0)
    assert any(name == "kb_source_documents" and count > 0 for (name, *_), count in found.items())
    assert found["kb_outgoing_request_seconds_count", "auth.test", "ok", "slack"] >= 1
    assert "vacation" not in page
    lines = [json.loads(line) for line in process.said.splitlines()]
    messages = [line["message"] for line in lines]
    assert any(each.endswith("Ctrl-C ends.") for each in messages)
    assert "Ending: what runs is finished first." in messages
    ended = [line for line in lines if line.get("event") == "question_ended"]
    accepted = [line for line in lines if line.get("event") == "question_accepted"]
    assert [each["question"] for each in ended] == [each["question"] for each in accepted]
    assert [each["outcome"] for each in ended] == ["answered", "not_found"]
    assert all(each["stage_ms"] and each["tools"] and each["seconds"] > 0 for each in ended)
    assert not any(word in process.said for word in ("vacation", "walrus"))
    listed = kb("questions", "--outcome", "not_found", "--platform", "slack", "--json").json["questions"]
    assert [each["number"] for each in listed] == [ended[1]["question"]]
