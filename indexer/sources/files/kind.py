"""Folders and files as a kind of source."""

import os
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from domain.errors import Refused
from indexer.sources.kind import OptionError, SourceKind, SourceOption, SourceSetup

if TYPE_CHECKING:
    from indexer.sources.connector import Connector


def of_place(place: str) -> dict[str, object] | None:
    """The options of a path. Raises Refused when it leads nowhere."""
    if re.match(r"(?i)[a-z][a-z0-9+.-]*://", place):
        return None
    if not place.strip():  # an empty path would mean the working folder
        raise Refused("The path is empty", next_step="Name what to read; the working folder is a single dot: .")
    try:
        path = Path(os.path.realpath(Path(place).expanduser()))
        path.stat()
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Refused(
            f"There is no file or folder {place}",
            why=f"{why}.",
            next_step="Check the path; a web address begins with https://",
        ) from None
    return {"path": str(path)}


def _stored(given: Mapping[str, Any]) -> dict[str, object]:
    found = of_place(given["path"])
    if found is None:
        raise OptionError(f"{given['path']!r} does not fit a files source.")
    return found


@asynccontextmanager
async def _open(setup: SourceSetup) -> "AsyncIterator[Connector]":
    from indexer.sources.files.connector import FilesConnector

    yield FilesConnector(Path(str(setup.options["path"])), setup.audience, max_bytes=setup.max_bytes)


KIND = SourceKind(
    name="files",
    title="Files",
    summary="A folder of documents, or one file.",
    options=(SourceOption("--path", "path", "The folder or file.", metavar="PATH", required=True),),
    stored=_stored,
    open=_open,
    place_option="path",
    of_place=of_place,
)
