"""The systemd units and the Kubernetes manifests, read strictly: what they start exists, and what they watch is there.
`make counterparts` has systemd and the schema of Kubernetes judge them."""

from configparser import ConfigParser
from typing import Any

import click
import pytest
import yaml

from bot.app.serving import longest_work
from bot.cli.entry import kb
from bot.http_listener import MOST_CONNECTIONS
from config.load import load
from domain.tasks import LIMIT
from tests.architecture.checkout import ROOT, committed, text

UNITS = {"kb-serve.service": "serve", "kb-worker@.service": "worker"}
MANIFESTS = "deploy/kubernetes"
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
    assert int(service["TimeoutStopSec"]) > longest_work(SERVING) + 3 * LIMIT
    assert service["KillMode"] == "mixed"
    assert int(service["LimitNOFILE"]) >= 8 * MOST_CONNECTIONS
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


def documents() -> dict[tuple[str, str], dict[str, Any]]:
    """Every object of the manifests that are applied, by kind and name."""
    listed = yaml.safe_load(text(f"{MANIFESTS}/kustomization.yaml"))["resources"]
    files = {path.rpartition("/")[2] for path in committed() if path.startswith(f"{MANIFESTS}/")}
    assert set(listed) == files - {"kustomization.yaml"}
    found = [each for name in listed for each in yaml.safe_load_all(text(f"{MANIFESTS}/{name}"))]
    assert len(found) == len({(each["kind"], each["metadata"]["name"]) for each in found})
    return {(each["kind"], each["metadata"]["name"]): each for each in found}


def pods() -> dict[str, dict[str, Any]]:
    """The pods' specifications, by the name of what makes them."""
    kinds = ("Deployment", "Job")
    return {name: each["spec"]["template"]["spec"] for (kind, name), each in documents().items() if kind in kinds}


def test_each_pod_runs_a_command_of_ours_that_may_do_nothing_else() -> None:
    commands = {name: each["containers"][0]["args"] for name, each in pods().items()}
    assert commands == {"kb-upgrade": ["db", "upgrade"], "kb-serve": ["serve"], "kb-worker": ["worker"]}
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
    (generated,) = yaml.safe_load(text(f"{MANIFESTS}/kustomization.yaml"))["configMapGenerator"]
    settings = load(dict(each.split("=", 1) for each in generated["literals"]), ROOT / "deploy")
    assert (settings.serve.http_host, settings.serve.ops_host) == ("0.0.0.0", "0.0.0.0")
    for name, each in pods().items():
        sources = [next(iter(source.items())) for source in each["containers"][0]["envFrom"]]
        known = [("secretRef", {"name": "kb-agent"})]
        assert sources == (known if name == "kb-upgrade" else [("configMapRef", {"name": generated["name"]}), *known])
        assert "env" not in each["containers"][0], "no value of a secret stands in a manifest"


def test_probes_ask_what_is_answered_there() -> None:
    for name in ("kb-serve", "kb-worker"):
        pod = pods()[name]
        (container,) = pod["containers"]
        ports = {each["name"]: each["containerPort"] for each in container["ports"]}
        expected = {"operations": SERVING.ops_port} | ({"http": SERVING.http_port} if name == "kb-serve" else {})
        assert ports == expected
        asked = {
            probe: (container[probe]["httpGet"]["path"], container[probe]["httpGet"]["port"])
            for probe in ("startupProbe", "livenessProbe", "readinessProbe")
        }
        ready = ("/health", "http") if name == "kb-serve" else ("/healthz", "operations")
        assert asked == {
            "startupProbe": ("/healthz", "operations"),
            "livenessProbe": ("/healthz", "operations"),
            "readinessProbe": ready,
        }
        assert pod["terminationGracePeriodSeconds"] > longest_work(SERVING) + 3 * LIMIT


def test_selectors_find_their_pods_and_a_drained_node_takes_one_at_a_time() -> None:
    found = documents()
    for name in ("kb-serve", "kb-worker"):
        deployment, budget = found["Deployment", name]["spec"], found["PodDisruptionBudget", name]["spec"]
        labels = deployment["template"]["metadata"]["labels"]
        assert deployment["selector"]["matchLabels"] == budget["selector"]["matchLabels"] == labels
        assert budget["maxUnavailable"] < deployment["replicas"]
    assert found["Service", "kb-serve"]["spec"]["selector"] == labels_of(found["Deployment", "kb-serve"])


def labels_of(deployment: dict[str, Any]) -> dict[str, str]:
    labels: dict[str, str] = deployment["spec"]["template"]["metadata"]["labels"]
    return labels
