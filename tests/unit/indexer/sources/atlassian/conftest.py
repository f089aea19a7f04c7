"""A local site of Atlassian, and clients that read it."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from domain.errors import KbError
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.site import AtlassianSite
from tests.fakes.atlassian import LocalAtlassian, local_atlassian

_Open = Callable[..., AtlassianClient]


@pytest.fixture
def local() -> Iterator[LocalAtlassian]:
    with local_atlassian() as found:
        world = found.world
        ann = world.add_user("Ann Lee")
        space = world.add_space("ENG", "Engineering", view=[world.groups["confluence-users"]], by=ann)
        for at in range(29):
            world.add_page(space, f"Page {at}", by=ann)
        yield found


def cloud(local: LocalAtlassian, **more: Any) -> AtlassianSite:
    email, token = local.basic()
    return AtlassianSite("confluence", local.confluence_cloud, "cloud", email, token, **more)


def data_center(local: LocalAtlassian) -> AtlassianSite:
    return AtlassianSite("confluence", local.confluence, "datacenter", "", local.service.secret)


class Waits:
    """Stands for sleeping: nothing waits, and it is known for how long it would have."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
async def client(local: LocalAtlassian, waits: Waits) -> AsyncIterator[AtlassianClient]:
    async with AtlassianClient(cloud(local), sleep=waits, random=lambda: 1.0, timeout=5) as found:
        yield found


@pytest.fixture
async def offsets(local: LocalAtlassian, waits: Waits) -> AsyncIterator[AtlassianClient]:
    async with AtlassianClient(data_center(local), sleep=waits, random=lambda: 1.0) as found:
        yield found


async def ids(rows: AsyncIterator[dict[str, Any]]) -> list[str]:
    return [row["id"] async for row in rows]


def known(local: LocalAtlassian) -> set[str]:
    return set(local.world.pages)


async def failure(client: AtlassianClient, path: str = "/api/v2/pages") -> KbError:
    with pytest.raises(KbError) as caught:
        await client.get(path)
    said = str(caught.value)
    assert "service-token" not in said
    assert "Basic" not in said
    return caught.value
