"""Reads the JSON in which our connectors put a document together; every entry may be missing or of another type."""

import json
from typing import Any

from indexer.parse.formats import Unparsable
from indexer.parse.limits import ParseLimits
from indexer.parse.mentions import MentionCollector
from indexer.parse.metadata import collect, labels, moment
from indexer.parse.outline import Outline

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


def open_bundle(text: str, unlike: str, limits: ParseLimits) -> tuple[Bundle, Outline, MentionCollector]:
    """The bundle in `text`, an outline with its title, and a collector that knows its people's names. Raises as
    json_object."""
    bundle = json_object(text, "damaged JSON", unlike)
    out = Outline(limits, as_text(bundle.get("title")))
    if bundle.get("cut"):
        out.cut(as_text(bundle["cut"]))
    return bundle, out, MentionCollector(texts_in(bundle.get("names")))


def metadata_of(values: Bundle) -> dict[str, str]:
    """Labels, author, date and space, from the entries of a bundle of these names."""
    return collect(
        labels=labels(map(as_text, as_list(values.get("labels")))),
        author=as_text(values.get("author")),
        updated=moment(as_text(values.get("updated"))),
        space=as_text(values.get("space")),
    )


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
