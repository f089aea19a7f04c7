"""Reads the JSON in which our connectors put a document together; every entry may be missing or of another type."""

import json
from typing import Any

from indexer.parse.formats import Unparsable

Bundle = dict[str, Any]


def json_object(text: str, damaged: str, unlike: str) -> Bundle:
    """`text` as a JSON object. Raises Unparsable; damaged: the reason where it is no JSON. unlike: where it is other
    JSON."""
    try:
        found = json.loads(text)
    except RecursionError:
        raise Unparsable("nested too deeply") from None
    except ValueError:
        raise Unparsable(damaged) from None
    if not isinstance(found, dict):
        raise Unparsable(unlike)
    return found


def as_text(value: object) -> str:
    """A text; empty for anything else."""
    return value if isinstance(value, str) else ""


def as_list(value: object) -> list[Any]:
    """A list; empty for anything else."""
    return value if isinstance(value, list) else []


def as_object(value: object) -> Bundle:
    """An object; empty for anything else."""
    return value if isinstance(value, dict) else {}


def texts_in(value: object) -> dict[str, str]:
    """The entries of an object that are texts."""
    return {key: each for key, each in as_object(value).items() if isinstance(each, str)}
