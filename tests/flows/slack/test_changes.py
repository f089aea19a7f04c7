"""Questions that are edited or deleted before, while and after they are answered; and files that come with them."""

from collections.abc import Iterator

import pytest

from tests.command import Kb, wait_for
from tests.fakes.slack import LocalSlack, Message, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.talk import Talk, Thinker, direct, ending, final, model_env, newcomer, recorded, room, thinking

VACATION, VACATION_SAID = (
    "How many days of vacation does everybody have?",
    "Everybody has thirty days of vacation a year.",
)
ERROR, ERROR_SAID = "What does the error VPN-4711 mean?", "certificate has expired"


@pytest.fixture(scope="module")
def thinker() -> Iterator[Thinker]:
    with thinking() as started:
        yield started


@pytest.fixture(scope="module", autouse=True)
def serve(indexed: Kb, slack: LocalSlack, thinker: Thinker) -> Iterator[Kb]:
    kb = indexed.having(**slack_env(slack), **model_env(thinker.server))
    with serving(kb, slack):
        yield kb


@pytest.fixture
def slow(thinker: Thinker) -> Iterator[Thinker]:
    """The model while each of its replies takes a second."""
    thinker.server.requests.clear()
    thinker.seconds = 1.0
    yield thinker
    thinker.seconds = 0.0


@pytest.fixture(params=[True, False], ids=["streams", "edits"])
def here(slack: LocalSlack, request: pytest.FixtureRequest) -> Talk:
    """A channel with or without streams."""
    found = room(slack, f"changes-{len(slack.world.channels)}")
    slack.world.channel(found.channel).streams = request.param
    return found


def _mention(slack: LocalSlack, text: str) -> str:
    return f"<@{slack.bot}> {text}"


def _edit(slack: LocalSlack, here: Talk, ts: str, text: str) -> None:
    for each in slack.edit(here.channel, ts, _mention(slack, text)):
        assert each.wait().acked


def _delete(slack: LocalSlack, here: Talk, ts: str) -> None:
    for each in slack.delete(here.channel, ts):
        assert each.wait().acked


def test_edited_while_it_is_answered(slack: LocalSlack, serve: Kb, here: Talk, slow: Thinker) -> None:
    asked = here.ask(VACATION)
    (sign,) = slack.until(lambda: here.shown(asked))
    wait_for(lambda: slow.asked(VACATION))
    _edit(slack, here, asked, ERROR)
    slow.seconds = 0.0
    outcome = here.outcome(asked)
    assert ERROR_SAID in plain(outcome)
    assert outcome.ts == sign.ts
    assert not any(VACATION_SAID in plain(each) for each in outcome.versions if each is not outcome.versions[-1])
    assert ending(serve, asked) == ("posted", "answered")
    assert recorded(serve, asked, "revision, text") == (1, ERROR)


def test_edited_after_it_is_answered(slack: LocalSlack, serve: Kb, here: Talk) -> None:
    asked = here.ask(VACATION)
    outcome = here.outcome(asked)
    assert VACATION_SAID in plain(outcome)
    assert ending(serve, asked) == ("posted", "answered")
    _edit(slack, here, asked, ERROR)
    slack.until(lambda: ERROR_SAID in plain(outcome))
    assert here.shown(asked) == [outcome], "the same message, and no other"
    assert VACATION_SAID not in plain(outcome)
    slack.until(lambda: final(outcome))
    assert ending(serve, asked) == ("posted", "answered")


def test_deleted_while_it_is_answered(slack: LocalSlack, serve: Kb, here: Talk, slow: Thinker) -> None:
    asked = here.ask(VACATION)
    (sign,) = slack.until(lambda: here.shown(asked))
    wait_for(lambda: slow.asked(VACATION))
    _delete(slack, here, asked)
    slack.until(lambda: not _bots(slack, here))
    slow.seconds = 0.0
    assert ending(serve, asked) == ("withdrawn", "withdrawn")
    assert recorded(serve, asked, "text") == ("",)
    here.outcome(here.ask(ERROR))
    assert sign not in _bots(slack, here)
    assert len(_bots(slack, here)) == 1


def _bots(slack: LocalSlack, here: Talk) -> list[Message]:
    return [each for each in slack.channel(here.channel) if each.user == slack.bot]


def test_attached_files_are_named_as_not_read(slack: LocalSlack, serve: Kb) -> None:
    here = room(slack, "files")
    files = [{"id": "F1", "name": "offer <!channel>.pdf"}, {"id": "F2"}]
    asked = here.ask(VACATION, files=files)
    outcome = here.outcome(asked)
    assert VACATION_SAID in plain(outcome)
    assert "I cannot read what is attached to a question: offer <!channel>.pdf, a file." in plain(outcome)
    assert slack.notified(outcome) == set()
    asked = here.ask("Which violin sonata did the astronaut compose?", files=files)
    assert "I cannot read what is attached" in plain(here.outcome(asked))
    assert ending(serve, asked) == ("posted", "not_found")


def test_a_file_without_a_word_is_told_that_it_is_not_read(slack: LocalSlack, serve: Kb) -> None:
    here = direct(slack, newcomer(slack, "filer"))
    asked = here.say("", files=[{"id": "F1", "name": "offer.pdf"}])
    read = plain(here.outcome(asked))
    assert "I cannot read what is attached to a question: offer.pdf." in read
    assert ending(serve, asked)[0] == "posted"
