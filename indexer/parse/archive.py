"""ZIP files: a small one may unpack to more than there is room for, and is refused before anything of it is read."""

import io
import zipfile

from indexer.parse.formats import Unparsable
from indexer.parse.limits import ParseLimits

SMALL_MEMBER = 1 << 20
"""Bytes up to which a member of the archive may have any ratio."""


def check_archive(raw: bytes, limits: ParseLimits) -> None:
    """Raises Unparsable when the members of the ZIP archive `raw` would unpack to too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise Unparsable("a damaged ZIP file") from None
    if sum(member.file_size for member in members) > limits.unpacked_bytes:
        raise Unparsable(f"unpacks to more than {limits.unpacked_bytes:,} bytes")
    for member in members:
        if member.file_size > max(SMALL_MEMBER, limits.expansion_ratio * member.compress_size):
            raise Unparsable(f"unpacks to more than {limits.expansion_ratio} times its size")
