"""Requests as OpenAI's chat API wants them, with and without the parts that not every server takes. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from domain.chat import ChatRequest, Message
from domain.text.encodable import encodable

SCHEMA = "response_format"
LENGTHS = ("max_completion_tokens", "max_tokens")
"""Names for the longest reply, in tokens. OpenAI's newer models refuse the second, and most other servers know only
the second."""

THINKING_TOKENS = 8_000
"""What a reasoning model may think, besides the longest reply: servers count both as one."""

EFFORT = "reasoning_effort"

_BY_PROMPT = "Reply with one JSON object that fits this schema, and with nothing else:\n"
_SCHEMA_WORDS = (SCHEMA, "json_schema", "json schema", "response_schema", "structured output")
_COMPLAINS = (
    *("support", "unknown", "unrecognized", "unexpected", "invalid", "permitted", "allowed", "extra"),
    *("available", "deprecated", "should be"),
)
_COMPLAINT = 300
"""Characters of a message within which it says what is wrong."""

SYSTEM = "system role"
_SYSTEM_WORDS = (
    *("system role", "role system", "role: system", "support 'system'", "role 'system'"),
    *("system message is not", "system messages are not", "developer instruction"),
    *("roles must alternate", "only user and assistant roles"),
)
"""What templates of chats say that know the roles of user and assistant alone."""
_SYSTEM_COMPLAINS = (*_COMPLAINS, "enabled", "must alternate")


@dataclass(frozen=True, slots=True)
class ChatBody:
    """What is sent besides the model's name."""

    messages: tuple[Message, ...]
    parameters: Mapping[str, object]
    """Those that a server may refuse, by name."""


def body_of(
    request: ChatRequest, length: str, without: frozenset[str] = frozenset(), *, thinking: int = 0, effort: str = ""
) -> ChatBody:
    """What to send for `request`.

    length: which of LENGTHS the server is likely to know. without: parameters that it refuses; a schema is then put
    into words, the other name for the length is tried, and what the system says is said by the user. thinking: tokens
    that the model may use besides its reply. effort: how long a reasoning model is to think, in the API's words; empty:
    as the server does by itself.
    """
    messages = tuple(replace(message, text=encodable(message.text)) for message in request.messages)
    parameters: dict[str, object] = {}
    if request.temperature is not None and "temperature" not in without:
        parameters["temperature"] = request.temperature
    names = [name for name in sorted(LENGTHS, key=lambda name: name != length) if name not in without]
    if names:
        parameters[names[0]] = request.max_tokens + thinking
    if effort and EFFORT not in without:
        parameters[EFFORT] = effort
    if request.schema is not None and SCHEMA in without:
        messages = _with_instruction(messages, _BY_PROMPT + json.dumps(request.schema.schema))
    elif request.schema is not None:
        strict = _is_closed(request.schema.schema)
        schema = {"name": request.schema.name, "schema": request.schema.schema, "strict": strict}
        parameters[SCHEMA] = {"type": "json_schema", "json_schema": schema}
    return ChatBody(_said_by_user(messages) if SYSTEM in without else messages, parameters)


def _is_closed(schema: object) -> bool:
    """Whether each object of a JSON schema names all that may stand in it, and requires it: OpenAI's API refuses others
    as strict ones (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas)."""
    if isinstance(schema, list):
        return all(map(_is_closed, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object" and (
        schema.get("additionalProperties") is not False
        or set(schema.get("required", ())) != set(schema.get("properties", ()))
    ):
        return False
    return all(map(_is_closed, schema.values()))


def _with_instruction(messages: tuple[Message, ...], instruction: str) -> tuple[Message, ...]:
    """Adds to the first system message: many models' templates take one only, at the beginning."""
    if messages and messages[0].role == "system":
        return (replace(messages[0], text=f"{messages[0].text}\n\n{instruction}"), *messages[1:])
    return (Message("system", instruction), *messages)


def _said_by_user(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The messages with what the system says before the first of the user."""
    system = [each.text for each in messages if each.role == "system"]
    first, *others = [each for each in messages if each.role != "system"] or [Message("user", "")]
    return (replace(first, text="\n\n".join(filter(None, [*system, first.text]))), *others)


def refused_part(body: ChatBody, param: str, message: str, *, failed: bool = False) -> str | None:
    """Which of the parameters sent a server complains about, or SYSTEM; None when it is something else.

    param, message: of its error, either may be empty. Some servers quote the whole request in their messages, so that
    a name alone says nothing, nor what the messages say; some, the place in a template, at the end of which they say
    what is wrong. failed: whether the server says that it failed, as some do where a template does.
    """
    told, named = message.lower(), param.split(".", maxsplit=1)[0]
    if named in body.parameters:
        return None if failed else named
    if _refuses_system(body, told):
        return SYSTEM
    told = told[:_COMPLAINT]
    if failed or param or not any(word in told for word in _COMPLAINS):
        return None
    for name in body.parameters:
        if any(word in told for word in (_SCHEMA_WORDS if name == SCHEMA else (name,))):
            return name
    return None


def _refuses_system(body: ChatBody, told: str) -> bool:
    """Whether a message, in lower case, complains about the system's role, in words that are not the request's."""
    sent = " ".join(" ".join(each.text for each in body.messages).lower().split())
    phrases = [words for words in _SYSTEM_WORDS if words not in sent]
    return any(each.role == "system" for each in body.messages) and any(
        any(words in end for words in phrases) and any(word in end for word in _SYSTEM_COMPLAINS)
        for end in (told[:_COMPLAINT], told[-_COMPLAINT:])
    )
