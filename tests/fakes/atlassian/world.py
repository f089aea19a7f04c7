"""The state of one company on Atlassian: its people and its clock; wiki and tracker add what they hold."""

import threading
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from tests.fakes.atlassian.oracle import may_read
from tests.fakes.atlassian.records import Account, Call, Group, User
from tests.fakes.atlassian.tracker import Tracker
from tests.fakes.atlassian.wiki import Wiki

START = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
EVERYONE = "confluence-users"


class World(Wiki, Tracker):
    """Everything there is. lock: guards all of it. now: moves one second with each change.

    site_zone: what Cloud reads times in CQL in. wiki_groups: who may use Confluence at all. applications: Jira's
    application roles, each with its groups. index_lag: for how long a change is not found by searches. internal_notes:
    who sees a service desk's notes, `browse` for all who see the issue, `agents` for SERVICEDESK_AGENT as well.
    hidden_fields: fields of issues that a field configuration hides; what they say holds all the same.
    nested: whether Data Center's listings of a group's members go into the groups within it; Cloud's always do.
    """

    def __init__(self, start: datetime = START) -> None:
        self.lock = threading.RLock()
        self.now = start
        self.site_zone = "Europe/Berlin"
        self.wiki_groups = [EVERYONE]
        self.wiki_anonymous = False
        self.applications: dict[str, list[str]] = {"jira-software": ["jira-users"]}
        self.index_lag = timedelta()
        self.internal_notes = "browse"
        self.nested = True
        self.hidden_fields: set[str] = set()
        self.users: dict[str, User] = {}
        self.groups: dict[str, Group] = {}
        self.accounts: list[Account] = []
        self.calls: list[Call] = []
        self._numbers: dict[str, int] = {}
        self._begin_wiki()
        self._begin_tracker()
        self.add_group(EVERYONE)
        self.add_group("jira-users")

    def number(self, what: str, first: int = 1) -> int:
        """first, first + 1 … for each name."""
        with self.lock:
            self._numbers[what] = self._numbers.get(what, first - 1) + 1
            return self._numbers[what]

    def tick(self) -> datetime:
        """The moment of a change; the next is a second later."""
        with self.lock:
            self.now += timedelta(seconds=1)
            return self.now

    def advance(self, **by: float) -> datetime:
        """Time passes; by: as of timedelta."""
        with self.lock:
            self.now += timedelta(**by)
            return self.now

    def add_user(
        self,
        display: str,
        *,
        groups: Iterable[str] = (),
        licensed: bool = True,
        hidden: bool = False,
        kind: str = "atlassian",
    ) -> User:
        """A person. licensed: in the groups that may use Confluence and Jira. hidden: no e-mail on Cloud."""
        with self.lock:
            at = self.number("user")
            name = display.lower().replace(" ", ".")
            user = User(
                f"712020:{at:08x}-aaaa-4bbb-8ccc-0123456789ab", f"ff8080817f{at:022x}", name, display, "", hidden
            )
            user.email, user.kind = f"{name}@example.com", kind
            self.users[user.id] = user
            self.join(user, *groups, *((EVERYONE, "jira-users") if licensed else ()))
            return user

    def deactivate(self, user: User) -> None:
        """The account is closed; its groups stay."""
        user.active = False

    def add_group(self, name: str, members: Iterable[User] = (), groups: Iterable[str] = ()) -> Group:
        """A group. groups: names of the groups within it."""
        with self.lock:
            number = self.number("group")
            found = Group(f"{number:08x}-1111-4222-8333-444455556666", name, {each.id for each in members}, set(groups))
            self.groups[name] = found
            return found

    def join(self, user: User, *groups: str) -> None:
        """Into groups, which are made when there are none of the name."""
        for name in groups:
            (self.groups.get(name) or self.add_group(name)).members.add(user.id)

    def leave(self, user: User, *groups: str) -> None:
        """Out of groups."""
        for name in groups:
            self.groups[name].members.discard(user.id)

    def nest(self, outer: str, inner: str) -> None:
        """Puts a group into another."""
        self.groups[outer].groups.add(inner)

    def unnest(self, outer: str, inner: str) -> None:
        """Takes it out."""
        self.groups[outer].groups.discard(inner)

    def members(self, name: str, *, deep: bool) -> list[User]:
        """All in a group, sorted by name. deep: also those who are in it through the groups within it."""
        seen: set[str] = set()
        found: set[str] = set()
        waiting = [name]
        while waiting:
            at = waiting.pop()
            if at in seen or at not in self.groups:
                continue
            seen.add(at)
            found |= self.groups[at].members
            waiting += self.groups[at].groups if deep else ()
        return sorted((self.users[each] for each in found), key=lambda user: user.name)

    def add_account(self, user: User, secret: str, **rights: object) -> Account:
        """Credentials for a user; rights: as of Account."""
        account = Account(user.id, secret, **rights)  # type: ignore[arg-type]
        self.accounts.append(account)
        return account

    def may_read(self, user: User | None, thing: object) -> bool:
        """What the products' rules say of a space, page, comment, attachment, project or issue. None: not logged in."""
        return may_read(self, user, thing)
