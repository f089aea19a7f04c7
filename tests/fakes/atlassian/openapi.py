"""Whether requests to Jira Cloud are as its published specification has them: paths, methods, parameters, bodies."""

import gzip
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.fakes.atlassian.records import Body, Call

_PLACE = Path("shared/specs/jira-cloud-v3.openapi.json.gz")
_GATEWAY = re.compile(r"/ex/(\w+)/[^/]+")
_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}
_TYPES |= {"array": (list,), "object": (dict,)}


def spec_file() -> Path | None:
    """The specification, in a folder beside this repository or beside one above it. None when it is not there."""
    root = Path(__file__).resolve().parents[3]
    return next((each / _PLACE for each in root.parents if (each / _PLACE).is_file()), None)


@dataclass
class Spec:
    """An OpenAPI document. What it finds wrong it says in words, one line for each."""

    document: Body
    _templates: list[tuple[str, list[str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._templates = [(path, path.split("/")) for path in self.document["paths"]]

    def problems(self, method: str, path: str, query: Mapping[str, Sequence[str]], body: Any = None) -> list[str]:
        """What is wrong with a request; path: without the server's own."""
        found = [(each, operations) for each, operations in self._fitting(path) if method.lower() in operations]
        if not found:
            known = [each for each, _ in self._fitting(path)]
            return [f"no {method} for {known[0]}" if known else f"no such path: {path}"]
        template, operations = found[0]
        operation = operations[method.lower()]
        declared = [
            self._resolved(each) for each in [*operations.get("parameters", ()), *operation.get("parameters", ())]
        ]
        rows = _query(query, {each["name"]: each for each in declared if each["in"] == "query"})
        return [f"{method} {template}: {each}" for each in [*rows, *self._body(operation, body)]]

    def _fitting(self, path: str) -> list[tuple[str, Body]]:
        """The templates that a path fits, those with the fewest variables first."""
        parts = unquote(path).rstrip("/").split("/")
        rows = [(template, own) for template, own in self._templates if _fits(own, parts)]
        rows.sort(key=lambda row: row[0].count("{"))
        return [(template, self.document["paths"][template]) for template, _ in rows]

    def _resolved(self, schema: Body) -> Body:
        if "$ref" not in schema:
            return schema
        found: Any = self.document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return self._resolved(found)

    def _body(self, operation: Body, body: Any) -> list[str]:
        declared = self._resolved(operation.get("requestBody", {}))
        schema = declared.get("content", {}).get("application/json", {}).get("schema")
        if body is None:
            return ["a body is required"] if declared.get("required") else []
        return ["takes no body in JSON"] if schema is None else self._value(schema, body, "body")

    def _value(self, given: Body, value: Any, name: str) -> list[str]:
        schema = self._resolved(given)
        kind = schema.get("type", "")
        if kind in _TYPES and not _is(value, kind):
            return [f"{name} is no {kind}"]
        rows = [row for part in schema.get("allOf", ()) for row in self._value(part, value, name)]
        if "enum" in schema and value not in schema["enum"]:
            rows.append(f"{name} is none of {schema['enum']}")
        if isinstance(value, list):
            rows += [row for each in value for row in self._value(schema.get("items", {}), each, f"{name}[]")]
            return rows + _length(schema, value, name)
        return rows + (self._fields(schema, value, name) if isinstance(value, dict) else [])

    def _fields(self, schema: Body, value: Body, name: str) -> list[str]:
        known = schema.get("properties", {})
        rows = [f"{name}.{each} is required" for each in schema.get("required", ()) if each not in value]
        if schema.get("additionalProperties") is False:
            rows += [f"{name}.{each} is unknown" for each in value if each not in known]
        return rows + [
            row for each in value if each in known for row in self._value(known[each], value[each], f"{name}.{each}")
        ]


def _fits(template: list[str], parts: list[str]) -> bool:
    return len(template) == len(parts) and all(
        own == part or (own.startswith("{") and part != "") for own, part in zip(template, parts, strict=True)
    )


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _length(schema: Body, value: list[Any], name: str) -> list[str]:
    short, long = len(value) < schema.get("minItems", 0), len(value) > schema.get("maxItems", len(value))
    return [f"{name} has {len(value)} entries"] if short or long else []


def _query(query: Mapping[str, Sequence[str]], known: Mapping[str, Body]) -> list[str]:
    rows = [f"parameter {each} is required" for each, of in known.items() if of.get("required") and each not in query]
    for name, values in query.items():
        if name not in known:
            rows.append(f"parameter {name} is unknown")
            continue
        schema = known[name].get("schema", {})
        if len(values) > 1 and schema.get("type") != "array":
            rows.append(f"parameter {name} is repeated")
        form = {"integer": r"-?\d+", "boolean": "true|false"}.get(schema.get("type", ""), ".*")
        rows += [
            f"parameter {name} is no {schema['type']}" for each in values if not re.fullmatch(form, each, re.DOTALL)
        ]
    return rows


@cache
def jira_cloud() -> Spec:
    """Jira Cloud's. Raises FileNotFoundError without it."""
    found = spec_file()
    if found is None:
        raise FileNotFoundError(f"no {_PLACE} beside the repository")
    with gzip.open(found) as content:
        return Spec(json.load(content))


def validate(call: Call, spec: Spec | None = None) -> list[str]:
    """What is wrong with a recorded request to Jira Cloud; nothing for one to another product or host.

    spec: Jira Cloud's own unless given. Raises FileNotFoundError where that is missing.
    """
    gateway = _GATEWAY.match(call.path) if call.front == "gateway" else None
    product = gateway.group(1) if gateway else "jira"
    path = call.path.removeprefix(gateway.group()) if gateway else call.path
    if call.front not in {"site", "gateway"} or product != "jira" or path.startswith("/wiki/"):
        return []
    return (spec or jira_cloud()).problems(call.method, path, call.query, call.body)
