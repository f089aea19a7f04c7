"""A folder of documents, or a single file."""

import asyncio
import errno
import os
import stat
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

from domain.access import Acl
from domain.errors import Refused, Transient
from indexer.sources.connector import FetchedDocument, ListedDocument, SkippedDocument

FOREIGN_FOLDERS = frozenset({"node_modules", "__pycache__"})
"""Folders of other people's and made things, passed with a word in the report; so are virtual environments. Names that
begin with a dot are passed without one."""


class FilesConnector:
    """Every regular file below a folder, in a steady order, as a Connector. Symbolic links are followed to files inside
    the folder only.

    root: the folder, or one file. acl: whom its documents admit. max_bytes: larger files are passed.
    """

    def __init__(self, root: Path, acl: Acl, *, max_bytes: int = 25_000_000) -> None:
        self._root = Path(os.path.realpath(root.expanduser()))  # Path.resolve fails on links that lead in a circle
        self._acl = acl
        self._max_bytes = max_bytes

    @property
    def acl(self) -> Acl:
        """Whom the folder's documents admit."""
        return self._acl

    @property
    def _folder(self) -> Path:
        return self._root.parent if self._root.is_file() else self._root

    async def listing(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        """See indexer.sources.connector.Connector. The id of a file is its path below the folder."""
        for item in await asyncio.to_thread(lambda: list(self._walk())):
            yield item

    async def fetch(self, item: ListedDocument) -> FetchedDocument:
        return FetchedDocument(await asyncio.to_thread(self._read, item.external_id), Path(item.path).name)

    def _walk(self) -> Iterator[ListedDocument | SkippedDocument]:
        if self._root.is_file():
            yield self._look(self._root)
        elif self._root.is_dir():
            yield from self._walk_folder()
        else:
            raise Refused(
                f"There is no file or folder {self._root}",
                why="It may have been moved, or a drive is not mounted.",
                next_step="Check the path. Nothing was removed from the index; kb sources remove does that.",
            )

    def _walk_folder(self) -> Iterator[ListedDocument | SkippedDocument]:
        """A folder's files, then its folders, however deep they lie."""
        waiting = [self._root]
        while waiting:
            folder = waiting.pop()
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError as error:
                yield self._unread(folder, error)
                continue
            inner = []
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if not entry.is_dir(follow_symlinks=False):
                    yield self._look(folder / entry.name)
                elif _foreign(folder / entry.name):
                    shown = self._shown(folder / entry.name)
                    yield SkippedDocument(f"{shown}/", shown, "a folder of installed or made things", below=True)
                else:
                    inner.append(folder / entry.name)
            waiting += reversed(inner)

    def _unread(self, folder: Path, error: OSError) -> SkippedDocument:
        """What to say of a folder that cannot be listed; what the index holds of it stays.

        Raises Refused when it is the whole source.
        """
        why = _reason(error)
        if folder == self._root:
            raise Refused(f"The folder {folder} cannot be read", why=why, next_step="Grant read access.") from None
        shown = self._shown(folder)
        return SkippedDocument(f"{shown}/", shown, f"the folder cannot be read: {why}", below=True)

    def _look(self, path: Path) -> ListedDocument | SkippedDocument:
        gone = False
        try:
            name, status = path.relative_to(self._folder).as_posix(), path.stat()
            name.encode()  # a name that is not UTF-8 cannot be stored
            reason = self._reason_to_pass(path, status)
        except UnicodeEncodeError:
            reason = "its name is not UTF-8"
        except OSError as error:
            gone = error.errno in {errno.ENOENT, errno.ELOOP}
            reason = "a symbolic link that leads nowhere, or a file that vanished just now" if gone else _reason(error)
        if reason:
            shown = self._shown(path)
            return SkippedDocument(shown, shown, reason, gone=gone)
        return ListedDocument(name, name, path.as_uri(), modified_at=file_time(status.st_mtime), stamped=True)

    def _reason_to_pass(self, path: Path, status: os.stat_result) -> str:
        """Why a file is not indexed; empty when it is."""
        target = path.resolve() if path.is_symlink() else path
        if target is not path and not (target.is_file() and target.is_relative_to(self._folder)):
            return "a symbolic link to a folder, or out of the folder"
        if not stat.S_ISREG(status.st_mode):
            return "not a regular file"
        return self._too_large if status.st_size > self._max_bytes else ""

    @property
    def _too_large(self) -> str:
        return f"larger than {self._max_bytes / 1e6:g} MB"

    def _shown(self, path: Path) -> str:
        return os.fsencode(path.relative_to(self._folder)).decode(errors="replace")

    def _read(self, external_id: str) -> bytes:
        """The file's bytes. Opened without following a link that took the file's place since it was listed."""
        path = Path(os.path.realpath(self._folder / external_id))
        if not path.is_relative_to(self._folder):
            raise Refused("a symbolic link that leaves the folder")
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            raise Transient("it vanished while the folder was read") from None
        except OSError as error:
            raise Refused(_reason(error)) from None
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise Refused("not a regular file")
        with os.fdopen(handle, "rb") as file:
            raw = file.read(self._max_bytes + 1)
        if len(raw) > self._max_bytes:
            raise Refused(self._too_large)
        return raw


def _reason(error: OSError) -> str:
    return (error.strerror or "it cannot be read").lower()


def file_time(timestamp: float) -> datetime | None:
    """A file's time; None for one that no calendar has, as damaged archives leave it."""
    try:
        return datetime.fromtimestamp(timestamp, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _foreign(folder: Path) -> bool:
    if folder.name in FOREIGN_FOLDERS:
        return True
    try:
        return (folder / "pyvenv.cfg").is_file()
    except OSError:  # a path too long to have anything below it
        return False
