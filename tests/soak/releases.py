"""The code of another release, out of the repository's history."""

import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from shutil import rmtree

from tests.command import ROOT
from tests.conftest import open_folder

_VERSIONS = "migrations/versions"


class NoHistory(Exception):
    """There is no git here, or no such commit; its words say which."""


@contextmanager
def code_of(commit: str) -> Iterator[Path]:
    """Inside, the tree of a commit is in a temporary folder. Raises NoHistory."""
    packed = _git("archive", "--format=tar", _known(commit))
    folder = open_folder("kb-release-")
    try:
        with tarfile.open(fileobj=BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        yield folder
    finally:
        rmtree(folder, ignore_errors=True)


def release_before() -> str:
    """The commit before the latest migration came in. Raises NoHistory."""
    now = revision_of(ROOT)
    for changed in _git("rev-list", "--first-parent", "HEAD", "--", _VERSIONS).decode().split():
        before = _known(f"{changed}^")
        names = _git("ls-tree", "--name-only", f"{before}:{_VERSIONS}").decode().split()
        if max(name[:4] for name in names if name[0].isdigit()) < now:
            return before
    raise NoHistory("No commit here has an earlier schema")


def revision_of(code: Path) -> str:
    """The schema that a release makes."""
    return max(each.name[:4] for each in (code / _VERSIONS).glob("[0-9]*.py"))


def _known(commit: str) -> str:
    """Its full name."""
    return _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}").decode().strip()


def _git(*words: str) -> bytes:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise NoHistory("There is no git here") from error
    if done.returncode != 0:
        why = done.stderr.decode(errors="replace").strip() or "it is not in this repository's history"
        raise NoHistory(f"git {' '.join(words)}: {why}")
    return done.stdout
