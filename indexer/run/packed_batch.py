"""A batch of prepared documents as bytes, so that another process can embed and write it.

All of it has passed the masking, as what is indexed has. It is JSON, in which only the types are found that are named
here: who reads it runs nothing that stands in it.
"""

import json
import types
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from domain.knowledge_graph import Facts
from indexer.run.batch import PreparedDocument

_READ: Mapping[Any, Callable[[Any], object]] = {bytes: bytes.fromhex, datetime: datetime.fromisoformat}


@dataclass(frozen=True, slots=True)
class PackedBatch:
    """What is packed."""

    documents: tuple[PreparedDocument, ...]


def packed(documents: Sequence[PreparedDocument]) -> bytes:
    """The bytes of a batch. Blocks and facts stay out: chunks and graph are made of them already."""
    slim = tuple(replace(each, document=replace(each.document, blocks=(), facts=Facts())) for each in documents)
    return zlib.compress(json.dumps(_plain(PackedBatch(slim))).encode(), 1)


def unpacked(raw: bytes) -> list[PreparedDocument]:
    """The documents that `packed` made that of."""
    found: PackedBatch = _made(PackedBatch, json.loads(zlib.decompress(raw)))
    return list(found.documents)


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if is_dataclass(value) and not isinstance(value, type):
        return [_plain(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, frozenset):
        return [_plain(each) for each in sorted(value, key=repr)]
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        return value.hex()
    return value.isoformat() if isinstance(value, datetime) else value


def _made(kind: Any, value: Any) -> Any:
    """The value of a type that `_plain` made that of."""
    origin, inner = get_origin(kind), get_args(kind)
    if value is None or origin is Literal:
        return value
    if origin in {Union, types.UnionType}:
        return _made(next(each for each in inner if each is not type(None)), value)
    if origin in {tuple, list, frozenset}:
        return origin(_made(inner[0], each) for each in value)
    if is_dataclass(kind):
        build: Callable[..., object] = kind  # type: ignore[assignment] # a type, not a value of one
        return build(*map(_made, _kinds(build), value))
    return _READ.get(kind, kind)(value)


@cache
def _kinds(kind: Callable[..., object]) -> tuple[Any, ...]:
    hints = get_type_hints(kind)
    return tuple(hints[each.name] for each in fields(kind))  # type: ignore[arg-type] # a dataclass
