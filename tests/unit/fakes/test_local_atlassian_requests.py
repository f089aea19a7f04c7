import re
from typing import Any

import httpx
import pytest

from tests.fakes.atlassian import Call, local_atlassian
from tests.fakes.atlassian.front import ROUTES
from tests.fakes.atlassian.openapi import Spec, jira_cloud, spec_file, validate
from tests.fakes.atlassian.plain_client import Client

needs_specification = pytest.mark.skipif(
    spec_file() is None, reason="Jira Cloud's specification is not beside the repository"
)
ASK = {
    "additionalProperties": False,
    "required": ["ids"],
    "properties": {
        "ids": {"type": "array", "maxItems": 2, "items": {"type": "string"}},
        "inner": {"allOf": [{"$ref": "#/components/schemas/Inner"}]},
        "order": {"type": "string", "enum": ["up", "down"]},
    },
    "type": "object",
}
INNER = {"type": "object", "required": ["count"], "properties": {"count": {"type": "integer"}}}
PARAMETERS: list[dict[str, Any]] = [
    {"name": "issue", "in": "path", "required": True},
    {"name": "fields", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
    {"name": "most", "in": "query", "schema": {"type": "integer"}},
    {"name": "deep", "in": "query", "required": True, "schema": {"type": "boolean"}},
]
POST = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Ask"}}}}
}
SMALL = Spec(
    {
        "paths": {"/issue/{issue}": {"get": {"parameters": PARAMETERS}}, "/issue/bulk": {"post": POST}},
        "components": {"schemas": {"Ask": ASK, "Inner": INNER}},
    }
)


def wrong(method: str, path: str, query: dict[str, list[str]] | None = None, body: Any = None) -> list[str]:
    return [each.removeprefix(f"{method} ") for each in SMALL.problems(method, path, query or {}, body)]


def test_a_request_as_specified_is_fine() -> None:
    assert wrong("GET", "/issue/KB-1", {"deep": ["true"], "fields": ["a", "b"], "most": ["5"]}) == []
    assert wrong("POST", "/issue/bulk", body={"ids": ["1"], "inner": {"count": 3, "more": 1}, "order": "up"}) == []
    assert wrong("GET", "/issue/bulk", {"deep": ["false"]}) == []  # an issue of that name


@pytest.mark.parametrize(
    ("method", "path", "found"),
    [
        ("GET", "/issues/1", "no such path: /issues/1"),
        ("GET", "/issue/", "no such path: /issue/"),
        ("GET", "/issue/1/2", "no such path: /issue/1/2"),
        ("PUT", "/issue/1", "no PUT for /issue/{issue}"),
        ("PUT", "/issue/bulk", "no PUT for /issue/bulk"),
    ],
)
def test_unknown_paths_and_methods(method: str, path: str, found: str) -> None:
    assert SMALL.problems(method, path, {}) == [found]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, "parameter deep is required"),
        ({"deep": ["true"], "maxResults": ["1"]}, "parameter maxResults is unknown"),
        ({"deep": ["yes"]}, "parameter deep is no boolean"),
        ({"deep": ["true"], "most": ["many"]}, "parameter most is no integer"),
        ({"deep": ["true"], "most": ["1", "2"]}, "parameter most is repeated"),
    ],
)
def test_wrong_parameters(query: dict[str, list[str]], found: str) -> None:
    assert wrong("GET", "/issue/1", query) == [f"/issue/{{issue}}: {found}"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (None, "a body is required"),
        ({}, "body.ids is required"),
        ([], "body is no object"),
        ({"ids": "1"}, "body.ids is no array"),
        ({"ids": [1]}, "body.ids[] is no string"),
        ({"ids": ["1", "2", "3"]}, "body.ids has 3 entries"),
        ({"ids": [], "jql": ""}, "body.jql is unknown"),
        ({"ids": [], "inner": {}}, "body.inner.count is required"),
        ({"ids": [], "inner": {"count": True}}, "body.inner.count is no integer"),
        ({"ids": [], "order": "left"}, "body.order is none of ['up', 'down']"),
    ],
)
def test_wrong_bodies(body: Any, found: str) -> None:
    assert wrong("POST", "/issue/bulk", body=body) == [f"/issue/bulk: {found}"]


def test_a_body_where_none_is_taken() -> None:
    assert wrong("GET", "/issue/1", {"deep": ["true"]}, {}) == ["/issue/{issue}: takes no body in JSON"]


def test_calls_of_jira_cloud_only_are_looked_at() -> None:
    def checked(front: str, path: str) -> list[str]:
        return validate(Call(front, "GET", path, {"deep": ["true"]}, 0.0), SMALL)

    assert checked("site", "/issue/1") == checked("gateway", "/ex/jira/1-2/issue/1") == []
    assert checked("site", "/none") == ["no such path: /none"]
    assert checked("gateway", "/ex/jira/1-2/none") == ["no such path: /none"]
    assert checked("gateway", "/ex/confluence/1-2/wiki/none") == checked("site", "/wiki/none") == []
    assert checked("jira", "/none") == checked("media", "/none") == []


@needs_specification
def test_the_specification_knows_what_connectors_ask_for() -> None:
    with local_atlassian() as running, httpx.Client() as http:
        ask = Client(running, http)
        ask.cloud("/rest/api/3/search/jql", jql="updated > 0", fields="summary", maxResults=5, nextPageToken="x")
        ask.post("/rest/api/3/search/jql", {"jql": "updated > 0", "fields": ["*all"], "reconcileIssues": [1]})
        ask.cloud("/wiki/api/v2/pages", limit=3)
        assert [each for call in running.calls() for each in validate(call)] == []
        running.forget_calls()
        ask.cloud("/rest/api/3/search/jql", startAt=3)
        ask.cloud("/rest/api/2/issue/1")
        assert [each for call in running.calls() for each in validate(call)] == [
            "GET /rest/api/3/search/jql: parameter startAt is unknown",
            "no such path: /rest/api/2/issue/1",
        ]


@needs_specification
def test_the_local_jira_cloud_has_no_path_of_its_own() -> None:
    every = [each for each in ROUTES["site"] if each.pattern.pattern.startswith("/rest/api/3/")]
    assert len(every) > 20
    for each in every:
        path = re.sub(r"\(\?P<\w+>\[\^/\]\+\)", "1", each.pattern.pattern).removesuffix("/?")
        if each.handler.__name__ != "removed":
            assert not [row for row in jira_cloud().problems(each.method, path, {}) if row.startswith("no ")], path
