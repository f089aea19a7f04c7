"""What is not Teams' own is turned away before anything looks at it; and a key server that hangs stops nobody."""

import gzip
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.command import Kb, rows
from tests.fakes.teams import LocalTeams
from tests.fakes.teams_keys import TeamsKeys
from tests.flows.teams.conftest import serving, teams_env
from tests.flows.teams.talk import Answer, Body, Post, Talk

QUESTION = "How many days of vacation does everybody have?"
LARGEST = 262_144


def questions_of(kb: Kb) -> int:
    """How many questions there are."""
    ((count,),) = rows(kb.env["KB_AGENT_DATABASE_URL"], "SELECT count(*) FROM questions")
    return int(count)


@dataclass(frozen=True)
class Forged:
    """A request that is right but for what is given. headers: take the place of the right ones; None leaves one out.
    token: see TeamsKeys.token. change: of the activity. body: instead of it."""

    status: int = 401
    headers: Mapping[str, str | None] = field(default_factory=dict)
    token: Mapping[str, Any] = field(default_factory=dict)
    change: Callable[[Body], Any] = lambda activity: activity
    body: bytes | None = None

    def sent(self, post: Post, activity: Body) -> Answer:
        """What it is answered."""
        right = post.headers(**self.token)
        headers = {name: value for name, value in {**right, **self.headers}.items() if value is not None}
        body = json.dumps(self.change(activity)).encode() if self.body is None else self.body
        return post.raw(body, headers)


def tenant(name: str) -> Callable[[Body], Body]:
    def changed(activity: Body) -> Body:
        conversation = {**activity["conversation"], "tenantId": name}
        return {**activity, "conversation": conversation, "channelData": {"tenant": {"id": name}}}

    return changed


def having(**fields: Any) -> Callable[[Body], Body]:
    return lambda activity: {**activity, **fields}


def soon(seconds: float) -> int:
    return int(time.time() + seconds)


FORGED: Mapping[str, Forged] = {
    "no Authorization": Forged(headers={"Authorization": None}),
    "an empty one": Forged(headers={"Authorization": ""}),
    "Basic": Forged(headers={"Authorization": "Basic dXNlcjpwYXNz"}),
    "a garbage bearer": Forged(headers={"Authorization": "Bearer garbage"}),
    "a bearer of three parts of garbage": Forged(headers={"Authorization": "Bearer a.b.c"}),
    "a wrong signing key": Forged(token={"key": "other", "kid": "first"}),
    "an unknown kid": Forged(token={"key": "other"}),
    "a token longer than a header usually is": Forged(headers={"Authorization": f"Bearer {'a' * 9_000}"}),
    "a token longer than any": Forged(headers={"Authorization": f"Bearer {'a' * 20_000}"}),
    "alg none": Forged(token={"algorithm": "none"}),
    "alg HS256": Forged(token={"algorithm": "HS256"}),
    "expired": Forged(token={"exp": soon(-600)}),
    "not yet": Forged(token={"nbf": soon(3_600)}),
    "without an end": Forged(token={"exp": None}),
    "a wrong aud": Forged(token={"aud": "another"}),
    "a wrong iss": Forged(token={"iss": "https://sts.example/"}),
    "serviceurl missing": Forged(token={"serviceurl": None}),
    "serviceurl different": Forged(token={"serviceurl": "https://smba.trafficmanager.net/amer/"}),
    "another serviceUrl": Forged(change=having(serviceUrl="https://evil.example/")),
    "a serviceUrl that is not allowed": Forged(
        token={"serviceurl": "https://evil.example/"}, change=having(serviceUrl="https://evil.example/")
    ),
    "no serviceUrl": Forged(change=having(serviceUrl=None)),
    "a channel that the key is not endorsed for": Forged(token={"key": "web"}),
    "another channel": Forged(change=having(channelId="webchat")),
    "a channel that is a list": Forged(change=having(channelId=["msteams"])),
    "another tenant": Forged(change=tenant("5a7b1c00-0000-4000-8000-00000000000f")),
    "no tenant": Forged(change=having(channelData={}, conversation={"id": "a:1", "conversationType": "personal"})),
    "bad JSON of somebody unknown": Forged(headers={"Authorization": None}, body=b"{"),
    "bad JSON": Forged(400, body=b"{"),
    "a JSON array": Forged(400, body=b"[]"),
    "JSON null": Forged(400, body=b"null"),
    "nothing": Forged(400, body=b""),
    "no UTF-8": Forged(400, body=b"\xff\xfe"),
    "deep JSON": Forged(400, body=b"[" * 100_000),
    "no activity type": Forged(400, change=having(type=None)),
    "an id that is no text": Forged(400, change=having(id=7)),
    "an id that no database takes": Forged(400, change=having(id="7\u0000")),
    "text/plain": Forged(415, headers={"Content-Type": "text/plain"}),
    "no Content-Type": Forged(415, headers={"Content-Type": ""}),
    "another character set": Forged(415, headers={"Content-Type": "application/json; charset=utf-16"}),
    "packed": Forged(415, headers={"Content-Encoding": "gzip"}, body=gzip.compress(b" " * 5_000_000)),
    "too large": Forged(413, body=b" " * (LARGEST + 1)),
    "too large, of somebody unknown": Forged(413, headers={"Authorization": None}, body=b" " * (LARGEST + 1)),
}


@pytest.fixture(scope="module")
def ann(post: Post) -> Talk:
    post.keys.keys["web"] = ["webchat", "directline"]
    person = post.teams.add_person("ann")
    return Talk(post, person, post.teams.personal(person))


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_request(kb: Kb, post: Post, ann: Talk, name: str) -> None:
    before = questions_of(kb)
    activity = ann.teams.say(ann.person, ann.place, QUESTION).activity
    assert FORGED[name].sent(post, activity) == Answer(FORGED[name].status, b"")
    assert questions_of(kb) == before


def test_what_is_no_http_is_told_so_without_words(ann: Talk) -> None:
    activity = ann.teams.say(ann.person, ann.place, QUESTION).activity
    assert Forged(headers={"Authorization": f"Bearer {'a' * 60_000}"}).sent(ann.post, activity) == Answer(400, b"")


def test_clocks_may_differ(ann: Talk) -> None:
    activity = ann.teams.say(ann.person, ann.place, "help").activity
    assert Forged(token={"exp": soon(-120)}).sent(ann.post, activity).status == 200


def test_what_nobody_serves(ann: Talk) -> None:
    activity = ann.teams.say(ann.person, ann.place, "").activity
    call = {"type": "invoke", "name": "composeExtension/query", "value": {}}
    assert Forged(change=lambda one: {**one, **call}).sent(ann.post, activity) == Answer(501, b"")
    assert Forged(change=having(type="messageReaction")).sent(ann.post, activity) == Answer(200, b"")


def test_other_methods_and_paths_lead_nowhere(post: Post) -> None:
    for path in ("/api/messages", "/api", "/slack/events"):
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(post.base + path, timeout=30)
        assert caught.value.code in {404, 405}
        caught.value.close()


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
