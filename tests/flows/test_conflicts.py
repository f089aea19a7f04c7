"""Documents of the example company that say different things: what counts is the answer, a note has the other side, and
what is no conflict is not called one. Without a model, and with one that tells the side that does not count."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import Kb, write
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_rules import fresh, read
from tests.fakes.model_server import CHAT_MODEL, Body, ModelServer, Reply, Rule, model_server

COMPANY = Path(__file__).parents[2] / "examples" / "knowledge-base"
POLICY, POLICY_2024 = "“Expenses and travel policy” (2026-01-12)", "“Expenses and travel policy (2024)” (2024-02-01)"
HYBRID, HOME = "“Remote and hybrid work policy” (2026-04-02)", "“Working from home” (2024-04-15)"
API, FAQ = "“Hub API v2 reference” (2026-05-19)", "“Customer questions: answers for the Support team” (2025-03-10)"

CONFLICTS = {
    "How much does the primary on-call engineer receive per week?": (
        "receives €400 per week",
        "a flat allowance of €250 per week",
        "“On-call compensation” (2026-04-01) takes precedence over “On-call handbook” (2025-05-20).",
    ),
    "How high is the daily meal allowance on business trips?": (
        "is €58 for a full day",
        "is €45 for a full day",
        f"{POLICY} replaces {POLICY_2024}.",
    ),
    "What are the core hours?": ("10:00 to 15:00", "09:30 to 16:00", f"{HYBRID} replaces {HOME}."),
    "How many working days may I work from another country in the EU?": (
        "up to 30 working days",
        "up to 20 working days",
        f"{HYBRID} replaces {HOME}.",
    ),
    "What is paid for a private car per kilometre?": (
        "€0.42 per kilometre",
        "€0.38 per kilometre",
        f"{POLICY} replaces {POLICY_2024}.",
    ),
    "What does Tidewell pay for a desk or chair at home?": (
        "up to €600 every three years",
        "once up to €300",
        f"{HYBRID} replaces {HOME}.",
    ),
    "How many requests per minute may each API token send?": (
        "may send 300 requests per minute",
        "accepts 120 requests per minute",
        f"{API} is newer than {FAQ}.",
    ),
    "When does a critical alert escalate to the next contact?": (
        "after 5 minutes without confirmation",
        "after 10 minutes without confirmation",
        "“Release notes Hub 2026.3” (2026-09-01) is newer than “Alerting service (alertd)” (2025-11-14).",
    ),
}
"""By question: what counts, what does not, and what the reader is told of the two documents."""

AGREED = [
    "When does Patroni promote a replica?",
    "How long are invoices and payment records kept?",
    "Who approves access to the warehouse?",
    "How long does an on-call shift last?",
    "Within how many minutes is a page acknowledged in Foghorn?",
    "How long does a backfill of one day take in the warehouse?",
    "What is the lag of a replica below which a switchover may run?",
    "After how many days is personal data erased when a customer closes an account?",
    "How many characters does a password have?",
    "How many days of parental leave are there?",
]
"""Questions whose sources agree, though they are full of numbers."""


@pytest.fixture(scope="module")
def company(shared: Kb) -> Kb:
    shared("index", str(COMPANY))
    return shared


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with model_server() as started:
        yield started


def telling(words: str) -> Rule:
    """A model that writes the line which holds some words, with its number, and nothing else."""

    def rule(body: Body) -> Reply | None:
        prompt = read(body)
        if prompt.purpose != "synthesize":
            return None
        found = ((each.number, line) for each in prompt.passages for line in each.text.splitlines() if words in line)
        number, line = next(found)
        sentence = next(part for part in line.split(". ") if words in part)
        return Reply(f"{sentence.strip(' .-')} [{number}].", pause=0.001)

    return rule


@pytest.mark.parametrize("question", CONFLICTS)
def test_what_counts_is_the_answer_and_the_other_side_stands_in_the_note(company: Kb, question: str) -> None:
    counts, other, told = CONFLICTS[question]
    outcome = company("ask", question, "--json").json
    assert counts in outcome["answer"]
    assert other not in outcome["answer"]
    assert f"The sources differ: {told} The latter says: “" in outcome["notice"]
    assert other in outcome["notice"]


def test_who_asks_for_what_was_before_gets_both_sides_first_what_counts(company: Kb) -> None:
    question = "How high is the daily meal allowance on business trips, and how high was it before?"
    answer = company("ask", question, "--json").json["answer"]
    assert 0 <= answer.find("is €58 for a full day") < answer.find("is €45 for a full day"), answer


@pytest.mark.parametrize("question", [each for each in CONFLICTS if "desk" not in each])  # a row is no sentence
def test_what_a_model_leaves_untold_is_quoted_behind_it(company: Kb, server: ModelServer, question: str) -> None:
    counts, other, told = CONFLICTS[question]
    fresh(server).rules[:0] = [telling(other)]
    kb = company.having(LLM_BASE_URL=server.base_url, LLM_API_KEY=KEY, LLM_MODEL=CHAT_MODEL, HYDE="false")
    outcome = kb("ask", question, "--json").json
    assert 0 <= outcome["answer"].find(other) < outcome["answer"].find(counts), outcome["answer"]
    assert f"The sources differ: {told}" in outcome["notice"]


@pytest.mark.parametrize("question", AGREED)
def test_sources_that_agree_are_not_said_to_differ(company: Kb, question: str) -> None:
    done = company("ask", question)
    assert "[1]" in done.out
    assert "differ" not in done.out


def test_of_a_document_that_another_one_replaces_the_reader_is_told_so(company: Kb) -> None:
    outcome = company("ask", "Are call-outs paid separately?", "--json").json
    assert "“On-call compensation” (2026-04-01) takes precedence over “On-call handbook”" in outcome["notice"]


def test_a_file_without_a_date_in_it_has_none(company: Kb) -> None:
    question = "For how many days are raw frames kept?"
    assert "(code/tidewell_settings.py)\n" in company("ask", question, "--title", "tidewell_settings").out
    assert "(policies/leave.md, 2026-01-05)\n" in company("ask", "How many days of leave?", "--title", "leave").out


def test_an_edition_that_is_replaced_by_its_number_alone_counts_no_more(kb: Kb, tmp_path: Path) -> None:
    rule = "The meal allowance of a full day is €{} for everybody who travels."
    new = f"---\ntitle: Travel policy\n---\n\nThis version replaces version 2 of February 2024.\n\n{rule.format(58)}\n"
    old = f"---\ntitle: Travel policy (2024)\n---\n\n# Travel policy, version 2\n\n{rule.format(45)}\n"
    kb("index", str(write(tmp_path / "policies", new=new, old=old)))
    outcome = kb("ask", "How high is the meal allowance of a full day?", "--json").json
    assert "€58" in outcome["answer"]
    assert "€45" not in outcome["answer"]
    assert "“Travel policy” replaces “Travel policy (2024)”" in outcome["notice"]
