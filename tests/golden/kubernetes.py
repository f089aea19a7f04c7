"""What the Helm chart makes of its own values, as a file: `python -m tests.golden.kubernetes --write` writes it anew
after a wanted change. That takes Helm, which `make counterparts` installs."""

import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from tests.command import ROOT
from tests.counterparts.conftest import INSTALLED

CHART = ROOT / "deploy" / "helm" / "kb-agent"
FILE = Path(__file__).with_name("files") / "kubernetes.yaml"
HELM = INSTALLED / "helm"


def helm(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs Helm, which is not told of any cluster."""
    return subprocess.run([HELM, *words], env={}, capture_output=True, text=True, check=False)


def first_line() -> str:
    """Begins the file, and tells of which chart it was made."""
    digest = sha256()
    for path in sorted(each for each in CHART.rglob("*") if each.is_file()):
        digest.update(f"{path.relative_to(CHART)}\0".encode() + path.read_bytes())
    return f"# made by `python -m tests.golden.kubernetes --write` of the chart {digest.hexdigest()}\n"


def main(arguments: list[str]) -> int:
    """Writes the file anew."""
    if arguments != ["--write"]:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    done = helm("template", "kb-agent", CHART)
    sys.stderr.write(done.stderr)
    if done.returncode == 0:
        FILE.write_text(first_line() + done.stdout, encoding="utf-8")
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
