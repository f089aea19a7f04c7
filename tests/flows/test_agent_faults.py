"""Every way in which a model or its server fails, over real HTTP: one outcome, in sane words, within the budget."""

import asyncio
import logging
from collections.abc import Callable, Iterator

import pytest

from agent.wording import CUT_OFF, MODEL_AWAY, MODEL_BROKE_OFF, MODEL_LATE, MODEL_UNCITED
from domain.answers import Answer, NotFound
from tests.fakes import model_faults as faults
from tests.fakes.model_agent import BOILER, LEADER, NARROW, PAGES, ask_under, knowledge_of, model_agent, spilled
from tests.fakes.model_rules import always, at
from tests.fakes.model_server import Answer as Answered
from tests.fakes.model_server import ModelServer, Reply

pytestmark = pytest.mark.everyday

MARCH = "The boiler in the plant room is serviced every March."


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever happens, the log holds no traceback, no key and no prompt."""
    caplog.set_level(logging.INFO)
    yield
    assert [record for record in caplog.records if record.exc_info] == []
    assert not spilled(caplog.text)


# --- the server fails for good ---------------------------------------------------------------------------------------

DOWN: dict[str, Answered] = {
    "429": faults.BUSY,
    "429 with seconds": faults.busy_for(60),
    "429 with a date": faults.busy_until(60),
    "429 without credit": faults.NO_CREDIT,
    "500": faults.BROKEN,
    "503": faults.OVERLOADED,
    "401": faults.UNAUTHORIZED,
    "404": faults.NO_SUCH_MODEL,
    "context too long": faults.TOO_LONG,
    "prompt filtered": faults.FILTERED_PROMPT,
    "no reply": faults.hang,
    "reset": faults.reset,
    "a token now and then": faults.trickle(0.2),
    "login page": faults.login_page,
    "redirect": faults.redirect,
    "half a body": faults.malformed_body,
    "empty object": faults.body_of({}),
    "list": faults.body_of(["no", "reply"]),
    "no choices": faults.body_of({"choices": []}),
    "broken events": faults.broken_lines(""),
    "error event": faults.error_event(""),
    "ended stream": faults.stops(""),
    "cut stream": faults.cut(""),
    "empty text": faults.EMPTY,
    "blank text": faults.BLANK,
    "null": faults.NULL,
    "refusal": faults.REFUSAL,
    "filtered reply": faults.FILTERED,
}


@pytest.mark.parametrize("fault", DOWN.values(), ids=DOWN)
async def test_without_its_model_the_answer_is_excerpts_marked_as_such(server: ModelServer, fault: Answered) -> None:
    told = await ask_under(server, always("", fault), seconds=1.0)
    assert told.answer.text == f"{MARCH} [1]"
    (citation,) = told.answer.citations
    assert (citation.path, citation.quote) == ("boiler", MARCH)
    assert told.answer.notice in {MODEL_AWAY, MODEL_BROKE_OFF, MODEL_LATE.format(why="no reply within 1 s")}
    assert "done without the model" in told.reasoning
    assert "failed to write" in told.reasoning


USELESS = {
    "half a megabyte": faults.ENDLESS,
    "out of tokens": faults.OUT_OF_TOKENS,
    "other words": Reply("I am sorry, but as a model I would rather not talk about that at all."),
    "JSON": Reply('{"answer": 42}'),
}


@pytest.mark.check
@pytest.mark.parametrize("reply", USELESS.values(), ids=USELESS)
async def test_a_reply_that_names_no_source_gives_way_to_excerpts(server: ModelServer, reply: Reply) -> None:
    told = await ask_under(server, always("synthesize", reply), seconds=20)
    assert told.answer.text == f"{MARCH} [1]"
    assert MODEL_UNCITED in told.answer.notice


@pytest.mark.check
@pytest.mark.parametrize("fault", [faults.BROKEN, faults.REFUSAL, faults.malformed_body])
@pytest.mark.parametrize("step", ["analyze", "grade", "plan", "synthesize"])
async def test_a_step_that_fails_is_done_without_the_model(server: ModelServer, step: str, fault: Answered) -> None:
    told = await ask_under(server, always(step, fault), question=LEADER, options=NARROW)
    assert isinstance(told.outcome, Answer | NotFound)
    said = f"{step}: " if step != "synthesize" else "failed to write"
    assert said in told.reasoning
    assert (MODEL_AWAY in told.answer.notice) == (step == "synthesize")


async def test_a_failing_check_leaves_the_answer_as_it_is(server: ModelServer) -> None:
    loose = "The machinery for heating the plant gets its regular attention early each spring. [1]"
    told = await ask_under(server, always("synthesize", Reply(loose)), always("check", faults.BROKEN))
    assert told.answer.text == loose
    assert "check: The language model endpoint 127.0.0.1 is not available" in told.reasoning


# --- another try helps ----------------------------------------------------------------------------------------------

PASSING: dict[str, tuple[Callable[[], Answered], float]] = {
    "429": (lambda: faults.BUSY, 0.2),
    "429 with seconds": (lambda: faults.busy_for(0.6), 0.6),
    "429 with a date": (lambda: faults.busy_until(1.7), 0.6),
    "503": (lambda: faults.OVERLOADED, 0.2),
    "reset": (lambda: faults.reset, 0.2),
    "null": (lambda: faults.NULL, 0.2),
}


@pytest.mark.check
@pytest.mark.parametrize(("fault", "wait"), PASSING.values(), ids=PASSING)
async def test_another_try_is_made_after_the_wait_that_was_asked_for(
    server: ModelServer, fault: Callable[[], Answered], wait: float
) -> None:
    told = await ask_under(server, at("synthesize", fault()), seconds=5, patience=5)
    assert told.answer.text == f"{MARCH} [1]"
    assert told.answer.notice == ""
    moments = [asked.at for asked in server.requests]
    assert len(moments) == 3
    assert moments[2] - moments[1] >= wait


async def test_a_wait_beyond_all_patience_is_not_waited(server: ModelServer) -> None:
    told = await ask_under(server, always("", faults.busy_for(60)), seconds=5, patience=5)
    assert told.answer.notice == MODEL_AWAY
    assert told.outcome.trace.timings_ms["total"] < 2_000
    assert len(server.requests) == 2


async def test_a_server_without_schemas_is_told_in_words(server: ModelServer) -> None:
    server.refuses.add("response_format")
    told = await ask_under(server, seconds=30, patience=30)
    assert told.answer.text == f"{MARCH} [1]"
    assert [bool(each.body.get("response_format")) for each in server.requests] == [True, False, False]
    assert '"sub_questions"' in server.requests[1].body["messages"][0]["content"]


async def test_a_server_that_complains_in_words_about_schemas_is_understood(server: ModelServer) -> None:
    told = await ask_under(server, at("analyze", faults.no_json_schema))
    assert told.answer.text == f"{MARCH} [1]"
    assert len(server.requests) == 3


# --- replies that break off -----------------------------------------------------------------------------------------

REGISTERED = f"{MARCH} [1] Its pressure is checked weekly. [1] The plant room of the company was then"

BREAKS: dict[str, Answered] = {
    "ends": faults.stops(REGISTERED),
    "is cut": faults.cut(REGISTERED),
    "error": faults.error_event(REGISTERED),
    "broken events": faults.broken_lines(REGISTERED),
    "too slow": faults.trickle(0.03, REGISTERED + " for" * 50),
}


@pytest.mark.parametrize("fault", BREAKS.values(), ids=BREAKS)
async def test_what_was_shown_of_a_broken_reply_stays_and_its_unfinished_sentence_is_not_shown(
    server: ModelServer, fault: Answered
) -> None:
    told = await ask_under(server, always("synthesize", fault), seconds=1.0)
    assert told.answer.text.startswith(f"{MARCH} [1] Its pressure is checked weekly. [1]")
    assert "The plant room of the company" not in told.answer.text
    assert told.answer.text.count(MARCH) == 1, "no excerpt repeats what was shown"
    assert MODEL_BROKE_OFF in told.answer.notice


async def test_excerpts_follow_what_was_shown(server: ModelServer) -> None:
    begun = "Its pressure is checked weekly. [1] After that the plant room of the company was"
    told = await ask_under(server, always("synthesize", faults.cut(begun)))
    assert told.answer.text == f"Its pressure is checked weekly. [1]\n\n{MARCH} [1]"
    assert MODEL_BROKE_OFF in told.answer.notice


async def test_nothing_of_a_reply_that_breaks_off_before_its_first_source_is_shown(server: ModelServer) -> None:
    begun = "Let me think about this for a while. Heating is a wide field, and many have written about it, so"
    told = await ask_under(server, always("synthesize", faults.cut(begun)))
    assert told.answer.text == f"{MARCH} [1]"


async def test_an_answer_that_ran_out_of_tokens_loses_nothing_that_was_said(server: ModelServer) -> None:
    told = await ask_under(server, always("synthesize", Reply(f"{MARCH} [1] Its pressure is", finish="length")))
    assert told.answer.text.startswith(f"{MARCH} [1]")


# --- a server that is known to be away ------------------------------------------------------------------------------


@pytest.mark.check
async def test_a_server_that_keeps_failing_is_left_alone_and_asked_again_later(server: ModelServer) -> None:
    server.rules.insert(0, always("", faults.BROKEN))
    async with model_agent(server, await knowledge_of(PAGES), seconds=1, patience=0.1, pause=3) as agent:
        for _ in range(3):
            assert (await agent.ask(BOILER)).answer.notice == MODEL_AWAY
        sent = len(server.requests)
        assert sent == 5, "it opens after five failures in a row"
        told = await agent.ask(BOILER)
        assert told.answer.text == f"{MARCH} [1]"
        assert (len(server.requests), told.outcome.trace.model_calls) == (sent, 0)
        del server.rules[0]
        await asyncio.sleep(3.1)
        back = await agent.ask(BOILER)
    assert (back.answer.notice, back.outcome.trace.model_calls) == ("", 2)
    assert len(server.requests) == sent + 2


# --- the model's reply does not fit ----------------------------------------------------------------------------------


async def test_of_a_reply_that_the_server_cut_the_last_sentence_is_not_shown(server: ModelServer) -> None:
    cut = Reply(f"{MARCH} [1] Its pressure is checked every week by", finish="length")
    told = await ask_under(server, always("synthesize", cut))
    assert told.answer.text == f"{MARCH} [1]"
    assert CUT_OFF in told.answer.notice


async def test_where_a_cut_leaves_nothing_excerpts_are_shown(server: ModelServer) -> None:
    cut = Reply(f"[1] {MARCH[:-1]}", finish="length")
    told = await ask_under(server, always("synthesize", cut))
    assert told.answer.text == f"{MARCH} [1]"
    assert told.answer.notice == MODEL_BROKE_OFF
