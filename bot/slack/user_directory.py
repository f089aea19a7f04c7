"""Who somebody on Slack is, and who reads a channel. People are looked up as few at a time as a question needs, and
remembered by person."""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.conversation.chat_platform import lookup_seconds
from bot.conversation.ttl_cache import TtlCache
from bot.slack.client import LASTING, SlackClient, SlackRefused
from bot.slack.workspace_users import FULL_MEMBERS, NOBODY, HomeOrganisation, Membership, WorkspaceUsers
from domain.conversation import ASKER_ALONE, MEMBERS, Identity, Participant, ReplyAudience, lookup_failure
from domain.errors import KbError, Transient
from domain.scope_reason import OutsiderReason, PublicReason

log = logging.getLogger(__name__)

CHANNEL_SECONDS = 60.0
"""Seconds for which the list of a channel's members is kept."""

MAX_MEMBERS = 20_000
"""A channel with more members counts as public: so many are read with twenty calls."""

PEOPLE_SECONDS = 300.0
"""Seconds for which what Slack said of one person is kept."""

FAILED_SECONDS = 60.0
"""Seconds in which nothing is asked again after a refusal or for want of a permission."""

MAX_ASKED = 50
"""People who are looked up one by one for a question. Where more are unknown, the workspace is listed, a thousand
people a call."""

MINUTE, MAX_A_MINUTE = 60.0, 80
"""People who are looked up one by one for all channels in a minute: Slack takes 100 calls of users.info (Tier 4), and
those who ask have to be looked up, too."""

AT_ONCE = 10
"""Look-ups side by side."""

PATIENCE = 10.0
"""Seconds for which a question waits for one look-up, or for the list: better no answer than a late one."""

ADDRESSES = "users:read.email"
"""The scope without which Slack shows no addresses, and does not say so."""

_PAGE = 1_000
_NOT_OPEN = ("is_private", "is_im", "is_mpim")
_SHARED = ("is_ext_shared", "is_pending_ext_shared", "is_org_shared_externally", "connected_team_ids")


class UnfinishedLookup(Transient):
    """More people than can be looked up now; what was learnt is kept for the next question."""


@dataclass(frozen=True, slots=True)
class _Channel:
    """A channel whose readers hang on who they are. open: whether all full members of the workspace may read it."""

    members: Sequence[str]
    open: bool


class _Budget:
    """Whom to look up one by one: MAX_A_MINUTE people in any minute, each of them counted once."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._taken: dict[str, float] = {}

    def take(self, people: Sequence[str]) -> Sequence[str]:
        """Those of the people who may be looked up now, from the first one on; they count then."""
        now = self._clock()
        self._taken = {person: at for person, at in self._taken.items() if now - at < MINUTE}
        for place, person in enumerate(people):
            if person not in self._taken and len(self._taken) >= MAX_A_MINUTE:
                return people[:place]
            self._taken.setdefault(person, now)
        return people

    def takes(self, people: Sequence[str]) -> bool:
        """Whether all of them may be looked up now; they count then."""
        before = self._taken
        self._taken = dict(before)
        if len(self.take(people)) == len(people):
            return True
        self._taken = before
        return False


class SlackUserDirectory:
    """What Slack says about persons and channels, kept for minutes, each by itself.

    Events make it forget at once in the process that gets them; in others, what is told here holds for five minutes, of
    people in channels of many for an hour.

    homes: ids of our workspace, and of the organisation that it belongs to. domains: see domain.conversation.scope_of.
    own: ids that need no look-up, such as our own. patience: seconds that a question waits for the list of the
    workspace.
    """

    def __init__(
        self,
        client: SlackClient,
        homes: frozenset[str],
        domains: tuple[str, ...] = (),
        own: Collection[str] = (),
        *,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._home = HomeOrganisation(homes, domains)
        self._patience = patience
        self._own = frozenset({"USLACKBOT", *own})
        self._people: TtlCache[Membership] = TtlCache(
            PEOPLE_SECONDS, failures=FAILED_SECONDS, lasting=LASTING, clock=clock
        )
        self._channels: TtlCache[ReplyAudience | _Channel] = TtlCache(
            CHANNEL_SECONDS, failures=FAILED_SECONDS, lasting=LASTING, clock=clock
        )
        self._workspace_users = WorkspaceUsers(client, lambda user: self._membership(user).outsider, clock)
        self._budget = _Budget(clock)

    async def identity(self, person: Participant) -> Identity:
        """See ChatPlatform.identity."""
        return (await self._person(person.id)).identity

    async def ids_with(self, address: str, people: Collection[str]) -> frozenset[str]:
        """The ids that have an e-mail address, in lower case: of accounts that are in use, and of `people`, whose
        accounts may not be. Raises Transient or Misconfigured when Slack does not say."""
        try:
            found = await self._client.call("users.lookupByEmail", email=address)
        except SlackRefused:  # nobody whose account is in use
            known = {person: (await self._person(person)).identity.email for person in people}
            return frozenset(person for person, email in known.items() if email == address)
        return frozenset({str(found["user"]["id"])})

    async def audience(self, channel: str, since: float | None = None) -> ReplyAudience:
        """Who reads what is posted in a channel; anybody, where Slack does not say. The log says why. since: see
        ChatPlatform.audience; of people who were known before, what was known holds."""
        try:
            async with asyncio.timeout(None if since is None else self._lookup_seconds(channel)):
                readers = await self._readers(channel, since)
        except TimeoutError:
            log.warning(
                "Channel %s: a reply holds what is public alone: Slack did not say in time who reads it", channel
            )
            return ReplyAudience("public", "lookup_failed")
        except KbError as error:
            reason = _reason(error)
            log.warning(
                "Channel %s: a reply holds what is public alone (%s): %s (%s)", channel, reason, error.what, error.why
            )
            return ReplyAudience("public", reason)
        if readers.reason:
            log.warning("Channel %s: a reply holds what is public alone (%s)", channel, readers.reason)
        return readers

    async def member_with(self, address: str) -> str | None:
        """The id of the member with that address; None for nobody, a guest, an app, or a stranger."""
        try:
            found = await self._client.call("users.lookupByEmail", patience=PATIENCE, email=address)
        except SlackRefused:  # users_not_found
            return None
        user = found.get("user") or {}
        known = self._membership(user)
        ours = not known.outsider and known.identity.member and known.identity.email == address
        return str(user["id"]) if ours else None

    async def is_open(self, channel: str) -> bool:
        """Whether a channel is a public one of the workspace; not where Slack does not say."""
        try:
            found = await self._client.call("conversations.info", patience=PATIENCE, channel=channel)
        except KbError as error:
            log.info("Channel %s counts as closed: %s", channel, error.what)
            return False
        about = found.get("channel") or {}
        return about.get("is_channel") is True and about.get("is_private") is False

    def person_changed(self, person: str, user: Mapping[str, Any] | None = None) -> None:
        """A person has changed. user: as they are now, where that is known: a profile that changes nothing that rights
        hang on is ignored."""
        now = self._membership(user) if user else None
        before = self._people.peek(person)
        if before is None or now is None or before.rights != now.rights:
            self._people.drop(person)
        self._workspace_users.changed(person, None if now is None else now.outsider)

    def members_changed(self, channel: str) -> None:
        """Somebody joined or left a channel, or it is shared now."""
        self._channels.drop(channel)

    async def close(self) -> None:
        """Ends what goes on in the background."""
        await self._workspace_users.close()

    def _lookup_seconds(self, channel: str) -> float:
        """One call says how a channel is shared, and one each a thousand members; by how many there were lately."""
        known = self._channels.last(channel)
        members = len(known.members) if isinstance(known, _Channel) else 0
        return lookup_seconds(1 + members // _PAGE)

    async def _readers(self, channel: str, since: float | None) -> ReplyAudience:
        found = await self._channels.get(channel, lambda: self._channel(channel), since=since)
        if isinstance(found, ReplyAudience):
            return found
        outsider = await self._outsider_among(found.members)
        reason: PublicReason = "guests"
        if not outsider and found.open and self._home.domains:
            outsider, reason = await self._outsider_in_workspace(), "open_to_outsiders"
        if not outsider:
            return MEMBERS
        return ReplyAudience("public", "missing_scope" if outsider == "missing_scope" else reason)

    async def _channel(self, channel: str) -> ReplyAudience | _Channel:
        """Who reads a channel, or, where that hangs on who they are, its members."""
        found = await self._client.call("conversations.info", patience=PATIENCE, channel=channel)
        about = found.get("channel") or {}
        if about.get("is_im"):
            return ASKER_ALONE
        if any(about.get(name) for name in _SHARED):
            return ReplyAudience("public", "shared_channel")
        is_open = not any(about.get(name) for name in _NOT_OPEN)
        if is_open and self._home.domains:
            self._workspace_users.want()  # it is read while the members are
        members: list[str] = []
        cursor = None
        while len(members) <= MAX_MEMBERS:  # no further than it can be looked up who they are
            page = await self._client.call(
                "conversations.members", patience=PATIENCE, channel=channel, limit=_PAGE, cursor=cursor
            )
            members += page.get("members", ())
            before, cursor = cursor, (page.get("response_metadata") or {}).get("next_cursor") or None
            if cursor in (None, before):
                break
        if len(members) > MAX_MEMBERS:
            return ReplyAudience("public", "too_many_members")
        return _Channel(members, is_open)

    async def _person(self, person: str) -> Membership:
        """A person. Raises Transient or Misconfigured when Slack does not say."""
        return await self._people.get(person, lambda: self._looked_up(person))

    async def _outsider_among(self, people: Sequence[str]) -> OutsiderReason:
        """Why the first of some people who does not belong to the organisation does not; empty when all do. Nobody is
        looked up after that one.

        Raises:
            UnfinishedLookup: they are more than can be looked up now. Transient, Misconfigured: Slack does not say.
        """
        until = asyncio.get_running_loop().time() + self._patience
        self._workspace_users.renew()
        while True:
            known = {person: self._known(person) for person in people}
            unknown = [person for person, reason in known.items() if reason is None]
            if found := _first(known.values()):
                return found
            if len(unknown) <= MAX_ASKED and self._budget.takes(unknown):
                return await self._outsider_of(unknown)
            if not await self._workspace_users.more(until - asyncio.get_running_loop().time()):
                return await self._outsider_of_some(unknown)

    async def _outsider_in_workspace(self) -> OutsiderReason:
        """Why the first full member of the workspace who does not belong to the organisation does not; empty when all
        do. Raises as `_outsider_among` does; UnfinishedLookup also while the workspace is not listed to its end."""
        until = asyncio.get_running_loop().time() + self._patience
        listed = self._workspace_users
        listed.renew()
        while not (found := listed.outside_full_member()) and not listed.complete:
            if not await listed.more(until - asyncio.get_running_loop().time()) and not listed.complete:
                raise UnfinishedLookup(
                    "Slack has not said yet who the people of the workspace are",
                    why="They are listed meanwhile, as fast as Slack allows",
                )
        if found:
            return found
        changed = sorted(listed.unsettled)
        unknown = [person for person in changed if self._people.peek(person) is None]
        if len(unknown) > MAX_ASKED or not self._budget.takes(unknown):
            listed.outdated()
            raise _unfinished(len(unknown))
        return await self._outsider_of(changed, FULL_MEMBERS)

    async def _outsider_of(
        self, people: Sequence[str], counted: Collection[OutsiderReason] | None = None
    ) -> OutsiderReason:
        """Why the first outsider among people is one. counted: the reasons that matter; None for all."""
        for start in range(0, len(people), AT_ONCE):
            batch = people[start : start + AT_ONCE]
            try:
                found = await asyncio.gather(*(self._person(person) for person in batch))
            except Transient as error:
                if error.retry_after is None:
                    raise
                self._workspace_users.want()  # other processes have used up what Slack takes
                raise _unfinished(len(people) - start) from error
            reasons = (each.outsider for each in found)
            if reason := _first(each for each in reasons if counted is None or each in counted):
                return reason
        return ""

    async def _outsider_of_some(self, people: Sequence[str]) -> OutsiderReason:
        """As many as may be asked for; the next question gets further."""
        asked = self._budget.take(people[:MAX_ASKED])
        reason = await self._outsider_of(asked)
        if reason or len(asked) == len(people):
            return reason
        raise _unfinished(len(people) - len(asked))

    def _known(self, person: str) -> OutsiderReason | None:
        """Why a person does not belong, as far as it is known without a request: empty for one who does, None
        where nothing is known."""
        if person in self._own:
            return ""
        looked_up = self._people.peek(person)
        return looked_up.outsider if looked_up is not None else self._workspace_users.outsider(person)

    async def _looked_up(self, person: str) -> Membership:
        try:
            found = await self._client.call("users.info", patience=PATIENCE, user=person)
        except SlackRefused:  # unknown, or none of ours to see
            return NOBODY
        return self._membership(found.get("user") or {})

    def _membership(self, user: Mapping[str, Any]) -> Membership:
        return self._home.membership(user, addresses=self._client.may(ADDRESSES))


def _reason(error: KbError) -> PublicReason:
    """Why a reply is held to what is public when Slack did not say who reads it."""
    if isinstance(error, UnfinishedLookup):
        return "lookup_unfinished"
    if isinstance(error, SlackRefused) and error.code == "channel_not_found":
        return "unknown_channel"
    return lookup_failure(error)


def _unfinished(left: int) -> UnfinishedLookup:
    return UnfinishedLookup(
        f"Slack has not said yet who {left} people in a channel are",
        why="They are looked up meanwhile, as fast as Slack allows",
    )


def _first(reasons: Iterable[OutsiderReason | None]) -> OutsiderReason:
    for each in reasons:
        if each:
            return each
    return ""
