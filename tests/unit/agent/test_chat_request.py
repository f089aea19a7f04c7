import pytest

from agent.providers.chat_request import LENGTHS, body_of, refused_part
from domain.chat import ChatRequest, Message, ReplySchema

REQUEST = ChatRequest("grade/1", (Message("user", "temperature of max_tokens"),), ReplySchema("a", {"type": "object"}))


@pytest.mark.parametrize(
    ("param", "message", "part"),
    [
        ("response_format", "", "response_format"),
        ("response_format.json_schema", "Invalid schema", "response_format"),
        ("", "This model does not support json_schema", "response_format"),
        ("", "Structured outputs are not supported, use another model; structured output", "response_format"),
        ("", "[{'type': 'extra_forbidden', 'loc': ('body', 'response_format')}]", "response_format"),
        ("temperature", "Unsupported value: 'temperature' does not support 0.0", "temperature"),
        ("max_tokens", "Unsupported parameter: use 'max_completion_tokens' instead", "max_tokens"),
        ("", "Unrecognized request argument supplied: max_tokens", "max_tokens"),
        ("", "This response_format type is unavailable now", "response_format"),
        ("", "response_schema.properties[args].properties: should be non-empty for OBJECT type", "response_format"),
        ("", "The provided JSON schema contains features not supported by xgrammar.", "response_format"),
        ("", "`temperature` is deprecated for this model.", "temperature"),
        ("messages", "invalid; temperature and response_format were given", None),
        ("", "Bad request: temperature 0.0 max_tokens 2000 response_format", None),
        ("", "invalid " + "x" * 400 + " temperature", None),
        ("max_completion_tokens", "Unsupported parameter", None),
        ("", "", None),
    ],
)
def test_what_a_server_complains_about(param: str, message: str, part: str | None) -> None:
    assert refused_part(body_of(REQUEST, "max_tokens"), param, message) == part


def test_names_for_the_length_are_tried_in_turn() -> None:
    for first, second in (LENGTHS, LENGTHS[::-1]):
        assert body_of(REQUEST, first).parameters[first] == 2_000
        assert second not in body_of(REQUEST, first).parameters
        assert body_of(REQUEST, first, frozenset({first})).parameters[second] == 2_000
        assert not set(LENGTHS) & body_of(REQUEST, first, frozenset(LENGTHS)).parameters.keys()


def test_a_text_that_utf8_cannot_express_is_mended() -> None:
    request = ChatRequest("grade/1", (Message("user", "half \ud800 a pair"),))
    assert body_of(request, "max_tokens").messages[0].text == "half \ufffd a pair"
