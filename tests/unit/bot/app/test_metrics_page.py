"""What is drawn and alerted on is measured, and what is measured is drawn."""

import json
import re
from collections.abc import Iterator
from typing import cast

import pytest
import yaml
from prometheus_client import REGISTRY

from bot.app.metrics_page import GAUGES, metrics_page
from bot.app.readiness import Check, Readiness
from bot.app.serving import ServingProcess
from domain import metrics
from domain.errors import Misconfigured, Refused, Transient
from tests.architecture.checkout import text

OTHERS = {"up", "process_resident_memory_bytes"}


def measured() -> set[str]:
    """The names of the product's series."""
    kinds = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}
    found = {
        family.name + ending
        for family in REGISTRY.collect()
        if family.name.startswith("kb_")
        for ending in kinds[family.type]
    }
    return found | set(GAUGES)


def _names(expressions: Iterator[str]) -> set[str]:
    return {name for each in expressions for name in re.findall(r"\b(?:kb_\w+|up|process_\w+)\b", each)}


def drawn() -> set[str]:
    panels = json.loads(text("deploy/grafana/kb-agent.json"))["panels"]
    return _names(target["expr"] for panel in panels for target in panel["targets"])


def test_every_series_of_dashboard_and_alerts_exists() -> None:
    rules = yaml.safe_load(text("deploy/prometheus/alerts.yaml"))["groups"][0]["rules"]
    alerted = _names(rule["expr"] for rule in rules)
    assert alerted
    assert (drawn() | alerted) - measured() - OTHERS == set()
    assert all(rule["annotations"]["next"] for rule in rules)


def test_every_metric_is_drawn_and_told_on_the_page() -> None:
    families = {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in measured()} - {""}
    assert families - {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in drawn()} == {"kb_source_last_run_ok"}
    page = text("docs/operations.md")
    assert {name for name in families if f"`{name}" not in page} == set()


async def test_a_database_that_is_away_is_not_asked_again() -> None:
    async def away() -> list[str]:
        return ["The database does not answer"]

    async def fine() -> list[str]:
        return []

    readiness = Readiness({"database": Check(away), "login": Check(fine)})
    nothing_to_ask = cast("ServingProcess", None)
    page = (await metrics_page(nothing_to_ask, readiness)).decode()
    assert 'kb_ready{check="database"} 0.0' in page
    assert "kb_open_questions" not in page


@pytest.mark.parametrize(
    ("error", "result"),
    [
        (Transient("away"), "transient"),
        (Refused("no"), "refused"),
        (Misconfigured("key"), "misconfigured"),
        (ValueError("ours"), "error"),
        (GeneratorExit(), "cancelled"),
    ],
)
def test_a_request_is_counted_by_how_it_ends(error: BaseException, result: str) -> None:
    labels = {"service": "model", "operation": "test", "result": result}
    with pytest.raises(type(error)), metrics.outgoing_request("model", "test"):
        raise error
    assert REGISTRY.get_sample_value("kb_outgoing_request_seconds_count", labels) == 1
