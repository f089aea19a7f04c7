"""Each kind's row says what its connector is."""

import pytest

from domain.access import NOBODY
from domain.errors import Misconfigured
from indexer.sources.connector import PermissionSource, SingleSource
from indexer.sources.kind import SourceSetup
from indexer.sources.registry import kind_named, source_kinds, states_permissions

OPTIONS = {"path": ".", "url": "https://wiki.example", "flavour": "datacenter", "token_env": "TOKEN"}


def test_the_kinds_that_there_are() -> None:
    assert list(source_kinds()) == ["confluence", "files", "jira", "web"]
    assert [states_permissions(name) for name in (*source_kinds(), "none")] == [True, False, True, False, False]


@pytest.mark.parametrize("name", ["confluence", "files", "jira", "web"])
async def test_a_row_says_what_its_connector_is(name: str) -> None:
    kind = kind_named(name, "source")
    setup = SourceSetup("source", OPTIONS, NOBODY, lambda _variable: "secret", patience=1.0, max_bytes=1_000)
    async with kind.open(setup) as connector:
        assert isinstance(connector, PermissionSource) == kind.states_permissions
        assert isinstance(connector, SingleSource) >= bool(kind.live_tool)


def test_a_kind_of_another_release_is_told() -> None:
    with pytest.raises(Misconfigured, match="wiki is of a kind that this release does not know: sharepoint"):
        kind_named("sharepoint", "wiki")
