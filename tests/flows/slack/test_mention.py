"""A mention in a channel: acknowledged, seen to be worked on, answered with sources in its thread, and nothing else."""

from itertools import pairwise

import pytest

from tests.command import Kb, write
from tests.fakes.slack import LocalSlack, buttons, links, plain
from tests.flows.slack.talk import Talk, ending, harmless, pressable, recorded, room

pytestmark = pytest.mark.everyday

QUESTION = "How many days of vacation does everybody have?"


@pytest.mark.usefixtures("served")
def test_a_mention_is_answered_with_sources_in_its_thread_and_nowhere_else(slack: LocalSlack) -> None:
    here = room(slack, "general")
    asked = here.ask(QUESTION)
    slack.until(lambda: here.shown(asked))
    outcome = here.outcome(asked)
    for delivery in asked.deliveries:
        assert delivery.wait().acked
        assert len(delivery.attempts) == 1
    read = plain(outcome)
    assert "Everybody has thirty days of vacation a year. [1]" in read
    assert "Sources" in read
    assert "leave.md" in read or "Handbook" in read
    assert "Confidence: " in read
    assert outcome.thread_ts == asked
    assert [each.ts for each in slack.channel(here.channel)] == [asked, outcome.ts], "no other message"
    assert harmless(outcome)


@pytest.mark.usefixtures("served")
def test_a_stream_shows_tasks_then_text_then_what_belongs_below(slack: LocalSlack) -> None:
    here = room(slack, "streams")
    outcome = here.outcome(here.ask(QUESTION))
    assert outcome.streaming_state == "completed"
    assert outcome.recipient == here.person.id
    tasks = [chunk for chunk in outcome.chunks if chunk["type"] == "task_update"]
    assert len(tasks) >= 2, "several steps"
    assert tasks[0]["title"] == "Reading the question"
    assert {each["status"] for each in tasks} == {"complete"}
    first = outcome.versions[0]
    assert first["streaming_state"] == "in_progress"
    assert "Sources" not in plain(first)
    shown = [plain(each) for each in outcome.versions]
    assert all(before != after for before, after in pairwise(shown)), "each call changed something"


@pytest.fixture
def edited(slack: LocalSlack) -> Talk:
    """A channel that takes no streams."""
    here = room(slack, "edits")
    slack.world.channel(here.channel).streams = False
    return here


@pytest.mark.usefixtures("served")
def test_where_there_are_no_streams_one_message_is_edited(slack: LocalSlack, edited: Talk) -> None:
    asked = edited.ask(QUESTION)
    outcome = edited.outcome(asked)
    assert "thirty days" in plain(outcome)
    assert outcome.streaming_state is None
    assert [each.ts for each in slack.channel(edited.channel)] == [asked, outcome.ts]
    percents = [plain(each) for each in outcome.versions]
    assert "Reading your question" in percents[0]
    assert any(" % " in each for each in percents[1:-1]), "progress in between"
    tried = [call for call in slack.calls("chat.startStream") if call.args["channel"] == edited.channel]
    edited.outcome(edited.ask(QUESTION))
    again = [call for call in slack.calls("chat.startStream") if call.args["channel"] == edited.channel]
    assert (len(tried), len(again)) == (1, 1), "it is not tried there again"


@pytest.mark.usefixtures("served")
def test_nothing_unfurls_and_names_are_not_made_live(slack: LocalSlack, edited: Talk) -> None:
    outcome = edited.outcome(edited.ask(QUESTION))
    (posted,) = [each for each in slack.calls("chat.postMessage") if each.args["channel"] == edited.channel]
    wanted = {"unfurl_links": False, "unfurl_media": False, "link_names": False, "parse": "none"}
    assert {name: posted.args[name] for name in wanted} == wanted
    assert harmless(outcome)
    assert links(outcome) == [], "a file has no web address"


@pytest.mark.usefixtures("served")
def test_metadata_and_buttons_carry_ids_and_no_text(slack: LocalSlack, served: Kb) -> None:
    here = room(slack, "metadata")
    asked = here.ask(QUESTION)
    outcome = here.outcome(asked)
    key = f"slack:{here.channel}:{asked}"
    payload = {"key": key, "part": 0, "final": True, "revision": 0, "result": "answered"}
    assert outcome.metadata == {"event_type": "kb_answer", "event_payload": payload}
    assert ending(served, asked) == ("posted", "answered")
    (number,) = recorded(served, asked, "question_no")
    (preview,) = [each for each in buttons(outcome) if each["action_id"] == "kb_preview:1"]
    assert preview["value"] == f"{number}:1"


@pytest.mark.usefixtures("served")
def test_in_a_thread_the_answer_comes_in_that_thread(slack: LocalSlack) -> None:
    here = room(slack, "threads")
    root = here.say("We talk about holidays.")
    asked = here.ask(QUESTION, thread=root)
    outcome = here.outcome(root)
    assert outcome.thread_ts == root != asked
    assert "thirty days" in plain(outcome)


@pytest.mark.usefixtures("served")
def test_two_questions_in_one_thread_are_answered_one_after_the_other(slack: LocalSlack) -> None:
    here = room(slack, "lane")
    root = here.ask("What does the error VPN-4711 mean?")
    slack.until(lambda: here.shown(root))  # what is delivered at one moment is in no order
    here.ask(QUESTION, thread=root)
    here.outcome(root, count=2)
    first, second = here.shown(root)
    assert "the certificate has expired" in plain(first)
    assert "thirty days" in plain(second)
    stops = [call for call in slack.calls("chat.stopStream") if call.args["channel"] == here.channel]
    assert [call.args["ts"] for call in stops] == [first.ts, second.ts]
    appends = [call for call in slack.calls("chat.appendStream") if call.args["ts"] == second.ts]
    assert all(call.at >= stops[0].at for call in appends), "the second is begun when the first is done"


@pytest.mark.parametrize("text", ["", " ", "&nbsp;"])
@pytest.mark.usefixtures("served")
def test_a_bare_mention_is_told_how_to_ask(slack: LocalSlack, served: Kb, text: str) -> None:
    here = room(slack, f"bare-{len(text)}")
    asked = here.ask(text)
    outcome = here.outcome(asked)
    assert "How do I reset my password?" in plain(outcome)
    assert "Sources" not in plain(outcome)
    assert ending(served, asked)[0] == "posted"


@pytest.mark.usefixtures("served")
def test_a_greeting_gets_a_greeting_without_sources_or_votes(slack: LocalSlack) -> None:
    here = room(slack, "hello")
    outcome = here.outcome(here.ask("Hello!"))
    assert plain(outcome).count("Hello. Ask me about") == 1
    assert "Sources" not in plain(outcome)
    assert pressable(outcome) == []


@pytest.mark.usefixtures("served")
def test_what_is_not_found_names_what_is_near_and_offers_to_ask_privately(slack: LocalSlack, served: Kb) -> None:
    here = room(slack, "nothing")
    asked = here.ask("Which violin sonata did the astronaut compose?")
    outcome = here.outcome(asked)
    read = plain(outcome)
    assert "I found nothing good enough. Searched" in read
    assert "Ask privately" in read
    assert pressable(outcome) == ["kb_private"]
    assert ending(served, asked) == ("posted", "not_found")


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize(
    "text",
    [
        "How many days of vacation has <!channel> <!here> <@U001USER>?",
        "How many days of vacation? <https://evil.example/x|Click here>",
        "How many days of vacation? &lt;!channel&gt; &lt;@U001USER&gt; @channel @here",
        "Which *violin* sonata <!everyone> `&lt;!here&gt;` <https://evil.example|https://good.example>?",
    ],
)
def test_nothing_in_a_question_comes_alive_in_the_reply(slack: LocalSlack, text: str) -> None:
    for streams in (True, False):
        here = room(slack, f"live-{len(text)}-{streams}")
        slack.world.channel(here.channel).streams = streams
        outcome = here.outcome(here.ask(text))
        assert harmless(outcome)
        assert links(outcome) == []


@pytest.mark.usefixtures("served", "signal")
def test_nothing_in_a_document_comes_alive_in_the_reply(slack: LocalSlack) -> None:
    for streams in (True, False):
        here = room(slack, f"alive-{streams}")
        slack.world.channel(here.channel).streams = streams
        outcome = here.outcome(here.ask("Who is called when the harbour lantern goes out?"))
        assert "harbour" in plain(outcome)
        assert harmless(outcome)
        assert links(outcome) == []


@pytest.fixture(scope="module")
def signal(indexed: Kb, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A document full of what Slack would act on."""
    text = (
        "# Harbour <!channel>\n\nWhen the harbour lantern goes out, <!here> and <@U001USER> are called,"
        " see [the list](https://evil.example/list) or <https://evil.example|https://good.example> @everyone.\n"
    )
    assert indexed("index", str(write(tmp_path_factory.mktemp("signal"), harbour=text))).code == 0


@pytest.mark.usefixtures("served")
def test_the_bot_does_not_answer_what_is_not_said_to_it(slack: LocalSlack) -> None:
    here = room(slack, "quiet")
    said = here.say(QUESTION)
    told = here.say("<@U999OTHER> how many days of vacation?")
    for delivery in (*said.deliveries, *told.deliveries):
        assert delivery.wait().acked
    assert [each.user for each in slack.channel(here.channel)] == [here.person.id] * 2
