"""kill -9 of `kb serve` when a corrected answer is shown and that is not recorded: the next one ends it."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.command import Kb, rows, wait_for, write
from tests.fakes.model_held import HeldModel
from tests.fakes.model_rules import Prompt
from tests.fakes.model_server import model_server
from tests.fakes.slack import Call, LocalSlack, local_slack, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.reading import replies
from tests.flows.slack.talk import model_env

pytestmark = pytest.mark.faults

QUESTION = "When does the ferry leave, and who opens the gate?"
FERRY, GATE = "The ferry leaves at nine", "The gate is opened by Mira Holt"
CORRECTED = "no longer available"


def _answer(prompt: Prompt) -> tuple[Sequence[str], Sequence[str]]:
    """A sentence of each page."""
    numbers = {said: each.number for each in prompt.passages for said in (FERRY, GATE) if said in each.text}
    return [f"{said} [{number}].\n\n" for said, number in numbers.items()], ()


@pytest.fixture
def known(kb: Kb, tmp_path: Path) -> Iterator[Kb]:
    """The command, with a document of each matter, and a model that answers from both."""
    folder = write(tmp_path / "harbour", ferry=f"# Ferry\n\n{FERRY}.\n", gate=f"# Gate\n\n{GATE}.\n")
    for each in folder.iterdir():
        assert kb("index", str(each), "--source", each.stem, "--audience", "everyone").code == 0
    model = HeldModel(_answer)
    model.go.set()
    with model_server(rules=(model,)) as server:
        yield kb.having(**model_env(server))


def _asked_and_closed(kb: Kb, slack: LocalSlack) -> tuple[str, str]:
    """The channel and thread of an answer from both documents, of which one is removed then."""
    ann = slack.add_user("ann", email="ann@example.com")
    channel = slack.dm(ann).id
    with serving(kb, slack):
        asked = slack.say(ann, channel, QUESTION)
        wait_for(lambda: bool(_posted(kb, "state <> '' AND claimed_until IS NULL")))
    assert FERRY in _shown(slack, channel, asked)
    assert kb("sources", "remove", "ferry", "--yes").code == 0
    return channel, asked


@pytest.mark.parametrize("edited", [False, True], ids=["before Slack has it", "when Slack has it"])
def test_a_correction_that_was_not_recorded_is_made_again_with_the_same_words(known: Kb, edited: bool) -> None:
    with local_slack() as slack:
        kb = known.having(**slack_env(slack))
        place = _asked_and_closed(kb, slack)
        _killed_at_the_edit(kb, slack, edited=edited)
        before = _shown(slack, *place)
        assert (CORRECTED in before) == edited
        assert _posted(kb, "claimed_until > now()"), "it was begun, and is not recorded"
        rows(_url(kb), "UPDATE posted_replies SET claimed_until = now() RETURNING question_no")  # the lease runs out
        with serving(kb, slack):
            wait_for(lambda: bool(_posted(kb, "claimed_until IS NULL")))
        after = _shown(slack, *place)
        assert (GATE in after, FERRY in after, CORRECTED in after) == (True, False, True)
        assert not edited or after == before


def _killed_at_the_edit(kb: Kb, slack: LocalSlack, *, edited: bool) -> None:
    """Runs `kb serve` until it corrects, and kills it then. edited: when Slack has shown it."""
    dead = threading.Event()

    def die(call: Call) -> None:
        if CORRECTED in str(call.args) and not dead.is_set():
            process.kill()
            dead.set()
            if not edited:
                raise ConnectionAbortedError

    (slack.after if edited else slack.before)("chat.update", die)
    process = kb.start("serve")
    try:
        wait_for(dead.is_set)
    finally:
        process.close()


def _url(kb: Kb) -> str:
    return kb.env["KB_AGENT_DATABASE_URL"]


def _posted(kb: Kb, condition: str) -> list[tuple[object, ...]]:
    return rows(_url(kb), f"SELECT question_no FROM posted_replies WHERE {condition}")


def _shown(slack: LocalSlack, channel: str, thread: str) -> str:
    """The bot's one message."""
    (message,) = replies(slack, channel, thread)
    return plain(message)
