"""Asking the owner of a near page: offered to the asker alone, sent once, and only with their word."""

from collections.abc import Iterator

import pytest

from tests.command import Kb, rows, wait_for
from tests.fakes.slack import LocalSlack, Message, User, buttons, plain
from tests.fakes.slack.records import View
from tests.flows.owned_page import QUESTION, SENT, with_owned_page
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.talk import Talk, awaited, direct, final, newcomer, pressable, room

GOOD = "How much does the harbour crane lift?"


@pytest.fixture(scope="module", autouse=True)
def serve(indexed: Kb, slack: LocalSlack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    with_owned_page(indexed, tmp_path_factory.mktemp("owned"))
    kb = indexed.having(**slack_env(slack))
    with serving(kb, slack):
        yield kb


@pytest.fixture(scope="module")
def olga(slack: LocalSlack) -> User:
    return newcomer(slack, "olga")


def view_of(slack: LocalSlack, here: Talk, words: str) -> View:
    def there() -> View | None:
        mine = [each for each in slack.views if each.user == here.person.id and words in plain(each.content)]
        return mine[-1] if mine else None

    return slack.until(there)


def told(slack: LocalSlack, person: User) -> list[Message]:
    """What a person was told by the bot in a direct message."""
    return [each for each in slack.channel(direct(slack, person).channel) if each.user == slack.bot]


def requests(kb: Kb, here: Talk) -> int:
    query = "SELECT count(*) FROM owner_requests JOIN questions USING (question_no) WHERE asker = %s"
    ((count,),) = rows(kb.env["KB_AGENT_DATABASE_URL"], query, [here.person.id])
    return int(count)


def _recorded(kb: Kb, here: Talk) -> None:
    """Returns once the answer to a person's only question is recorded."""
    ended = "SELECT count(*) FROM answer_records JOIN questions USING (question_no) WHERE asker = %s"
    wait_for(lambda: rows(kb.env["KB_AGENT_DATABASE_URL"], ended, [here.person.id]) == [(1,)])


def not_found(slack: LocalSlack, name: str) -> tuple[Talk, Message]:
    """Somebody who asked by the command, and the reply for them alone."""
    here = room(slack, name)
    here.command(QUESTION)
    return here, here.told("found nothing")


def test_what_is_agreed_to_is_sent_to_the_owner_once(serve: Kb, slack: LocalSlack, olga: User) -> None:
    here, reply = not_found(slack, "owner")
    assert "kb_owner" in pressable(reply)
    before = len(told(slack, olga))
    here.press(reply, "kb_owner")
    view = view_of(slack, here, SENT)
    assert f"I send this to @{olga.id} in" in plain(view.content)
    assert len(told(slack, olga)) == before, "it is shown before it is sent"
    assert slack.submit(here.person, view.id, {}).wait().acked
    (message,) = slack.until(lambda: told(slack, olga)[before:])
    assert SENT in plain(message)
    assert f"<@{here.person.id}>" in message.text
    view_of(slack, here, f"Sent to @{olga.id}.")
    here.press(reply, "kb_owner")
    view_of(slack, here, "sent to the owner already")
    assert len(told(slack, olga)) == before + 1
    assert requests(serve, here) == 1


def test_in_a_channel_it_is_not_offered_below_the_reply(slack: LocalSlack, olga: User) -> None:
    here = room(slack, "owner-channel")
    outcome = here.outcome(here.ask(QUESTION))
    assert "found nothing" in plain(outcome)
    assert "kb_owner" not in pressable(outcome)


def test_who_judges_the_answer_to_their_question_badly_is_offered_it(serve: Kb, slack: LocalSlack, olga: User) -> None:
    here = room(slack, "owner-vote")
    outcome = here.outcome(here.ask(GOOD))
    assert "forty tonnes" in plain(outcome)
    _recorded(serve, here)
    (found,) = [each for each in buttons(outcome) if each["action_id"] == "kb_feedback"]
    bad = found["negative_button"]["value"]
    other = Talk(slack, newcomer(slack, "owner-voter"), here.channel)
    other.press(outcome, "kb_feedback", bad)
    view_of(slack, other, "What was wrong, or missing?")
    here.press(outcome, "kb_feedback", bad)
    offer = here.told("ask the owner of the nearest page")
    assert slack.ephemerals(other.channel, other.person) == []
    here.press(offer, "kb_owner")
    view = view_of(slack, here, "asks about your page “Harbour crane”")
    before = len(told(slack, olga))
    assert slack.submit(here.person, view.id, {}).wait().acked
    awaited(slack, lambda: told(slack, olga)[before:] or None, lambda: told(slack, olga))
    assert final(outcome)


def test_a_bad_vote_that_is_typed_offers_it_too(serve: Kb, slack: LocalSlack, olga: User) -> None:
    here = room(slack, "owner-typed")
    here.outcome(here.ask(GOOD))
    _recorded(serve, here)
    here.command("feedback bad it lifts more by now")
    assert "kb_owner" in pressable(here.told("ask the owner of the nearest page"))
