"""Text files of allowed folders as they are now.

A name is taken apart by us and walked one component at a time from an open folder, so that no link, and nothing that
is swapped while we look, leads anywhere else.
"""

import asyncio
import errno
import mimetypes
import os
import re
import stat
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from domain.access import NOBODY, Acl, Scope, permits
from domain.errors import Refused, Transient
from domain.tool_ports import LivePage, LiveSource
from indexer.parse.formats import decode

MAX_NAME = 1_000
"""Characters of a name."""

_KEY_SUFFIXES = frozenset(
    (
        *("pem", "key", "p8", "p12", "pfx", "pk8", "ppk", "jks", "jceks", "keystore", "keytab", "kdb", "kdbx"),
        *("gpg", "pgp", "agekey", "ovpn", "env", "tfstate", "tfvars", "htpasswd"),
    )
)
_KEY_NAME = re.compile(
    r"id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?![a-z]).*|(?:env|netrc|_netrc|pgpass|htpasswd|shadow|gshadow|master\.key)"
    r"|credentials?(?:\..*)?|secrets?(?:\..*)?"
)
_UNPRINTED = frozenset({"Cc", "Cs", "Zl", "Zp"})  # controls, lone surrogates, separators of lines
_AWAY = frozenset({errno.EIO, errno.ESTALE, errno.ETIMEDOUT, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EINTR})

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# a FIFO would be waited for, a terminal could become ours
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class FolderFiles(LiveSource):
    """Text files by `folder/path`. Links are not followed, below the folders themselves.

    Args:
        folders: the folders that may be read, by the names they go by.
        readers: whom each folder admits, by the same names; a folder that is not among them admits nobody.
        max_bytes: larger files are refused.
    """

    def __init__(self, folders: Mapping[str, Path], readers: Mapping[str, Acl], *, max_bytes: int = 1_000_000) -> None:
        self._folders = {name: Path(os.path.realpath(path.expanduser())) for name, path in folders.items()}
        self._readers = dict(readers)
        self._max_bytes = max_bytes

    async def fetch(self, name: str, scope: Scope) -> LivePage | None:
        """The file that `name` names; None when it is not there, is no regular file, lies behind a symbolic link,
        cannot be opened, or `scope` may not read its folder.

        Raises:
            Refused: `name` is malformed, or that of a hidden file, a key or the like, whether it is there or not; or
                the file is too large or no text.
            Transient: the folder cannot be read now.
        """
        folder, *parts = _components(name)
        if folder not in self._folders or not permits(self._readers.get(folder, NOBODY), scope):
            return None
        found = await asyncio.to_thread(self._read, folder, parts)
        if found is None:
            return None
        try:
            text = decode(found)
        except Refused as error:
            raise Refused(f"{name} was not read", why=f"it is not text: {error.what}") from None
        return LivePage(
            url=self._folders[folder].joinpath(*parts).as_uri(),
            title=parts[-1],
            text=text,
            path=name,
            source=folder,
            media_type=mimetypes.guess_type(parts[-1])[0] or "text/plain",
            updated_at=None,  # a time stamp tells when a file was copied or checked out
        )

    def _read(self, folder: str, parts: list[str]) -> bytes | None:
        """The file's bytes; None when it is not there for us. Raises Refused, Transient."""
        try:
            with _opened(self._folders[folder], parts) as file:
                status = os.fstat(file)
                if not stat.S_ISREG(status.st_mode):
                    return None
                with os.fdopen(file, "rb", closefd=False) as stream:
                    raw = stream.read(self._max_bytes + 1)
        except OSError as error:
            if error.errno in _AWAY:
                raise Transient(
                    f"The folder {folder} cannot be read now", why=error.strerror or "", next_step="try again later"
                ) from None
            return None
        if len(raw) > self._max_bytes:
            raise Refused(
                f"{folder}/{'/'.join(parts)} was not read", why=f"it is larger than {self._max_bytes / 1e6:g} MB"
            )
        return raw


def _components(name: str) -> list[str]:
    """Folder and path components of a name.

    Raises:
        Refused: it is not `folder/path`, would be read in more ways than one, or names what is never shown.
    """
    if len(name) > MAX_NAME or any(unicodedata.category(char) in _UNPRINTED for char in name):
        raise _malformed(f"it is longer than {MAX_NAME:,} characters, or has one that is not printed")
    parts = name.split("/")
    if len(parts) < 2 or "\\" in name or not all(part.strip(". ") for part in parts):
        raise _malformed("it is not a folder's name, a slash, and a path below the folder without `..`")
    if any(_is_private(part) for part in parts[1:]):
        raise Refused(
            "the file may not be read",
            why="hidden files, keys and credentials are never shown",
            next_step="name another file",
        )
    return parts


def _is_private(part: str) -> bool:
    """Whether a component is hidden, or named as a key or credentials are; also as a backup of such a file."""
    folded = unicodedata.normalize("NFKC", part).casefold().strip()
    visible = folded.rstrip("~. ")
    suffixes = visible.split(".")[1:]
    return folded.startswith(".") or not _KEY_SUFFIXES.isdisjoint(suffixes) or bool(_KEY_NAME.fullmatch(visible))


@contextmanager
def _opened(root: Path, parts: list[str]) -> Iterator[int]:
    """An open descriptor of the file below `root`, no component of which is a symbolic link.

    Raises OSError: it is not there, or not like that.
    """
    # the folder itself is the operator's choice, and may be reached by a link
    descriptors = [os.open(root, _FOLDER)]
    try:
        for part in parts[:-1]:
            descriptors.append(os.open(part, _FOLDER | os.O_NOFOLLOW, dir_fd=descriptors[-1]))
        # merely opening a device can have effects
        if not stat.S_ISREG(os.stat(parts[-1], dir_fd=descriptors[-1], follow_symlinks=False).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        descriptors.append(os.open(parts[-1], _FILE, dir_fd=descriptors[-1]))
        yield descriptors[-1]
    finally:
        for descriptor in reversed(descriptors):
            os.close(descriptor)


def _malformed(why: str) -> Refused:
    return Refused("the name is not that of a file", why=why, next_step="give a name such as `folder/notes/plan.md`")
