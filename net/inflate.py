"""Bodies with a limit that is kept while they arrive, so that a small bomb never becomes a large one."""

import zlib

GZIP_MAGIC = b"\x1f\x8b"
"""How every gzip member begins. RFC 1952, section 2.3.1."""

_SLACK = 64 * 1024  # what packing may add to bytes that cannot be packed


class TooLargeError(Exception):
    """The content passes its limit."""


class DamagedError(Exception):
    """The bytes are not valid gzip."""


class TruncatedError(DamagedError):
    """The gzip data ends before its last member does."""


class Plain:
    """Collects bytes as they are, at most `limit` of them."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> None:
        """Takes the next piece. Raises TooLargeError."""
        self._size += len(data)
        if self._size > self._limit:
            raise TooLargeError
        self._parts.append(data)

    def content(self) -> bytes:
        """Everything that was fed."""
        return b"".join(self._parts)


class Gunzip(Plain):
    """Unpacks gzip data, one member after the other, to at most `limit` bytes.

    Bytes after the last member that do not begin a new one are dropped, as gzip(1) does.
    """

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self._packed = 0
        self._member = _member()
        self._over = False

    def feed(self, data: bytes) -> None:
        """Takes the next piece. Raises TooLargeError; DamagedError."""
        self._packed += len(data)
        if self._packed > self._limit + _SLACK:
            raise TooLargeError
        while data and not self._over:
            if self._member.eof:
                self._over = data[:1] != GZIP_MAGIC[:1]
                self._member = _member() if not self._over else self._member
            else:
                try:
                    out = self._member.decompress(data, self._limit - self._size + 1)
                except zlib.error as error:
                    raise DamagedError(str(error)) from error
                super().feed(out)
                data = self._member.unused_data

    def content(self) -> bytes:
        """Everything that was unpacked; empty when nothing was fed. Raises TruncatedError."""
        if self._packed and not self._member.eof:
            raise TruncatedError
        return super().content()


def gunzip(data: bytes, limit: int) -> bytes:
    """`data` unpacked. Raises TooLargeError past `limit` bytes; DamagedError; TruncatedError."""
    unpacker = Gunzip(limit)
    unpacker.feed(data)
    return unpacker.content()


def _member() -> "zlib._Decompress":
    return zlib.decompressobj(zlib.MAX_WBITS | 16)  # 16: a gzip header and trailer are expected
