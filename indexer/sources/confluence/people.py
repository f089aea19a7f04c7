"""Who the people of a Confluence are: accounts, groups, e-mail addresses."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from domain.access import Principal, SourceDirectory, account, group, lowered
from domain.errors import Refused, Transient
from indexer.sources.confluence.records import ConfluenceAccount, ConfluenceApi, ConfluenceGroup

EVERY_ACCOUNT = "(every account)"
"""A group that no Confluence has: all who may log in. Its name cannot be given there: names have no brackets."""


@dataclass(frozen=True, slots=True)
class ConfluencePeople:
    """What was read of them.

    members: ids of accounts by id of group. unread: what could not be read, and why.
    """

    everyone: tuple[ConfluenceAccount, ...]
    groups: tuple[ConfluenceGroup, ...]
    members: Mapping[str, frozenset[str]]
    unread: tuple[tuple[str, str], ...]

    def directory(self, source: str, access_groups: frozenset[str]) -> SourceDirectory:
        """Everybody whose e-mail is told and nobody else's; access_groups: see ConfluenceConnector. It is complete when
        all was read: who is only in a group that was not may have somebody's address."""
        names = {each.id for each in self.groups if each.name in access_groups}
        admitted = {who for each in names for who in self.members.get(each, ())}
        within: dict[str, set[Principal]] = {}
        for name, members in self.members.items():
            for who in members:
                within.setdefault(who, {group(source, EVERY_ACCOUNT)}).add(group(source, name))
        owners: dict[str, list[ConfluenceAccount]] = {}
        for person in self.everyone:
            if person.active and person.email:
                owners.setdefault(lowered(person.email), []).append(person)
        return SourceDirectory(
            {
                email: frozenset({account(source, each[0].id), *within.get(each[0].id, {group(source, EVERY_ACCOUNT)})})
                for email, each in owners.items()
                if len(each) == 1 and (not access_groups or each[0].id in admitted)
            },
            complete=not self.unread,
        )

    def ids(self, names: Iterable[str]) -> frozenset[str]:
        """The ids of groups by their names."""
        wanted = set(names)
        return frozenset(each.id for each in self.groups if each.name in wanted)


async def read_people(wiki: ConfluenceApi) -> ConfluencePeople:
    """All groups with their members, and all accounts. A group that cannot be read has nobody in it.

    Raises Misconfigured, and Transient when there is no answer to what the groups are.
    """
    unread: list[tuple[str, str]] = []
    try:
        groups = await wiki.groups()
    except Refused as error:
        groups = []
        unread.append(("the groups", error.what))
    read = await asyncio.gather(*(_members(wiki, each) for each in groups))
    known: dict[str, ConfluenceAccount] = {}
    members: dict[str, frozenset[str]] = {}
    for each, found in zip(groups, read, strict=True):
        if isinstance(found, str):
            unread.append((f"the group {each.name}", found))
            continue
        known |= {person.id: person for person in found}
        members[each.id] = frozenset(person.id for person in found)
    try:
        everyone, untold = await wiki.people(list(known.values()))
        unread += untold
    except Refused as error:
        everyone = list(known.values())
        unread.append(("which accounts are closed", error.what))
    return ConfluencePeople(tuple(everyone), tuple(groups), members, tuple(unread))


async def _members(wiki: ConfluenceApi, each: ConfluenceGroup) -> list[ConfluenceAccount] | str:
    """The members of a group, or why they could not be read."""
    try:
        return await wiki.members(each)
    except (Refused, Transient) as error:
        return error.what
