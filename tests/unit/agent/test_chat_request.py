import pytest

from agent.providers.chat_request import LENGTHS, SYSTEM, body_of, refused_part
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


ROLE = "Which system role may approve?"
"""A question in words that servers complain with."""


@pytest.mark.parametrize(
    ("param", "message", "failed", "part"),
    [
        ("", "System role not supported", True, SYSTEM),
        ("messages[0].role", "'messages[0].role' does not support 'system' with this model.", False, SYSTEM),
        ("", "Conversation roles must alternate user/assistant/user/assistant/...", False, SYSTEM),
        ("", "Developer instruction is not enabled for models/x", False, SYSTEM),
        ("", "Out of memory with a system message of the system role", True, None),
        ("", f"Out of memory while serving the supported prompt {ROLE!r}", True, None),
        ("temperature", f"only the default (1) is supported; got {ROLE!r}", False, "temperature"),
        ("temperature", "System role not supported", False, "temperature"),
        ("temperature", "System role not supported", True, None),
        ("", f"temperature: only the default (1) is supported; got {ROLE!r}", False, "temperature"),
    ],
)
def test_the_system_role_is_refused_in_words_that_are_not_the_request_s(
    param: str, message: str, failed: bool, part: str | None
) -> None:
    asked = ROLE.replace(" ", "\n") if ROLE in message else "Why?"
    request = ChatRequest("grade/1", (Message("system", "Be brief."), Message("user", asked)))
    assert refused_part(body_of(request, "max_tokens"), param, message, failed=failed) == part


def test_names_for_the_length_are_tried_in_turn() -> None:
    for first, second in (LENGTHS, LENGTHS[::-1]):
        assert body_of(REQUEST, first).parameters[first] == 2_000
        assert second not in body_of(REQUEST, first).parameters
        assert body_of(REQUEST, first, frozenset({first})).parameters[second] == 2_000
        assert not set(LENGTHS) & body_of(REQUEST, first, frozenset(LENGTHS)).parameters.keys()


def test_a_text_that_utf8_cannot_express_is_mended() -> None:
    request = ChatRequest("grade/1", (Message("user", "half \ud800 a pair"),))
    assert body_of(request, "max_tokens").messages[0].text == "half \ufffd a pair"
