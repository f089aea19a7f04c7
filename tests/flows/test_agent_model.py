"""The agent with a language model over real HTTP: what it asks, what it answers, and what it never sends."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent.wording import MODEL_DENIES
from domain.access import Acl, user
from domain.answers import NotFound, Progress, Question, ReplyPart, Turn
from domain.errors import Transient
from domain.model_ports import ReplyCache
from tests.command import Kb, write
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_agent import (
    ADA,
    BOB,
    BOILER,
    EVE,
    LEADER,
    MEMBER,
    NARROW,
    PAGES,
    TWO,
    a_cache,
    knowledge_of,
    model_agent,
)
from tests.fakes.model_rules import always, purpose, scored
from tests.fakes.model_server import CHAT_MODEL, SMALL_MODEL, Body, ModelServer, Reply


class AwayReplies(ReplyCache):
    """A cache whose database is away."""

    async def get(self, key: bytes) -> str | None:
        raise Transient("The database is away")

    async def put(self, key: bytes, reply: str) -> None:
        raise Transient("The database is away")


# --- answers --------------------------------------------------------------------------------------------------------


async def test_an_answer_takes_two_requests_and_cites_what_it_says(server: ModelServer) -> None:
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    assert agent.purposes == ["analyze", "synthesize"]
    assert told.answer.text == "The boiler in the plant room is serviced every March. [1]"
    (citation,) = told.answer.citations
    assert (citation.n, citation.title, citation.url) == (1, "Boiler", "https://docs.example/boiler")
    assert citation.quote == "The boiler in the plant room is serviced every March."
    assert told.answer.trace.model_calls == 2
    assert 0 < told.answer.confidence <= 1


async def test_parts_come_one_after_the_other_before_the_outcome_and_are_the_answer(server: ModelServer) -> None:
    server.rules.insert(0, always("synthesize", Reply(" ".join(_many_sentences(PAGES["boiler"])), pause=0.005)))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    parts = [event.text for event in told.events if isinstance(event, ReplyPart)]
    assert len(parts) > 1
    assert told.written == told.answer.text
    percents = [event.percent for event in told.events if isinstance(event, Progress)]
    assert percents == sorted(percents)
    assert isinstance(told.events[0], Progress)


def _many_sentences(page: str) -> list[str]:
    """The page's sentences, with the number of the best passage."""
    return [f"{sentence.rstrip('.')}. [1]" for sentence in page.split(". ")] * 2


async def test_numbers_follow_the_order_of_use_and_lead_to_the_right_pages(server: ModelServer) -> None:
    async with model_agent(server, await knowledge_of(PAGES), options=NARROW) as agent:
        told = await agent.ask("When is the boiler serviced, and what may visitors do on level two?")
    assert told.answer.text == (
        "The boiler in the plant room is serviced every March. [1] Visitors park their cars on level two of the"
        " garage. [2]"
    )
    assert [(each.n, each.path) for each in told.answer.citations] == [(1, "boiler"), (2, "parking")]
    assert "part 2: what may visitors do on level two?" in told.reasoning
    assert {call.args["query"] for call in told.outcome.trace.tool_calls} == {
        "When is the boiler serviced",
        "what may visitors do on level two?",
    }


async def test_a_chain_is_followed_by_a_second_search(server: ModelServer) -> None:
    async with model_agent(server, await knowledge_of(PAGES), options=NARROW) as agent:
        told = await agent.ask(LEADER)
    assert told.answer.text == "The Lantern service draws maps. [1] Mira Holt leads the people of the Harbour Crew. [2]"
    assert [each.path for each in told.answer.citations] == ["lantern", "crew"]
    trace = told.outcome.trace
    queries = {call.iteration: str(call.args["query"]) for call in trace.tool_calls}
    assert queries[1] == LEADER
    assert queries[2] == f"{LEADER} Harbour Crew"
    assert {note.path: note.iteration for note in trace.evidence} == {"lantern": 1, "crew": 2}
    assert trace.iterations >= 2
    assert "refine" in told.reasoning
    assert trace.model_calls == len(agent.purposes)
    assert agent.purposes[:4] == ["analyze", "grade", "plan", "grade"]
    assert "Iteration 2 of 3" in "\n".join(event.text for event in told.events if isinstance(event, Progress))


async def test_a_question_about_a_ticket_is_not_analysed_by_the_model(server: ModelServer) -> None:
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask("What is the state of OPS-123?")
    assert agent.purposes == ["synthesize"]
    assert "OPS-123" in told.answer.text
    assert {call.name for call in told.outcome.trace.tool_calls} == {"grep_search", "hybrid_search"}


async def test_small_talk_asks_nothing(server: ModelServer) -> None:
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask("Hello!")
    assert told.answer.text.startswith("Hello.")
    assert server.requests == []


async def test_what_the_model_does_not_find_is_not_found(server: ModelServer) -> None:
    server.rules.insert(0, always("synthesize", Reply("NOT FOUND")))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask("Why did the canteen close on Tuesday afternoon?")
    assert type(told.outcome).__name__ == "NotFound"
    assert told.written == ""


@pytest.mark.parametrize(
    "said",
    [
        "The passages do not say why the canteen closed. [1]",
        "I cannot determine why the canteen closed from the passages [1].",
        "Aus den Passagen lässt sich nicht ermitteln, warum die Kantine geschlossen war [1].",
    ],
)
async def test_a_reply_that_cites_what_does_not_answer_finds_nothing(server: ModelServer, said: str) -> None:
    server.rules.insert(0, always("synthesize", Reply(said)))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask("Why did the canteen close on Tuesday afternoon?")
        assert isinstance(told.outcome, NotFound)
        assert told.written == told.outcome.notice == ""
        told = await agent.ask(BOILER)
    assert "serviced every March" in told.answer.text
    assert MODEL_DENIES in told.answer.notice


async def test_a_reply_within_a_fence_is_checked_and_shown_as_one(server: ModelServer) -> None:
    said = "```markdown\nThe boiler in the plant room is serviced every March. [1] It cost 4711 euros. [1]\n```"
    server.rules.insert(0, always("synthesize", Reply(said)))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    assert told.written == told.answer.text == "The boiler in the plant room is serviced every March. [1]"
    assert "One sentence was left out" in told.answer.notice


async def test_what_the_passages_plainly_say_is_quoted_where_the_model_denies_it(server: ModelServer) -> None:
    server.rules.insert(0, always("synthesize", Reply("NOT FOUND")))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    assert "serviced every March" in told.answer.text
    assert MODEL_DENIES in told.answer.notice


async def test_the_askers_own_words_are_searched_whatever_a_model_makes_of_them(server: ModelServer) -> None:
    standalone = "the boiler house of the town"
    reply = {"standalone": standalone, "sub_questions": [{"text": standalone}], "plan": []}
    server.rules.insert(0, always("analyze", Reply(json.dumps(reply))))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    queries = {str(call.args["query"]) for call in told.outcome.trace.tool_calls if call.iteration == 1}
    assert queries == {standalone, BOILER}


@pytest.mark.parametrize("history", [(), (Turn(BOILER, "Every March. [1]"),)])
async def test_the_writer_reads_the_askers_own_words(server: ModelServer, history: tuple[Turn, ...]) -> None:
    asked, lost = "And by which company is the boiler in the plant room serviced?", "When is the boiler serviced?"
    reply = {"standalone": lost, "sub_questions": [{"text": lost}], "plan": []}
    server.rules.insert(0, always("analyze", Reply(json.dumps(reply))))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        await agent.ask(Question(asked, MEMBER, history=history))
    prompt = agent.bodies("synthesize")[0]["messages"][-1]["content"]
    assert f"Question: {asked}\n" in prompt
    assert (f"That means: {lost}\n" in prompt) == bool(history)


async def test_that_nothing_was_found_costs_nothing_the_second_time_either(server: ModelServer) -> None:
    server.rules.insert(0, always("synthesize", Reply("**NOT FOUND**, I am afraid.")))
    async with model_agent(server, await knowledge_of(PAGES), cache=a_cache()) as agent:
        calls = [(await agent.ask(BOILER)).outcome.trace.model_calls for _ in range(2)]
    assert calls == [2, 0]


async def test_sentences_that_no_source_backs_are_not_shown(server: ModelServer) -> None:
    made_up = "The boiler in the plant room is serviced every March. [1] It was bought for 4711 euros in 1999. [1]"
    server.rules.insert(0, always("synthesize", Reply(made_up)))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    assert told.written == told.answer.text == "The boiler in the plant room is serviced every March. [1]"
    assert "One sentence was left out" in told.answer.notice


async def test_only_doubted_sentences_are_checked_by_the_model(server: ModelServer) -> None:
    loose = "The machinery for heating the plant gets its regular attention early each spring. [1]"
    server.rules[:0] = [always("synthesize", Reply(loose)), always("check", _support(0.1))]
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    assert agent.purposes == ["analyze", "synthesize", "check"]
    assert "Check these against the source, which supports them weakly" in told.answer.notice


def _support(score: float) -> Reply:
    return Reply(json.dumps(scored([score])))


# --- which model, and how -------------------------------------------------------------------------------------------


async def test_the_small_model_prepares_and_the_other_one_writes(server: ModelServer) -> None:
    async with model_agent(server, await knowledge_of(PAGES), options=NARROW) as agent:
        await agent.ask(LEADER)
    models = {purpose(asked.body): asked.body["model"] for asked in server.requests}
    expected = dict.fromkeys(("analyze", "grade", "plan"), SMALL_MODEL)
    assert models == {**expected, "synthesize": CHAT_MODEL}
    assert [bool(body.get("stream")) for body in agent.bodies("synthesize")] == [True]


@pytest.mark.parametrize("small_model", [SMALL_MODEL, ""])
@pytest.mark.parametrize("model", [None, "other-model"])
async def test_the_trace_names_who_prepared_and_who_checked(
    server: ModelServer, small_model: str, model: str | None
) -> None:
    server.models.add("other-model")
    loose = "The machinery for heating the plant gets its regular attention early each spring. [1]"
    misjudged = Reply(json.dumps(scored([1.0], controls=(0.0, 1.0, 1.0))))
    server.rules[:0] = [always("synthesize", Reply(loose)), always("check", misjudged)]
    async with model_agent(server, await knowledge_of(PAGES), small_model=small_model) as agent:
        told = await agent.ask(BOILER, model=model)
    who = small_model or CHAT_MODEL
    models = {purpose(asked.body): asked.body["model"] for asked in server.requests}
    assert models == {"analyze": who, "synthesize": model or CHAT_MODEL, "check": who}
    assert f"(by {who})" in told.reasoning
    assert f"check: {who} misjudged" in told.reasoning


async def test_overrides_reach_the_request(server: ModelServer) -> None:
    server.models.add("other-model")
    async with model_agent(server, await knowledge_of(PAGES), options=NARROW) as agent:
        await agent.ask(BOILER, model="other-model", temperature=0.7)
        (body,) = agent.bodies("synthesize")
        assert (body["model"], body["temperature"]) == ("other-model", 0.7)
        server.requests.clear()
        once = await agent.ask(LEADER, max_iterations=1)
        assert agent.purposes == ["analyze", "grade", "synthesize"]
        assert once.outcome.trace.iterations == 1
        server.requests.clear()
        direct = await agent.ask(LEADER, mode="direct")
        assert agent.purposes == ["analyze", "synthesize"]
        assert direct.outcome.trace.mode == "direct"
        server.requests.clear()
        offline = await agent.ask(BOILER, model="offline")
        assert agent.purposes == []
        assert "without a language model" in offline.answer.notice


async def test_a_follow_up_takes_the_conversation_along(server: ModelServer) -> None:
    asked = Question("How often is its pressure checked?", MEMBER, history=(Turn(BOILER, "Every March."),))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        await agent.ask(asked)
    (body,) = agent.bodies("analyze")
    assert f"Q: {BOILER}\nA: Every March." in body["messages"][1]["content"]


# --- the cache ------------------------------------------------------------------------------------------------------


async def test_a_repeated_question_costs_nothing(server: ModelServer) -> None:
    async with model_agent(server, await knowledge_of(PAGES), options=NARROW, cache=a_cache()) as agent:
        first = await agent.ask(LEADER)
        sent = len(server.requests)
        again = await agent.ask(LEADER)
    assert len(server.requests) == sent == first.outcome.trace.model_calls
    assert again.outcome.trace.model_calls == 0
    assert f"{sent} replies came from the cache" in again.reasoning
    assert (again.answer.text, again.answer.citations) == (first.answer.text, first.answer.citations)
    assert again.written == again.answer.text


async def test_replies_are_shared_by_those_who_see_the_same_and_by_nobody_else(server: ModelServer) -> None:
    knowledge = await knowledge_of(PAGES, {"vacation": TWO})
    async with model_agent(server, knowledge, cache=a_cache()) as agent:
        calls = [(await agent.ask(BOILER, scope)).outcome.trace.model_calls for scope in (ADA, EVE, BOB)]
        assert calls == [2, 0, 2], "the third sees other documents"


async def test_a_change_of_rights_empties_the_cache(server: ModelServer) -> None:
    knowledge = await knowledge_of(PAGES, {"vacation": TWO})
    async with model_agent(server, knowledge, cache=a_cache()) as agent:
        assert (await agent.ask(BOILER, ADA)).outcome.trace.model_calls == 2
        await knowledge.set_acl("docs", ["vacation"], Acl.any_of(user("bob@tidewell.example")))
        await knowledge.set_acl("docs", ["vacation"], TWO)
        assert (await agent.ask(BOILER, ADA)).outcome.trace.model_calls == 2


async def test_the_cache_changes_nothing_when_it_is_away(server: ModelServer) -> None:
    async with model_agent(server, await knowledge_of(PAGES), cache=AwayReplies()) as agent:
        told = [await agent.ask(BOILER) for _ in range(2)]
    assert [each.outcome.trace.model_calls for each in told] == [2, 2]


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def asking(kb: Kb, server: ModelServer, docs: Path) -> Kb:
    """The command with a model, over a few pages."""
    write(docs, **{name: f"# {name.capitalize()}\n\n{text}\n" for name, text in PAGES.items()})
    assert kb("index", str(docs), "--json").report["added"] == len(PAGES)
    return kb.having(
        LLM_BASE_URL=server.base_url, LLM_API_KEY=KEY, LLM_MODEL=CHAT_MODEL, LLM_SMALL_MODEL=SMALL_MODEL, HYDE="false"
    )


def test_the_command_asks_twice_and_for_a_repeated_question_not_at_all(asking: Kb, server: ModelServer) -> None:
    first, again = (asking("ask", BOILER, "--json").json for _ in range(2))
    assert (first["status"], first["model_calls"]) == ("answered", 2)
    assert first["answer"] == "The boiler in the plant room is serviced every March. [1]"
    assert [purpose(asked.body) for asked in server.requests] == ["check", "analyze", "synthesize"], "a test of reading"
    assert again["model_calls"] == 0
    assert again["answer"] == first["answer"]
    assert any("came from the cache" in line for line in again["reasoning_trace"])


def test_the_commands_options_reach_the_request(asking: Kb, server: ModelServer) -> None:
    server.models.add("other-model")
    wanted = ("--model", "other-model", "--temperature", "0.7", "--max-iterations", "1", "--top-k", "2")
    done = asking("ask", LEADER, *wanted, "--json").json
    (body,) = _written_by(server)
    assert (body["model"], body["temperature"]) == ("other-model", 0.7)
    assert done["iterations"] == 1
    server.requests.clear()
    direct = asking("ask", LEADER, "--mode", "direct", "--json").json
    assert direct["mode"] == "direct"
    assert [purpose(asked.body) for asked in server.requests] == ["check", "analyze", "synthesize"], "a test of reading"


def test_the_command_prints_the_answer_as_it_is_written_and_never_the_key(asking: Kb) -> None:
    done = asking("ask", BOILER, "--trace")
    assert done.out.startswith("The boiler in the plant room is serviced every March. [1]\n\nReferences\n  [1] Boiler")
    assert done.out.count("serviced every March. [1]") == 1
    assert KEY not in done.out + done.err


def _written_by(server: ModelServer) -> list[Body]:
    return [asked.body for asked in server.requests if purpose(asked.body) == "synthesize"]


async def test_a_model_that_thinks_and_takes_no_temperature_answers_the_first_question(server: ModelServer) -> None:
    server.refuses.add("temperature")

    def thinking(body: Body) -> Reply | None:
        answers = (each(body) for each in rules)
        usual = next((answer for answer in answers if answer is not None), None)
        return replace(usual, thinking=3_000) if isinstance(usual, Reply) else None

    rules = list(server.rules)
    server.rules[:] = [thinking]
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = [await agent.ask(BOILER) for _ in range(2)]
    assert {each.answer.text for each in told} == {"The boiler in the plant room is serviced every March. [1]"}
    assert [each.answer.trace.model_calls for each in told] == [6, 2]  # each of two models is found out by two requests
