"""Asking the owner of a near page: offered to the asker alone, sent once, and only with their word."""

from collections.abc import Iterator

import pytest

from tests.command import Kb, rows, wait_for
from tests.fakes.teams import LocalTeams, Message, Person, plain
from tests.fakes.teams_keys import TeamsKeys
from tests.flows.owned_page import QUESTION, SENT, with_owned_page
from tests.flows.teams.conftest import serving, teams_env
from tests.flows.teams.talk import Post, Talk, button, buttons


@pytest.fixture(scope="module")
def post(indexed: Kb, teams: LocalTeams, keys: TeamsKeys, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Post]:
    with_owned_page(indexed, tmp_path_factory.mktemp("owned"))
    with serving(indexed.having(**teams_env(teams, keys))) as (_, base):
        yield Post(base, teams, keys)


def alone(post: Post, person: Person) -> Talk:
    return Talk(post, person, post.teams.personal(person))


def not_found(post: Post, name: str) -> tuple[Talk, Message]:
    """Somebody who asked, and the card below the reply."""
    here = alone(post, post.teams.add_person(name, email=f"{name}@example.com"))
    here.say(QUESTION)
    here.told("nothing good enough")
    return here, here.told("Ask the owner")


@pytest.fixture(scope="module")
def olga(post: Post) -> Talk:
    here = alone(post, post.teams.add_person("olga", email="olga@example.com"))
    here.say("How many days of vacation does everybody have?")
    here.answer("thirty days")
    return here


def test_what_is_agreed_to_is_sent_to_the_owner_once(post: Post, olga: Talk, kb: Kb) -> None:
    here, below = not_found(post, "asker")
    before = len(olga.shown())
    told = here.execute(below, button(below, "owner"))
    assert "value" not in told, told
    card = here.told("I send this to olga")
    assert SENT in plain(card)
    assert len(olga.shown()) == before, "it is shown before it is sent"
    now = button(card, "owner_now")
    here.execute(card, now)
    message = olga.told(SENT)
    assert "asker asks about your page" in plain(message).casefold()
    assert "sent to the owner already" in str(here.execute(card, now))
    assert len(olga.shown()) == before + 1
    query = "SELECT count(*) FROM owner_requests JOIN questions USING (question_no) WHERE asker = %s"
    assert rows(kb.env["KB_AGENT_DATABASE_URL"], query, [here.person.aad]) == [(1,)]


def test_where_others_read_along_it_is_not_offered(post: Post, olga: Talk) -> None:
    people = [post.teams.add_person(name, email=f"{name}@example.com") for name in ("one", "two")]
    here = Talk(post, people[0], post.teams.add_group(people))
    here.say(QUESTION)
    here.told("nothing good enough")
    assert not [each for message in here.shown() for each in buttons(message) if each.get("kb") == "owner"]
    assert "olga@example.com" not in str([plain(each) for each in here.shown()])


def test_after_a_bad_vote_it_is_offered_once(post: Post, olga: Talk, kb: Kb) -> None:
    person = post.teams.add_person("judge", email="judge@example.com")
    other = post.teams.add_person("reader", email="reader@example.com")
    here, mine = Talk(post, person, post.teams.add_group([person, other])), alone(post, person)
    here.say("How much does the harbour crane lift?")
    answer = here.answer("forty tonnes")
    ended = "SELECT count(*) FROM answer_records JOIN questions USING (question_no) WHERE asker = %s"
    wait_for(lambda: rows(kb.env["KB_AGENT_DATABASE_URL"], ended, [person.aad]) == [(1,)])
    for why in ("wrong page", "still wrong"):
        post(post.teams.saying.feedback(person, here.place, answer, "dislike", why))
        mine.told("ask the owner")
    post(post.teams.saying.feedback(person, here.place, answer, "like", ""))
    here.say("feedback bad it lifts more by now")
    mine.told("ask the owner", count=2)
    assert sum("ask the owner" in plain(each) for each in mine.shown()) == 2
