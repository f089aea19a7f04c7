"""The reader of the Atlassian Document Format against the format's own JSON schema."""

import json
import re
from functools import cache

import pytest

from tests.counterparts.adf_documents import ID, Json, Schema, Written
from tests.counterparts.conftest import INSTALLED, missing
from tests.fakes.atlassian.adf_rules import NEEDED, adf_faults
from tests.fakes.atlassian.markup import read_adf

FOLDER = INSTALLED / "node_modules" / "@atlaskit" / "adf-schema" / "dist" / "json-schema" / "v1"
VERSIONS = pytest.mark.parametrize("version", ["full", "stage-0"])


def schema(version: str) -> Json:
    path = FOLDER / f"{version}.json"
    if not path.exists():
        missing("adf", "npm package @atlaskit/adf-schema is not installed: `make counterparts` does that")
    found: Json = json.loads(path.read_text())
    return found


@cache
def of(version: str) -> tuple[Json, Schema, list[Written]]:
    found = schema(version)
    reader = Schema(found)
    return found, reader, list(reader.documents())


def used(value: object) -> set[str]:
    """The types of all nodes and marks in a document."""
    if isinstance(value, list):
        return set().union(*map(used, value))
    if not isinstance(value, dict):
        return set()
    inner = (each for name, each in value.items() if name in {"content", "marks"})
    return {str(value.get("type"))}.union(*map(used, inner))


@VERSIONS
def test_every_node_and_mark_is_in_a_valid_document(version: str) -> None:
    found, reader, written = of(version)
    faults = [(each.place, fault) for each in written for fault in reader.faults(each.document, {"$ref": "doc_node"})]
    assert faults == []
    of_nodes = {_type(each) for name, each in found["definitions"].items() if name.endswith(("_node", "_mark"))}
    assert of_nodes - {""} <= set().union(*(used(each.document) for each in written))
    assert len(written) > 300


def struck(value: object) -> set[str]:
    """The words of a document that are struck out, and not indexed."""
    if isinstance(value, list):
        return set().union(*map(struck, value))
    if not isinstance(value, dict):
        return set()
    if any(mark.get("type") == "strike" for mark in value.get("marks", ())):
        return set(re.findall(r"\w+", json.dumps(value.get("text", ""))))
    return set().union(*map(struck, value.values()))


def _type(definition: Json) -> str:
    enum = definition.get("properties", {}).get("type", {}).get("enum", [""])
    return str(enum[0])


@VERSIONS
def test_no_text_that_holds_is_lost_and_no_id_is_shown(version: str) -> None:
    lost: list[tuple[tuple[str, ...], set[str]]] = []
    shown: list[tuple[str, ...]] = []
    for each in of(version)[2]:
        holds = each.said - struck(each.document)
        if not holds:
            continue
        parsed = read_adf(each.document)
        text = " ".join(" ".join([*block.heading_path, block.header, block.text]) for block in parsed.blocks)
        words = set(re.findall(r"\w+", text))
        if holds - words:
            lost.append((each.place, holds - words))
        if words & struck(each.document):
            shown.append(each.place)
        if ID in text or any(ID in name for name in (*parsed.mentions.attachments, *parsed.mentions.urls)):
            shown.append(each.place)
    assert (lost, shown) == ([], [])


def test_the_local_site_knows_every_node_and_what_it_needs() -> None:
    needed: dict[str, set[str]] = {}
    for name, each in schema("stage-0")["definitions"].items():
        if name.endswith("_node") and _type(each):
            attributes = each["properties"].get("attrs", {})
            options = [set(part.get("required", ())) for part in attributes.get("anyOf", [attributes])]
            own = set.intersection(*options) if "attrs" in each.get("required", ()) else set()
            needed[_type(each)] = needed.get(_type(each), own) & own
    assert needed == NEEDED


@VERSIONS
def test_the_local_site_takes_what_the_schema_takes(version: str) -> None:
    for each in of(version)[2]:
        assert list(adf_faults(each.document)) == [], each.place
