"""The three kinds of conversation: asked, signed, answered with citations in the right place, asked again."""

import json

import pytest

from tests.command import Kb, rows, wait_for
from tests.fakes.teams import Conversation, LocalTeams, citations, labelled, notified, plain
from tests.flows.teams.talk import Body, Post, Talk

pytestmark = pytest.mark.everyday

FOLLOW_UP = "And how many is that?"
NOTHING = "nothing good enough"
READ_ALONG = "Guests, or people who are not known to be members, read this conversation, so I use only what is public."
QUESTION = "How many days of vacation does everybody have?"


def personal(post: Post, name: str) -> Talk:
    person = post.teams.add_person(name)
    return Talk(post, person, post.teams.personal(person))


def group(post: Post, name: str) -> Talk:
    person = post.teams.add_person(name)
    return Talk(post, person, post.teams.add_group([person, post.teams.add_person(f"{name}-other")]))


def channel(post: Post, name: str) -> Talk:
    person = post.teams.add_person(name)
    return Talk(post, person, post.teams.add_channel(name, [person, post.teams.add_person(f"{name}-other")]))


def checked(here: Talk, text: str) -> None:
    """Asks, and looks at the answer."""
    said = here.say(text)
    answer = here.answer("thirty days", said)
    assert labelled(answer)
    (cited, *_) = citations(answer)
    assert cited["appearance"]["name"]
    assert "[1]" in answer.text
    assert "Sources" in plain(answer)
    assert not notified(answer)
    assert len(answer.versions) > 1, "it was waited for in its place"
    assert answer.body["channelData"]["feedbackLoop"]


def test_a_personal_chat(post: Post) -> None:
    here = personal(post, "pia")
    checked(here, QUESTION)
    assert any("Hello" in each.text for each in here.shown()), "who asks for the first time is greeted"
    assert post.teams.calls("stream"), "it was streamed"
    checked(here, QUESTION)
    assert sum("Hello" in each.text for each in here.shown()) == 1


def test_a_group_chat(post: Post) -> None:
    here = group(post, "gil")
    checked(here, QUESTION)
    assert here.teams.typing(here.place.id)
    assert [each.stream for each in here.shown()] == [""]


def test_a_channel_is_answered_in_the_thread(post: Post) -> None:
    here = channel(post, "chen")
    first = here.say(QUESTION)
    other = here.say("Who approves vacation?")
    below = here.say("Who books journeys by train?", thread=first.id)
    here.answer("thirty days", first)
    assert "team lead" in plain(here.answer("team lead", other))
    assert "travel office" in plain(here.answer("travel office", below))
    assert len(here.shown(first)) == 2
    assert len(here.shown(other)) == 1


@pytest.mark.parametrize("make", [personal, group, channel])
def test_a_follow_up_is_understood_with_what_was_said(post: Post, make: object, kb: Kb) -> None:
    here: Talk = make(post, f"follow-{make.__name__}")  # type: ignore[operator, attr-defined] # one of the three
    first = here.say(QUESTION)
    here.answer("thirty days", first)
    thread = first.conversation.partition(";messageid=")[2]
    here.say(FOLLOW_UP, thread=thread)
    here.answer("thirty days", first, count=2)
    turns = "SELECT count(*) FROM turns WHERE person = %s"
    wait_for(lambda: rows(kb.env["KB_AGENT_DATABASE_URL"], turns, [here.person.aad]) == [(2,)])
    alone = group(post, f"alone-{make.__name__}")  # type: ignore[attr-defined] # see above
    alone.say(FOLLOW_UP)
    alone.told(NOTHING)


def test_without_a_mention_nobody_asked_us(post: Post) -> None:
    here = group(post, "quiet")
    here.say(QUESTION, mention=False)
    here.say(QUESTION)
    here.answer("thirty days")
    assert len(here.shown()) == 1


def test_delivered_often_it_is_answered_once(post: Post, kb: Kb) -> None:
    here = group(post, "often")
    said = here.say(QUESTION)
    for _ in range(3):
        post(said.activity)
    here.answer("thirty days")
    post(said.activity)
    wait_for(lambda: asked(kb, here.place) == [("posted", "answered")])
    assert len(here.shown()) == 1


def test_changed_and_deleted(post: Post, kb: Kb) -> None:
    here = group(post, "changed")
    said = here.say(QUESTION)
    here.answer("thirty days")
    post(post.teams.saying.edit(here.person, here.place, said, "Who approves vacation?").activity)
    here.answer("team lead")
    assert len(here.shown()) == 1
    post(post.teams.saying.delete(here.person, here.place, said).activity)
    wait_for(lambda: rows(kb.env["KB_AGENT_DATABASE_URL"], *texts(here.place)) == [("",)])


def texts(place: Conversation) -> tuple[str, list[object]]:
    return "SELECT text FROM questions WHERE channel = %s", [place.id]


def asked(kb: Kb, place: Conversation) -> list[tuple[object, ...]]:
    query = "SELECT state, result FROM questions WHERE channel = %s ORDER BY question_no"
    return rows(kb.env["KB_AGENT_DATABASE_URL"], query, [place.id])


def test_feedback_and_its_reason(post: Post, kb: Kb) -> None:
    here = group(post, "judge")
    here.say(QUESTION)
    answer = here.answer("thirty days")
    wait_for(lambda: asked(kb, here.place) == [("posted", "answered")])
    saying = post.teams.saying
    assert post(saying.feedback(here.person, here.place, answer, "like")).json == {}
    assert post(saying.feedback(here.person, here.place, answer, "dislike", "It is out of date")).json == {}
    found = rows(
        kb.env["KB_AGENT_DATABASE_URL"], "SELECT value, reason FROM feedback WHERE person = %s", [here.person.aad]
    )
    assert found == [(-1, "It is out of date")]
    unnamed = saying.feedback(here.person, here.place, answer, "like", "The last one")
    post({name: each for name, each in unnamed.items() if name != "replyToId"})
    found = rows(
        kb.env["KB_AGENT_DATABASE_URL"], "SELECT value, reason FROM feedback WHERE person = %s", [here.person.aad]
    )
    assert found == [(1, "The last one")], "a vote that names no message is on the last reply"


def test_the_passage_behind_a_citation(post: Post, kb: Kb) -> None:
    here = channel(post, "look")
    said = here.say(QUESTION)
    answer = here.answer("thirty days", said)
    number = rows(kb.env["KB_AGENT_DATABASE_URL"], "SELECT question_no FROM questions WHERE message = %s", [said.id])
    shown = here.open_dialog(answer, {"kb": "preview", "number": number[0][0], "n": 1})
    assert shown["task"]["type"] == "continue"
    assert "team lead approves" in json.dumps(shown)
    gone = here.open_dialog(answer, {"kb": "preview", "number": 10**9, "n": 1})
    assert "cannot be shown" in json.dumps(gone)


@pytest.mark.parametrize("form", ["standard", ""])
def test_a_guest_of_the_team_reads_along_in_its_channels(post: Post, form: str) -> None:
    guest = post.teams.add_person("evan", email="evan@partner.example", guest=True)
    person = post.teams.add_person(f"host-{form}")
    place = post.teams.add_channel("open", [person], form=form, everybody=[guest.id])
    Talk(post, person, place).say(QUESTION)
    Talk(post, person, place).told(READ_ALONG)
    closed = Talk(post, person, post.teams.add_channel("closed", [person], form="private", everybody=[guest.id]))
    closed.say(QUESTION)
    closed.answer("thirty days")


def test_a_secret_in_a_question_is_not_repeated(post: Post, kb: Kb) -> None:
    here = group(post, "secret")
    secret = "ghp_" + "a1B2" * 9
    here.say(f"Why does {secret} not work?")
    wait_for(lambda: [each[0] for each in asked(kb, here.place)] == ["posted"])
    kept = rows(kb.env["KB_AGENT_DATABASE_URL"], *texts(here.place))
    shown: list[Body] = [version for each in here.shown() for version in each.versions]
    assert secret not in json.dumps([shown, kept])


def test_files_are_named_as_unread(post: Post, teams: LocalTeams) -> None:
    here = group(post, "files")
    file = {"contentType": "application/vnd.microsoft.teams.file.download.info", "name": "plan.xlsx"}
    here.say(QUESTION, attachments=[file])
    assert "plan.xlsx" in plain(here.answer("thirty days"))


def test_a_picture_without_words_is_named_as_such(post: Post) -> None:
    here = personal(post, "painter")
    here.say("", attachments=[{"contentType": "image/png", "contentUrl": "https://pictures.example/1"}])
    here.told("I cannot read pictures")
    here.say(
        "", attachments=[{"contentType": "application/vnd.microsoft.teams.file.download.info", "name": "plan.xlsx"}]
    )
    here.told("plan.xlsx")
