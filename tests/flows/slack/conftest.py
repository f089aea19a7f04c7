"""`kb serve` as a process of its own, a local Slack over real sockets, and a small company's handbook in the index."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.command import Kb, KbProcess, running, wait_for
from tests.fakes.slack import LocalSlack, local_slack


def slack_env(slack: LocalSlack, *, http: bool = False) -> dict[str, str]:
    """Settings that point the product to the local Slack, without their prefix."""
    common = {
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_API_URL": slack.base_url,
        "HTTP_PORT": "0",
        "SLACK_EDIT_SECONDS": "0.1",
        "WORKER_HEARTBEAT": "0.5",
        "WORKER_LOST": "1.5",
        "ADMINS": "root@example.com",
        "SCHEDULE": "false",  # nothing is read in between
    }
    way = {"SLACK_SIGNING_SECRET": slack.signing_secret} if http else {"SLACK_APP_TOKEN": slack.app_token}
    return {**common, **way}


@contextmanager
def serving(kb: Kb, slack: LocalSlack, *words: str, calm: bool = True) -> Iterator[KbProcess]:
    """Inside, `kb serve` runs and is connected. calm: see `running`."""
    before = set(slack.connections)  # one of them may be a killed process's, and go just now
    with running(kb, *(words or ("-v", "serve")), calm=calm) as process:
        wait_for(lambda: bool(set(slack.connections) - before) or process.process.poll() is not None)
        assert process.process.poll() is None, process.end().err
        yield process


@pytest.fixture(scope="module")
def slack() -> Iterator[LocalSlack]:
    """A Slack for the tests of a module."""
    with local_slack() as opened:
        yield opened


@pytest.fixture(scope="module")
def served(indexed: Kb, slack: LocalSlack) -> Iterator[Kb]:
    """The command while `kb serve` runs over Socket Mode."""
    kb = indexed.having(**slack_env(slack))
    with serving(kb, slack):
        yield kb


@pytest.fixture
def start(indexed: Kb) -> Iterator[Callable[..., KbProcess]]:
    """Starts the command; what runs at the end of the test is ended."""
    started: list[KbProcess] = []

    def run(kb: Kb, *words: str) -> KbProcess:
        started.append(kb.start(*words))
        return started[-1]

    yield run
    for each in started:
        each.close()
