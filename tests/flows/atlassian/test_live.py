"""`kb ask` about one issue or page tells how it is now, to who may read it now."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import Kb
from tests.fakes.atlassian import Holder, Issue, LocalAtlassian, User, local_atlassian
from tests.fakes.atlassian.plain_client import a_tree

NOT_FOUND = 3


@pytest.fixture
def local() -> Iterator[LocalAtlassian]:
    with local_atlassian() as found:
        yield found


@pytest.fixture(params=["cloud", pytest.param("datacenter", marks=pytest.mark.slow)])
def flavour(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def configured(kb: Kb, local: LocalAtlassian, flavour: str, kind: str) -> Kb:
    """The command with the source `desk` or `wiki` that was read once."""
    kb = replace(kb, env={**kb.env, "SERVICE_TOKEN": local.service.secret})
    at = {"cloud": local.at.site, "datacenter": local.jira if kind == "jira" else local.confluence}[flavour]
    email = ("--email", local.basic()[0]) if flavour == "cloud" else ()
    name = "desk" if kind == "jira" else "wiki"
    words = ("--name", name, "--url", at, "--flavour", flavour, *email, "--token-env", "SERVICE_TOKEN")
    assert kb("sources", "add", kind, *words).code == 0
    assert kb("reindex", "--source", name, "--json").report["added"] > 0
    return kb


def a_desk(local: LocalAtlassian) -> tuple[Issue, User]:
    """The issue PAY-8, and who filed it."""
    world = local.world
    ann = world.add_user("Ann Lee")
    scheme = world.add_scheme("Open", Holder("applicationRole"), Holder("user", local.bot.id))
    project = world.add_project("PAY", "Payments", lead=ann, scheme=scheme)
    issues = [world.add_issue(project, f"Refund {at} is late", f"It takes {at} weeks.", by=ann) for at in range(1, 9)]
    return issues[-1], ann


def test_the_status_of_an_issue_is_that_of_now(kb: Kb, local: LocalAtlassian, flavour: str) -> None:
    issue, ann = a_desk(local)
    assert issue.key == "PAY-8"
    kb = configured(kb, local, flavour, "jira")
    local.world.move_to(issue, "In Progress", by=ann)
    done = kb("ask", "What is the status of PAY-8?", "--as", ann.email, "--json")
    answer = done.json
    assert answer["status"] == "answered", done.err
    assert "jira_fetch" in [call["name"] for call in answer["tool_calls"]]
    assert any("In Progress" in each["quote"] and "PAY-8" in each["url"] for each in answer["citations"]), answer
    assert "Status: In Progress" in answer["answer"]
    assert "Status: To Do" not in answer["answer"]


def test_to_others_a_closed_issue_is_like_none(kb: Kb, local: LocalAtlassian, flavour: str) -> None:
    issue, _ = a_desk(local)
    kb = configured(kb, local, flavour, "jira")
    project = local.world.projects[issue.project]
    bob = local.world.add_user("Bob Ray")
    local.world.revoke(local.world.schemes[project.scheme], Holder("applicationRole"))
    told = []
    for key in ("PAY-8", "PAY-9"):
        done = kb("ask", f"What is the status of {key}?", "--as", bob.email, "--json")
        (call,) = [call for call in done.json["tool_calls"] if call["name"] == "jira_fetch"]
        told.append(str(call["note"]).replace(key, "KEY"))
    assert told == ["KEY was not found"] * 2


def test_a_page_is_that_of_now(kb: Kb, local: LocalAtlassian, flavour: str) -> None:
    _, _, low = a_tree(local)
    ann = local.world.users[low.author]
    kb = configured(kb, local, flavour, "confluence")
    local.world.edit(low, "<p>The harbour closes at nine in the evening.</p>", by=ann)
    question = f"When does the harbour close, by page {low.id}?"
    answer = kb("ask", question, "--as", ann.email, "--json").json
    assert "closes at nine" in answer["answer"], answer
    stranger = kb("ask", question, "--as", "carl@example.com", "--json")
    assert "nine" not in stranger.out


def test_without_such_a_source_nothing_is_offered(kb: Kb, docs: Path) -> None:
    (docs / "a.md").write_text("The status of PAY-8 is told elsewhere.")
    assert kb("index", str(docs), "--json").code == 0
    answer = kb("ask", "What is the status of PAY-8?", "--json").json
    assert "jira_fetch" not in [call["name"] for call in answer["tool_calls"]]
