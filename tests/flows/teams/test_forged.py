"""What is not Teams' own is turned away before anything looks at it; and a key server that hangs stops nobody."""

import json
import threading
import urllib.error
import urllib.request

import pytest

from tests.attacks.requests_teams import FORGED, Forged, having, soon
from tests.command import Kb, rows
from tests.fakes.teams import LocalTeams
from tests.fakes.teams_keys import TeamsKeys
from tests.flows.teams.conftest import serving, teams_env
from tests.flows.teams.talk import Answer, Post, Talk

QUESTION = "How many days of vacation does everybody have?"


def questions_of(kb: Kb) -> int:
    """How many questions there are."""
    ((count,),) = rows(kb.env["KB_AGENT_DATABASE_URL"], "SELECT count(*) FROM questions")
    return int(count)


@pytest.fixture(scope="module")
def ann(post: Post) -> Talk:
    post.keys.keys["web"] = ["webchat", "directline"]
    person = post.teams.add_person("ann")
    return Talk(post, person, post.teams.personal(person))


@pytest.mark.parametrize("name", ["no Authorization", "a wrong signing key", "another tenant", "bad JSON", "too large"])
def test_a_forged_request(kb: Kb, post: Post, ann: Talk, name: str) -> None:
    before = questions_of(kb)
    activity = ann.teams.say(ann.person, ann.place, QUESTION).activity
    assert FORGED[name].sent(post, activity) == Answer(FORGED[name].status, b"")
    assert questions_of(kb) == before


def test_clocks_may_differ(ann: Talk) -> None:
    activity = ann.teams.say(ann.person, ann.place, "help").activity
    assert Forged(token={"exp": soon(-120)}).sent(ann.post, activity).status == 200


def test_what_nobody_serves(ann: Talk) -> None:
    activity = ann.teams.say(ann.person, ann.place, "").activity
    call = {"type": "invoke", "name": "composeExtension/query", "value": {}}
    assert Forged(change=lambda one: {**one, **call}).sent(ann.post, activity) == Answer(501, b"")
    assert Forged(change=having(type="messageReaction")).sent(ann.post, activity) == Answer(200, b"")


def test_after_all_that_the_real_one_is_answered(ann: Talk) -> None:
    said = ann.say(QUESTION)
    assert "thirty days" in ann.answer("thirty days", said).text


def test_a_key_server_that_hangs_stops_nobody(kb: Kb, post: Post, ann: Talk) -> None:
    """Whose key is known goes on; whose key is not is told so after a while, and the process listens all the time."""
    ben = post.teams.add_person("ben")
    there = Talk(post, ben, post.teams.add_group([ben, ann.person]))
    post.keys.mode = "hangs"
    strangers: list[Answer] = []
    activity = ann.teams.say(ann.person, ann.place, QUESTION).activity
    unknown = Forged(token={"key": "other", "kid": "new"})
    asking = [threading.Thread(target=lambda: strangers.append(unknown.sent(post, activity))) for _ in range(8)]
    try:
        for each in asking:
            each.start()
        said = there.say(QUESTION)
        with urllib.request.urlopen(f"{post.base}/health", timeout=30) as answer:
            assert json.load(answer) == {"status": "ok"}
        assert "thirty days" in there.answer("thirty days", said).text
        for each in asking:
            each.join()
    finally:
        post.keys.going.set()
        post.keys.mode = "serves"
    assert strangers == [Answer(401, b"")] * 8


def test_another_cloud(indexed: Kb, teams: LocalTeams, keys: TeamsKeys) -> None:
    """Tokens of another issuer, and replies with tokens for another scope."""
    issuer, usual = "https://issuer.cloud.example", teams.api.scope
    person = teams.add_person("dee")
    env = {**teams_env(teams, keys), "TEAMS_ISSUER": issuer, "TEAMS_TOKEN_SCOPE": f"{issuer}/.default"}
    teams.api.scope = env["TEAMS_TOKEN_SCOPE"]
    # the id as somebody may have copied it, for that matter
    env["TEAMS_APP_ID"] = f"{{{teams.app_id.upper()}}}"
    try:
        with serving(indexed.having(**env)) as (_, base):
            here = Talk(Post(base, teams, keys), person, teams.personal(person))
            activity = teams.say(person, here.place, QUESTION).activity
            assert Forged().sent(here.post, activity) == Answer(401, b"")
            assert Forged(token={"iss": issuer}).sent(here.post, activity).status == 200
            here.answer("thirty days")
    finally:
        teams.api.scope = usual


def test_a_process_that_starts_while_the_key_server_hangs(indexed: Kb, teams: LocalTeams, keys: TeamsKeys) -> None:
    keys.going.clear()
    keys.mode = "hangs"
    person = teams.add_person("cem")
    try:
        with serving(indexed.having(**teams_env(teams, keys), TEAMS_STREAMING="off")) as (_, base):
            post = Post(base, teams, keys)
            here = Talk(post, person, teams.personal(person))
            activity = teams.say(person, here.place, QUESTION).activity
            assert Forged().sent(post, activity) == Answer(401, b"")
            with urllib.request.urlopen(f"{base}/health", timeout=30) as answer:
                assert json.load(answer) == {"status": "ok"}
            keys.mode = "serves"
            keys.going.set()
            here.awaited(lambda: Forged().sent(post, activity).status == 200 or None)
            here.answer("thirty days")
    finally:
        keys.going.set()
        keys.mode = "serves"
