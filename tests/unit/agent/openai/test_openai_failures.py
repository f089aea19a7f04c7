"""OpenAIChatModel against a server, and a model, that misbehave in every way they can."""

import asyncio
import logging
import socket
import time
import traceback
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from agent.providers.model_errors import CutOff, Late
from agent.providers.openai import ChatEndpoint, OpenAIChatModel, open_chat_model
from agent.providers.openai_client import AT_END
from domain.errors import KbError, Misconfigured, Refused, Transient
from tests.fakes import model_faults as faults
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_server import CHAT_MODEL, Answer, ModelServer, Reply
from tests.unit.agent.openai.asking import REQUEST, SECRET, endpoint, streamed

SAID = "secret plan"


@pytest.fixture(scope="module")
async def impatient(running: ModelServer) -> AsyncIterator[OpenAIChatModel]:
    """For servers that take too long."""
    async with open_chat_model(endpoint(running, timeout=0.4)) as opened:
        yield opened


async def failure(model: OpenAIChatModel, kind: type[KbError], *, stream: bool = False) -> KbError:
    """The error that a request ends in; neither it nor what led to it may give anything away."""
    with pytest.raises(kind) as raised:
        await (streamed(model) if stream else model.complete(REQUEST))
    error = raised.value
    told = "".join(traceback.format_exception(error)) + repr(error.__context__) + repr(error.__cause__)
    assert not any(secret in told for secret in (KEY, SECRET, SAID))
    assert type(error) is kind
    return error


ERRORS: list[tuple[str, Answer, type[KbError]]] = [
    ("429", faults.BUSY, Transient),
    ("500", faults.BROKEN, Transient),
    ("408", faults.status(408), Transient),
    ("reset", faults.reset, Transient),
    ("malformed body", faults.malformed_body, Transient),
    ("empty text", faults.EMPTY, Transient),
    ("blank text", Reply(" \n "), Transient),
    ("null text", faults.NULL, Transient),
    ("no choices", faults.body_of({"choices": []}), Transient),
    ("a list", faults.body_of(["choices"]), Transient),
    ("nested too deep", faults.text_of("[" * 100_000), Transient),
    ("no message", faults.body_of({"choices": [{"index": 0}]}), Transient),
    ("odd text", faults.body_of({"choices": [{"message": {"role": "assistant", "content": {"a": SAID}}}]}), Transient),
    ("error with 200", faults.body_of({"error": {"message": SECRET, "code": 502}}), Transient),
    ("refusal", faults.REFUSAL, Refused),
    ("content filter", faults.FILTERED, Refused),
    ("prompt filtered", faults.FILTERED_PROMPT, Refused),
    ("too long", faults.TOO_LONG, Refused),
    ("too large", faults.status(413), Refused),
    ("400", faults.status(400), Refused),
    ("401", faults.UNAUTHORIZED, Misconfigured),
    ("403", faults.status(403), Misconfigured),
    ("404", faults.NO_SUCH_MODEL, Misconfigured),
    ("no credit", faults.NO_CREDIT, Misconfigured),
    ("login page", faults.login_page, Misconfigured),
    ("redirect", faults.redirect, Misconfigured),
]
OF_STREAMS: list[tuple[str, Answer, type[KbError]]] = [
    ("stops", faults.stops(f"{SAID} "), Transient),
    ("stops at once", faults.stops(""), Transient),
    ("cut", faults.cut(f"{SAID} "), Transient),
    ("broken lines", faults.broken_lines(f"{SAID} "), Transient),
    ("error event", faults.error_event(SAID), Transient),
    ("a whole refusal", faults.body_of({"choices": [{"message": {"refusal": SAID}}]}), Refused),
    ("half of a whole reply", faults.malformed_body, Transient),
    ("too long, told late", faults.error_event("", "context_length_exceeded"), Refused),
    ("no credit, told late", faults.error_event("", "insufficient_quota"), Misconfigured),
]
WHOLE_ONLY = {"malformed body", "no choices", "a list", "nested too deep", "no message", "odd text"}


def cases(errors: list[tuple[str, Answer, type[KbError]]]) -> list[object]:
    return [pytest.param(answer, kind, id=name) for name, answer, kind in errors]


@pytest.mark.parametrize(("answer", "kind"), cases(ERRORS))
async def test_a_reply_fails_with_one_request(
    server: ModelServer, model: OpenAIChatModel, answer: Answer, kind: type[KbError]
) -> None:
    server.script(answer)
    await failure(model, kind)
    assert len(server.requests) == 1


@pytest.mark.parametrize(("answer", "kind"), cases([case for case in ERRORS if case[0] not in WHOLE_ONLY] + OF_STREAMS))
async def test_a_stream_fails_with_one_request(
    server: ModelServer, model: OpenAIChatModel, answer: Answer, kind: type[KbError]
) -> None:
    server.script(answer)
    await failure(model, kind, stream=True)
    assert len(server.requests) == 1


@pytest.mark.parametrize("stream", [False, True])
async def test_a_server_that_is_not_there_is_transient(stream: bool) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        async with open_chat_model(ChatEndpoint(url, KEY, CHAT_MODEL, timeout=2)) as opened:
            await failure(opened, Transient, stream=stream)


@pytest.mark.parametrize(
    ("answer", "least", "most"),
    [(faults.busy_for(7), 7, 7), (faults.busy_until(60), 50, 60), (faults.status(503, Retry_After="2"), 2, 2)],
)
async def test_the_wait_asked_for_is_passed_on(
    server: ModelServer, model: OpenAIChatModel, answer: Answer, least: float, most: float
) -> None:
    server.script(answer)
    error = await failure(model, Transient)
    assert isinstance(error, Transient)
    assert error.retry_after is not None
    assert least <= error.retry_after <= most


@pytest.mark.parametrize("answer", [faults.BUSY, faults.status(429, Retry_After="soon")])
async def test_no_wait_is_made_up(server: ModelServer, model: OpenAIChatModel, answer: Answer) -> None:
    server.script(answer)
    error = await failure(model, Transient)
    assert isinstance(error, Transient)
    assert error.retry_after is None


@pytest.mark.parametrize("stream", [False, True])
async def test_a_request_may_want_its_reply_sooner_than_the_endpoint_allows(
    server: ModelServer, model: OpenAIChatModel, stream: bool
) -> None:
    server.script(faults.hang)
    start, sooner = time.monotonic(), replace(REQUEST, seconds=0.1)
    with pytest.raises(Late) as raised:
        await (streamed(model, sooner) if stream else model.complete(sooner))
    assert raised.value.why == "no reply within 0.1 s"
    assert time.monotonic() - start < 30


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    "answer", [faults.hang, faults.hang_in_body, faults.trickle(0.05)], ids=["hang", "begun", "trickle"]
)
async def test_a_reply_that_takes_too_long_is_transient(
    server: ModelServer, impatient: OpenAIChatModel, answer: Answer, stream: bool
) -> None:
    server.script(answer)
    start = time.monotonic()
    await failure(impatient, Late, stream=stream)
    assert time.monotonic() - start < 30


async def test_a_slow_stream_gives_what_came_in_time(server: ModelServer, impatient: OpenAIChatModel) -> None:
    server.script(faults.trickle(0.01))
    start, given = time.monotonic(), []
    with pytest.raises(Transient):  # noqa: PT012 - what came before the error counts too
        async for piece in impatient.stream(REQUEST):
            given.append(piece)  # noqa: PERF401 - see above
    assert given
    assert 0.3 < time.monotonic() - start < 30


async def test_a_reply_at_its_limit_of_tokens_is_given(server: ModelServer, model: OpenAIChatModel) -> None:
    server.script(faults.OUT_OF_TOKENS, faults.OUT_OF_TOKENS)
    assert await model.complete(REQUEST) == faults.OUT_OF_TOKENS.text
    given = []
    with pytest.raises(CutOff):  # noqa: PT012 - what came before the error counts too
        async for piece in model.stream(REQUEST):
            given.append(piece)  # noqa: PERF401 - see above
    assert "".join(given) == faults.OUT_OF_TOKENS.text


async def test_a_stream_that_told_its_end_is_whole_though_its_connection_stays_open(
    server: ModelServer, model: OpenAIChatModel
) -> None:
    server.script(faults.left_open("It is 14 days [1]."))
    assert await streamed(model) == "It is 14 days [1]."


@pytest.mark.parametrize(
    "answer",
    [
        faults.reasons_throughout("It is ", "14 days [1].", pause=AT_END + 0.3),
        faults.ends_twice("It is ", "14 days [1].", AT_END + 0.3, stops=True),
    ],
    ids=["throughout", "with the first text"],
)
async def test_a_reason_that_comes_with_text_ends_no_stream(
    server: ModelServer, model: OpenAIChatModel, answer: Answer
) -> None:
    server.script(answer)
    assert await streamed(model) == "It is 14 days [1]."


async def test_a_stream_whose_last_text_has_no_reason_behind_it_is_broken_off(
    server: ModelServer, model: OpenAIChatModel
) -> None:
    server.script(faults.ends_twice(SAID, SAID, 0.0, stops=False))
    await failure(model, Transient, stream=True)


async def test_a_stream_that_says_it_is_done_is_whole_without_a_reason(
    server: ModelServer, model: OpenAIChatModel
) -> None:
    server.script(faults.done("It is 14 days [1]."))
    assert await streamed(model) == "It is 14 days [1]."


async def test_a_stream_that_is_done_before_it_said_anything_fails(server: ModelServer, model: OpenAIChatModel) -> None:
    server.script(faults.done(""))
    await failure(model, Transient, stream=True)


@pytest.mark.parametrize(
    "event",
    [
        'data: {"object": "error", "message": "EngineDeadError", "code": 500}',
        'event: error\ndata: {"message": "gone"}',
        'data: {"detail": "gone"}',
        'data: "gone"',
    ],
)
async def test_a_stream_that_is_done_after_an_error_is_broken(
    server: ModelServer, model: OpenAIChatModel, event: str
) -> None:
    server.script(faults.done_after("It is 14 days [1]. It", event))
    await failure(model, Transient, stream=True)


@pytest.mark.parametrize("choices", ["[]", "null"])
async def test_a_stream_that_is_done_after_its_usage_is_whole(
    server: ModelServer, model: OpenAIChatModel, choices: str
) -> None:
    usage = (
        f'data: {{"choices": {choices}, "usage": {{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}}}'
    )
    server.script(faults.done_after("It is 14 days [1].", usage))
    assert await streamed(model) == "It is 14 days [1]."


async def test_a_reason_stands_though_the_stream_says_it_is_done(server: ModelServer, model: OpenAIChatModel) -> None:
    server.script(faults.OUT_OF_TOKENS)
    with pytest.raises(CutOff):
        await streamed(model)


@pytest.mark.parametrize("indent", [None, 2])
async def test_a_whole_reply_in_the_place_of_a_stream_is_taken(
    server: ModelServer, model: OpenAIChatModel, indent: int | None
) -> None:
    server.script(faults.not_streamed("It is 14 days [1].\nOr more [2].", indent=indent))
    assert await streamed(model) == "It is 14 days [1].\nOr more [2]."


@pytest.mark.parametrize(("stream", "line"), [(False, True), (False, False), (True, True), (True, False)])
async def test_no_more_is_read_of_a_reply_than_any_may_have(server: ModelServer, stream: bool, line: bool) -> None:
    server.script(faults.without_end(stream=stream, line=line))
    async with open_chat_model(endpoint(server, timeout=60)) as opened:
        error = await failure(opened, Transient, stream=stream)
    assert error.why == "it is longer than any reply may be"


async def test_too_long_a_reply_is_cut(server: ModelServer) -> None:
    server.script(faults.ENDLESS, faults.ENDLESS, Reply("fine"))
    async with open_chat_model(endpoint(server)) as opened:
        start = str(faults.ENDLESS.text)[:2_000]
        assert await opened.complete(REQUEST) == start
        assert await streamed(opened) == start
        assert await opened.complete(REQUEST) == "fine"


async def test_blank_pieces_wait_for_the_first_word(server: ModelServer, model: OpenAIChatModel) -> None:
    server.script(Reply(" \n fine "))
    pieces = [piece async for piece in model.stream(REQUEST)]
    assert "".join(pieces) == "fine "
    assert not pieces[0].isspace()


async def test_fifty_at_once_overlap(server: ModelServer) -> None:
    server.script(*[Reply("fine", latency=0.3)] * 50)
    async with open_chat_model(endpoint(server)) as opened:
        whole = asyncio.gather(*(opened.complete(REQUEST) for _ in range(25)))
        replies = await asyncio.gather(*(streamed(opened) for _ in range(25))) + await whole
    assert replies == ["fine"] * 50
    assert server.busiest > 25


async def test_logs_give_nothing_away(
    server: ModelServer, model: OpenAIChatModel, caplog: pytest.LogCaptureFixture
) -> None:
    server.script(Reply(SAID), Reply(SAID), faults.BROKEN, faults.cut(SAID))
    with caplog.at_level(logging.DEBUG):
        await model.complete(REQUEST)
        await streamed(model)
        await failure(model, Transient)
        await failure(model, Transient, stream=True)
    assert caplog.records
    assert not any(secret in caplog.text for secret in (KEY, SECRET, SAID))
