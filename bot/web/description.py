"""The description of the API, OpenAPI 3.1, made of its operations and their types. Pure."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from bot.web.models import (
    AgainEvent,
    Body,
    OutcomeEvent,
    Problem,
    ProgressEvent,
    QuestionEvent,
    SentenceEvent,
    SourcesEvent,
    StageEvent,
)
from bot.web.operations import API, Operation
from bot.web.problems import MEDIA_TYPE
from domain.patterns import LinearRegex

EVENTS: dict[str, type[Body]] = {
    "question": QuestionEvent,
    "stage": StageEvent,
    "progress": ProgressEvent,
    "sentence": SentenceEvent,
    "again": AgainEvent,
    "sources": SourcesEvent,
    "outcome": OutcomeEvent,
}
"""What each event of a stream says."""

_PARAMETER = LinearRegex(r"\{(?P<name>\w+)(?::(?:[^{}]|\{[^}]*\})*)?\}")

_PROBLEMS = {
    "400": "The request is no HTTP that can be read",
    "401": "No valid token",
    "403": "The token's scope does not reach, or another site sent the request",
    "404": "Nothing is there that the caller may see",
    "405": "The path has no such method",
    "406": "The caller takes no type that we have",
    "408": "The body was too slow",
    "409": "The Idempotency-Key belongs to another question",
    "413": "The body is too large",
    "415": "The body is of another type",
    "421": "The service has another name",
    "422": "The request is of another form",
    "429": "A limit is reached",
    "500": "A mistake of ours",
    "503": "It cannot be done now",
}


def description(operations: Sequence[Operation]) -> dict[str, Any]:
    """The whole description, as JSON."""
    used: list[type[BaseModel]] = [Problem, *EVENTS.values(), *(each.reply for each in operations)]
    used += [each.body for each in operations if each.body]
    _, schemas = models_json_schema([(each, "validation") for each in dict.fromkeys(used)], ref_template=_REF)
    paths: dict[str, dict[str, Any]] = {}
    for each in operations:
        paths.setdefault(plain_path(each), {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {"title": "kb-agent", "version": "1", "description": _ABOUT},
        "paths": paths,
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "Made by kb tokens."}},
        },
        "security": [{"token": []}],
    }


_REF = "#/components/schemas/{model}"

_ABOUT = (
    "Questions about a company's documents, answered with numbered citations. Each caller gets only what their identity"
    " may read. Texts are masked: secrets and personal data do not leave."
)


def plain_path(operation: Operation) -> str:
    """Its path, without the patterns of its parts."""
    return API + _PARAMETER.sub(lambda found: f"{{{found['name']}}}", operation.path)


def _operation(each: Operation) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": each.name,
        "summary": each.summary,
        "description": f"{each.description}\n\nScope: {each.scope}.".strip(),
        "parameters": [*_path_parameters(each), *_query_parameters(each.query)],
        "responses": _responses(each),
    }
    if each.body:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": _reference(each.body)}}}
    if each.name == "ask":
        found["parameters"].append(_IDEMPOTENCY)
    return found


_IDEMPOTENCY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A name of the caller's own for this question: sent again, it is asked once. It counts within its"
    " conversation; with another question it is refused (409).",
    "schema": {"type": "string", "pattern": r"^[A-Za-z0-9_-]{8,64}$"},
}


def _path_parameters(each: Operation) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": _part(name)} for name in _PARAMETER.findall(each.path)
    ]


def _part(name: str) -> dict[str, Any]:
    if name == "id":
        return {"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"^[A-Za-z0-9_-]+$"}
    return {"type": "integer", "minimum": 1, "maximum": 999 if name == "n" else 10**18 - 1}


def _query_parameters(kind: type[Body]) -> list[dict[str, Any]]:
    schema = kind.model_json_schema()
    needed = set(schema.get("required", ()))
    return [
        {"name": name, "in": "query", "required": name in needed, "schema": _without_null(each)}
        for name, each in schema.get("properties", {}).items()
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter that may be left out: a query has no null."""
    options = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    return {**{k: v for k, v in schema.items() if k not in {"anyOf", "default"}}, **options[0]} if options else schema


def _responses(each: Operation) -> dict[str, Any]:
    content: dict[str, Any] = {"application/json": {"schema": _reference(each.reply)}}
    if each.streams:
        content = {} if each.name == "follow" else content
        said = "; ".join(f"{name}: {kind.__name__}" for name, kind in EVENTS.items())
        content["text/event-stream"] = {
            "schema": {"type": "string", "description": f"Events, their data as JSON. {said}"}
        }
    problem = {MEDIA_TYPE: {"schema": _reference(Problem)}}
    problems = {code: {"description": words, "content": problem} for code, words in _PROBLEMS.items()}
    return {str(each.status): {"description": each.summary, "content": content}, **problems}


def _reference(kind: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _REF.format(model=kind.__name__)}
