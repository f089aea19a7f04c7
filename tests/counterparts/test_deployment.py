"""What is deployed, judged by others: systemd, Helm, the schema of Kubernetes, and CycloneDX."""

import base64
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.command import ROOT
from tests.counterparts.conftest import INSTALLED, missing, system_program
from tests.golden import kubernetes
from tests.golden.kubernetes import CHART, helm

PACKAGES = INSTALLED / "python"
RICH = Path(__file__).with_name("values.yaml")
"""Values that differ from the chart's own wherever they can."""


def judged(code: str, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Runs Python with the packages that scripts/counterparts.sh installs."""
    if not (PACKAGES / "kubernetes_validate").is_dir():
        missing("schemas", "kubernetes-validate is not installed: `make counterparts` does that")
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        env={"PYTHONPATH": str(PACKAGES), "PATH": os.environ["PATH"]},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


UNITS = {"kb-serve.service": "kb-serve.service", "kb-worker@.service": "kb-worker@3985.service"}


@pytest.mark.parametrize(("name", "instance"), UNITS.items())
@pytest.mark.parametrize("broken", [False, True])
def test_systemd_takes_the_units_without_a_word(tmp_path: Path, name: str, instance: str, *, broken: bool) -> None:
    program = system_program("systemd", "systemd-analyze")
    text = (ROOT / "deploy" / "systemd" / name).read_text()
    text = text.replace("/opt/kb-agent/.venv/bin/kb", "/bin/true")  # it looks for the program, too
    if broken:
        text = text.replace("ProtectSystem=strict", "ProtectSystems=strict")
    (tmp_path / instance).write_text(text)
    words: list[Path | str] = [program, "verify", "--man=no", tmp_path / instance]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode == 0 and not done.stderr) is not broken, done.stderr


def test_the_units_leave_little_open(tmp_path: Path) -> None:
    program = system_program("systemd", "systemd-analyze")
    (tmp_path / "kb-serve.service").write_bytes((ROOT / "deploy" / "systemd" / "kb-serve.service").read_bytes())
    words: list[Path | str] = [program, "security", "--offline=yes", "--threshold=20", tmp_path / "kb-serve.service"]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 0, "2.0 of 10 at most"


VALIDATE = """
import sys, yaml, kubernetes_validate
for document in yaml.safe_load_all(sys.stdin):
    kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
"""


@pytest.fixture
def _helm() -> None:
    if not kubernetes.HELM.is_file():
        machine = f"{platform.system()} {platform.machine()}"
        if machine != "Linux x86_64":
            missing("helm", f"the package has a program for Linux x86_64 alone, and this is {machine}")
        missing("helm", "it is not installed: `make counterparts` does that")


def rendered(*words: str | Path, chart: Path = CHART) -> str:
    """What the chart makes, as YAML. words: more of the command line."""
    done = helm("template", "kb-agent", chart, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def objects(manifests: str) -> dict[tuple[str, str], dict[str, Any]]:
    """The objects of such YAML by kind and name, in its order."""
    return {(each["kind"], each["metadata"]["name"]): each for each in yaml.safe_load_all(manifests)}


@pytest.mark.usefixtures("_helm")
def test_the_golden_file_is_what_helm_makes_of_the_chart() -> None:
    expected = kubernetes.FILE.read_text(encoding="utf-8")
    assert kubernetes.first_line() + rendered() == expected, (
        "if it was meant: python -m tests.golden.kubernetes --write"
    )


@pytest.mark.usefixtures("_helm")
@pytest.mark.parametrize("words", [(), ("--values", RICH)], ids=["default", "rich"])
def test_helm_and_kubernetes_take_what_the_chart_makes(words: tuple[str | Path, ...]) -> None:
    linted = helm("lint", "--strict", CHART, *words)
    assert linted.returncode == 0, linted.stdout
    done = judged(VALIDATE, given=rendered(*words))
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("_helm")
@pytest.mark.parametrize(
    ("right", "wrong"), [("selector:", "selectors:"), ("replicas: ", "replicas: a"), ("  args:", "  words:")]
)
def test_kubernetes_would_not_take_it_with_a_mistake(right: str, wrong: str) -> None:
    manifests = rendered()
    assert right in manifests
    assert judged(VALIDATE, given=manifests.replace(right, wrong, 1)).returncode == 1


@pytest.mark.usefixtures("_helm")
def test_every_value_comes_through() -> None:
    found = objects(rendered("--values", RICH))
    serve, worker, job = (found[kind, f"ask-{name}"]["spec"] for kind, name in PODS)
    assert (serve["replicas"], worker["replicas"]) == (3, 1)
    assert [name for kind, name in found if kind == "PodDisruptionBudget"] == ["ask-serve"], "one pod alone has none"
    for each in (serve, worker, job):
        pod = each["template"]["spec"]
        (container,) = pod["containers"]
        assert container["image"] == "registry.example.com/kb-agent:0.1.0-3"
        assert container["imagePullPolicy"] == "Always"
        assert pod["imagePullSecrets"] == [{"name": "registry"}]
        assert pod["nodeSelector"] == {"pool": "kb"}
        assert pod["tolerations"][0]["key"] == "kb"
        assert "nodeAffinity" in pod["affinity"]
        assert each["template"]["metadata"]["annotations"]["example.com/team"] == "search"
        folders = [mount["mountPath"] for mount in container["volumeMounts"] if mount["name"] == "handbook"]
        assert folders == ["/documents"]
        assert [volume["name"] for volume in pod["volumes"]] == ["tmp", "data", "handbook"]
        assert pod.get("terminationGracePeriodSeconds") == (None if each is job else 200)
    resources = [
        each["template"]["spec"]["containers"][0]["resources"]["requests"]["cpu"] for each in (serve, worker, job)
    ]
    assert resources == ["1", "2", "200m"]
    settings = found["ConfigMap", "ask"]["data"]
    assert settings["KB_AGENT_LLM_MODEL"] == "large"
    assert "KB_AGENT_LOG_FORMAT" not in settings, "null takes a value away"
    assert (settings["KB_AGENT_API_PORT"], settings["KB_AGENT_API_PUBLIC_URL"]) == ("8080", "https://ask.example.com")
    ports = {each["name"]: each["port"] for each in found["Service", "ask-serve"]["spec"]["ports"]}
    assert ports == {"http": 3978, "api": 8080}
    assert {"name": "api", "containerPort": 8080} in serve["template"]["spec"]["containers"][0]["ports"]


PODS = (("Deployment", "serve"), ("Deployment", "worker"), ("Job", "upgrade"))


@pytest.mark.usefixtures("_helm")
def test_the_ingress_leads_to_what_is_for_the_public() -> None:
    ingress = objects(rendered("--values", RICH))["Ingress", "ask-serve"]
    (rule,) = ingress["spec"]["rules"]
    ways = {each["path"]: each["backend"]["service"]["port"]["name"] for each in rule["http"]["paths"]}
    assert ways == {"/api/messages": "http", "/slack/events": "http", "/webhooks": "http", "/": "api"}
    assert ingress["spec"]["tls"] == [{"hosts": ["ask.example.com"], "secretName": "certificate"}]
    assert rule["host"] == "ask.example.com"
    assert ingress["spec"]["ingressClassName"] == "nginx"
    assert ingress["metadata"]["annotations"] == {"example.com/buffering": "off"}


@pytest.mark.usefixtures("_helm")
def test_the_job_has_a_secret_before_the_release_has_one() -> None:
    found = objects(rendered("--values", RICH))
    hooks = {
        key: int(each["metadata"]["annotations"]["helm.sh/hook-weight"])
        for key, each in found.items()
        if "helm.sh/hook" in each["metadata"].get("annotations", {})
    }
    assert hooks == {("Secret", "tokens-upgrade"): -1, ("Job", "ask-upgrade"): 0}
    assert list(found)[-2:] == list(hooks), "behind the objects of the release, and before them in time"
    values = yaml.safe_load(RICH.read_text())["secret"]["values"]
    for name in ("tokens", "tokens-upgrade"):
        secret = found["Secret", name]
        assert "stringData" not in secret, "the cluster may keep what is taken out of it"
        assert {key: base64.b64decode(each).decode() for key, each in secret["data"].items()} == values
    for kind, name in PODS:
        (container,) = found[kind, f"ask-{name}"]["spec"]["template"]["spec"]["containers"]
        named = "tokens-upgrade" if name == "upgrade" else "tokens"
        assert container["envFrom"][0]["secretRef"]["name"] == named
        (variable,) = container["env"]
        assert variable["valueFrom"]["secretKeyRef"] == {"name": named, "key": "KB_AGENT_DATABASE_URL"}


@pytest.mark.usefixtures("_helm")
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--set", "nope=1"], "additional properties 'nope' not allowed"),
        (["--set", "serve.replica=1"], "additional properties 'replica' not allowed"),
        (["--set-string", "serve.replicas=2"], "at '/serve/replicas': got string, want integer"),
        (["--set", "settings.KB_AGENT_DATABASE_POOL=10"], "got number, want string"),
        (["--set", "settings.POOL=a"], "at '/settings': additional properties 'POOL' not allowed"),
        (["--set", "settings.KB_AGENT_SLACK_BOT_TOKEN=a"], "KB_AGENT_SLACK_BOT_TOKEN is a secret"),
        (["--set", "settings.KB_AGENT_OPS_PORT=a"], "KB_AGENT_OPS_PORT is the chart's own"),
        (["--set", "api.enabled=true"], "api.publicUrl is needed"),
        (["--set", "api.publicUrl=http://ask.example.com"], "does not match pattern '^(https://.+)?$'"),
        (["--set", "ingress.enabled=true"], "ingress.host is needed"),
        (["--set", "secret.create=true"], "secret.values: KB_AGENT_DATABASE_URL is needed"),
        (["--set", "podAnnotations.checksum/settings=a"], "checksum/settings is the chart's own"),
        (["--set", "podAnnotations.checksum/secret=a"], "checksum/secret is the chart's own"),
        (["--set", "fullnameOverride=Ask"], 'names of objects cannot begin with "Ask"'),
        (["--set", "fullnameOverride=ask.kb"], 'names of objects cannot begin with "ask.kb"'),
        (["--set", "fullnameOverride=1ask"], 'names of objects cannot begin with "1ask"'),
        (["--set", "ingress.host=https://ask.example.com"], "at '/ingress/host'"),
        (["--set", "ingress.host=Ask.example.com"], "at '/ingress/host'"),
        (["--set", "ingress.host=ask_it.example.com"], "at '/ingress/host'"),
        (["--set", "ingress.host=ask.example.com:443"], "at '/ingress/host'"),
        (["--set", "ingress.host=192.0.2.1"], "at '/ingress/host'"),
        (["--set", "ingress.className=a_b"], "at '/ingress/className'"),
        (["--set", "ingress.tlsSecretName=a_b"], "at '/ingress/tlsSecretName'"),
        (["--set", "secret.name=a_b"], "at '/secret/name'"),
    ],
)
def test_a_value_that_is_wrong_is_refused_with_the_reason(words: list[str], why: str) -> None:
    done = helm("template", "kb-agent", CHART, *words)
    assert done.returncode == 1
    assert why in done.stderr


@pytest.mark.usefixtures("_helm")
@pytest.mark.parametrize(
    ("value", "why"),
    [
        *((each, f"at '': missing property '{each}'") for each in ("settings", "api", "upgrade", "ingress", "image")),
        *((each, f"at '': missing property '{each}'") for each in ("secret", "serve", "worker")),
        ("terminationGracePeriodSeconds", "at '': missing property 'terminationGracePeriodSeconds'"),
        ("api.port", "at '/api': missing property 'port'"),
        ("image.repository", "at '/image': missing property 'repository'"),
        ("secret.values", "at '/secret': missing property 'values'"),
        ("worker.replicas", "at '/worker': missing property 'replicas'"),
    ],
)
def test_a_value_that_is_taken_away_but_needed_is_named(value: str, why: str) -> None:
    done = helm("template", "kb-agent", CHART, "--set", f"{value}=null")
    assert done.returncode == 1
    assert why in done.stderr


@pytest.mark.usefixtures("_helm")
@pytest.mark.parametrize("enabled", [True, False])
def test_the_chart_may_be_a_part_of_another_on_a_condition(tmp_path: Path, *, enabled: bool) -> None:
    dependency = {"name": "kb-agent", "version": "*", "condition": "kb-agent.enabled"}
    chart = {"apiVersion": "v2", "name": "all", "version": "1.0.0", "dependencies": [dependency]}
    (tmp_path / "Chart.yaml").write_text(yaml.safe_dump(chart))
    shutil.copytree(CHART, tmp_path / "charts" / "kb-agent")
    (tmp_path / "values.yaml").write_text(yaml.safe_dump({"global": {"team": "a"}, "kb-agent": {"enabled": enabled}}))
    found = objects(rendered(chart=tmp_path))
    assert (("Deployment", "kb-agent-serve") in found) is enabled


@pytest.mark.usefixtures("_helm")
def test_helm_refuses_a_chart_that_is_broken(tmp_path: Path) -> None:
    chart = shutil.copytree(CHART, tmp_path / "kb-agent")
    template = chart / "templates" / "service.yaml"
    template.write_text(template.read_text().replace('include "kb-agent.labels"', 'include "kb-agent.label"'))
    assert helm("lint", "--strict", chart).returncode == 1
    assert helm("template", "kb-agent", chart).returncode == 1


@pytest.mark.usefixtures("_helm")
def test_pods_start_anew_when_what_they_are_told_changes() -> None:
    def sums(*words: str | Path) -> list[dict[str, str]]:
        found = objects(rendered(*words))
        pods = [each["spec"]["template"] for (kind, _), each in found.items() if kind == "Deployment"]
        return [each["metadata"]["annotations"] for each in pods]

    own = ("--values", RICH)
    for words in (
        ("--set-string", "settings.KB_AGENT_LLM_MODEL=small"),
        ("--set", "api.port=8081"),
        ("--set", "secret.values.JIRA_TOKEN=other"),
    ):
        before, after = sums(*own), sums(*own, *words)
        assert len(before) == len(after) == 2
        assert all(one != other for one, other in zip(before, after, strict=True)), words
    assert sums(*own) == sums(*own, "--set", "serve.replicas=4")


@pytest.mark.usefixtures("_helm")
def test_names_follow_the_release() -> None:
    done = helm("template", "ask", CHART, "--show-only", "templates/service.yaml")
    assert [name for _, name in objects(done.stdout)] == ["ask-kb-agent-serve"]
    done = helm("template", "a" * 53, CHART)
    assert max(len(name) for _, name in objects(done.stdout)) <= 63
    done = helm("template", "1.ask", CHART)
    assert 'names of objects cannot begin with "1.ask-kb-agent"' in done.stderr, "Helm takes it, Kubernetes would not"
    done = helm("template", "1.ask", CHART, "--set", "fullnameOverride=ask", "--show-only", "templates/service.yaml")
    assert [name for _, name in objects(done.stdout)] == ["ask-serve"]


@pytest.mark.usefixtures("_helm")
@pytest.mark.parametrize(("words", "told"), [((), "set ingress.enabled"), (("--values", RICH), "/api/messages")])
def test_notes_say_what_to_do_next(words: tuple[str | Path, ...], told: str) -> None:
    done = helm("install", "kb-agent", CHART, "--namespace", "kb", "--dry-run=client", *words)
    assert done.returncode == 0, done.stderr
    notes = done.stdout.partition("\nNOTES:\n")[2]
    assert told in notes
    name = "ask" if words else "kb-agent"
    assert f"kubectl --namespace kb exec deployment/{name}-worker -- kb sources add" in notes
    assert ("rollout restart" in notes) is not bool(words), "where the chart makes the secret, pods notice its changes"


CYCLONEDX = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
raise SystemExit(str(JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read()) or "") or 0)
"""


def test_the_bill_of_materials_is_cyclonedx(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "scripts" / "sbom.py", tmp_path], check=True, capture_output=True)
    bill = tmp_path / "sbom.cdx.json"
    done = judged(CYCLONEDX, str(bill))
    assert done.returncode == 0, done.stderr
    bill.write_text(bill.read_text().replace('"bomFormat"', '"format"', 1))
    assert judged(CYCLONEDX, str(bill)).returncode == 1
