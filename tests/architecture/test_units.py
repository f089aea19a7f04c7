"""The systemd units and the Helm chart, read strictly: what they start exists, and what they watch is there.
`make counterparts` has systemd, Helm and the schema of Kubernetes judge them."""

import re
import tomllib
from configparser import ConfigParser
from typing import Any, get_type_hints

import click
import pytest
import yaml

from bot.app.serving import longest_work
from bot.cli.entry import kb
from bot.http_listener import MAX_CONNECTIONS
from config.bounds import Secret
from config.load import load, slices_of_settings
from domain.cancellation import MAX_WAIT_SECONDS
from tests.architecture.checkout import ROOT, text
from tests.golden import kubernetes

UNITS = {"kb-serve.service": "serve", "kb-worker@.service": "worker"}
CHART = "deploy/helm/kb-agent"
SERVING = load({}, ROOT / "deploy").serve


def unit(name: str) -> ConfigParser:
    parser = ConfigParser(strict=False, interpolation=None, delimiters=("=",))  # Environment= may stand twice
    parser.optionxform = str  # type: ignore[assignment,method-assign] # keys of systemd have capitals
    parser.read_string(text(f"deploy/systemd/{name}"))
    return parser


@pytest.mark.parametrize(("name", "command"), UNITS.items())
def test_a_unit_starts_a_command_that_exists_and_leaves_it_time_to_end(name: str, command: str) -> None:
    service = unit(name)["Service"]
    assert service["ExecStart"].split()[-2:] == ["/opt/kb-agent/.venv/bin/kb", command]
    assert kb.get_command(click.Context(kb), command) is not None
    assert int(service["TimeoutStopSec"]) > longest_work(SERVING) + 3 * MAX_WAIT_SECONDS
    assert service["KillMode"] == "mixed"
    assert int(service["LimitNOFILE"]) >= 8 * MAX_CONNECTIONS
    assert f"/var/lib/{service['StateDirectory']}" == service["WorkingDirectory"]
    data = f"Environment=KB_AGENT_DATA_DIR={service['WorkingDirectory']}\n"
    assert data in text(f"deploy/systemd/{name}")


def test_the_units_are_alike_but_for_what_they_start() -> None:
    serve, worker = (set(text(f"deploy/systemd/{name}").splitlines()) for name in UNITS)
    differing = {line.partition("=")[0] for line in serve ^ worker if not line.startswith("#")}
    assert differing == {"Description", "ExecStart"}
    # not in Environment=, which EnvironmentFile= overrides
    assert "ExecStart=/usr/bin/env KB_AGENT_OPS_PORT=%i /opt/kb-agent/.venv/bin/kb worker" in worker


# -- Kubernetes


def test_the_charts_versions_are_the_products() -> None:
    chart = yaml.safe_load(text(f"{CHART}/Chart.yaml"))
    product = tomllib.loads(text("pyproject.toml"))["project"]
    assert chart["version"] == chart["appVersion"] == product["version"]
    assert chart["name"] == product["name"]


def test_the_file_was_made_of_this_chart() -> None:
    written = kubernetes.FILE.read_text(encoding="utf-8").splitlines(keepends=True)
    assert written[0] == kubernetes.first_line(), (
        "after a change of the chart: python -m tests.golden.kubernetes --write"
    )


def documents() -> dict[tuple[str, str], dict[str, Any]]:
    """Every object that the chart makes of its own values, by kind and name."""
    found = list(yaml.safe_load_all(kubernetes.FILE.read_text(encoding="utf-8")))
    assert len(found) == len({(each["kind"], each["metadata"]["name"]) for each in found})
    return {(each["kind"], each["metadata"]["name"]): each for each in found}


def pods() -> dict[str, dict[str, Any]]:
    """The pods' specifications, by the name of what makes them."""
    kinds = ("Deployment", "Job")
    return {name: each["spec"]["template"]["spec"] for (kind, name), each in documents().items() if kind in kinds}


def test_each_pod_runs_a_command_of_ours_that_may_do_nothing_else() -> None:
    commands = {name: each["containers"][0]["args"] for name, each in pods().items()}
    expected = {"kb-agent-upgrade": ["db", "upgrade"], "kb-agent-serve": ["serve"], "kb-agent-worker": ["worker"]}
    assert commands == expected
    for each in pods().values():
        (container,) = each["containers"]
        assert each["securityContext"]["runAsNonRoot"] is True
        assert f"--uid {each['securityContext']['runAsUser']} " in text("Dockerfile")
        assert each["automountServiceAccountToken"] is False
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
        assert mounts == {"tmp": "/tmp", "data": "/var/lib/kb-agent"}
        assert {each["name"] for each in each["volumes"]} == set(mounts)


def test_settings_are_those_that_exist_and_secrets_are_named_alone() -> None:
    settings = load(documents()["ConfigMap", "kb-agent"]["data"], ROOT / "deploy")
    assert (settings.serve.http_host, settings.serve.ops_host) == ("0.0.0.0", "0.0.0.0")
    assert (settings.serve.http_port, settings.serve.ops_port) == (SERVING.http_port, SERVING.ops_port)
    assert settings.web.api_port is None
    named = {"name": "kb-agent"}
    for name, each in pods().items():
        (container,) = each["containers"]
        # of two that have a setting the last one counts: what the pod rests on goes before what the secret says
        known: list[dict[str, Any]] = [{"secretRef": named}]
        assert container["envFrom"] == (known if name == "kb-agent-upgrade" else [*known, {"configMapRef": named}])
        # no value of a secret stands in a manifest; where the URL is missing, no pod starts with a database of its own
        key = {"secretKeyRef": {**named, "key": "KB_AGENT_DATABASE_URL"}}
        assert container["env"] == [{"name": "KB_AGENT_DATABASE_URL", "valueFrom": key}]
    assert not any(kind == "Secret" for kind, _ in documents())


def test_the_chart_refuses_every_setting_that_is_a_secret() -> None:
    template = text(f"{CHART}/templates/settings.yaml")
    listed = re.search(r"\$secret := list\n(.+?) \}\}", template, re.DOTALL)
    kinds = {name: kind for part in slices_of_settings().values() for name, kind in get_type_hints(part).items()}
    secret = {f"KB_AGENT_{name.upper()}" for name, kind in kinds.items() if kind == Secret | None}
    assert listed is not None
    assert set(re.findall(r'"(\w+)"', listed[1])) == secret


def test_the_schema_comes_before_the_pods_and_a_release_waits_for_it() -> None:
    hooks = {key: each["metadata"].get("annotations", {}) for key, each in documents().items()}
    assert {key for key, each in hooks.items() if "helm.sh/hook" in each} == {("Job", "kb-agent-upgrade")}
    assert hooks["Job", "kb-agent-upgrade"] == {
        "helm.sh/hook": "pre-install,pre-upgrade",
        "helm.sh/hook-weight": "0",
        "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded",
    }


def test_probes_ask_what_is_answered_there() -> None:
    for name in ("kb-agent-serve", "kb-agent-worker"):
        pod = pods()[name]
        (container,) = pod["containers"]
        ports = {each["name"]: each["containerPort"] for each in container["ports"]}
        expected = {"operations": SERVING.ops_port} | ({"http": SERVING.http_port} if name == "kb-agent-serve" else {})
        assert ports == expected
        asked = {
            probe: (container[probe]["httpGet"]["path"], container[probe]["httpGet"]["port"])
            for probe in ("startupProbe", "livenessProbe", "readinessProbe")
        }
        ready = ("/health", "http") if name == "kb-agent-serve" else ("/healthz", "operations")
        assert asked == {
            "startupProbe": ("/healthz", "operations"),
            "livenessProbe": ("/healthz", "operations"),
            "readinessProbe": ready,
        }
        assert pod["terminationGracePeriodSeconds"] > longest_work(SERVING) + 3 * MAX_WAIT_SECONDS


def test_selectors_find_their_pods_and_a_drained_node_takes_one_at_a_time() -> None:
    found = documents()
    for name in ("kb-agent-serve", "kb-agent-worker"):
        deployment, budget = found["Deployment", name]["spec"], found["PodDisruptionBudget", name]["spec"]
        selector = deployment["selector"]["matchLabels"]
        (spread,) = deployment["template"]["spec"]["topologySpreadConstraints"]
        assert budget["selector"]["matchLabels"] == spread["labelSelector"]["matchLabels"] == selector
        assert [each for each in pods_labels() if selector.items() <= pods_labels()[each].items()] == [name]
        assert "app.kubernetes.io/version" not in selector, "it could not be upgraded"
        assert budget["maxUnavailable"] < deployment["replicas"]
    service = found["Service", "kb-agent-serve"]["spec"]["selector"]
    assert service == found["Deployment", "kb-agent-serve"]["spec"]["selector"]["matchLabels"]


def pods_labels() -> dict[str, dict[str, str]]:
    """The labels of the pods, by the name of what makes them."""
    made = {name: each for (kind, name), each in documents().items() if kind in {"Deployment", "Job"}}
    return {name: each["spec"]["template"]["metadata"]["labels"] for name, each in made.items()}
