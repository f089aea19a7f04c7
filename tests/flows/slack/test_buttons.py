"""Buttons below replies, their dialogs, and the Home tab."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.command import Kb, rows, wait_for, write
from tests.fakes.slack import LocalSlack, Message, buttons, plain
from tests.fakes.slack.faults import Fault
from tests.fakes.slack.records import Body, View
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.talk import Talk, awaited, direct, ending, final, harmless, newcomer, pressable, room

QUESTION = "How many days of vacation does everybody have?"
VAULT = "What does the vault code of the treasury begin with?"
SECRET = "begins with a seven"


@pytest.fixture(scope="module", autouse=True)
def serve(indexed: Kb, slack: LocalSlack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command while it serves, with a document for one person alone."""
    text = "# Treasury\n\nThe vault code of the treasury begins with a seven.\n"
    folder = write(tmp_path_factory.mktemp("own") / "treasury", treasury=text)
    assert indexed("index", str(folder), "--audience", "rita@example.com").code == 0
    kb = indexed.having(**slack_env(slack))
    with serving(kb, slack):
        yield kb


@pytest.fixture(scope="module")
def rita(slack: LocalSlack) -> Talk:
    return room(slack, "ritas", person=newcomer(slack, "rita"))


def _answered(kb: Kb, here: Talk, text: str = QUESTION) -> Message:
    asked = here.ask(text)
    outcome = here.outcome(asked)
    assert ending(kb, asked)[0] == "posted"
    return outcome


def _modal(slack: LocalSlack, person: Talk, words: str) -> View:
    """The modal that a person sees, once it says that."""

    def there() -> View | None:
        mine = [each for each in slack.views if each.user == person.person.id and words in plain(each.content)]
        return mine[-1] if mine else None

    return slack.until(there)


def test_a_preview_opens_the_passage(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "preview")
    outcome = _answered(serve, here)
    here.press(outcome, "kb_preview:1")
    view = _modal(slack, here, "The team lead approves vacation in the calendar.")
    read = plain(view.content)
    assert "Handbook" in read
    assert "Vacation" in read
    assert "Loading" in plain(view.versions[0]), "it is opened at once"


def test_a_preview_is_for_the_rights_of_who_presses(serve: Kb, slack: LocalSlack, rita: Talk) -> None:
    rita.command(VAULT)
    answer = rita.told(SECRET)
    _settled(serve, rita)
    rita.press(answer, "kb_preview:1")
    _modal(slack, rita, "vault code")
    other = Talk(slack, newcomer(slack, "nosy"), rita.channel)
    other.press(answer, "kb_preview:1")
    forbidden = _modal(slack, other, "This passage cannot be shown")
    gone = Talk(slack, newcomer(slack, "late"), rita.channel)
    gone.press(_with_value(answer, "kb_preview:1", "999999:1"), "kb_preview:1")
    assert _modal(slack, gone, "This passage cannot be shown").content == forbidden.content


def _settled(kb: Kb, here: Talk) -> None:
    open_ = "SELECT count(*) FROM questions WHERE channel = %s AND ended_at IS NULL"
    wait_for(lambda: rows(kb.env["KB_AGENT_DATABASE_URL"], open_, [here.channel]) == [(0,)])


def _with_value(message: Message, action: str, value: str) -> Message:
    """The same message with another value in one of its buttons."""
    changed = Message(message.channel, message.ts, message.user, message.text, team=message.team)
    changed.bot_id = message.bot_id
    for block in message.blocks:
        inner = [block.get("accessory"), *block.get("elements", ())]
        found = [each for each in inner if isinstance(each, dict) and each.get("action_id") == action]
        if found:
            changed.blocks = [{"type": "actions", "block_id": "x", "elements": [{**found[0], "value": value}]}]
    return changed


@pytest.mark.parametrize("value", ["", "x", "0:0", "-1:1", "99999999999999999999:1", "1:99", "1:²", ":", "²:1"])
def test_values_that_nobody_gave_out_open_nothing(serve: Kb, slack: LocalSlack, value: str) -> None:
    here = room(slack, f"odd-{len(slack.world.channels)}")
    outcome = _answered(serve, here)
    here.press(_with_value(outcome, "kb_preview:1", value), "kb_preview:1")
    _modal(slack, here, "This passage cannot be shown")


def test_votes_and_reasons(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "votes")
    outcome = _answered(serve, here)
    good, bad = _ratings(outcome)
    here.press(outcome, "kb_feedback", good)
    here.told("Thank you.")
    assert _votes(serve, here) == [(1, None)]
    here.press(outcome, "kb_feedback", bad)
    view = _modal(slack, here, "What was wrong, or missing?")
    assert _votes(serve, here) == [(-1, None)], "it counts without a reason"
    submitted = slack.submit(here.person, view.id, {"kb_reason": {"kb_reason": "ask jane.doe@example.org"}}).wait()
    assert submitted.acked
    wait_for(lambda: _votes(serve, here) == [(-1, "ask [masked: e-mail address]")])
    assert slack.view(view.id).state == "submitted"
    other = Talk(slack, newcomer(slack, "voter"), here.channel)
    other.press(outcome, "kb_feedback", good)
    other.told("Thank you.")
    assert _votes(serve, other) == [(1, None)], "one vote a person"


def test_a_reason_may_be_left_out(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "silent")
    outcome = _answered(serve, here)
    here.press(outcome, "kb_feedback", _ratings(outcome)[1])
    view = _modal(slack, here, "What was wrong, or missing?")
    assert slack.submit(here.person, view.id, {"kb_reason": {"kb_reason": None}}).wait().acked
    assert _votes(serve, here) == [(-1, None)]


def _ratings(message: Message) -> tuple[str, str]:
    (found,) = [each for each in buttons(message) if each["action_id"] == "kb_feedback"]
    return found["positive_button"]["value"], found["negative_button"]["value"]


def _votes(kb: Kb, here: Talk) -> list[tuple[int, str | None]]:
    held = "SELECT value, reason FROM feedback WHERE person = %s"
    return rows(kb.env["KB_AGENT_DATABASE_URL"], held, [here.person.id])


def test_a_vote_below_a_removed_question_says_so(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "pruned")
    outcome = _answered(serve, here)
    _remove(serve, here)
    here.press(outcome, "kb_feedback", _ratings(outcome)[0])
    here.told("This reply is too old to be judged.")
    here.press(outcome, "kb_preview:1")
    _modal(slack, here, "This passage cannot be shown")


def _remove(kb: Kb, here: Talk) -> None:
    gone = "DELETE FROM questions WHERE channel = %s RETURNING question_no"
    assert rows(kb.env["KB_AGENT_DATABASE_URL"], gone, [here.channel])


def test_a_further_question_is_asked_in_the_thread(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "further")
    asked = here.ask(QUESTION)
    outcome = here.outcome(asked)
    (offered,) = [each for each in buttons(outcome) if each["action_id"] == "kb_ask:0"]
    other = Talk(slack, newcomer(slack, "reader"), here.channel)
    other.press(outcome, "kb_ask:0")
    further = here.outcome(asked, count=2)
    assert plain(further).startswith(f"Question: {offered['value']}")
    assert harmless(further)
    _settled(serve, here)
    held = "SELECT asker FROM questions WHERE channel = %s ORDER BY question_no"
    askers = rows(serve.env["KB_AGENT_DATABASE_URL"], held, [here.channel])
    assert askers == [(here.person.id,), (other.person.id,)]


def test_a_further_question_below_a_private_answer_stays_private(slack: LocalSlack) -> None:
    here = room(slack, "further-private")
    here.command(QUESTION)
    answer = here.told("Sources")
    here.press(answer, "kb_ask:0")
    here.told("", count=3)
    assert slack.channel(here.channel) == []


def test_ask_privately_answers_with_what_only_the_presser_may_read(slack: LocalSlack, rita: Talk) -> None:
    nosy = Talk(slack, newcomer(slack, "nosy-too"), rita.channel)
    asked = rita.ask(VAULT)
    public = rita.outcome(asked)
    assert SECRET not in plain(public)
    assert "kb_private" in pressable(public)
    for person, expected in ((rita, SECRET), (nosy, "found nothing")):
        person.press(public, "kb_private")
        person.told("I answer in a direct message.")
        answer = _first_final(slack, direct(slack, person.person))
        assert expected in plain(answer)
        assert plain(answer).startswith(f"Question: {VAULT}")
        assert (SECRET in plain(answer)) is (person is rita)
    assert len(rita.shown(asked)) == 1


def _first_final(slack: LocalSlack, place: Talk) -> Message:
    def there() -> Message | None:
        return next((each for each in slack.channel(place.channel) if final(each)), None)

    return awaited(slack, there, lambda: slack.channel(place.channel))


def test_ask_privately_below_a_removed_question_says_so(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "private-pruned")
    outcome = _answered(serve, here, "Which violin sonata did the astronaut compose?")
    _remove(serve, here)
    here.press(outcome, "kb_private")
    here.told("I do not remember that question.")


def test_ask_privately_opens_no_question_of_another_conversation(serve: Kb, slack: LocalSlack) -> None:
    here, elsewhere = room(slack, "private-here"), room(slack, "private-elsewhere")
    own, others = (
        _answered(serve, each, "Which violin sonata did the astronaut compose?") for each in (here, elsewhere)
    )
    forged = replace(others, blocks=own.blocks)
    elsewhere.press(forged, "kb_private")
    elsewhere.told("I do not remember that question.")
    assert slack.channel(direct(slack, elsewhere.person).channel) == []
    asker = Talk(slack, here.person, elsewhere.channel)
    asker.press(forged, "kb_private")
    asker.told("I answer in a direct message.")


def test_share_below_a_private_answer(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "share")
    here.command(QUESTION)
    answer = here.told("Sources")
    _settled(serve, here)
    Talk(slack, newcomer(slack, "thief"), here.channel).press(answer, "kb_share")
    here.press(answer, "kb_share")
    shared = _first_final(slack, here)
    assert plain(shared).startswith(f"Question: {QUESTION}")
    assert "thirty days" in plain(shared)
    _settled(serve, here)
    assert slack.channel(here.channel) == [shared], "nobody else can share it"


def test_share_where_the_bot_may_not_post_tells_who_pressed(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "share-closed", bot=False)
    here.command(QUESTION)
    answer = here.told("Sources")
    _settled(serve, here)
    here.press(answer, "kb_share")
    here.told("I cannot post in this channel.")


def test_what_is_asked_elsewhere_is_not_joined_to_what_was_said_there(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "follow-up")
    mine = direct(slack, here.person)
    mine.outcome(mine.say("What does the error VPN-4711 mean?"))
    root = here.ask("Who repaired the harbour crane of admiral Zheng?")
    here.outcome(root)
    _settled(serve, here)
    here.ask("And who paid for it?", thread=root)
    below = here.outcome(root, count=2)
    _settled(serve, here)
    here.press(below, "kb_private")
    here.told("I answer in a direct message.")
    private = awaited(
        slack,
        lambda: next((each for each in slack.channel(mine.channel) if plain(each).startswith("Question: ")), None),
        lambda: slack.channel(mine.channel),
    )
    assert plain(private).startswith("Question: And who paid for it?")
    assert "certificate" not in plain(private)


def test_a_refusal_is_explained_as_slowness_only_where_it_is(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "refused")
    outcome = _answered(serve, here, "Which violin sonata did the astronaut compose?")
    slack.fail("conversations.open", Fault.error("user_disabled"), times=None)
    try:
        here.press(outcome, "kb_private")
        here.told("I cannot do that at the moment.")
    finally:
        slack.heal()


def test_a_press_that_comes_too_late_for_a_dialog_breaks_nothing(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "expired")
    outcome = _answered(serve, here)
    slack.before("views.open", lambda _call: slack.world.expire_triggers())
    try:
        here.press(outcome, "kb_preview:1")
        here.told("it gives me three seconds")
        slack.until(lambda: [each for each in slack.calls("views.open") if each.response])
    finally:
        slack.api.before["views.open"].clear()
    assert "thirty days" in plain(_answered(serve, room(slack, "after-expired")))


def test_the_home_tab_says_how_to_ask_what_is_known_and_what_was_asked(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "home")
    assert _home(slack, here)
    read = plain(_home(slack, here))
    assert "How to ask" in read
    assert "`/kb`" in read
    assert "handbook" in read
    assert "documents" in read
    assert "None so far." in read
    assert "reindex" not in read
    _answered(serve, here)
    assert QUESTION in plain(_home(slack, here))


def _home(slack: LocalSlack, here: Talk) -> Body:
    """The home tab after it was opened once more."""
    before = len(slack.homes(here.person))
    assert slack.open_home(here.person).wait().acked
    return slack.until(lambda: slack.homes(here.person)[before:])[0]


def test_a_guest_and_an_administrator_see_their_own_home(slack: LocalSlack) -> None:
    guest = room(slack, "home-guest", person=newcomer(slack, "home-guest", is_restricted=True))
    assert "handbook" not in plain(_home(slack, guest))
    admin = room(slack, "home-admin", person=slack.add_user("root", email="root@example.com"))
    assert "/kb reindex" in plain(_home(slack, admin))


def test_the_messages_tab_publishes_nothing(slack: LocalSlack) -> None:
    here = room(slack, "messages-tab")
    assert slack.open_home(here.person, tab="messages").wait().acked
    _home(slack, here)
    assert len(slack.homes(here.person)) == 1
