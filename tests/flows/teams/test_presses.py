"""Presses and changes that nobody should get anything by; what is pressed twice."""

from typing import Any

import pytest

from tests.command import Kb, rows, wait_for
from tests.fakes.teams import plain
from tests.flows.teams.talk import Body, Post, Talk, button

QUESTION = "How many days of vacation does everybody have?"
NOTHING = "nothing good enough"
UNKNOWN = "What does nobody at all know about zzz?"


def alone(post: Post, name: str) -> Talk:
    person = post.teams.add_person(name)
    return Talk(post, person, post.teams.personal(person))


def together(post: Post, *names: str) -> Talk:
    people = [post.teams.add_person(name) for name in names]
    return Talk(post, people[0], post.teams.add_group(people))


@pytest.mark.parametrize("word", ["private", "share", "share_now", "cancel", "preview"])
def test_a_number_opens_nothing_of_another_conversation(post: Post, kb: Kb, word: str) -> None:
    theirs, mine = together(post, f"ann-{word}", "ben"), alone(post, f"mallory-{word}")
    theirs.say(QUESTION)
    theirs.answer("thirty days")
    shown = {"kb": "preview", "number": number_of(kb, theirs), "n": 1}
    mine.say(UNKNOWN)
    below = mine.told(NOTHING)
    if word == "preview":
        assert "cannot be shown" in str(mine.open_dialog(below, shown))
        assert "team lead approves" in str(theirs.open_dialog(theirs.shown()[0], shown))
        return
    told = mine.execute(below, {"kb": word, "number": shown["number"]})
    assert ("no conversation" if word == "share" else "do not remember") in str(told)
    query = "SELECT count(*) FROM questions WHERE asker = %s"
    assert rows(kb.env["KB_AGENT_DATABASE_URL"], query, [mine.person.aad]) == [(1,)]


@pytest.fixture(scope="module")
def root(post: Post) -> Talk:
    person = post.teams.add_person("root", email="root@example.com")
    guest = post.teams.add_person("guest", email="guest@partner.example", guest=True)
    return Talk(post, person, post.teams.add_group([person, guest]))


@pytest.mark.parametrize("text", ["reindex nope", "reindex handbook"])
def test_sources_are_named_to_an_administrator_alone(post: Post, root: Talk, text: str) -> None:
    mine = Talk(post, root.person, post.teams.personal(root.person))
    before = len(root.shown())
    root.say(text)
    mine.told("handbook", count=1)
    root.awaited(lambda: len(root.shown()) > before or None)
    assert "our chat" in root.shown()[-1].text
    assert not any("handbook" in plain(each) for each in root.shown())


@pytest.mark.parametrize("word", ["again", "reindex"])
def test_what_is_pressed_among_others_is_confirmed_in_private(post: Post, root: Talk, word: str) -> None:
    mine = Talk(post, root.person, post.teams.personal(root.person))
    root.say("status")
    below = root.told("Status")
    count = sum("the source" in plain(each) for each in mine.shown())
    told = root.execute(below, {"kb": word, "text": "handbook"})
    assert "our chat" in told["value"]
    mine.told("the source", count=count + 1)
    post(post.teams.saying.press(root.person, root.place, below, {"kb": word, "text": "nope"}))
    mine.told("There is no source nope")
    assert not any("handbook" in plain(each) for each in root.shown())


def number_of(kb: Kb, here: Talk) -> Any:
    ((number,),) = rows(
        kb.env["KB_AGENT_DATABASE_URL"], "SELECT question_no FROM questions WHERE channel = %s", [here.place.id]
    )
    return number


def test_nobody_takes_away_what_others_see(post: Post, root: Talk, kb: Kb) -> None:
    theirs = together(post, "asker", "wrecker")
    theirs.say(QUESTION)
    answer = theirs.answer("thirty days")
    for data in ({"kb": "cancel"}, {"kb": "cancel", "number": number_of(kb, theirs)}):
        for person in (theirs.person, root.person):
            told = Talk(post, person, theirs.place).execute(answer, data)
            assert "AdaptiveCard" not in str(told), "nothing takes the place of the answer"
    versions = len(answer.versions)
    theirs.say("status")
    theirs.told("Status")
    assert len(answer.versions) == versions
    assert "thirty days" in answer.text


def test_what_came_to_nothing_is_asked_again(post: Post, kb: Kb) -> None:
    url = kb.env["KB_AGENT_DATABASE_URL"]
    ours = together(post, "again", "other-again")
    mine = Talk(post, ours.person, post.teams.personal(ours.person))
    ours.say(UNKNOWN)
    below = ours.told("Ask privately")
    press = button(below, "private")
    assert value(ours.execute(below, press)) == "I answer in our chat."
    mine.told(NOTHING)
    ended = "SELECT result FROM questions WHERE asker = %s AND message LIKE 'press%%' ORDER BY question_no"
    wait_for(lambda: rows(url, ended, [ours.person.aad]) == [("not_found",)])
    assert "answered that already" in value(ours.execute(below, press))
    change = "UPDATE questions SET result = 'late' WHERE asker = %s AND message LIKE 'press%%' RETURNING 1"
    rows(url, change, [ours.person.aad])
    assert value(ours.execute(below, press)) == "I answer in our chat."
    wait_for(lambda: rows(url, ended, [ours.person.aad]) == [("late",), ("not_found",)])
    assert "answered that already" in value(ours.execute(below, press))


def value(told: Body) -> str:
    return str(told["value"])


def test_a_change_is_read_as_what_is_typed(post: Post, kb: Kb) -> None:
    query = "SELECT revision, text FROM questions WHERE channel = %s"
    here = together(post, "editor", "other-editor")
    said = here.say(f"share {QUESTION}")
    here.answer("thirty days")
    wait_for(lambda: asked(kb, query, here) == [(0, QUESTION)])
    for text in (f"share {QUESTION}", "forget", "statsu"):
        post(post.teams.saying.edit(here.person, here.place, said, text).activity)
        assert asked(kb, query, here) == [(0, QUESTION)]
    post(post.teams.saying.edit(here.person, here.place, said, "ask Who approves vacation?").activity)
    here.answer("team lead")
    assert asked(kb, query, here) == [(1, "Who approves vacation?")]


def asked(kb: Kb, query: str, here: Talk) -> list[tuple[object, ...]]:
    return rows(kb.env["KB_AGENT_DATABASE_URL"], query, [here.place.id])


def test_what_is_asked_elsewhere_is_not_joined_to_what_was_said_there(post: Post, kb: Kb) -> None:
    ours = together(post, "follower", "other-follower")
    mine = Talk(post, ours.person, post.teams.personal(ours.person))
    mine.say("What does the error VPN-4711 mean?")
    mine.answer("certificate")
    ended = "SELECT count(*) FROM turns WHERE person = %s"
    url = kb.env["KB_AGENT_DATABASE_URL"]
    ours.say("Which violin sonata did the astronaut compose?")
    ours.told("Ask privately")
    wait_for(lambda: rows(url, ended, [ours.person.aad]) == [(2,)])
    ours.say("And who paid for it?")
    below = ours.told("Ask privately", count=2)
    wait_for(lambda: rows(url, ended, [ours.person.aad]) == [(3,)])
    assert value(ours.execute(below, button(below, "private"))) == "I answer in our chat."
    mine.told("And who paid for it?")
    assert sum("certificate" in plain(each) for each in mine.shown()) == 1
