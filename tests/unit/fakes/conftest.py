"""A local Slack of its own for each test, and a client of it."""

from collections.abc import Iterator

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack import LocalSlack, local_slack


@pytest.fixture
def slack() -> Iterator[LocalSlack]:
    with local_slack() as running:
        yield running


@pytest.fixture
def client(slack: LocalSlack) -> AsyncWebClient:
    return AsyncWebClient(token=slack.bot_token, base_url=slack.base_url)
