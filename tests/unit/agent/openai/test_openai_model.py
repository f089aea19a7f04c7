"""What OpenAIChatModel sends, and what it learns that a server does not take."""

import traceback
from collections.abc import Mapping
from dataclasses import replace

import pytest

from agent.providers.model_errors import AskOtherwise
from agent.providers.openai import ChatEndpoint, OpenAIChatModel, open_chat_model
from domain.chat import ChatRequest, Message, ReplySchema
from domain.errors import Misconfigured, Refused, Transient
from tests.fakes import model_faults as faults
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_server import CHAT_MODEL, SMALL_MODEL, Misbehaviour, ModelServer, Reply
from tests.unit.agent.openai.asking import REQUEST, SECRET, endpoint, streamed

SCHEMA = ReplySchema("grade", {"type": "object", "properties": {"score": {"type": "number"}}})
TYPED = ChatRequest("grade/1", REQUEST.messages, SCHEMA)
_OBJECT = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


# --- what is sent ---------------------------------------------------------------------------------------------------


async def test_a_request_is_what_the_api_describes(server: ModelServer, model: OpenAIChatModel) -> None:
    server.script(Reply("fine"))
    assert await model.complete(REQUEST) == "fine"
    (asked,) = server.requests
    assert asked.path == "/v1/chat/completions"
    assert asked.body == {
        "model": CHAT_MODEL,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": SECRET}],
        "temperature": 0.0,
        "max_tokens": 2_000,
        "stream": False,
    }


async def test_a_stream_is_asked_for_as_such(server: ModelServer, model: OpenAIChatModel) -> None:
    server.script(Reply("fine"))
    assert await streamed(model) == "fine"
    assert server.requests[0].body["stream"] is True


async def test_a_schema_is_sent_as_the_format_of_the_reply(server: ModelServer, model: OpenAIChatModel) -> None:
    server.script(Reply('{"score": 1}'), Reply('{"score": 1}'))
    await model.complete(TYPED)
    await streamed(model, TYPED)
    expected = {"name": "grade", "schema": SCHEMA.schema, "strict": False}  # an open schema is refused as a strict one
    for asked in server.requests:
        assert asked.body["response_format"] == {"type": "json_schema", "json_schema": expected}


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        ({}, True),
        ({"properties": {"a": _OBJECT}, "required": ["a"]}, True),
        ({"properties": {"a": _OBJECT}}, False),  # not required
        ({"properties": {"a": {"type": "array", "items": {"type": "object"}}}, "required": ["a"]}, False),  # open
        ({"$defs": {"A": {**_OBJECT, "additionalProperties": True}}}, False),
    ],
)
async def test_a_schema_is_strict_where_openai_takes_it_as_such(
    server: ModelServer, model: OpenAIChatModel, schema: Mapping[str, object], strict: bool
) -> None:
    server.script(Reply("{}"))
    await model.complete(replace(TYPED, schema=ReplySchema("reply", {**_OBJECT, **schema})))
    assert server.requests[0].body["response_format"]["json_schema"]["strict"] is strict


async def test_how_long_a_model_thinks_is_sent_only_where_it_is_set(server: ModelServer) -> None:
    for effort in ("", "low"):
        server.script(Reply("fine"))
        async with open_chat_model(replace(endpoint(server), reasoning_effort=effort)) as opened:
            await opened.complete(REQUEST)
    assert [asked.body.get("reasoning_effort") for asked in server.requests] == [None, "low"]


async def test_nothing_of_the_environment_is_used(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = {
        "OPENAI_API_KEY": "sk-foreign",
        "OPENAI_ADMIN_KEY": "sk-foreign",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/foreign",
        "OPENAI_API_BASE": "http://127.0.0.1:9/foreign",
        "OPENAI_ORG_ID": "foreign",
        "OPENAI_ORGANIZATION": "foreign",
        "OPENAI_PROJECT_ID": "foreign",
        "OPENAI_CUSTOM_HEADERS": "X-Foreign: foreign\nAuthorization: Bearer sk-foreign",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
        "LC_OUTPUT_VERSION": "responses/v1",
        "LANGSMITH_TRACING": "true",
        "LANGCHAIN_TRACING_V2": "true",
        "LANGSMITH_ENDPOINT": server.base_url,
        "LANGSMITH_API_KEY": "lsv2_foreign",
        "LANGSMITH_GATEWAY": server.base_url,
    }
    for name, value in foreign.items():
        monkeypatch.setenv(name, value)
    server.script(Reply("fine"), Reply("fine"))
    async with open_chat_model(endpoint(server)) as opened:
        assert await opened.complete(REQUEST) == "fine"
        assert await streamed(opened) == "fine"
    assert len(server.requests) == 2
    for asked in server.requests:
        assert asked.headers["Authorization"] == f"Bearer {KEY}"
        assert "foreign" not in str(asked)
        assert not any(name.lower().startswith(("x-", "openai-")) for name in asked.headers)


async def test_a_server_without_keys_gets_none(server: ModelServer) -> None:
    server.key = ""
    server.script(Reply("fine"))
    try:
        async with open_chat_model(ChatEndpoint(server.base_url, "", CHAT_MODEL)) as opened:
            await opened.complete(REQUEST)
    finally:
        server.key = KEY
    assert "Authorization" not in server.requests[0].headers


@pytest.mark.parametrize("suffix", ["", "/", "/chat/completions", "/chat/completions/"])
async def test_the_address_may_be_written_in_several_ways(server: ModelServer, suffix: str) -> None:
    server.script(Reply("fine"))
    async with open_chat_model(ChatEndpoint(server.base_url + suffix, KEY, CHAT_MODEL)) as opened:
        await opened.complete(REQUEST)
    assert server.requests[0].path == "/v1/chat/completions"


async def test_models_are_chosen_by_the_request(server: ModelServer, model: OpenAIChatModel) -> None:
    server.script(*[Reply("fine")] * 3)
    for small, name in ((False, ""), (True, ""), (False, SMALL_MODEL)):
        await model.complete(ChatRequest("grade/1", REQUEST.messages, small=small, model=name, temperature=None))
    assert [asked.body["model"] for asked in server.requests] == [CHAT_MODEL, SMALL_MODEL, SMALL_MODEL]
    assert "temperature" not in server.requests[0].body
    assert model.name == f"{CHAT_MODEL}+{SMALL_MODEL}"


@pytest.mark.parametrize("url", ["", "localhost", "ftp://host/v1", "http://", "http://[::1"])
async def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(Misconfigured, match="KB_AGENT_LLM_BASE_URL"):
        await open_chat_model(ChatEndpoint(url, KEY, CHAT_MODEL)).__aenter__()


@pytest.mark.parametrize("key", ["sk-\nvery", "sk very", "sk-ключ"])
async def test_a_key_that_is_none_is_refused_and_not_told(key: str) -> None:
    with pytest.raises(Misconfigured, match="KB_AGENT_LLM_API_KEY") as raised:
        await open_chat_model(ChatEndpoint("http://127.0.0.1:9/v1", key, CHAT_MODEL)).__aenter__()
    assert key not in "".join(traceback.format_exception(raised.value))
    assert key not in repr(ChatEndpoint("http://127.0.0.1:9/v1", key, CHAT_MODEL))


# --- what a server does not take ------------------------------------------------------------------------------------


@pytest.mark.parametrize("refused", [faults.no_json_schema, faults.no_json_schema_in_a_list])
@pytest.mark.parametrize("stream", [False, True])
async def test_a_server_without_schemas_is_asked_in_words(
    server: ModelServer, stream: bool, refused: Misbehaviour
) -> None:
    server.script(refused, Reply('{"score": 1}'), Reply('{"score": 0}'))
    async with open_chat_model(endpoint(server)) as opened:
        with pytest.raises(AskOtherwise) as raised:
            await (streamed(opened, TYPED) if stream else opened.complete(TYPED))
        assert raised.value.retry_after == 0
        assert len(server.requests) == 1
        assert await opened.complete(TYPED) == '{"score": 1}'
        assert await streamed(opened, TYPED) == '{"score": 0}'
    for asked in server.requests[1:]:
        assert "response_format" not in asked.body
        system, user = asked.body["messages"]
        assert system["content"].startswith("Be brief.\n\n")
        assert '"score"' in system["content"]
        assert user["content"] == SECRET


async def test_without_a_system_message_the_schema_makes_one(server: ModelServer) -> None:
    server.refuses.add("response_format")
    server.script(Reply("{}"))
    request = ChatRequest("grade/1", (Message("user", SECRET),), SCHEMA)
    async with open_chat_model(endpoint(server)) as opened:
        with pytest.raises(AskOtherwise):
            await opened.complete(request)
        await opened.complete(request)
    assert [message["role"] for message in server.requests[1].body["messages"]] == ["system", "user"]


async def test_other_parameters_that_are_refused_are_left_out(server: ModelServer) -> None:
    server.refuses |= {"temperature", "max_tokens"}
    server.script(Reply("fine"), Reply("fine"))
    async with open_chat_model(endpoint(server)) as opened:
        for _ in range(2):
            with pytest.raises(AskOtherwise):
                await opened.complete(REQUEST)
        await opened.complete(REQUEST)
        assert server.requests[-1].body["max_completion_tokens"] == 2_000
        assert "temperature" not in server.requests[-1].body
        # what one model refuses another may take
        with pytest.raises(AskOtherwise):
            await opened.complete(ChatRequest("grade/1", REQUEST.messages, small=True))


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("code", "message"),
    [
        (400, "System role not supported"),
        (400, "Conversation roles must alternate user/assistant/user/assistant/..."),
        (422, "Template error: template error: Only user and assistant roles are supported! (in <string>:1)"),
        (400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."),
        (400, "Developer instruction is not enabled for models/gemma-3-27b-it"),
        (500, f"\n---\nWhile executing CallExpression in source:\n...{'x' * 400}\nError: System role not supported"),
    ],
)
async def test_a_model_without_a_system_role_gets_its_text_before_the_first_of_the_user(
    server: ModelServer, stream: bool, code: int, message: str
) -> None:
    server.script(faults.no_system_role(code, message), Reply("fine"), Reply("fine"), Reply("fine"))
    async with open_chat_model(endpoint(server)) as opened:
        with pytest.raises(AskOtherwise) as raised:
            await (streamed(opened) if stream else opened.complete(REQUEST))
        assert raised.value.retry_after == 0
        assert [await opened.complete(REQUEST), await streamed(opened)] == ["fine", "fine"]
        # what one model refuses another may take
        await opened.complete(replace(REQUEST, small=True))
    joined = [{"role": "user", "content": f"Be brief.\n\n{SECRET}"}]
    assert [each.body["messages"] for each in server.requests[1:3]] == [joined, joined]
    assert len(server.requests[3].body["messages"]) == 2


async def test_a_model_without_a_system_role_or_schemas_gets_both_in_words(server: ModelServer) -> None:
    server.script(faults.no_system_role(400, "System role not supported"), faults.no_json_schema, Reply("{}"))
    async with open_chat_model(endpoint(server)) as opened:
        for _ in range(2):
            with pytest.raises(AskOtherwise):
                await opened.complete(TYPED)
        await opened.complete(TYPED)
    (message,) = server.requests[-1].body["messages"]
    assert message["role"] == "user"
    assert message["content"].startswith("Be brief.\n\nReply with one JSON object")
    assert message["content"].endswith(f"\n\n{SECRET}")


async def test_a_model_that_refuses_a_role_although_none_is_sent_is_not_asked_again(server: ModelServer) -> None:
    refusal = faults.no_system_role(400, "Conversation roles must alternate user/assistant/user/assistant/...")
    server.script(refusal, refusal)
    async with open_chat_model(endpoint(server)) as opened:
        with pytest.raises(AskOtherwise):
            await opened.complete(REQUEST)
        with pytest.raises(Refused):
            await opened.complete(REQUEST)


# --- models that think before they reply -----------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [False, True])
async def test_a_model_that_thinks_gets_tokens_for_it(server: ModelServer, stream: bool) -> None:
    server.script(*[Reply("fine", thinking=3_000)] * 3)
    async with open_chat_model(endpoint(server)) as opened:

        async def asked() -> str:
            return await (streamed(opened) if stream else opened.complete(REQUEST))

        with pytest.raises(AskOtherwise):
            await asked()
        assert [await asked(), await asked()] == ["fine", "fine"]
    assert [each.body["max_tokens"] for each in server.requests] == [2_000, 10_000, 10_000]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_model_that_thinks_without_end_fails(server: ModelServer, stream: bool) -> None:
    server.script(*[Reply("fine", thinking=30_000)] * 2)
    async with open_chat_model(endpoint(server)) as opened:
        with pytest.raises(AskOtherwise):
            await (streamed(opened) if stream else opened.complete(REQUEST))
        with pytest.raises(Transient, match="no usable reply") as raised:
            await (streamed(opened) if stream else opened.complete(REQUEST))
    assert "thought so long" in raised.value.why
    assert "KB_AGENT_LLM_REASONING_EFFORT" in raised.value.next_step


async def test_what_a_model_thinks_within_its_text_is_left_out(server: ModelServer) -> None:
    thought = "<think>\nIs it 14 days [1]? Or 30 [2]?\n</think>\n\nIt is 14 days [1]."
    server.script(Reply(thought), Reply(thought), Reply(thought[7:]), Reply(thought[7:]), Reply("<think>on and on"))
    async with open_chat_model(endpoint(server)) as opened:
        replies = [
            await opened.complete(REQUEST),
            await streamed(opened),
            await opened.complete(REQUEST),  # without the opening tag
            await streamed(opened),
        ]
        assert [each.strip() for each in replies] == ["It is 14 days [1]."] * 4
        with pytest.raises(Transient):
            await opened.complete(REQUEST)


async def test_of_a_reply_in_channels_the_final_one_is_taken(server: ModelServer, model: OpenAIChatModel) -> None:
    thought = "<|channel|>analysis<|message|>Is it 14 days [1]?<|end|><|start|>assistant"
    server.script(*[Reply(f"{thought}<|channel|>final<|message|>It is 14 days [1].<|return|>")] * 2)
    assert [await model.complete(REQUEST), await streamed(model)] == ["It is 14 days [1]."] * 2


THOUGHT = "It may be 14 days [1]. Or 30 [2]?\n</think>\n\nIt is 14 days [1]."


async def test_a_stream_that_turns_out_to_be_thinking_fails_and_the_next_one_leaves_it_out(server: ModelServer) -> None:
    server.script(Reply(THOUGHT), Reply(THOUGHT))
    async with open_chat_model(endpoint(server)) as opened:
        given = []
        with pytest.raises(AskOtherwise):  # noqa: PT012 - what came before the error counts too
            async for piece in opened.stream(REQUEST):
                given.append(piece)  # noqa: PERF401 - see above
        assert "think>" not in "".join(given)
        assert (await streamed(opened)).strip() == "It is 14 days [1]."


@pytest.mark.parametrize("stream", [False, True])
async def test_thinking_that_was_cut_is_no_reply(server: ModelServer, stream: bool) -> None:
    cut = Reply(THOUGHT.partition("\n")[0], finish="length")
    server.script(Reply(THOUGHT), cut, cut)
    async with open_chat_model(endpoint(server)) as opened:
        await opened.complete(REQUEST)  # from which it is known that it thinks
        for kind in (AskOtherwise, Transient):
            with pytest.raises(kind):
                await (streamed(opened) if stream else opened.complete(REQUEST))
    assert [each.body["max_tokens"] for each in server.requests] == [2_000, 2_000, 10_000]


@pytest.mark.parametrize("stream", [False, True])
async def test_a_model_that_thinks_no_more_streams_again(server: ModelServer, stream: bool) -> None:
    server.script(Reply(THOUGHT), Reply('{"score": 1}'), Reply("It is 14 days [1]."), Reply("It is 14 days [1]."))
    async with open_chat_model(endpoint(server)) as opened:
        await opened.complete(REQUEST)
        await opened.complete(REQUEST)  # JSON says nothing of how it writes
        assert opened._client._untagged
        held = await (streamed(opened) if stream else opened.complete(REQUEST))
        assert held == "It is 14 days [1]."
        assert len([piece async for piece in opened.stream(REQUEST)]) > 1


async def test_a_reply_that_speaks_of_a_tag_of_thinking_is_whole(server: ModelServer) -> None:
    said = "The block ends with `</think>` or with </thought> and the answer follows [1]."
    server.script(Reply(said), Reply(said, finish="length"))
    async with open_chat_model(endpoint(server)) as opened:
        assert await streamed(opened) == said
        assert await opened.complete(REQUEST) == said
