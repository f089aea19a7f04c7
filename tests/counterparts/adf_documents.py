"""Documents in the Atlassian Document Format, written by walking its JSON schema: one for each place in which a node
may stand, with every attribute and every mark that it may have."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

Json = dict[str, Any]

ID = "9f8e7d6c"
"""How ids in these documents begin; no reader has any use for them."""
_SAID = {"text", "alt", "title", "url", "name"}
"""Attributes that a reader sees."""
_UNSEEN = {("placeholder", "text"), ("hardBreak", "text"), ("link", "title"), ("fragment", "name")}
_IDS = {"id", "localId", "collection", "occurrenceKey", "resourceId", "uniqueId", "panelIconId"}
_COLOUR = "#aabbcc"
_DEEP = 1_000


@dataclass
class Written:
    """A document. place: the nodes down to the one it is about. said: words that a reader sees in it."""

    place: tuple[str, ...]
    document: Json
    said: set[str]


class Schema:
    """A JSON schema of the format, of the few keywords that it uses."""

    def __init__(self, schema: Json) -> None:
        self._definitions: Json = schema["definitions"]
        self._costs: dict[str, int] = {}

    def named(self, schema: Json) -> tuple[str, Json]:
        """A schema behind its references: the name of the last one, and what all of its parts say together."""
        name = ""
        while "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            schema = self._definitions[name]
        if "allOf" not in schema:
            return name, schema
        parts = [self.named(part)[1] for part in schema["allOf"]]
        properties = {key: value for part in parts for key, value in part.get("properties", {}).items()}
        return name, {"type": "object", "properties": properties}

    def alternatives(self, schema: Json) -> list[tuple[str, Json]]:
        """Everything that may stand where a schema says so."""
        name, found = self.named(schema)
        if "anyOf" in found:
            return [each for part in found["anyOf"] for each in self.alternatives(part)]
        return [(name, found)]

    def children(self, schema: Json) -> list[tuple[str, Json]]:
        """What a node may hold."""
        _, content = self.named(schema.get("properties", {}).get("content", {}))
        items = content.get("items", [])
        return [each for part in ([items] if isinstance(items, dict) else items) for each in self.alternatives(part)]

    def cost(self, node: tuple[str, Json]) -> int:
        """How many levels of nodes there are at least in a node."""
        name, schema = node
        if name not in self._costs:
            self._costs[name] = _DEEP  # until it is known: a node within itself is never the shortest way
            inner = self.children(schema)
            self._costs[name] = 1 + min(map(self.cost, inner)) if inner else 0
        return self._costs[name]

    def faults(self, value: object, schema: Json, at: str = "") -> Iterator[str]:
        """Where a value breaks its schema."""
        if "$ref" in schema:
            yield from self.faults(value, self._definitions[schema["$ref"].rpartition("/")[2]], at)
        for part in schema.get("allOf", ()):
            yield from self.faults(value, part, at)
        if "anyOf" in schema and not any(self._holds(value, part, at) for part in schema["anyOf"]):
            yield f"{at}: none of the alternatives"
        if not _is_of(value, schema) or ("enum" in schema and value not in schema["enum"]):
            yield f"{at}: {value!r}"
        elif isinstance(value, dict):
            yield from self._of_object(value, schema, at)
        elif isinstance(value, list):
            yield from self._of_list(value, schema, at)

    def _holds(self, value: object, schema: Json, at: str) -> bool:
        types = self.named(schema)[1].get("properties", {}).get("type", {}).get("enum", ())
        named = value.get("type") if isinstance(value, dict) else None
        return not (types and named and named not in types) and not any(self.faults(value, schema, at))

    def _of_object(self, value: Json, schema: Json, at: str) -> Iterator[str]:
        known = schema.get("properties", {})
        yield from (f"{at}: no {name}" for name in schema.get("required", ()) if name not in value)
        if schema.get("additionalProperties") is False:
            yield from (f"{at}: {name} may not be there" for name in value if name not in known)
        for name, each in value.items():
            yield from self.faults(each, known.get(name, {}), f"{at}/{name}")

    def _of_list(self, value: list[Any], schema: Json, at: str) -> Iterator[str]:
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{at}: {len(value)} items"
        items = schema.get("items", {})
        for number, each in enumerate(value):
            part = items if isinstance(items, dict) else items[number] if number < len(items) else {}
            yield from self.faults(each, part, f"{at}/{number}")

    def documents(self) -> Iterator[Written]:
        """One for each pair of a node and what may stand in it."""
        root = self._definitions["doc_node"]
        start: tuple[tuple[str, ...], list[tuple[str, Json]]] = (("doc",), [("doc_node", root)])
        waiting, known = deque([start]), {"doc_node"}
        while waiting:
            place, chain = waiting.popleft()
            for name, child in self.children(chain[-1][1]):
                way = [*chain, (name, child)]
                kind = (*place, _kind(child))
                writer = _Writer(self)
                yield Written(kind, writer.node(root, way[1:]), writer.said)
                if name not in known:
                    known.add(name)
                    waiting.append((kind, way))


@dataclass
class _Writer:
    """Writes one document; no two of its words are equal."""

    schema: Schema
    said: set[str] = field(default_factory=set)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def node(self, schema: Json, way: list[tuple[str, Json]]) -> Json:
        """A node that holds what `way` leads to, and else as little as it may."""
        kind, made = _kind(schema), Json()
        for name, part in schema["properties"].items():
            found = self.schema.named(part)[1]
            if name == "content":
                made[name] = self._content(schema, found, way)
            elif name == "marks":
                made |= {name: marks} if (marks := [self.node(each, []) for each in self._marks(found)]) else {}
            elif name == "attrs":
                options = self.schema.alternatives(part)
                made[name] = self._object(kind, options[len(way) % len(options)][1])
            else:
                made[name] = self._value(kind, name, found)
        return made

    def _content(self, parent: Json, content: Json, way: list[tuple[str, Json]]) -> list[Json]:
        items = content.get("items", {})
        if isinstance(items, list) and not any("anyOf" in each for each in items):  # each has a place of its own
            return [self.node(self.schema.named(each)[1], []) for each in items]
        options = self.schema.children(parent)
        made = [self.node(way[0][1], way[1:])] if way else []
        while len(made) < max(content.get("minItems", 0), 0 if way else 1) and options:
            made.append(self.node(min(options, key=self.schema.cost)[1], []))
        return made

    def _marks(self, marks: Json) -> list[Json]:
        kinds = {_kind(each): each for _, each in self.schema.alternatives(marks.get("items", {})) if each}
        return list(kinds.values()) if marks.get("maxItems") != 0 else []

    def _object(self, kind: str, schema: Json) -> Json:
        properties = schema.get("properties", {}).items()
        return {name: self._value(kind, name, self.schema.named(each)[1]) for name, each in properties}

    def _value(self, kind: str, name: str, schema: Json) -> Any:
        schema = self.schema.alternatives(schema)[0][1]
        number = schema.get("minimum", schema.get("maximum", 1))
        makes: dict[str, Callable[[], Any]] = {
            "string": lambda: self._text(kind, name, schema),
            "array": lambda: [self._value(kind, name, schema["items"])],
            "object": lambda: self._object(kind, schema),
            "number": lambda: number,
            "integer": lambda: number,
            "boolean": lambda: True,
        }
        if "enum" in schema or "type" in schema:
            return schema["enum"][0] if "enum" in schema else makes[schema["type"]]()
        return {"name": self._word(kind, "name")} if name == "data" and kind.endswith("Card") else {}

    def _text(self, kind: str, name: str, schema: Json) -> str:
        if "pattern" in schema or name in {"color", "panelColor", "background"}:
            return _COLOUR
        if name == "timestamp":
            return "1772323200000"
        if name == "url":
            return f"https://site.example/{self._word(kind, name)}"
        if name in _SAID:
            return self._word(kind, name)
        if name == "href":
            return "https://site.example/there"
        return f"{ID}-{next(self.numbers)}" if name in _IDS else "python"

    def _word(self, kind: str, name: str) -> str:
        word = f"word{next(self.numbers)}"
        if (kind, name) not in _UNSEEN:
            self.said.add(word)
        return word


def _kind(schema: Json) -> str:
    found: str = schema["properties"]["type"]["enum"][0]
    return found


def _is_of(value: object, schema: Json) -> bool:
    """Whether a value has the type, size and form that its schema says."""
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "number": int | float, "integer": int}
    if not isinstance(value, types.get(schema.get("type", ""), object)):
        return False
    if isinstance(value, str):
        return len(value) >= schema.get("minLength", 0) and re.search(schema.get("pattern", ""), value) is not None
    if isinstance(value, int | float):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return True
