"""What is deployed, judged by others: systemd, the schema of Kubernetes, CycloneDX, and PgBouncer with our settings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import ROOT
from tests.counterparts.conftest import INSTALLED, missing, system_program

PACKAGES = INSTALLED / "python"


def judged(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with the packages that scripts/counterparts.sh installs."""
    if not (PACKAGES / "kubernetes_validate").is_dir():
        missing("schemas", "kubernetes-validate is not installed: `make counterparts` does that")
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        env={"PYTHONPATH": str(PACKAGES), "PATH": os.environ["PATH"]},
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
for document in yaml.safe_load_all(sys.stdin if len(sys.argv) < 2 else open(sys.argv[1])):
    kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
"""


@pytest.mark.parametrize("name", ["upgrade", "serve", "worker", "disruption"])
def test_the_manifests_are_what_kubernetes_takes(tmp_path: Path, name: str) -> None:
    manifest = ROOT / "deploy" / "kubernetes" / f"{name}.yaml"
    done = judged(VALIDATE, str(manifest))
    assert done.returncode == 0, done.stderr
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(manifest.read_text().replace("spec:", "specs:", 1))
    assert judged(VALIDATE, str(wrong)).returncode == 1


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
