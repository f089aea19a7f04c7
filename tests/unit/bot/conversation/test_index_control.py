"""What an administrator is told of the index, and what comes of asking to have it read again: nothing by itself."""

from dataclasses import replace

import pytest

from bot.conversation.actions import SourceSummary
from bot.conversation.index_control import ChatIndexControl
from domain.access import ORG, PUBLIC, Scope
from domain.errors import Refused
from domain.masking import Masker
from tests.unit.bot.conversation.test_actions import Facts, Search

ROOT, ANN = Scope.member("root@example.com"), Scope.member("ann@example.com")


def a_control(facts: Facts | None = None, **more: str) -> ChatIndexControl:
    admins = frozenset({"root@example.com", "ann@example.com"})
    commands = {"Slack": "/kb reindex", **more}
    return ChatIndexControl((facts or Facts()).sources, Search([]), Masker(), admins, commands)  # type: ignore[arg-type] # a part of it


def test_administrators_are_those_who_are_named() -> None:
    control = a_control()
    assert control.is_administrator(ROOT)
    assert control.is_administrator(replace(ROOT, audience=frozenset({PUBLIC, ORG}))), "in a channel, too"
    guest = Scope(ROOT.asker - {ORG})
    for scope in (Scope.member("eve@example.com"), Scope.member(), Scope.outsider(), guest):
        assert not control.is_administrator(scope)
    among = replace(Scope.member("eve@example.com"), audience=ROOT.asker)
    assert not control.is_administrator(among), "who reads along does not count"


async def test_the_status_tells_of_what_the_asker_may_read_alone() -> None:
    told = await a_control().status(ANN)
    assert told == "The index: docs, 2 documents, last read 2026-01-01 00:00 UTC."
    assert await a_control().status(ROOT) == "Nothing is indexed that you may read."


async def test_nothing_is_started_by_asking() -> None:
    control = a_control()
    one, every = await control.propose("reindex", " docs ", ROOT), await control.propose("reindex", "", ROOT)
    assert one.startswith("Nothing was started. To have the source docs read again")
    assert "/kb reindex docs here" in one
    assert "kb reindex --source docs in a terminal" in one
    assert "all sources" in every
    assert "/kb reindex here, or kb reindex in a terminal" in every


async def test_where_several_chats_are_served_each_has_its_own_word() -> None:
    told = await a_control(Teams="reindex").propose("reindex", "docs", ROOT)
    assert "/kb reindex docs in Slack, reindex docs in Teams, or kb reindex --source docs in a terminal" in told


@pytest.mark.parametrize(
    ("command", "source", "scope"),
    [("reindex", "nowhere", ROOT), ("delete", "docs", ROOT), ("reindex", "docs", Scope.member("eve@example.com"))],
)
async def test_what_there_is_not_is_refused(command: str, source: str, scope: Scope) -> None:
    with pytest.raises(Refused):
        await a_control().propose(command, source, scope)


class Nothing(Facts):
    async def sources(self) -> list[SourceSummary]:
        return []


async def test_without_a_source_there_is_nothing_to_read() -> None:
    with pytest.raises(Refused, match="no source yet"):
        await a_control(Nothing()).propose("reindex", "", ROOT)
