"""What an operator is told of the token's end."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal

import pytest

from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.site import AtlassianSite
from indexer.sources.atlassian.token_expiry import expiry
from indexer.sources.connector import CheckFinding
from tests.fakes.atlassian import Fault, LocalAtlassian, local_atlassian

NOW = datetime(2026, 6, 1, tzinfo=UTC)
Product = Literal["confluence", "jira"]
BOTH = pytest.mark.parametrize("product", ["confluence", "jira"])


@pytest.fixture
def local() -> Iterator[LocalAtlassian]:
    with local_atlassian() as found:
        yield found


async def told(local: LocalAtlassian, product: Product) -> CheckFinding:
    site = AtlassianSite(
        product, local.jira if product == "jira" else local.confluence, "datacenter", "", local.service.secret
    )
    async with AtlassianClient(site, patience=3, timeout=2) as client:
        return await expiry(client, product.title(), NOW)


@BOTH
@pytest.mark.parametrize(("day", "level"), [("2026-12-24", "ok"), ("2026-06-20", "warning")])
async def test_data_center_tells_when_a_token_expires(
    local: LocalAtlassian, product: Product, day: str, level: str
) -> None:
    local.service.expires = f"{day}T08:00:00.000+0200"
    found = await told(local, product)
    assert (found.level, found.what, found.why) == (level, f"The token kb of the account expires on {day}", "")


@BOTH
async def test_of_several_tokens_the_first_counts(local: LocalAtlassian, product: Product) -> None:
    local.service.expires = "2027-01-01T08:00:00.000Z"
    other = local.login(local.world.users[local.service.user])
    other.label, other.expires = "sooner", "2026-06-02T08:00:00.000Z"
    found = await told(local, product)
    assert found.what == "The token sooner of the account expires on 2026-06-02"
    assert "kb on 2027-01-01" in found.why
    other.expires = "2026-05-02T08:00:00.000Z"
    assert (await told(local, product)).what == "The token kb of the account expires on 2027-01-01"


@BOTH
async def test_what_is_not_told_is_said(local: LocalAtlassian, product: Product) -> None:
    assert (await told(local, product)).what == "No token of the account expires"
    local.fail("/rest/pat", Fault.error(404), times=None)
    found = await told(local, product)
    assert (found.level, found.what) == ("ok", f"{product.title()} does not tell when the token expires")
    assert "Note the date" in found.next_step
