"""Each platform in turn."""

from collections.abc import Iterator

import pytest

from tests.flows.platforms.stages import PLATFORMS, Stage


@pytest.fixture(scope="module", params=PLATFORMS)
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """A platform for the tests of a module."""
    with PLATFORMS[request.param]() as opened:
        yield opened
