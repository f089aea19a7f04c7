"""A batch of prepared documents as bytes, so that another process can embed and write it.

All of it has passed the masking, as what is indexed has. It is JSON, in which only the types are found that a prepared
document is made of: who reads it runs nothing that stands in it.
"""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from domain.knowledge_graph import Facts
from indexer.run.batch import PreparedDocument

if TYPE_CHECKING:
    from pydantic import TypeAdapter


def packed(documents: Sequence[PreparedDocument]) -> bytes:
    """The bytes of a batch. Blocks and facts stay out: chunks and graph are made of them already."""
    slim = [replace(each, document=replace(each.document, blocks=(), facts=Facts())) for each in documents]
    return zlib.compress(_batches().dump_json(slim), 1)


def unpacked(raw: bytes) -> list[PreparedDocument]:
    """The documents that `packed` made that of."""
    return _batches().validate_json(zlib.decompress(raw))


@cache
def _batches() -> "TypeAdapter[list[PreparedDocument]]":
    from pydantic import ConfigDict, TypeAdapter  # it takes a third of a second to import

    return TypeAdapter(list[PreparedDocument], config=ConfigDict(ser_json_bytes="hex", val_json_bytes="hex"))
