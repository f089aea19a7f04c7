"""Slack refuses for good, withdraws a permission, or ends the socket: an outcome in another form, or a recorded one."""

import pytest

from tests.command import Kb, wait_for
from tests.fakes.slack import Call, Fault, LocalSlack, plain
from tests.flows.slack.conftest import slack_env
from tests.flows.slack.faults.conftest import QUESTION, SAID, Served, answered_once
from tests.flows.slack.talk import Talk, Thinker, direct, ending, final, newcomer, recorded, room


@pytest.mark.parametrize("code", ["msg_too_long", "invalid_blocks", "msg_blocks_too_long"])
def test_what_is_too_much_for_slack_is_said_in_plain_words(
    slack: LocalSlack, served: Served, edited: Talk, code: str
) -> None:
    slack.fail("chat.update", Fault.error(code))
    asked = edited.ask(QUESTION)
    outcome = edited.outcome(asked)
    assert SAID in plain(outcome)
    assert outcome.blocks == []
    assert ending(served.kb, asked) == ("posted", "answered")


@pytest.mark.parametrize(
    "code", ["msg_too_long", "invalid_blocks", "message_not_in_streaming_state", "streaming_mode_mismatch"]
)
@pytest.mark.parametrize("method", ["chat.appendStream", "chat.stopStream"])
def test_a_stream_that_is_refused_becomes_a_message(
    slack: LocalSlack, served: Served, streamed: Talk, method: str, code: str
) -> None:
    slack.fail(method, Fault.error(code))
    answered_once(served, streamed, streamed.ask(QUESTION))


@pytest.mark.parametrize("code", ["unknown_method", "feature_not_enabled", "not_allowed", "missing_scope"])
def test_streams_that_are_not_allowed_are_no_loss(slack: LocalSlack, served: Served, streamed: Talk, code: str) -> None:
    slack.fail("chat.startStream", Fault.error(code))
    answered_once(served, streamed, streamed.ask(QUESTION))


def test_a_sign_that_somebody_deleted_is_posted_anew(slack: LocalSlack, served: Served, edited: Talk) -> None:
    def delete(call: Call) -> None:
        slack.message(str(call.args["channel"]), str(call.args["ts"])).deleted = True
        slack.api.before["chat.update"].clear()

    slack.before("chat.update", delete)
    answered_once(served, edited, edited.ask(QUESTION))


@pytest.mark.parametrize("change", ["removed", "archived", "gone"])
def test_a_channel_that_is_closed_to_the_bot_is_recorded(
    slack: LocalSlack, served: Served, thinker: Thinker, edited: Talk, change: str
) -> None:
    thinker.seconds = 0.5
    asked = edited.ask(QUESTION)
    (sign,) = slack.until(lambda: edited.shown(asked))
    channel = slack.world.channel(edited.channel)
    if change == "removed":
        channel.members.remove(slack.bot)
    elif change == "archived":
        channel.is_archived = True
    else:
        channel.teams.clear()
    thinker.seconds = 0.0
    assert ending(served.kb, asked) == ("failed", "unreachable")
    assert not final(sign)


def test_a_channel_that_was_never_open_is_recorded(slack: LocalSlack, served: Served) -> None:
    here = room(slack, "never", bot=False)
    event = {"type": "app_mention", "text": f"<@{slack.bot}> {QUESTION}", "ts": "1700008000.000100"}
    assert slack.send_event({**event, "user": here.person.id, "channel": here.channel}).wait().acked
    assert ending(served.kb, event["ts"]) == ("failed", "unreachable")


def test_a_thread_that_is_gone_is_recorded(slack: LocalSlack, served: Served, thinker: Thinker) -> None:
    here = room(slack, "thread-gone")
    slack.world.channel(here.channel).streams = False
    root = here.say("Good morning")
    slack.fail("chat.postMessage", Fault.error("thread_not_found"))
    try:
        asked = here.ask(QUESTION, thread=root)
        assert ending(served.kb, asked) == ("failed", "unreachable")
    finally:
        slack.heal()
    assert here.shown(root) == []


def test_a_token_revoked_meanwhile_costs_no_question(
    slack: LocalSlack, served: Served, thinker: Thinker, edited: Talk
) -> None:
    thinker.seconds = 0.5
    asked = edited.ask(QUESTION)
    slack.until(lambda: edited.shown(asked))
    assert slack.revoke().wait().acked
    thinker.seconds = 0.0
    try:
        wait_for(lambda: recorded(served.kb, asked, "state") == ("posting",))
        wait_for(lambda: "The outcome of question" in served.process.said)
    finally:
        slack.workspace.state = "installed"
    after = room(slack, "after-revoked")
    answered_once(served, after, after.ask(QUESTION))
    assert ending(served.kb, asked) == ("posted", "answered")
    assert len(edited.shown(asked)) == 1


def test_when_slack_stays_away_beyond_the_patience_the_outcome_comes_when_it_is_back(
    slack: LocalSlack, served: Served, edited: Talk
) -> None:
    slack.fail("chat.update", Fault.ratelimited(6), None)
    asked = edited.ask(QUESTION)
    wait_for(lambda: recorded(served.kb, asked, "state") == ("posting",))
    wait_for(lambda: "waits: Slack wants fewer calls" in served.process.said)
    slack.heal()
    after = room(slack, "after-patience")
    answered_once(served, after, after.ask(QUESTION))
    assert ending(served.kb, asked) == ("posted", "answered")
    assert len(edited.shown(asked)) == 1


def test_a_first_sign_that_fails_for_good_is_made_good_by_the_worker(
    slack: LocalSlack, served: Served, edited: Talk
) -> None:
    told = "No status message could be shown"
    before = served.process.said.count(told)
    slack.fail("chat.postMessage", Fault.error("service_unavailable"), None)
    asked = edited.ask(QUESTION)
    wait_for(lambda: served.process.said.count(told) > before)
    slack.heal()
    answered_once(served, edited, asked)


def test_no_status_and_no_title_are_no_loss(slack: LocalSlack, served: Served) -> None:
    for method in ("assistant.threads.setStatus", "assistant.threads.setTitle"):
        slack.fail(method, Fault.error("internal_error"), None)
    try:
        here = direct(slack, newcomer(slack, "statusless"))
        answered_once(served, here, here.say(QUESTION))
    finally:
        slack.heal()


@pytest.mark.parametrize("how", ["cut", "refresh_requested", "warning", "too_many_websockets"])
def test_a_socket_that_ends_while_a_question_runs(
    slack: LocalSlack, served: Served, thinker: Thinker, streamed: Talk, how: str
) -> None:
    thinker.seconds = 0.5
    asked = streamed.ask(QUESTION)
    slack.until(lambda: streamed.shown(asked))
    before = list(slack.connections)
    if how == "cut":
        slack.cut()
    else:
        slack.disconnect(how)
    thinker.seconds = 0.0
    answered_once(served, streamed, asked)
    slack.until(lambda: set(slack.connections) - set(before))
    answered_once(served, streamed, streamed.ask(QUESTION))


def _refused(kb: Kb) -> str:
    """What `kb serve` says when it does not start."""
    done = kb("serve")
    assert done.code == 2, done.err
    assert done.out == ""
    assert "Traceback" not in done.err
    assert "xox" not in done.err.replace("xoxb-…", "")
    assert "next:" in done.err
    return done.err


def test_a_wrong_bot_token_is_told_at_the_start(indexed: Kb, slack: LocalSlack) -> None:
    said = _refused(indexed.having(**{**slack_env(slack), "SLACK_BOT_TOKEN": "xoxb-wrong-1234567890"}))
    assert "Slack does not accept the bot token" in said
    assert "KB_AGENT_SLACK_BOT_TOKEN" in said


@pytest.mark.parametrize("token", ["xapp-wrong-1234567890", "bot"])
def test_a_wrong_app_token_is_told_at_the_start(indexed: Kb, slack: LocalSlack, token: str) -> None:
    given = slack.bot_token if token == "bot" else token
    said = _refused(indexed.having(**{**slack_env(slack), "SLACK_APP_TOKEN": given}))
    assert "Slack does not accept the app-level token" in said
    assert "connections:write" in said
    assert "KB_AGENT_SLACK_APP_TOKEN" in said


def test_what_is_not_set_is_told_at_the_start(indexed: Kb, slack: LocalSlack) -> None:
    env = slack_env(slack)
    assert "KB_AGENT_SLACK_BOT_TOKEN" in _refused(indexed.having(**{**env, "SLACK_BOT_TOKEN": ""}))
    said = _refused(indexed.having(**{**env, "SLACK_APP_TOKEN": ""}))
    assert "KB_AGENT_SLACK_APP_TOKEN" in said
    assert "KB_AGENT_SLACK_SIGNING_SECRET" in said
    assert "KB_AGENT_SLACK_API_URL" in _refused(indexed.having(**{**env, "SLACK_API_URL": "slack.com/api"}))


def test_the_process_still_runs(served: Served) -> None:
    wait_for(lambda: served.process.process.poll() is None)
