"""Requests over HTTP: the same conversations, and what is not Slack's is turned away before anything looks at it."""

import gzip
import json
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.command import Kb, running
from tests.fakes.slack import Attempt, Forged, LocalSlack, plain
from tests.flows.slack.conftest import slack_env
from tests.flows.slack.talk import direct, harmless, newcomer, questions_of, room

pytestmark = pytest.mark.everyday

QUESTION = "How many days of vacation does everybody have?"


@dataclass(frozen=True)
class Served:
    """A process that listens. base: its address."""

    kb: Kb
    base: str

    @property
    def url(self) -> str:
        """Slack's request URL."""
        return f"{self.base}/slack/events"


@pytest.fixture(scope="module", autouse=True)
def served(indexed: Kb, slack: LocalSlack) -> Iterator[Served]:
    kb = indexed.having(**slack_env(slack, http=True))
    with running(kb, "-v", "serve") as process:
        found = Served(kb, process.address())
        slack.use_http(found.url)
        yield found


def test_a_mention_is_answered(slack: LocalSlack) -> None:
    here = room(slack, "general")
    asked = here.ask(QUESTION)
    outcome = here.outcome(asked)
    assert "thirty days" in plain(outcome)
    assert harmless(outcome)
    for each in asked.deliveries:
        assert [attempt.status for attempt in each.wait().attempts] == [200]
    assert not slack.connections, "no socket"


def test_commands_buttons_and_home(slack: LocalSlack) -> None:
    here = room(slack, "buttons")
    here.command(QUESTION)
    answer = here.told("thirty days")
    here.press(answer, "kb_preview:1")
    slack.until(lambda: slack.views and "team lead" in plain(slack.views[-1].content))
    assert slack.open_home(here.person).wait().acked
    slack.until(lambda: slack.home(here.person))


def test_a_direct_message(slack: LocalSlack) -> None:
    here = direct(slack, newcomer(slack, "dm"))
    assert "thirty days" in plain(here.outcome(here.say(QUESTION)))


def test_the_url_is_verified(slack: LocalSlack, served: Served) -> None:
    answered = slack.verify_url(served.url, "some-challenge").wait()
    assert answered.attempts[0].status == 200
    assert "some-challenge" in str(answered.answer)


FORGED = {
    "another secret": Forged(secret="another"),
    "no signature": Forged(signature=None),
    "an old one": Forged(timestamp=str(int(time.time()) - 3_600)),
}
"""More of them are in tests/attacks/requests_slack.py."""


def _status(attempts: list[Attempt]) -> tuple[int | None, object]:
    (attempt,) = attempts
    return attempt.status, attempt.answer


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_request_is_answered_401_with_nothing_in_it(slack: LocalSlack, served: Served, name: str) -> None:
    before = questions_of(served.kb)
    event = {"type": "app_mention", "user": "U1", "channel": "C1", "text": QUESTION, "ts": f"{time.time():.6f}"}
    body = {"type": "event_callback", "event": event, "team_id": slack.workspace.id, "event_id": f"Ev{name}"}
    forged = slack.forge(served.url, FORGED[name], body).wait()
    assert _status(forged.attempts) == (401, None)
    assert questions_of(served.kb) == before


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"{}",
        b"[]",
        b"null",
        b'"text"',
        b"1",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"type": "event_callback"}',
        b'{"type": "event_callback", "event": null}',
        b'{"type": "event_callback", "event": "text"}',
        b'{"type": "event_callback", "event": {"type": "message"}}',
        b'{"type": "event_callback", "event": {"type": "message", "user": "U1", "channel": 7}}',
        b'{"type": "event_callback", "event": {"type": "app_mention", "user": "U1", "files": 1, "ts": "1"}}',
        b'{"type": "event_callback", "event": {"type": "message", "subtype": "message_changed", "message": 1}}',
    ],
)
@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded"])
def test_a_signed_request_that_cannot_be_read_is_no_fault_of_ours(
    slack: LocalSlack, served: Served, body: bytes, kind: str
) -> None:
    forged = slack.forge(served.url, Forged(body=body, content_type=kind)).wait()
    assert forged.attempts[0].status in {200, 400, 404}


@pytest.mark.parametrize(
    "kind", ["text/plain; charset=nonsense", "multipart/form-data", "application/json; charset=utf-16"]
)
def test_odd_content_types_are_no_fault_of_ours(slack: LocalSlack, served: Served, kind: str) -> None:
    forged = slack.forge(served.url, Forged(body=b'{"type": "event_callback"}', content_type=kind)).wait()
    assert forged.attempts[0].status in {200, 400, 404}


def test_a_packed_body_is_not_unpacked_for_who_has_not_signed(served: Served) -> None:
    packed = gzip.compress(b" " * 50_000_000)
    asked = urllib.request.Request(served.url, packed, {"Content-Encoding": "gzip"}, method="POST")
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(asked, timeout=30)
    assert caught.value.code == 415
    caught.value.close()


def test_health_is_told_while_large_requests_come_in(slack: LocalSlack, served: Served) -> None:
    body = json.dumps({"type": "event_callback", "event": {"type": "other", "text": "x" * 900_000}}).encode()
    sent = [slack.forge(served.url, Forged(body=body)) for _ in range(20)]
    for _ in range(20):
        with urllib.request.urlopen(f"{served.base}/health", timeout=30) as answer:
            assert json.load(answer) == {"status": "ok"}
    for each in sent:
        each.wait()
