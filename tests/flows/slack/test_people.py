"""Who may read what: the asker's own rights in private, what all readers may read elsewhere, nothing on any doubt."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.command import Kb, write
from tests.fakes.slack import Fault, LocalSlack, User, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.talk import Talk, direct, ending, newcomer, room

QUESTION = "How many days of vacation does everybody have?"
VAULT = "What does the vault code of the treasury begin with?"
SECRET, KNOWN, NOTHING = "begins with a seven", "thirty days", "so I use only what is public. Nothing that is indexed"
OTHERS = "Guests, or people who are not known to be members, read this conversation"


@pytest.fixture(scope="module", autouse=True)
def serve(indexed: Kb, slack: LocalSlack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command while it serves: a handbook for the organisation, and a document for one address alone."""
    text = "# Treasury\n\nThe vault code of the treasury begins with a seven.\n"
    folder = write(tmp_path_factory.mktemp("own") / "treasury", treasury=text)
    assert indexed("index", str(folder), "--audience", "rita@example.com", "--audience", "rita@evil.example").code == 0
    kb = indexed.having(**slack_env(slack), EMAIL_DOMAINS="Example.com")
    with serving(kb, slack):
        yield kb


def _asks(slack: LocalSlack, person: User, text: str) -> str:
    """What somebody is told in direct messages."""
    here = direct(slack, person)
    return plain(here.outcome(here.say(text)))


@pytest.mark.parametrize("email", ["rita@example.com", "  Rita@EXAMPLE.com "])
def test_a_member_reads_what_is_for_the_organisation_and_for_her(slack: LocalSlack, email: str) -> None:
    person = slack.add_user("rita", email=email)
    assert SECRET in _asks(slack, person, VAULT)
    assert KNOWN in _asks(slack, person, QUESTION)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"is_restricted": True}, "You are a guest here"),
        ({"is_ultra_restricted": True}, "You are a guest here"),
        ({"is_stranger": True}, "You belong to another organisation"),
        ({"is_email_confirmed": False}, "Your e-mail address is not confirmed"),
        ({"deleted": True}, "Your account is deactivated"),
        ({"is_bot": True}, "You are an app"),
        ({"email": None}, "I am not told your e-mail address"),
        ({"email": "rita@evil.example"}, "Your e-mail address is none of this organisation's"),
        ({"email": "rita@example.com.evil.example"}, "Your e-mail address is none of this organisation's"),
        ({"email": "rita@sub.example.com"}, "Your e-mail address is none of this organisation's"),
        ({"email": ""}, "I am not told your e-mail address"),
    ],
    ids=lambda fields: (
        "-".join(f"{name}-{value}" for name, value in fields.items()) if isinstance(fields, dict) else ""
    ),
)
def test_outsiders_read_what_is_public_and_are_told_why(slack: LocalSlack, fields: dict[str, Any], why: str) -> None:
    person = slack.add_user("rita", **{"email": "rita@example.com", **fields})
    told = _asks(slack, person, QUESTION)
    assert told == _asks(slack, person, VAULT)
    assert f"{why}, {NOTHING}" in told
    assert "other words" not in told
    assert "direct message" not in told


def test_a_person_of_another_workspace_is_an_outsider_even_where_slack_calls_them_no_stranger(
    slack: LocalSlack,
) -> None:
    partner = slack.add_workspace("Partner")
    person = slack.add_user("rita", team=partner.id, email="rita@example.com")
    here = room(slack, "met", person=person)
    assert NOTHING in plain(here.outcome(here.ask(QUESTION)))


def test_a_person_whom_slack_does_not_know_is_an_outsider(slack: LocalSlack) -> None:
    person = newcomer(slack, "ghost")
    slack.fail("users.info", Fault.error("user_not_found"), None)
    try:
        assert NOTHING in _asks(slack, person, QUESTION)
    finally:
        slack.heal()


@pytest.mark.parametrize(
    "fault", [Fault.error("service_unavailable"), Fault.error("missing_scope"), Fault.error("token_expired")]
)
def test_when_slack_does_not_say_who_asks_it_is_not_guessed(serve: Kb, slack: LocalSlack, fault: Fault) -> None:
    person = newcomer(slack, f"unsaid-{fault.code}")
    here = direct(slack, person)
    slack.fail("users.info", fault, None)
    try:
        asked = here.say(QUESTION)
        told = plain(here.outcome(asked))
    finally:
        slack.heal()
    assert "I could not check who you are, so I do not know what you may read." in told
    assert ("Ask again in a few minutes." in told) == (fault.code == "service_unavailable")
    assert "next:" not in told
    assert "why:" not in told
    assert KNOWN not in told
    assert "Searched" not in told
    assert ending(serve, asked) == ("failed", "failed")
    assert KNOWN in _asks(slack, newcomer(slack, f"known-{fault.code}"), QUESTION), "others are still asked for"


@pytest.mark.parametrize("fields", [{"is_private": True}, {"is_mpim": True}])
def test_the_same_holds_in_private_channels_and_groups(slack: LocalSlack, fields: dict[str, Any]) -> None:
    here = room(slack, f"few-{next(iter(fields))}", person=newcomer(slack, "rita"), **fields)
    assert KNOWN in plain(here.outcome(here.ask(QUESTION)))
    assert SECRET not in plain(here.outcome(here.ask(VAULT)))


@pytest.mark.parametrize("field", ["is_restricted", "is_ultra_restricted"])
def test_where_a_guest_reads_only_what_is_public_is_used(slack: LocalSlack, field: str) -> None:
    guest = newcomer(slack, f"guest-{field}", **dict[str, Any]({field: True}))
    here = room(slack, f"guests-{field}", guest)
    slack.join(here.person, here.channel).wait()
    assert f"{OTHERS}, {NOTHING}" in plain(here.outcome(here.ask(QUESTION)))


@pytest.mark.parametrize("fields", [{"email": ""}, {"email": "eve@elsewhere.example"}, {"is_email_confirmed": False}])
def test_where_one_reads_who_is_not_known_to_belong_only_what_is_public_is_used(
    slack: LocalSlack, fields: dict[str, Any]
) -> None:
    unknown = newcomer(slack, f"unknown-{next(iter(fields))}", **fields)
    here = room(slack, f"unknown-{unknown.id.lower()}", unknown, person=newcomer(slack, "rita"))
    assert NOTHING in plain(here.outcome(here.ask(QUESTION)))


def test_a_public_channel_is_read_by_every_full_member_of_the_workspace(slack: LocalSlack) -> None:
    for each in [each for each in slack.world.users.values() if each.team == slack.workspace.id and not each.is_bot]:
        if not (each.email or "").strip().lower().endswith("@example.com") or not each.is_email_confirmed:
            each.deleted = True  # who came in earlier tests has left
            assert slack.user_change(each).wait().acked
    here = room(slack, "open")
    assert KNOWN in plain(here.outcome(here.ask(QUESTION)))
    partner = newcomer(slack, "partner", email="pat@partner.example")
    assert slack.team_join(partner).wait().acked
    told = plain(here.outcome(here.ask(QUESTION)))
    assert f"This channel is open to people who are not known to be members of the organisation, {NOTHING}" in told
    assert "make them guests of the workspace" in told
    partner.is_restricted = True
    assert slack.user_change(partner).wait().acked
    assert KNOWN in plain(here.outcome(here.ask(QUESTION)))


def test_an_externally_shared_channel_is_public(slack: LocalSlack) -> None:
    partner = slack.add_workspace("Outside")
    here = room(slack, "outside", is_ext_shared=True, teams=[slack.workspace.id, partner.id])
    told = plain(here.outcome(here.ask(QUESTION)))
    assert f"People of another organisation read this conversation, {NOTHING}" in told
    assert "Ask me in a direct message" in told


def test_a_guest_who_joins_narrows_what_is_used_from_then_on(slack: LocalSlack) -> None:
    here = room(slack, "joining", is_private=True)
    assert KNOWN in plain(here.outcome(here.ask(QUESTION)))
    guest = newcomer(slack, "invited", is_restricted=True)
    assert slack.join(guest, here.channel).wait().acked
    assert NOTHING in plain(here.outcome(here.ask(QUESTION)))
    slack.world.channel(here.channel).members.remove(guest.id)
    left = {"type": "member_left_channel", "user": guest.id, "channel": here.channel, "channel_type": "C"}
    assert slack.send_event(left).wait().acked
    assert KNOWN in plain(here.outcome(here.ask(QUESTION)))


def test_a_member_who_becomes_a_guest_reads_less_at_once(slack: LocalSlack) -> None:
    other = newcomer(slack, "demoted")
    here = room(slack, "demotion", other, is_private=True)
    assert KNOWN in plain(here.outcome(here.ask(QUESTION)))
    assert KNOWN in _asks(slack, other, QUESTION)
    other.is_restricted = True
    assert slack.user_change(other).wait().acked
    assert NOTHING in _asks(slack, other, QUESTION)
    assert NOTHING in plain(here.outcome(here.ask(QUESTION))), "and so do all in the same channel"


@pytest.mark.parametrize("method", ["conversations.info", "conversations.members"])
def test_when_slack_does_not_say_who_reads_it_is_taken_for_everybody(slack: LocalSlack, method: str) -> None:
    here = room(slack, f"unknown-{method.replace('.', '-')}", is_private=True)
    slack.fail(method, Fault.error("service_unavailable"), None)
    try:
        told = plain(here.outcome(here.ask(QUESTION)))
    finally:
        slack.heal()
    assert f"I could not find out who reads this conversation, {NOTHING}" in told
    assert "Ask again in a minute. Or ask me in a direct message" in told
    assert KNOWN in plain(here.outcome(here.ask(QUESTION))), "that is not kept"


def test_private_answers_in_a_shared_channel_use_the_askers_rights(slack: LocalSlack) -> None:
    partner = slack.add_workspace("Beyond")
    teams = [slack.workspace.id, partner.id]
    here = room(slack, "beyond", person=newcomer(slack, "rita"), is_ext_shared=True, teams=teams)
    here.command(VAULT)
    here.told(SECRET)
    stranger = Talk(slack, slack.add_user("rita", team=partner.id, email="rita@example.com"), here.channel)
    slack.world.channel(here.channel).members.append(stranger.person.id)
    stranger.command(VAULT)
    stranger.told(f"You belong to another organisation, {NOTHING}")
