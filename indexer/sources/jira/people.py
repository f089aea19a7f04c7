"""Reads the people of a Jira: the accounts with their e-mail addresses, and the groups that they are in."""

import asyncio
from collections import Counter
from collections.abc import Iterable

from domain.access import Principal, SourceDirectory, account, group
from domain.errors import Refused, Transient
from indexer.sources.jira.api import JiraAccount, JiraApi
from indexer.sources.jira.permissions import EVERY_USER, JiraPermissions


class JiraPeople:
    """The users and groups that were read.

    source: the name that stands in principals. rights: remembers what cannot be read; told the names of groups.
    persons: all users. names: of the groups, by their ids.
    """

    def __init__(self, source: str, api: JiraApi, rights: JiraPermissions) -> None:
        self.persons: list[JiraAccount] = []
        self.names: dict[str, str] = {}
        self._source = source
        self._api = api
        self._rights = rights
        self._groups: dict[str, set[str]] = {}

    async def read(self) -> None:
        """Reads who there is, and which groups.

        Raises Transient when the users cannot be listed to the end: who of two with one address came may hang on that.
        """
        try:
            self.persons = [each async for each in self._api.people() if each.account]
        except Refused as error:
            self._rights.note("users", error)
        self._rights.names.update({each.name: each.account for each in self.persons if each.name})
        await self.read_groups()

    async def read_groups(self) -> None:
        """Reads which groups there are."""
        try:
            async for row in self._api.groups():
                number, name = self._api.group(row), str(row.get("name") or "")
                self.names[number] = name
                self._rights.called(number, name)
        except (Refused, Transient) as error:
            self._rights.note("groups", error)

    async def read_members(self, groups: Iterable[str]) -> None:
        """Reads who is in each of these groups, by id."""
        await asyncio.gather(*(self._read_members(each) for each in sorted(set(groups)) if each))

    async def _read_members(self, number: str) -> None:
        try:
            members = [self._api.account(row) async for row in self._api.members(number)]
        except (Refused, Transient) as error:
            self._rights.note(f"group {self.names.get(number, number)}", error)
            return
        for name in members:
            self._groups.setdefault(name, set()).add(number)

    @property
    def hidden(self) -> int:
        """How many readers have no visible e-mail address."""
        return sum(each.is_reader and not each.email for each in self.persons)

    @property
    def shared(self) -> int:
        """How many e-mail addresses belong to several accounts."""
        uses = Counter(each.email for each in self.persons if each.is_reader and each.email)
        return sum(count > 1 for count in uses.values())

    def broad(self, share: float) -> list[str]:
        """The names of the groups that hold this share of the directory's accounts, or more."""
        known = {each.account for each in self.persons if each.is_reader and each.email}
        sizes = Counter(number for name in known for number in self._groups.get(name, ()))
        return sorted(self.names.get(each, each) for each, size in sizes.items() if size >= share * len(known))

    def directory(self) -> SourceDirectory:
        """The account and the groups of everyone whose address is theirs alone."""
        readers = [each for each in self.persons if each.is_reader and each.email]
        uses = Counter(each.email for each in readers)
        members: dict[str, frozenset[Principal]] = {}
        for each in readers:
            if uses[each.email] == 1:
                numbers = self._groups.get(each.account, set())
                may_log_in = any(numbers & set(groups) for groups in self._rights.applications.values())
                names = {*numbers, EVERY_USER} if may_log_in else numbers
                principals = (group(self._source, name) for name in names)
                members[each.email] = frozenset({account(self._source, each.account), *principals})
        return SourceDirectory(members)
