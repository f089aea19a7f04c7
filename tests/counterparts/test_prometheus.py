"""The alert rules, read and fired by Prometheus' own tool."""

import subprocess
from pathlib import Path

import yaml

from tests.architecture.checkout import ROOT
from tests.counterparts.conftest import system_program

RULES = ROOT / "deploy/prometheus/alerts.yaml"
CASES = Path(__file__).with_name("alerts.yaml")


def _promtool(*words: str) -> str:
    done = subprocess.run(
        [system_program("prometheus", "promtool"), *words], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_prometheus_reads_the_rules() -> None:
    _promtool("check", "rules", str(RULES))


def test_each_alert_is_still_at_first_and_fires_once(tmp_path: Path) -> None:
    rules = yaml.safe_load(RULES.read_text())
    alerts = [rule for group in rules["groups"] for rule in group["rules"]]
    for each in alerts:
        del each["annotations"]  # promtool compares their words
    cases = yaml.safe_load(CASES.read_text())
    fired = [test["alertname"] for case in cases["tests"] for test in case["alert_rule_test"] if test["exp_alerts"]]
    assert fired == [each["alert"] for each in alerts]
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump(rules))
    (tmp_path / "cases.yaml").write_text(yaml.safe_dump(cases | {"rule_files": ["rules.yaml"]}))
    _promtool("test", "rules", str(tmp_path / "cases.yaml"))
