"""`kb serve` as a process of its own, a local Teams and the keys of who signs for it, over real sockets."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.command import Kb, KbProcess, running
from tests.fakes.teams import LocalTeams, local_teams
from tests.fakes.teams_keys import TeamsKeys, teams_keys
from tests.flows.teams.talk import Post


def teams_env(teams: LocalTeams, keys: TeamsKeys) -> dict[str, str]:
    """Settings that point the product to the local Teams, without their prefix."""
    return {
        "TEAMS_APP_ID": teams.app_id,
        "TEAMS_APP_PASSWORD": teams.password,
        "TEAMS_TENANT_ID": teams.tenant,
        "TEAMS_TOKEN_URL": teams.token_url,
        "TEAMS_OPENID_URL": keys.url,
        "TEAMS_INSECURE_DEV": "true",  # the services are on this machine; requests are verified all the same
        "TEAMS_EDIT_SECONDS": "0.1",
        "HTTP_PORT": "0",
        "WORKER_HEARTBEAT": "0.5",
        "WORKER_LOST": "1.5",
        "ADMINS": "root@example.com",
        "SCHEDULE": "false",  # nothing is read in between
    }


@contextmanager
def serving(kb: Kb) -> Iterator[tuple[KbProcess, str]]:
    """Inside, `kb serve` runs; gives it, and the base of its address."""
    with running(kb, "-v", "serve") as process:
        yield process, process.address()


@pytest.fixture(scope="module")
def teams() -> Iterator[LocalTeams]:
    """A Teams for the tests of a module."""
    with local_teams() as opened:
        yield opened


@pytest.fixture(scope="module")
def keys() -> Iterator[TeamsKeys]:
    """Who signs for it."""
    with teams_keys() as opened:
        yield opened


@pytest.fixture(scope="module")
def kb(indexed: Kb, teams: LocalTeams, keys: TeamsKeys) -> Kb:
    """The command with Teams."""
    return indexed.having(**teams_env(teams, keys))


@pytest.fixture(scope="module")
def post(kb: Kb, teams: LocalTeams, keys: TeamsKeys) -> Iterator[Post]:
    """Delivers what people do to a running `kb serve`."""
    with serving(kb) as (_, base):
        yield Post(base, teams, keys)
