"""For each test a local Slack and a local Atlassian of its own, and a client of each."""

from collections.abc import Iterator

import httpx
import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.atlassian import LocalAtlassian, local_atlassian
from tests.fakes.atlassian.plain_client import Client
from tests.fakes.slack import LocalSlack, local_slack


@pytest.fixture
def slack() -> Iterator[LocalSlack]:
    with local_slack() as running:
        yield running


@pytest.fixture
def client(slack: LocalSlack) -> AsyncWebClient:
    return AsyncWebClient(token=slack.bot_token, base_url=slack.base_url)


@pytest.fixture
def atlassian() -> Iterator[LocalAtlassian]:
    with local_atlassian() as running:
        yield running


@pytest.fixture
def ask(atlassian: LocalAtlassian) -> Iterator[Client]:
    with httpx.Client(timeout=10) as http:
        yield Client(atlassian, http)
