"""Typed replies: what a model should send, and what is made of what it does send."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from domain.chat import ReplySchema

M = TypeVar("M", bound="ModelReply")


class ModelReply(BaseModel):
    """A part of a reply. Unknown fields are ignored."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)


@cache
def schema_of(name: str, reply: type[ModelReply]) -> ReplySchema:
    """The JSON schema of a reply, all fields required, so that servers with strict schemas take it. It is
    made once: making one takes some milliseconds."""
    return ReplySchema(name, _closed(reply.model_json_schema()))


def _closed(schema: Any) -> Any:  # any part of a JSON schema
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    closed = {key: _closed(value) for key, value in schema.items() if key not in {"title", "default"}}
    if closed.get("type") == "object" and "properties" in closed:
        closed["additionalProperties"] = False
        closed["required"] = list(closed["properties"])
    return closed


def valid(items: object, kind: type[M], limit: int) -> list[M]:
    """The items of a list that fit; the others are left out."""
    found: list[M] = []
    for item in items if isinstance(items, list) else []:
        try:
            found.append(kind.model_validate(item))
        except ValidationError:
            continue
    return found[:limit]


def texts(items: object, limit: int, characters: int = 300) -> tuple[str, ...]:
    """The texts of a list, each once and not longer than that."""
    found = [item.strip()[:characters] for item in items if isinstance(item, str)] if isinstance(items, list) else []
    return tuple(dict.fromkeys(item for item in found if item))[:limit]


def word(value: object, allowed: tuple[str, ...], default: str) -> str:
    """One of some words; the default for anything else."""
    text = str(value).strip().lower().replace("-", "_").replace(" ", "_")
    return text if text in allowed else default
