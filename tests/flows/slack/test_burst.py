"""More questions at one moment than may wait: each has an outcome, and those beyond the limit are told so."""

import re
from collections import Counter

from tests.command import Kb
from tests.fakes.model_server import model_server
from tests.fakes.slack import LocalSlack, plain
from tests.flows.slack.burst import ask_at_once, taking
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.talk import model_env

ASKED, WAITING = 40, 12


def test_none_is_lost_and_none_waits_beyond_the_limit(indexed: Kb, slack: LocalSlack) -> None:
    with model_server(rules=(taking(0.2),)) as model:
        kb = indexed.having(
            **slack_env(slack),
            **model_env(model),
            QUESTIONS_WAITING=str(WAITING),
        )
        with serving(kb, slack) as process:
            burst = ask_at_once(kb, slack, process, ASKED, patience=60)
    assert Counter(burst.visible) == {1: ASKED}, "each has exactly one visible outcome"
    assert len(burst.acknowledged) == 2 * ASKED, "mention and message"
    assert burst.results["busy"] == burst.busy
    assert burst.results["answered"] + burst.busy == ASKED
    assert burst.results["answered"] >= WAITING
    assert burst.busy >= ASKED // 3
    assert model.busiest <= 4, "as many at a time as the settings say"
    signs = first_signs(slack)
    assert len(signs) == burst.results["answered"]
    before = [int(found[1]) for sign in signs if (found := re.search(r"Your question waits: (\d+) other", sign))]
    assert before, "those that wait say so"
    assert max(before) < WAITING
    assert any("Reading the question" in sign for sign in signs), "those for which a worker is free do not"


def first_signs(slack: LocalSlack) -> list[str]:
    """What was shown first below each question that was accepted."""
    shown = [each for channel in list(slack.world.channels) for each in slack.channel(channel)]
    ours = [each for each in shown if each.user == slack.bot and "I am busy" not in plain(each)]
    return [plain(each.versions[0]) for each in ours]
