"""Direct messages, plain and in the assistant's pane, and what is remembered: of one person, in one place."""

import time
from collections.abc import Iterator

import psycopg
import pytest

from tests.command import Kb, rows, wait_for, write
from tests.fakes.slack import LocalSlack, buttons, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.talk import Talk, direct, ending, harmless, newcomer, pressable, room
from tests.flows.test_conversation import APPROVAL

QUESTION = "How many days of vacation does everybody have?"
TRAVEL, VACATION = "Is travel possible for staff?", "Is vacation possible for staff?"
WHO = "Who approves it?"
DIRECTOR, LEAD = (
    "Travel of the staff is approved by the director.",
    "Vacation of the staff is approved by the team lead.",
)


FRENCH = "# Congés payés\n\nChaque salarié dispose de 25 jours de congés payés par an.\n"


@pytest.fixture(scope="module")
def approving(indexed: Kb, slack: LocalSlack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command while it serves, with the document that follow-ups are about."""
    folder = write(tmp_path_factory.mktemp("approvals"), approvals=APPROVAL, conges=FRENCH)
    assert indexed("index", str(folder)).code == 0
    kb = indexed.having(**slack_env(slack))
    with serving(kb, slack):
        yield kb


def test_a_direct_message_needs_no_mention(approving: Kb, slack: LocalSlack) -> None:
    here = direct(slack, newcomer(slack, "dora"))
    asked = here.say(QUESTION)
    outcome = here.outcome(asked)
    assert "thirty days" in plain(outcome)
    assert outcome.thread_ts == asked
    assert harmless(outcome)
    assert "kb_private" not in pressable(outcome)
    assert ending(approving, asked) == ("posted", "answered")
    (delivery,) = asked.deliveries
    assert delivery.event["type"] == "message"
    assert delivery.acked


def test_the_assistants_pane_suggests_questions_and_shows_status_and_title(approving: Kb, slack: LocalSlack) -> None:
    person = newcomer(slack, "asta")
    here = direct(slack, person)
    thread = slack.start_assistant_thread(person)
    slack.until(lambda: slack.assistant(here.channel, thread).prompts)
    pane = slack.assistant(here.channel, thread)
    assert len(pane.prompts) == 3
    assert all(each["title"] == each["message"] for each in pane.prompts)
    assert pane.prompts_title
    asked = here.say(QUESTION, thread=thread)
    outcome = here.outcome(thread)
    assert "thirty days" in plain(outcome)
    assert pane.statuses == ["is reading your question…"]
    assert pane.status == "", "it ends with the first message"
    assert pane.title == QUESTION
    assert ending(approving, asked) == ("posted", "answered")
    asked = here.say("What does the error VPN-4711 mean?", thread=thread)
    slack.until(lambda: len(pane.statuses) == 2)
    assert ending(approving, asked) == ("posted", "answered")
    assert pane.title == QUESTION, "the first question names the conversation"


@pytest.mark.usefixtures("approving")
def test_a_title_holds_no_secret_and_no_address(slack: LocalSlack) -> None:
    person = newcomer(slack, "sepp")
    here = direct(slack, person)
    asked = here.say("Who may read the mail of jane.doe@example.org?")
    here.outcome(asked)
    assert "jane.doe" not in slack.assistant(here.channel, asked).title
    assert "[masked" in slack.assistant(here.channel, asked).title


@pytest.mark.usefixtures("approving")
def test_an_app_without_the_assistants_permissions_answers_all_the_same(slack: LocalSlack) -> None:
    slack.workspace.scopes.discard("assistant:write")
    try:
        here = direct(slack, newcomer(slack, "plain"))
        assert "thirty days" in plain(here.outcome(here.say(QUESTION)))
    finally:
        slack.workspace.scopes.add("assistant:write")


def test_memory_is_one_persons_in_one_place(approving: Kb, slack: LocalSlack) -> None:
    here = room(slack, "shared-thread")
    other = Talk(slack, newcomer(slack, "other"), here.channel)
    slack.world.channel(here.channel).members.append(other.person.id)
    alone = direct(slack, newcomer(slack, "alone"))
    without = _first_line(alone, alone.say(WHO))
    root = here.ask(TRAVEL)
    here.outcome(root)
    other.ask(WHO, thread=root)
    assert _text(plain(here.outcome(root, count=2))) == without, "another person in the same thread"
    elsewhere = here.ask(WHO)
    assert _text(plain(here.outcome(elsewhere))) == without, "another thread of the same person"
    private = direct(slack, here.person)
    assert _first_line(private, private.say(WHO)) == without, "the same person in private"
    here.ask(WHO, thread=root)
    assert DIRECTOR in _text(plain(here.outcome(root, count=3)))
    conversations = rows(
        approving.env["KB_AGENT_DATABASE_URL"],
        "SELECT DISTINCT conversation FROM turns WHERE person = %s ORDER BY 1",
        [here.person.id],
    )
    expected = {f"{here.channel}:{root}", f"{here.channel}:{elsewhere}", private.channel}
    assert {name for (name,) in conversations} == expected


def test_forget_ends_what_is_remembered(approving: Kb, slack: LocalSlack) -> None:
    here = direct(slack, newcomer(slack, "forgetful"))
    asked = here.say(WHO)
    without = _first_line(here, asked)
    assert ending(approving, asked)[0] == "posted"
    here.command("forget")
    here.told("Forgotten: 1 of your questions")
    _after(here, TRAVEL)
    asked = here.say(WHO)
    assert _first_line(here, asked).startswith(DIRECTOR)
    assert ending(approving, asked)[0] == "posted"
    here.command("forget")
    here.told("Forgotten: 2 of your questions")
    held = "SELECT count(*) FROM turns WHERE person = %s"
    assert rows(approving.env["KB_AGENT_DATABASE_URL"], held, [here.person.id]) == [(0,)]
    texts = rows(
        approving.env["KB_AGENT_DATABASE_URL"], "SELECT DISTINCT text FROM questions WHERE asker = %s", [here.person.id]
    )
    assert texts == [("",)]
    assert _first_line(here, here.say(WHO)) == without


def test_what_takes_longer_than_slack_waits_is_done_all_the_same(approving: Kb, slack: LocalSlack) -> None:
    here = direct(slack, newcomer(slack, "patient"))
    _after(here, TRAVEL)
    url, held = approving.env["KB_AGENT_DATABASE_URL"], "SELECT count(*) FROM turns WHERE person = %s"
    wait_for(lambda: rows(url, held, [here.person.id]) == [(1,)])
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE turns IN SHARE ROW EXCLUSIVE MODE")
        began = time.monotonic()
        here.command("forget")
        assert time.monotonic() - began < 3.0, "then Slack tells of an error"
        here.told("I cannot do that at the moment")
    wait_for(lambda: rows(url, held, [here.person.id]) == [(0,)])


def _after(here: Talk, before: str) -> None:
    """Asks a question and waits for its end."""
    here.outcome(here.say(before))


def _first_line(here: Talk, asked: str) -> str:
    return _text(plain(here.outcome(asked)))


def _text(read: str) -> str:
    """The reply without tasks and without what stands below it."""
    lines = [line for line in read.split("\n") if not line.startswith("(complete)")]
    return lines[0]


def test_all_that_stands_around_an_answer_is_in_the_language_of_its_question(approving: Kb, slack: LocalSlack) -> None:
    person = newcomer(slack, "fanny")
    here = direct(slack, person)
    thread = slack.start_assistant_thread(person)
    asked = here.say("Combien de jours de congés payés ai-je par an ?", thread=thread)
    outcome = here.outcome(thread)
    assert ending(approving, asked) == ("posted", "answered")
    assert slack.assistant(here.channel, thread).statuses == ["lit votre question…"]
    read = plain(outcome)
    assert "Chaque salarié dispose de 25 jours de congés payés par an." in read
    assert "Confiance\u00a0: " in read
    assert "Aperçu" in read
    here.press(outcome, "kb_preview:1")
    assert "Fermer" in _modal(slack, "Chaque salarié dispose")
    (votes,) = [each for each in buttons(outcome) if each["action_id"] == "kb_feedback"]
    here.press(outcome, "kb_feedback", votes["negative_button"]["value"])
    assert "Envoyer" in _modal(slack, "Qu'est-ce qui était faux, ou manquait")


def _modal(slack: LocalSlack, words: str) -> str:
    """A modal, once it says that."""
    return slack.until(lambda: next((shown for each in slack.views if words in (shown := str(each.content))), ""))


def test_who_asks_in_a_language_without_texts_reads_english(approving: Kb, slack: LocalSlack) -> None:
    here = direct(slack, newcomer(slack, "ilaria"))
    asked = here.say("Chi approva il parcheggio della bicicletta?")
    assert "I found nothing good enough." in plain(here.outcome(asked))
