"""The slash command: questions for the asker alone or for the channel, and what can be done beside asking."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command import Kb, rows, wait_for, write
from tests.fakes.slack import LocalSlack, Message, buttons, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.talk import Talk, awaited, direct, final, harmless, newcomer, pressable, room

pytestmark = pytest.mark.everyday

QUESTION = "How many days of vacation does everybody have?"
SALARY = "What does the vault code of the treasury begin with?"


@pytest.fixture(scope="module")
def changing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose document changes."""
    return write(tmp_path_factory.mktemp("changing") / "canteen", canteen="# Canteen\n\nThe canteen serves lentils.\n")


@pytest.fixture(scope="module", autouse=True)
def serve(indexed: Kb, slack: LocalSlack, changing: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command while it serves, with a document for one person alone, and one that changes."""
    folder = write(
        tmp_path_factory.mktemp("own") / "treasury",
        treasury="# Treasury\n\nThe vault code of the treasury begins with a seven.\n",
    )
    assert indexed("index", str(folder), "--audience", "rita@example.com").code == 0
    assert indexed("index", str(changing)).code == 0
    kb = indexed.having(**slack_env(slack))
    with serving(kb, slack):
        yield kb


@pytest.fixture(scope="module")
def admin(slack: LocalSlack) -> Talk:
    return room(slack, "operators", person=slack.add_user("root", email="Root@Example.com"))


@pytest.mark.parametrize("text", [QUESTION, f"ask {QUESTION}", f"  ASK   {QUESTION} "])
def test_a_question_is_answered_for_the_asker_alone(slack: LocalSlack, text: str) -> None:
    here = room(slack, f"alone-{len(text)}")
    here.command(text)
    assert "Reading your question" in plain(slack.ephemerals(here.channel, here.person)[0])
    answer = here.told("thirty days")
    assert "Sources" in plain(answer)
    assert {"kb_preview:1", "kb_feedback", "kb_share"} <= set(pressable(answer))
    assert harmless(answer)
    assert len(slack.ephemerals(here.channel, here.person)) == 2, "the sign cannot be taken back"
    assert slack.channel(here.channel) == [], "nobody else sees anything"


def test_it_works_where_the_bot_is_no_member(slack: LocalSlack) -> None:
    here = room(slack, "without-bot", bot=False)
    here.command(QUESTION)
    here.told("thirty days")


@pytest.mark.parametrize("text", ["", "   ", "help", "HELP "])
def test_help(slack: LocalSlack, text: str) -> None:
    here = room(slack, f"help-{len(text)}")
    here.command(text)
    read = plain(here.told("Ask"))
    for words in ("QUESTION", "share QUESTION", "feedback good", "sources", "status", "reindex SOURCE", "forget"):
        assert f"`/kb {words}`" in read
    assert slack.channel(here.channel) == []


@pytest.mark.parametrize("text", ["ask", "share", "ask  "])
def test_a_word_without_a_question_is_told_so(slack: LocalSlack, text: str) -> None:
    here = room(slack, f"word-{text.strip()}-{len(text)}")
    here.command(text)
    here.told(f"Put the question behind it: /kb {text.strip()}")


def test_a_slip_of_the_finger_is_asked_about(slack: LocalSlack) -> None:
    here = room(slack, "slips")
    here.command("statsu")
    here.told("Did you mean `/kb status`? To ask it anyway: `/kb ask statsu`")
    here.command("ask statsu")
    here.told("nothing")


def test_a_shared_question_is_shown_masked(slack: LocalSlack) -> None:
    here = room(slack, "shown")
    here.command("share How many days of vacation does jane.doe@elsewhere.example have?")
    slack.until(lambda: any("Searched" in plain(each) or "[1]" in plain(each) for each in slack.channel(here.channel)))
    read = "".join(plain(each) for each in slack.channel(here.channel))
    assert "Question: How many days of vacation does [masked" in read
    assert "jane.doe" not in read


def test_what_begins_like_a_command_may_be_a_question(slack: LocalSlack) -> None:
    here = room(slack, "words")
    here.command("status of the customer backups in Dublin?")
    here.told("customer")


def test_angle_brackets_of_a_question_are_kept(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "brackets")
    here.command("What is List&lt;String&gt; &amp;amp; vacation?")
    here.told("found nothing")
    texts = "SELECT text FROM questions WHERE channel = %s"
    assert rows(serve.env["KB_AGENT_DATABASE_URL"], texts, [here.channel]) == [
        ("What is List<String> &amp; vacation?",)
    ]


def test_status_and_sources(slack: LocalSlack) -> None:
    here = room(slack, "facts")
    here.command("status")
    read = plain(here.told("Status"))
    assert "Documents: 7" in read.replace("*", "")
    assert "Sources: 2" in read.replace("*", "")
    assert re.search(r"Last read: 20\d\d-\d\d-\d\d \d\d:\d\d UTC", read.replace("*", ""))
    here.command("sources")
    read = plain(here.told("What is indexed"))
    assert "handbook" in read
    assert "canteen" in read
    assert "treasury" not in read, "she may read nothing of it"
    assert slack.channel(here.channel) == []


def test_a_guest_learns_nothing_of_the_sources(slack: LocalSlack) -> None:
    here = room(slack, "guests", person=newcomer(slack, "guest", is_restricted=True))
    here.command("sources")
    assert "There is nothing here that you may see" in plain(here.told("What is indexed"))
    here.command("status")
    assert "Nothing is known" in plain(here.told("Status"))


def test_feedback_on_the_last_reply(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "votes")
    here.command("feedback good")
    here.told("There is no reply of mine to you here that I remember.")
    here.command("feedback")
    here.told("feedback good")
    here.command(QUESTION)
    here.told("thirty days")
    _votable(serve, here)
    here.command("feedback bad it is &lt;outdated&gt;, ask jane.doe@example.org")
    here.told("Thank you.", count=4)
    ((value, reason),) = _votes(serve, here)
    assert value == -1
    assert reason.startswith("it is <outdated>, ask [masked")
    here.command("feedback good")
    here.told("Thank you.", count=5)
    assert _votes(serve, here) == [(1, None)], "why it was bad is no reason for that"


def test_feedback_is_on_the_last_reply_though_it_was_no_answer(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "votes-declined")
    here.command(QUESTION)
    here.told("thirty days")
    _votable(serve, here)
    here.command("word " * 1_000)
    ended = "SELECT result FROM questions WHERE asker = %s ORDER BY question_no"
    url = serve.env["KB_AGENT_DATABASE_URL"]
    wait_for(lambda: rows(url, ended, [here.person.id]) == [("answered",), ("declined",)])
    here.command("feedback bad")
    here.told("Thank you.")
    judged = "SELECT result FROM questions JOIN feedback USING (question_no) WHERE person = %s"
    assert rows(url, judged, [here.person.id]) == [("declined",)]


def _votable(kb: Kb, here: Talk) -> None:
    held = "SELECT count(*) FROM turns WHERE person = %s"
    wait_for(lambda: rows(kb.env["KB_AGENT_DATABASE_URL"], held, [here.person.id]) == [(1,)])


def _votes(kb: Kb, here: Talk) -> list[tuple[Any, ...]]:
    return rows(
        kb.env["KB_AGENT_DATABASE_URL"], "SELECT value, reason FROM feedback WHERE person = %s", [here.person.id]
    )


def test_an_administrator_has_a_source_read_again(slack: LocalSlack, admin: Talk, changing: Path) -> None:
    admin.command("When? What does the canteen serve?")
    admin.told("The canteen serves lentils.")
    write(changing, canteen="# Canteen\n\nThe canteen serves pancakes.\n")
    admin.command("reindex canteen")
    question = admin.told("Read the source *canteen* again?")
    assert pressable(question) == ["kb_reindex", "kb_cancel"]
    admin.press(question, "kb_reindex")
    slack.until(lambda: question.deleted or "Started." in plain(question))
    assert pressable(question) == [], "it cannot be pressed twice"
    (told,) = slack.until(lambda: slack.channel(direct(slack, admin.person).channel))
    assert plain(told).startswith("canteen: ")
    assert "updated 1" in plain(told) or "1" in plain(told)
    admin.command("What does the canteen serve?")
    admin.told("The canteen serves pancakes.")


def test_a_confirmation_can_be_cancelled(serve: Kb, slack: LocalSlack, admin: Talk) -> None:
    runs = _runs(serve)
    admin.command("reindex")
    question = admin.told("Read *all sources* again?")
    admin.press(question, "kb_cancel")
    slack.until(lambda: "Nothing was started." in plain(question))
    assert _runs(serve) == runs


def _runs(kb: Kb) -> int:
    ((count,),) = rows(
        kb.env["KB_AGENT_DATABASE_URL"], "SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'reindex'"
    )
    return int(count)


@pytest.mark.usefixtures("serve")
def test_an_unknown_source_is_named_with_those_that_there_are(admin: Talk) -> None:
    admin.command("reindex &lt;!channel&gt;")
    told = admin.told("There is no source <!channel>")
    assert "handbook" in plain(told)
    assert harmless(told)
    assert pressable(told) == []


def test_others_may_not_start_indexing_and_a_forged_press_does_not_help(
    serve: Kb, slack: LocalSlack, admin: Talk
) -> None:
    runs = _runs(serve)
    here = room(slack, "not-admin")
    here.command("reindex canteen")
    refused = here.told("Only an administrator")
    assert pressable(refused) == []
    admin.command("reindex canteen")
    question = admin.told("Read the source *canteen* again?")
    Talk(slack, here.person, admin.channel).press(question, "kb_reindex")
    slack.until(lambda: "Only an administrator" in plain(question))
    assert _runs(serve) == runs


@pytest.mark.usefixtures("serve")
@pytest.mark.parametrize(
    "fields", [{"is_restricted": True}, {"is_email_confirmed": False}, {"is_bot": True}, {"deleted": True}]
)
def test_an_administrators_address_alone_does_not_make_one(slack: LocalSlack, fields: dict[str, Any]) -> None:
    here = room(slack, f"like-{next(iter(fields))}", person=slack.add_user("root", email="root@example.com", **fields))
    here.command("reindex canteen")
    here.told("Only an administrator")


def test_share_answers_in_the_channel_with_the_question(slack: LocalSlack) -> None:
    here = room(slack, "sharing")
    here.command(f"share {QUESTION}")
    (answer,) = _outcomes(slack, here, 1)
    assert "Sources" in plain(answer)
    assert answer.thread_ts is None
    assert plain(answer).startswith(f"Question: {QUESTION}")
    assert plain(slack.message(here.channel, answer.ts).versions[0]).startswith(f"Question: {QUESTION}"), "at once"
    assert harmless(answer)
    assert slack.ephemerals(here.channel, here.person) == []
    assert "kb_share" not in pressable(answer)


def test_what_one_person_may_read_is_never_shared(slack: LocalSlack) -> None:
    rita = newcomer(slack, "rita")
    here = room(slack, "vault", newcomer(slack, "curious"), person=rita)
    here.command(SALARY)
    private = here.told("begins with a seven")
    here.command(f"share {SALARY}")
    _outcomes(slack, here, 1)
    here.press(private, "kb_share")
    for message in _outcomes(slack, here, 2):
        for version in message.versions:
            assert "seven" not in plain(version)
            assert "treasury.md" not in plain(version)
    other = room(slack, "vault-two")
    other.command(SALARY)
    told = other.told("found nothing")
    assert "treasury.md" not in plain(told)


def _outcomes(slack: LocalSlack, here: Talk, count: int) -> list[Message]:
    """What stands in the channel itself, once so many outcomes are there."""

    def there() -> list[Message] | None:
        shown = slack.channel(here.channel)
        return shown if len(shown) == count and all(map(final, shown)) else None

    return awaited(slack, there, lambda: slack.channel(here.channel))


def test_sharing_where_the_bot_may_not_post_tells_the_asker(serve: Kb, slack: LocalSlack) -> None:
    here = room(slack, "closed", bot=False)
    here.command(f"share {QUESTION}")
    here.told("I cannot post in this channel.")
    assert slack.channel(here.channel) == []
    held = "SELECT state, result FROM questions WHERE channel = %s"
    found = [("failed", "unreachable")]
    wait_for(lambda: rows(serve.env["KB_AGENT_DATABASE_URL"], held, [here.channel]) == found)


def test_an_answer_whose_response_url_is_used_up_comes_as_a_message_for_the_asker(slack: LocalSlack) -> None:
    here = room(slack, "expired")
    slack.latency("users.info", 0.5)
    try:
        here.command(QUESTION)
        slack.urls.expire()
        here.told("thirty days", count=2)
    finally:
        slack.latency("users.info", 0)
    assert buttons(here.told())


def test_a_command_in_direct_messages(slack: LocalSlack) -> None:
    here = direct(slack, newcomer(slack, "dm-command"))
    here.command(QUESTION)
    here.told("thirty days")
