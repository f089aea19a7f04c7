"""ParsedFile as a JSON text and back, and the frames in which parent and child exchange messages."""

import json
import struct
from typing import Any, TypeVar

from domain.documents import Block, BlockKind, Mentions, PageMention, ParsedFile, Span

T = TypeVar("T")

LENGTH = struct.Struct(">I")
"""What stands before every message: its length in bytes."""
_MENTIONED = (
    *("issues", "urls", "attachments", "people", "anchors", "called", "replaces", "replaced_by", "roles", "terms"),
)


def frame(message: bytes) -> bytes:
    """`message` behind its length."""
    return LENGTH.pack(len(message)) + message


def encode(parsed: ParsedFile) -> dict[str, Any]:
    """`parsed` as what JSON can hold."""
    return {
        "title": parsed.title,
        "metadata": dict(parsed.metadata),
        "blocks": [
            [
                block.kind.value,
                block.text,
                list(block.heading_path),
                [block.span.first_line, block.span.last_line, block.span.page],
                block.header,
            ]
            for block in parsed.blocks
        ],
        "mentions": {
            "pages": [[page.title, page.page_id, page.space, page.included] for page in parsed.mentions.pages],
            **{name: list(getattr(parsed.mentions, name)) for name in _MENTIONED},
        },
    }


def decode(message: object) -> ParsedFile:
    """The inverse of `encode`. Raises ValueError for anything that `encode` does not make."""
    fields = _of_type(dict, message)
    metadata = _of_type(dict, fields.get("metadata"))
    return ParsedFile(
        _of_type(str, fields.get("title")),
        tuple(_block(item) for item in _of_type(list, fields.get("blocks"))),
        {_of_type(str, key): _of_type(str, value) for key, value in metadata.items()},
        _mentions(_of_type(dict, fields.get("mentions"))),
    )


def to_json(message: dict[str, Any]) -> bytes:
    """`message` as UTF-8; half surrogate pairs, as file names may have them, are escaped."""
    try:
        return json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(message).encode()


def from_json(raw: bytes) -> dict[str, Any]:
    """The object in `raw`. Raises ValueError when there is none."""
    try:
        message: object = json.loads(raw)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return _of_type(dict, message)


def _block(message: object) -> Block:
    match message:
        case [str(kind), str(text), list(path), [int(first), int(last), int() | None as page], str(header)]:
            headings = tuple(_of_type(str, heading) for heading in path)
            return Block(BlockKind(kind), text, headings, Span(first, last, page), header)
        case _:
            raise ValueError("not a block")


def _mentions(fields: dict[str, Any]) -> Mentions:
    texts = {name: tuple(_of_type(str, item) for item in _of_type(list, fields.get(name))) for name in _MENTIONED}
    return Mentions(tuple(_page(item) for item in _of_type(list, fields.get("pages"))), **texts)


def _page(message: object) -> PageMention:
    match message:
        case [str(title), str(page_id), str(space), bool(included)]:
            return PageMention(title, page_id, space, included)
        case _:
            raise ValueError("not a page")


def _of_type(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise ValueError(f"not a {kind.__name__}")  # noqa: TRY004 - one error for every malformed message
    return value
