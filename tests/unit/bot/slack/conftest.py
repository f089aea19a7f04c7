"""A Slack of its own for each test."""

from collections.abc import Iterator

import pytest

from tests.fakes.slack import LocalSlack, local_slack


@pytest.fixture
def slack() -> Iterator[LocalSlack]:
    with local_slack() as slack:
        yield slack
