"""What ships beside the product: a bill of materials (CycloneDX 1.6), the licences, and the size of the files.

Usage: python scripts/sbom.py FOLDER. Writes FOLDER/sbom.cdx.json and FOLDER/licences.txt, and prints the sizes. Of the
packages of requirements.lock that this platform takes, as they are installed in the environment of this Python. The
base image's own packages are not among them.
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = "kb-agent"
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package."""

    name: str
    version: str
    licence: str
    """An SPDX expression, or the words that the package has for it."""
    is_expression: bool
    needs: tuple[str, ...]
    """Names of the packages that it asks for on this platform."""
    size: int
    """Of its files, in bytes, bytecode that was made at the installation included."""


def locked(lock: str) -> dict[str, str]:
    """Names and versions of the packages in the lock's text that this platform takes."""
    lines = re.findall(r"^([A-Za-z0-9].*?)(?: \\)?$", lock, re.MULTILINE)
    found: dict[str, str] = {}
    for each in map(Requirement, lines):
        if each.marker is None or each.marker.evaluate():
            found[canonicalize_name(each.name)] = str(each.specifier).removeprefix("==")
    return found


def packages(lock: str) -> list[Package]:
    """The product and the packages of the lock's text, by name. Raises SystemExit where one is not installed so."""
    found, wrong = [], []
    for name, version in locked(lock).items():
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            wrong.append(f"{name} is not installed")
            continue
        if installed.version != version:
            wrong.append(f"{name} is {installed.version}, and {version} in the lock")
        found.append(_package(name, installed))
    if wrong:
        raise SystemExit("Not as requirements.lock has it: " + "; ".join(wrong) + ". Run: make install")
    return sorted([*found, _package(PRODUCT, distribution(PRODUCT))], key=lambda each: each.name)


def _package(name: str, installed: Distribution) -> Package:
    licence, is_expression = _licence(installed)
    files = (Path(str(installed.locate_file(each))) for each in installed.files or ())
    size = sum(each.stat().st_size for each in files if each.is_file())
    return Package(name, installed.version, licence, is_expression, tuple(sorted(set(_needed(installed)))), size)


def _needed(installed: Distribution) -> Iterator[str]:
    for each in map(Requirement, installed.requires or ()):
        if each.marker is None or each.marker.evaluate({"extra": ""}):
            yield canonicalize_name(each.name)


def _licence(installed: Distribution) -> tuple[str, bool]:
    """The licence, and whether it is an SPDX expression."""
    said = installed.metadata
    if "License-Expression" in said:
        return said["License-Expression"], True
    named = [each.rpartition(" :: ")[2] for each in said.get_all("Classifier") or () if each.startswith("License ::")]
    named = [each for each in named if each != "OSI Approved"]
    words = said["License"].strip().splitlines() if "License" in said else []
    return "; ".join(named) or (words[0][:100] if words else "") or UNKNOWN, False


def bill(shipped: list[Package]) -> dict[str, Any]:
    """The bill of materials."""
    product = next(each for each in shipped if each.name == PRODUCT)
    known = {each.name: _reference(each) for each in shipped}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**_component(product), "type": "application"}},
        "components": [_component(each) for each in shipped if each is not product],
        "dependencies": [
            {"ref": _reference(each), "dependsOn": [known[name] for name in each.needs if name in known]}
            for each in shipped
        ],
    }


def _reference(package: Package) -> str:
    return f"pkg:pypi/{package.name}@{package.version}"


def _component(package: Package) -> dict[str, Any]:
    licence = {"expression": package.licence} if package.is_expression else {"license": {"name": package.licence}}
    reference = _reference(package)
    return {
        "type": "library",
        "bom-ref": reference,
        "name": package.name,
        "version": package.version,
        "purl": reference,
        "licenses": [licence],
    }


def main(folder: Path) -> None:
    """Writes both files, and prints the sizes."""
    shipped = packages((ROOT / "requirements.lock").read_text())
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sbom.cdx.json").write_text(json.dumps(bill(shipped), indent=1) + "\n")
    lines = [f"{each.name} {each.version}: {each.licence}\n" for each in shipped]
    (folder / "licences.txt").write_text("".join(lines))
    total = sum(each.size for each in shipped)
    print(f"{len(shipped)} packages, {total / 1e6:.0f} MB of files; the largest:")
    for each in sorted(shipped, key=lambda package: -package.size)[:8]:
        print(f"  {each.size / 1e6:6.1f} MB  {each.name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
