"""Who the embedded server runs as: ourselves, or, since PostgreSQL refuses to run as root, a user of its own."""

import os
import pwd
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain.errors import Misconfigured

ROOT_RUNS_AS = "kb-postgres"
"""Root's server runs as this user, made on first use."""

ATTEMPTS = 10


@dataclass(frozen=True, slots=True)
class Account:
    """The system user that the server runs as; None for our own."""

    name: str | None

    @classmethod
    def of_this_process(cls) -> "Account":
        """Whom this process has to start servers as. Raises Misconfigured when that user cannot be made."""
        if os.geteuid() != 0:
            return cls(None)
        try:
            pwd.getpwnam(ROOT_RUNS_AS)
        except KeyError:
            _make_user()
        return cls(ROOT_RUNS_AS)

    def own(self, path: Path) -> None:
        """Gives `path` to that user."""
        if self.name:
            entry = pwd.getpwnam(self.name)
            os.chown(path, entry.pw_uid, entry.pw_gid)

    def identity(self) -> dict[str, Any]:
        """The arguments with which subprocess starts a program as that user."""
        if self.name is None:
            return {}
        entry = pwd.getpwnam(self.name)
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _make_user() -> None:
    command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", ROOT_RUNS_AS]
    for attempt in range(ATTEMPTS):
        made = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
        with suppress(KeyError):
            pwd.getpwnam(ROOT_RUNS_AS)
            return  # made now, or by another process at the same moment
        time.sleep(0.1 * attempt)  # that process may hold the lock on the system's list of users
    raise Misconfigured(
        f"The user {ROOT_RUNS_AS} cannot be made",
        why=made.stderr.strip(),
        next_step="Run as an ordinary user, or set KB_AGENT_DATABASE_URL.",
    )


def closed_folder(path: Path) -> Path | None:
    """The first folder on the way to `path` that others may not pass through."""
    for folder in reversed(path.resolve().parents):
        if folder.exists() and not folder.stat().st_mode & 0o001:
            return folder
    return None
