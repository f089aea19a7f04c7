"""What the parsing process answers, as bytes and back, and the frames in which the two processes exchange messages."""

import json
import struct
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from domain.documents import ParsedFile

if TYPE_CHECKING:
    from pydantic import TypeAdapter

LENGTH = struct.Struct(">I")
"""What stands before every message: its length in bytes."""


@dataclass(frozen=True, slots=True)
class ParserReply:
    """The answer about one file."""

    parsed: ParsedFile | None = None
    refused: str = ""
    """Why it was not parsed."""
    spent: bool = False
    """Whether the process ends itself afterwards."""


def frame(message: bytes) -> bytes:
    """`message` behind its length."""
    return LENGTH.pack(len(message)) + message


def encode(reply: ParserReply) -> bytes:
    """`reply` as JSON."""
    return json.dumps(reply, default=_entries, ensure_ascii=False).encode(errors="replace")


def decode(raw: bytes) -> ParserReply:
    """The inverse of `encode`. Raises ValueError for anything that `encode` does not make."""
    return _replies().validate_json(raw, strict=True)


def _entries(value: Any) -> dict[str, object]:
    return {each.name: getattr(value, each.name) for each in fields(value)}


@cache
def _replies() -> "TypeAdapter[ParserReply]":
    from pydantic import TypeAdapter  # the parsing process does without it

    return TypeAdapter(ParserReply)
