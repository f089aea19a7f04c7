"""What the deployment page says, in its order: a database, two roles, PgBouncer, then two replicas that answer on the
local Slack and in the local Teams, and one of them when the other is killed."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.architecture.checkout import text
from tests.command import Kb, KbProcess, wait_for
from tests.counterparts.conftest import free_port
from tests.counterparts.databases.servers import ADMINISTRATOR, ADMINISTRATORS_PASSWORD, APP, PASSWORD, Server
from tests.counterparts.databases.test_compose_pooler import pooler
from tests.counterparts.databases.test_compose_role import PASSWORD as APPS_PASSWORD
from tests.counterparts.databases.test_compose_role import make_role
from tests.fakes.slack import LocalSlack, local_slack
from tests.fakes.teams import LocalTeams, local_teams
from tests.fakes.teams_keys import teams_keys
from tests.flows.slack.conftest import slack_env
from tests.flows.slack.reading import QUESTION, answered
from tests.flows.teams.conftest import teams_env
from tests.flows.teams.talk import Post, Talk

OWNER = "kb_site"
STATEMENTS = re.compile(r"^```sql\n(CREATE ROLE kb .*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Site:
    """Two replicas, each with where it takes what Teams delivers."""

    replicas: list[tuple[KbProcess, Post]]
    slack: LocalSlack
    teams: LocalTeams


@pytest.fixture
def prepared(without_role: Server) -> Iterator[Server]:
    """A server on which a superuser ran the statements of the page, with a name and a password of their own."""
    server = without_role
    (statements,) = re.findall(
        r"^```sql\n(CREATE ROLE kb .*?)^```", text("docs/deployment.md"), re.MULTILINE | re.DOTALL
    )
    statements = re.sub(r"\bkb\b", OWNER, statements).replace("…", PASSWORD)
    where = ("--host=127.0.0.1", f"--port={server.port}", f"--username={ADMINISTRATOR}", "--dbname=postgres")
    done = subprocess.run(
        [server.programs / "psql", *where, "--set=ON_ERROR_STOP=1"], input=statements,
        env=os.environ | {"PGPASSWORD": ADMINISTRATORS_PASSWORD}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    make_role(server)
    try:
        yield server
    finally:
        server.execute(f"DROP DATABASE {OWNER} WITH (FORCE)")
        server.execute(f"DROP OWNED BY {APP}")
        server.execute(f"DROP ROLE {OWNER}")


@pytest.fixture
def site(prepared: Server, bare: Kb, company: Path, server_folder: Path) -> Iterator[Site]:
    """All of it, serving."""
    folder = server_folder / "two-replicas"
    folder.mkdir(mode=0o700)
    direct, owner = (prepared.url(OWNER, *who) for who in ((APP, APPS_PASSWORD), (OWNER, PASSWORD)))
    with ExitStack() as stack:
        port = stack.enter_context(pooler(folder, prepared, OWNER, APPS_PASSWORD))
        slack, teams = stack.enter_context(local_slack()), stack.enter_context(local_teams())
        keys = stack.enter_context(teams_keys())
        kb = bare.having(
            **{**slack_env(slack), **teams_env(teams, keys)},
            DATABASE_URL=direct.replace(f":{prepared.port}/", f":{port}/"),
            DATABASE_DIRECT_URL=direct,
            DATABASE_OWNER_URL=owner,
            EMAIL_DOMAINS="example.com",
        )
        for words in (("db", "upgrade"), ("index", str(company)), ("doctor",)):
            done = kb(*words)
            assert done.code == 0, done.out + done.err
        replicas = [kb.having(HTTP_PORT=str(free_port())).start("serve") for _ in range(2)]
        for each in replicas:
            stack.callback(each.close)
        wait_for(lambda: len(slack.connections) == len(replicas))
        yield Site([(each, Post(each.address(), teams, keys)) for each in replicas], slack, teams)


def asked_on_both(site: Site, post: Post, name: str) -> None:
    """Somebody asks on Slack and in Teams, where it is delivered to one replica, and reads the answers."""
    slack, teams = site.slack, site.teams
    user, member = (
        slack.add_user(name, email=f"{name}@example.com"),
        teams.add_person(name, email=f"{name}@example.com"),
    )
    channel = slack.add_channel(name, [user]).id
    said = slack.say(user, channel, f"<@{slack.bot}> {QUESTION}")
    talk = Talk(post, member, teams.add_channel(name, [member]))
    talk.answer("thirty days", talk.say(QUESTION))
    wait_for(lambda: bool(answered(slack, channel, str(said))))


def test_two_replicas_answer_on_both_platforms_and_one_alone(site: Site) -> None:
    (first, one), (second, other) = site.replicas
    asked_on_both(site, one, "ann")
    asked_on_both(site, other, "ben")
    first.kill()
    wait_for(lambda: len(site.slack.connections) == 1)
    asked_on_both(site, other, "cleo")
    second.interrupt()
    assert second.end().code == 0
