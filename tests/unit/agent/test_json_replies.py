import json
import time
from collections.abc import Callable

import pytest

from agent.providers.json_replies import object_of
from tests.fakes import model_faults as faults
from tests.fakes.model_server import Reply

PLAN: dict[str, object] = {"score": 0.5, "tasks": ["a", {"b": None}], "text": 'line\nbreak, "quoted" {brace} ]['}


@pytest.mark.parametrize("make", [faults.right, faults.fenced, faults.with_prose])
def test_the_object_is_found(make: Callable[[dict[str, object]], Reply]) -> None:
    assert object_of(make(PLAN).text) == PLAN


def test_what_models_do_to_an_object_is_kept_apart_from_the_object() -> None:
    assert object_of(faults.not_json(PLAN).text) is None
    assert object_of(faults.missing(PLAN, "score").text) == {"tasks": PLAN["tasks"], "text": PLAN["text"]}
    assert object_of(faults.unknown(PLAN).text) == {**PLAN, "thoughts_of_the_model": ["not asked for"]}
    assert object_of(faults.wrong_types({"score": 1, "text": "a"}).text) == {"score": "1", "text": {"value": "a"}}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', {"a": 1}),
        ('  \n{"a": 1}\n', {"a": 1}),
        ('\ufeff{"a": 1}', {"a": 1}),
        ('```\n{"a": 1}\n```', {"a": 1}),
        ('First {"b": 2}, no:\n```json\n{"a": 1}\n```\nThat is {"b": 2} changed.', {"a": 1}),
        ('{"a": 1}\n\nOnce more: {"a": 1}', {"a": 1}),
        ('{} then {"a": 1}', {"a": 1}),
        ("{}", {}),
        ('function() { return {x}; } gives {"a": 1}', {"a": 1}),
        ('{"a": [1, 2,], "b": {"c": 3,},}', {"a": [1, 2], "b": {"c": 3}}),
        ('{"a": "one\nline"}', {"a": "one\nline"}),
        ('{"a": 1}}', {"a": 1}),
        ('["x", {"a": 1}]', {"a": 1}),
        # cut ends
        ('{"a": 1, "b": [1, 2, 3', {"a": 1, "b": [1, 2]}),
        ('{"a": 1, "b": "hello, wor', {"a": 1}),
        ('{"a": 1, "b"', {"a": 1}),
        ('{"a": 1, "b":', {"a": 1}),
        ('{"a": "whole"', {"a": "whole"}),
        ('{"a": true', {"a": True}),
        ('{"a": [{"b": 1}, {"b": 2}', {"a": [{"b": 1}, {"b": 2}]}),
        ('```json\n{"a": [{"b": 1}, {"b": "tw', {"a": [{"b": 1}]}),
        ('{"a": 1, "b": 23\n```', {"a": 1}),
    ],
)
def test_what_is_read(text: str, found: dict[str, object]) -> None:
    assert object_of(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no object at all",
        "[1, 2]",
        '"{}"x{',
        "{'a': 1}",
        "{'a': {\"b\": 1}}",
        '{"a": 1} or {"a": 2}',
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a": 1 "b": 2}',
        '{"a" 1}',
        '{"a": [1, 2}',
        '{"a": {"b": 1} oops}',
        '{"a": tru',
        '{"a": 12',
        '{"a',
        '{"a": ' + "9" * 5_000 + "}",
        "__import__('os').system('true') or {__name__}",
    ],
)
def test_what_cannot_be_read_safely_is_none(text: str) -> None:
    assert object_of(text) is None


@pytest.mark.check
@pytest.mark.parametrize(
    "text",
    [
        "{" * 1_000_000,
        '{"a":' * 200_000,
        '{"a":[' * 200_000,
        "{}" * 500_000,
        '{"a":1}' * 150_000,
        '{"' * 500_000,
        '{"a":"' + "\\" * 1_000_000,
        '{"a":"' + "x" * 1_000_000,
        "```json\n" * 125_000,
        "```\n{\n" * 150_000,
        "{x" * 400_000 + "}" * 100_000,
        '{"a":1,,' * 125_000,
        '{"a":[' + "1," * 500_000,
        "{ " * 500_000,
        "{" + " " * 1_000_000,
        "{" * 200_000 + "}" * 200_000,
    ],
    ids=range(16),
)
def test_hostile_texts_take_bounded_time(text: str) -> None:
    start = time.process_time()
    found = object_of(text)
    assert time.process_time() - start < 2
    assert found is None or isinstance(found, dict)
    json.dumps(found)
