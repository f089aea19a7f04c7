"""What `make sbom` writes: each package of the lock, with a licence."""

import json
import re
from pathlib import Path

import pytest

from scripts.sbom import main, packages
from tests.architecture.checkout import text

pytestmark = pytest.mark.check


def test_each_package_of_the_lock_is_there_with_its_licence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(tmp_path)
    bill = json.loads((tmp_path / "sbom.cdx.json").read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["purl"].startswith("pkg:pypi/kb-agent@")
    components = {each["name"]: each for each in bill["components"]}
    assert len(components) == len(bill["components"])
    unconditional = re.findall(r"^([a-z0-9.-]+)==([^ ]+) \\$", text("requirements.lock"), re.MULTILINE)
    assert len(unconditional) > 100
    for name, version in unconditional:
        assert (components[name]["version"], components[name]["purl"]) == (version, f"pkg:pypi/{name}@{version}")
    known = {bill["metadata"]["component"]["bom-ref"], *(each["bom-ref"] for each in components.values())}
    for each in bill["dependencies"]:
        assert {each["ref"], *each["dependsOn"]} <= known
    (ours,) = (each for each in bill["dependencies"] if each["ref"].startswith("pkg:pypi/kb-agent@"))
    assert any(each.startswith("pkg:pypi/langgraph@") for each in ours["dependsOn"])
    licences = (tmp_path / "licences.txt").read_text()
    assert len(licences.splitlines()) == len(components) + 1
    assert ": unknown" not in licences
    assert re.match(rf"{len(components) + 1} packages, \d+ MB of files", capsys.readouterr().out)


def test_what_is_not_installed_as_locked_is_told() -> None:
    wanted = ("click==0.1", "no-such-package==1", "never==1 ; sys_platform == 'none'")
    lock = "".join(f"{each} \\\n    --hash=sha256:00\n" for each in wanted)
    with pytest.raises(SystemExit, match=r"click is .*, and 0\.1 in the lock; no-such-package is not installed\. Run"):
        packages(lock)
