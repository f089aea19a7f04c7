"""`kb serve` with webhooks: a signed hint brings a change into the index, and nothing else gets in."""

import gzip
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace

import httpx
import pytest

from tests.command import PATIENCE, Kb, rows, running, wait_for
from tests.fakes.atlassian import Fault, Holder, Issue, LocalAtlassian, User, local_atlassian
from tests.fakes.slack import local_slack
from tests.flows.slack.conftest import slack_env

SECRET = "a-long-webhook-secret"


@dataclass(frozen=True)
class Served:
    """A command that serves at an address, and the issue that it knows."""

    kb: Kb
    base: str
    local: LocalAtlassian
    issue: Issue
    ann: User

    def send(self, event: str, issue: Issue, *, name: str = "desk", secret: str = SECRET, **headers: str) -> int:
        """Delivers an event as Jira does; the status."""
        body = json.dumps({"webhookEvent": event, "issue": {"id": issue.id, "key": issue.key}}).encode()
        signature = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        return self.post(name, body, **{"X-Hub-Signature": signature} | headers)

    def post(self, name: str, body: bytes, **headers: str) -> int:
        answer = httpx.post(f"{self.base}/webhooks/{name}", content=body, headers=headers, trust_env=False)
        assert answer.content == b"" or answer.status_code == 404
        return answer.status_code

    def finds(self, words: str) -> bool:
        results = self.kb("search", words, "--as", self.ann.email, "--json").json["results"]
        return any(words in json.dumps(each) for each in results)

    @property
    def runs(self) -> int:
        ((count,),) = rows(self.kb.env["KB_AGENT_DATABASE_URL"], "SELECT count(*) FROM runs WHERE source = 'desk'")
        return int(count)

    @property
    def documents(self) -> int:
        ((count,),) = rows(self.kb.env["KB_AGENT_DATABASE_URL"], "SELECT count(*) FROM documents")
        return int(count)

    @property
    def idle(self) -> bool:
        url = self.kb.env["KB_AGENT_DATABASE_URL"]
        unended = "SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')"
        return rows(url, unended) == [(0,)] and rows(url, "SELECT 1 FROM runs WHERE state = 'running'") == []


@pytest.fixture(scope="module")
def served(shared: Kb) -> Iterator[Served]:
    """For all tests: each adds to what is known, or changes it."""
    with local_atlassian() as local, local_slack() as slack:
        world = local.world
        ann = world.add_user("Ann Lee")
        scheme = world.add_scheme("Open", Holder("applicationRole"), Holder("user", local.bot.id))
        issue = world.add_issue(
            world.add_project("PAY", "Payments", lead=ann, scheme=scheme), "Refund", "It takes a week.", by=ann
        )
        kb = replace(shared, env={**shared.env, "SERVICE_TOKEN": local.service.secret, "HOOK_SECRET": SECRET})
        site = ("--url", local.at.site, "--flavour", "cloud", "--email", local.basic()[0])
        secrets = ("--token-env", "SERVICE_TOKEN", "--webhook-secret-env", "HOOK_SECRET")
        assert kb("sources", "add", "jira", "--name", "desk", *site, *secrets).code == 0
        assert kb("sources", "add", "jira", "--name", "quiet", *site, *secrets[:2]).code == 0
        assert kb("reindex", "--source", "desk", "--json").report["added"] == 1
        with running(kb.having(**slack_env(slack)), "-v", "serve") as process:
            yield Served(kb, process.address(), local, issue, ann)


def test_a_change_is_found_after_a_hint(served: Served) -> None:
    world, runs = served.local.world, served.runs
    world.set(served.issue, served.ann, description="The walrus pays it back.")
    assert not served.finds("walrus")
    served.local.forget_calls()
    for _ in range(2):
        assert served.send("jira:issue_updated", served.issue) == 202
    wait_for(lambda: served.idle and served.runs > runs)
    assert served.finds("walrus")
    assert served.runs == runs + 1, "what comes twice is read once"
    assert not served.local.calls("group/member|users/search"), "who the people are is not read again"
    new = world.add_issue(world.projects[served.issue.project], "Otters", "The otter asks why.", by=served.ann)
    assert served.send("jira:issue_created", new) == 202
    wait_for(lambda: served.idle and served.runs > runs + 1)
    assert served.finds("otter")
    world.delete_issue(new)
    assert served.send("jira:issue_deleted", new) == 202
    wait_for(lambda: served.idle)
    assert served.finds("otter"), "that it is gone, a complete listing will tell"


def test_a_burst_of_hints_makes_one_run(served: Served) -> None:
    world, runs, before = served.local.world, served.runs, served.documents
    project = world.projects[served.issue.project]
    issues = [world.add_issue(project, f"Heron {at}", f"Its name is heron{at}.", by=served.ann) for at in range(40)]
    bodies = [json.dumps({"webhookEvent": "jira:issue_created", "issue": {"id": each.id}}) for each in issues]
    with httpx.Client(base_url=served.base, trust_env=False) as client:
        for body in bodies:
            signature = "sha256=" + hmac.new(SECRET.encode(), body.encode(), hashlib.sha256).hexdigest()
            sent = client.post("/webhooks/desk", content=body, headers={"X-Hub-Signature": signature})
            assert sent.status_code == 202
    wait_for(lambda: served.idle and served.runs > runs)
    assert served.runs == runs + 1
    assert served.documents == before + len(issues)
    assert served.finds("heron39")


def test_permissions_do_not_wait_for_content(served: Served) -> None:
    served.local.world.set(served.issue, served.ann, description="The badger pays it back.")
    served.local.fail(rf"/issue/{served.issue.id}$", Fault.hang(PATIENCE, over := threading.Event()))
    states = "SELECT job, state FROM ticks WHERE starts_with(tick, 'manual:') ORDER BY taken_at"
    url = served.kb.env["KB_AGENT_DATABASE_URL"]
    served.local.forget_calls()
    assert served.kb("schedule", "run", "content", "--queue").code == 0
    wait_for(lambda: len(served.local.calls(rf"/issue/{served.issue.id}$")) > 0)
    assert served.kb("schedule", "run", "permissions", "--queue").code == 0
    wait_for(lambda: ("permissions", "done") in rows(url, states))
    assert rows(url, states) == [("content", "running"), ("permissions", "done")]
    over.set()
    wait_for(lambda: served.idle)
    assert served.finds("badger")


def test_what_is_not_signed_is_turned_away(served: Served) -> None:
    runs, body = served.runs, json.dumps({"issue": {"id": served.issue.id}}).encode()
    assert served.send("jira:issue_updated", served.issue, secret="another") == 401
    for name in ("desk", "quiet", "nowhere", "desk%2F..", "%00"):
        assert served.post(name, body) == 401, name
        assert served.send("jira:issue_updated", served.issue, name=name, secret="") == 401, name
    assert served.send("jira:issue_updated", served.issue, name="quiet") == 401, "it takes none"
    assert served.post("desk", gzip.compress(body), **{"Content-Encoding": "gzip"}) == 415
    assert served.post("desk", b" " * 1_000_001) == 413
    signature = "sha256=" + hmac.new(SECRET.encode(), b"[]", hashlib.sha256).hexdigest()
    assert served.post("desk", b"[]", **{"X-Hub-Signature": signature}) == 400
    assert httpx.get(f"{served.base}/webhooks/desk", trust_env=False).status_code == 405
    wait_for(lambda: served.idle)
    assert served.runs == runs
