"""The data folder of the embedded database: made, and refused with a reason where it cannot serve."""

import os
import shlex
import shutil
from pathlib import Path

from domain.errors import Misconfigured
from storage.server.account import ROOT_RUNS_AS, closed_folder

MAX_SOCKET_PATH = 107
"""Bytes that Linux allows in the path of a Unix socket (unix(7))."""


def make_folder(data_dir: Path, socket: Path) -> None:
    """Makes the folder when it is missing.

    Args:
        socket: where in it the server's socket will be.

    Raises:
        Misconfigured: it cannot be made or written, its path is too long, or root's server could not reach it.
    """
    try:
        if not data_dir.exists():
            data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
            data_dir.chmod(0o711 if os.geteuid() == 0 else 0o700)  # whatever our umask is
        (data_dir / "start.lock").touch()
    except OSError as error:
        raise Misconfigured(
            f"The data folder {data_dir} cannot be used",
            why=str(error),
            next_step="Name another folder in KB_AGENT_DATA_DIR.",
        ) from error
    if len(os.fsencode(socket)) > MAX_SOCKET_PATH:
        raise Misconfigured(
            f"The path of the data folder is too long: {data_dir}",
            why=f"The server's socket lies in it, and a socket's path has at most {MAX_SOCKET_PATH} bytes.",
            next_step="Name a shorter one in KB_AGENT_DATA_DIR.",
        )
    if os.geteuid() == 0 and (closed := closed_folder(socket.parent)):
        raise Misconfigured(
            f"The data folder {data_dir} cannot be used by root",
            why=f"Root's server runs as the user {ROOT_RUNS_AS}, which may not pass through {closed}.",
            next_step="Name a folder outside of it in KB_AGENT_DATA_DIR (for example /var/lib/kb-agent), "
            "or run as an ordinary user.",
        )


def refuse_closed(cluster: Path) -> None:
    """Raises Misconfigured when the database's folder is there and may not be used by whoever runs this."""
    if not cluster.is_dir() or os.access(cluster, os.R_OK | os.W_OK | os.X_OK, effective_ids=True):
        return
    number = cluster.stat().st_uid
    try:
        owner = cluster.owner()
    except KeyError:  # a user of another machine or container
        owner = f"number {number}"
    ours = number == os.geteuid()
    step = f"Open it again: chmod 700 {shlex.quote(str(cluster))}" if ours else f"Run kb as the user {owner}"
    raise Misconfigured(
        f"The data folder {cluster.parent} cannot be used",
        why=f"You may not read and write {cluster}, which belongs to the user {owner}.",
        next_step=f"{step}, or name another folder in KB_AGENT_DATA_DIR.",
    )


def refuse_less_than(data_dir: Path, needed: int) -> None:
    """Raises Misconfigured when the folder's disk has less than `needed` bytes left."""
    free = shutil.disk_usage(data_dir).free
    if free < needed:
        raise Misconfigured(
            "The disk is full",
            why=f"{data_dir} has {free // 2**20} MB left; the database needs {needed // 2**20} MB.",
            next_step="Free some space, or name a folder on another disk in KB_AGENT_DATA_DIR.",
        )
