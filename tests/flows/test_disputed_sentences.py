"""Replies that a model writes over the example company's documents, with sentences that turn round what their right
citation says: over the service and real HTTP."""

import json
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from agent.wording import CHECKING, MOSTLY_LEFT_OUT, NOTHING_SUPPORTED
from domain.answers import NotFound, Progress, ReplyPart
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.model_agent import BOILER, LEADER, NARROW, OPTIONS, PAGES, Told, knowledge_of, model_agent
from tests.fakes.model_rules import Prompt, always, read, scored
from tests.fakes.model_server import Body, ModelServer, Reply, Rule

COMPANY = Path(__file__).parents[2] / "examples" / "knowledge-base"

TURNED = {
    "negation taken away": (
        "policies/expenses-and-travel.md",
        "Unused budget does not carry over.",
        "Unused budget carries over.",
    ),
    "negation added": (
        "policies/expenses-and-travel.md",
        "The team head approves within 5 working days; Finance pays every Friday.",
        "Finance does not pay every Friday.",
    ),
    "duty into choice": (
        "policies/remote-work.md",
        "Engineers on the on-call rota must stay within two hours of the Cork time zone during their week.",
        "Engineers on the on-call rota may stay within two hours of the Cork time zone during their week.",
    ),
    "choice into duty": (
        "policies/remote-work.md",
        "Employees may work up to 30 working days per calendar year from another country in the EU",
        "Employees must work up to 30 working days per calendar year from another country in the EU.",
    ),
    "never into always": (
        "architecture/alerting-service.md",
        "Medium alerts never call anybody at night; they are sent at 07:30 in the time zone of the site.",
        "Medium alerts always call somebody at night.",
    ),
    "all into some": (
        "policies/leave.md",
        "All absences are entered in Harbourmaster, not by e-mail.",
        "Some absences are entered in Harbourmaster, not by e-mail.",
    ),
    "all into none": (
        "policies/leave.md",
        "All absences are entered in Harbourmaster, not by e-mail.",
        "No absences are entered in Harbourmaster.",
    ),
    "least into most": (
        "policies/passwords-and-devices.md",
        "Where a password is still needed, it has at least **16 characters**.",
        "Where a password is still needed, it has at most 16 characters.",
    ),
    "another unit": (
        "api/hub-api-v2.md",
        "Tokens are created in the web app under *Settings / API*, carry one or more scopes, and expire after 365 days",
        "Tokens are created in the web app and expire after 365 hours.",
    ),
    "before into after": (
        "policies/expenses-and-travel-2024.md",
        "A flight needs the approval of the team head before booking.",
        "A flight needs the approval of the team head after booking.",
    ),
    "who informs whom": (
        "runbooks/incident-severity.md",
        "Maeve (CEO) is informed by Tomasz, not by the on-call engineer.",
        "Tomasz is informed by Maeve.",
    ),
    "the rule into the exception": (
        "policies/expenses-and-travel.md",
        "journeys of up to 6 hours by rail are not flown unless the team head agrees in Kelp.",
        "Journeys of up to 6 hours by rail are flown unless the team head agrees in Kelp.",
    ),
    "raised into lowered": (
        "releases/hub-2025.md",
        "The default of `TIDEWELL_MAX_RETRIES` is raised from 3 to 5 (HUB-1322).",
        "The default of TIDEWELL_MAX_RETRIES is lowered from 3 to 5.",
    ),
    "rejected into accepted": (
        "policies/passwords-and-devices.md",
        "The identity provider has rejected password-only logins since 1 July 2025.",
        "The identity provider has accepted password-only logins since 1 July 2025.",
    ),
    "unpaid into paid": (
        "policies/leave.md",
        "After four years at Tidewell an employee may take a sabbatical of up to 3 months, unpaid",
        "After four years at Tidewell an employee may take a paid sabbatical of up to 3 months.",
    ),
    "what comes first": (
        "architecture/decisions/ADR-006-alert-keys.md",
        "`alertd` stores the key in the table `alert_keys` before it calls `courier`.",
        "alertd calls courier before it stores the key in the table alert_keys.",
    ),
}
"""By what was turned: the file, a sentence that stands in it, and what a model makes of that."""


@pytest.fixture(scope="module")
async def company() -> MemoryKnowledge:
    """The paragraphs that the sentences stand in."""
    pages = {}
    for file, sentence, _ in TURNED.values():
        for number, paragraph in enumerate((COMPANY / file).read_text(encoding="utf-8").split("\n\n")):
            if sentence in " ".join(paragraph.split()):
                pages[f"{Path(file).stem}-{number}"] = paragraph
    return await knowledge_of(pages)


def saying(source: str, *sentences: str) -> Rule:
    """A model that writes sentences, each with the number of the passage that holds `source`."""

    def rule(body: Body) -> Reply | None:
        prompt = read(body)
        if prompt.purpose != "synthesize":
            return None
        (number,) = (each.number for each in prompt.passages if source in " ".join(each.text.split()))
        return Reply(" ".join(f"{sentence.rstrip('.')}. [{number}]" for sentence in sentences), pause=0.001)

    return rule


def scoring(*scores: float) -> Rule:
    """A checker with a score for each sentence in turn."""
    return always("check", Reply(json.dumps(scored(scores))))


async def told_of(server: ModelServer, company: MemoryKnowledge, kind: str, score: float, **overrides: Any) -> Told:
    _, sentence, turned = TURNED[kind]
    server.rules[:0] = [saying(sentence, sentence, turned), scoring(score)]
    async with model_agent(server, company) as agent:
        told = await agent.ask(f"Is this so: {sentence}", **overrides)
    assert told.written == told.answer.text
    return told


# --- what is turned is not shown --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TURNED)
async def test_a_sentence_that_turns_its_source_round_is_not_shown(
    server: ModelServer, company: MemoryKnowledge, kind: str
) -> None:
    told = await told_of(server, company, kind, 0.5)
    _, sentence, turned = TURNED[kind]
    assert told.answer.text == f"{sentence.rstrip('.')}. [1]"
    assert turned not in repr(told.outcome)
    assert "One sentence was left out: the sources do not say so." in told.answer.notice
    asked = [read(each.body) for each in server.requests]
    assert [prompt.sentences for prompt in asked if prompt.purpose == "check"] == [(turned,)]
    assert sum(prompt.purpose == "synthesize" for prompt in asked) == 1


@pytest.mark.parametrize("kind", TURNED)
async def test_nor_in_direct_mode_where_nobody_is_asked(
    server: ModelServer, company: MemoryKnowledge, kind: str
) -> None:
    told = await told_of(server, company, kind, 1.0, mode="direct")
    assert told.answer.text == f"{TURNED[kind][1].rstrip('.')}. [1]"
    assert "check" not in [read(each.body).purpose for each in server.requests]


async def test_nor_where_the_checker_fails(server: ModelServer, company: MemoryKnowledge) -> None:
    server.rules.insert(0, always("check", Reply("I would say that it is fine.")))
    sentence, turned = TURNED["duty into choice"][1:]
    server.rules.insert(0, saying(sentence, sentence, turned))
    async with model_agent(server, company) as agent:
        told = await agent.ask(f"Is this so: {sentence}")
    assert told.written == told.answer.text == f"{sentence} [1]"


# --- what is wrongly disputed is ------------------------------------------------------------------------------------


async def test_a_sentence_that_the_checker_clears_is_shown_in_its_place(
    server: ModelServer, company: MemoryKnowledge
) -> None:
    sentence, turned = TURNED["duty into choice"][1:]
    server.rules[:0] = [saying(sentence, sentence, turned, sentence), scoring(0.9)]
    async with model_agent(server, company) as agent:
        told = await agent.ask(f"Is this so: {sentence}")
    assert told.written == told.answer.text == f"{sentence} [1] {turned} [1] {sentence} [1]"
    assert told.answer.notice == ""
    assert "cleared by the check (0.90)" in told.reasoning


async def test_what_stands_behind_a_disputed_sentence_is_shown_once_that_is_settled(
    server: ModelServer, company: MemoryKnowledge
) -> None:
    sentence, turned = TURNED["duty into choice"][1:]
    server.rules[:0] = [saying(sentence, sentence, turned, sentence), scoring(0.1)]
    async with model_agent(server, company) as agent:
        told = await agent.ask(f"Is this so: {sentence}")

    def unchecked(event: Progress | ReplyPart) -> bool:
        return event.text != CHECKING

    before = "".join(event.text for event in takewhile(unchecked, told.events) if isinstance(event, ReplyPart))
    assert f"{sentence} [1]".startswith(before)
    assert len(before) > len(sentence) / 2, "what agrees was not held back"
    assert told.written == told.answer.text == f"{sentence} [1] {sentence} [1]"


# --- doubts -----------------------------------------------------------------------------------------------------------

LOOSE = "The machinery for heating the plant gets its regular attention early each spring."
MARCH = "The boiler in the plant room is serviced every March."
NEVER = "The boiler in the plant room is not serviced every March."


async def test_doubts_and_disputes_are_one_request(server: ModelServer) -> None:
    server.rules[:0] = [saying(MARCH, MARCH, LOOSE, NEVER, LOOSE), scoring(0.9, 0.2, 0.1)]
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    assert agent.purposes == ["analyze", "synthesize", "check"]
    assert told.answer.text == f"{MARCH} [1] {LOOSE} [1] {LOOSE} [1]"
    assert f"supports them weakly: “{LOOSE}”" in told.answer.notice


async def test_without_a_checker_each_doubt_is_told(server: ModelServer) -> None:
    server.rules.insert(0, saying(MARCH, MARCH, LOOSE))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        direct = await agent.ask(BOILER, mode="direct")
    assert direct.answer.text == f"{MARCH} [1] {LOOSE} [1]"
    assert f"supports them weakly: “{LOOSE}”" in direct.answer.notice
    assert "check" not in agent.purposes


# --- too little is left -----------------------------------------------------------------------------------------------


async def test_a_reply_of_which_nothing_is_left_is_planned_again_for_what_it_said(server: ModelServer) -> None:
    """The second pass finds the page that it needs."""
    crew = "Mira Holt leads the people of the Harbour Crew."
    turned = "The Lantern service does not draw maps."

    def plan(body: Body) -> Reply | None:
        found = read(body).purpose == "plan"
        call = '{"tool": "keyword_search", "args": {"query": "leads Harbour Crew"}, "sub_question": 1}'
        return Reply(f'{{"plan": [{call}]}}') if found else None

    def write(body: Body) -> Reply | None:
        prompt = read(body)
        if prompt.purpose != "synthesize":
            return None
        leads = [each.number for each in prompt.passages if crew in each.text]
        draws = [each.number for each in prompt.passages if "draws maps" in each.text]
        return Reply(f"{crew} [{leads[0]}]" if leads else f"{turned} [{draws[0]}]")

    server.rules[:0] = [plan, write, scoring(0.0)]
    options = replace(NARROW, limits=replace(NARROW.limits, generate=0.0))
    async with model_agent(server, await knowledge_of(PAGES), options=options) as agent:
        told = await agent.ask(LEADER)
    (body,) = agent.bodies("plan")
    assert f"Written, but said by nothing found: {turned}" in body["messages"][1]["content"]
    assert told.written == told.answer.text == f"{crew} [1]"
    assert told.outcome.trace.iterations == 2
    assert agent.purposes.count("synthesize") == 2
    assert NOTHING_SUPPORTED not in told.answer.notice


async def test_in_the_end_the_sources_are_quoted(server: ModelServer) -> None:
    server.rules[:0] = [saying(MARCH, NEVER), scoring(0.0)]
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    assert told.written == told.answer.text == f"{MARCH} [1]"
    assert NOTHING_SUPPORTED in told.answer.notice
    assert agent.purposes.count("synthesize") == agent.purposes.count("check") == 1, "the evidence was the same"
    assert told.answer.confidence < 0.5
    assert "nothing new was found: the sources are quoted" in told.reasoning


async def test_in_direct_mode_they_are_quoted_at_once(server: ModelServer) -> None:
    server.rules.insert(0, saying(MARCH, NEVER))
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER, mode="direct")
    assert told.written == told.answer.text == f"{MARCH} [1]"
    assert NOTHING_SUPPORTED in told.answer.notice
    assert agent.purposes == ["analyze", "synthesize"]


async def test_what_is_neither_supported_nor_quoted_is_not_found(server: ModelServer) -> None:
    server.rules.insert(0, saying(MARCH, NEVER))
    strict = replace(OPTIONS, min_relevance=1.0)
    async with model_agent(server, await knowledge_of(PAGES), options=strict) as agent:
        told = await agent.ask(BOILER, mode="direct")
    assert isinstance(told.outcome, NotFound)
    assert told.written == ""


async def test_where_most_was_left_out_excerpts_follow(server: ModelServer) -> None:
    pressure = "Its pressure is checked weekly."
    server.rules[:0] = [saying(MARCH, pressure, NEVER, "It was bought in 1999."), scoring(0.0)]
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    assert told.written == told.answer.text == f"{pressure} [1]\n\n{MARCH} [1]"
    assert MOSTLY_LEFT_OUT in told.answer.notice
    assert "2 sentences were left out" in told.answer.notice
    assert agent.purposes == ["analyze", "synthesize", "check"]


# --- without a citation -----------------------------------------------------------------------------------------------

GAP = "The passages do not say who pays for it."


async def test_of_what_has_no_citation_only_what_the_sources_leave_open_is_said(server: ModelServer) -> None:
    def write(body: Body) -> Reply | None:
        prompt: Prompt = read(body)
        if prompt.purpose != "synthesize":
            return None
        (number,) = (each.number for each in prompt.passages if MARCH in each.text)
        return Reply(f"{MARCH} [{number}] Everybody may look inside whenever they like. {GAP}")

    server.rules.insert(0, write)
    async with model_agent(server, await knowledge_of(PAGES)) as agent:
        told = await agent.ask(BOILER)
    assert told.written == told.answer.text == f"{MARCH} [1] {GAP}"
    assert "One sentence was left out" in told.answer.notice
