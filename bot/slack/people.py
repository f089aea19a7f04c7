"""Who somebody on Slack is, and who reads a channel."""

import logging
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from bot.conversation.kept import Kept
from bot.slack.client import LASTING, SlackClient, SlackRefused
from bot.slack.directory import FAILED_SECONDS, PATIENCE, Directory, UnfinishedLookup
from bot.slack.membership import Home
from domain.conversation import ASKER_ALONE, MEMBERS, Identity, Person, Readers, failed_lookup
from domain.errors import KbError
from domain.reach import PublicReason

log = logging.getLogger(__name__)

CHANNEL_SECONDS = 60.0
"""Seconds for which the list of a channel's members is kept."""

MOST_MEMBERS = 20_000
"""A channel with more members counts as public: so many are read with twenty calls."""

_PAGE = 1_000
_SHARED = ("is_ext_shared", "is_pending_ext_shared", "is_org_shared_externally", "connected_team_ids")


@dataclass(frozen=True, slots=True)
class Room:
    """A conversation. members: ids of who is in it; empty where that is not asked for."""

    private: bool = False
    shared: bool = False
    members: tuple[str, ...] = ()


class People:
    """What Slack says about persons and channels, kept for minutes, each by itself.

    Events make it forget at once in the process that gets them; in others, what is told here holds for five minutes, of
    people in channels of many for an hour.

    homes: ids of our workspace, and of the organisation that it belongs to. domains: see domain.conversation.scope_of.
    own, patience: see Directory.
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
        self._directory = Directory(client, Home(homes, domains), own, patience=patience, clock=clock)
        self._rooms: Kept[Room] = Kept(CHANNEL_SECONDS, failures=FAILED_SECONDS, lasting=LASTING, clock=clock)

    async def identity(self, person: Person) -> Identity:
        """See ChatPlatform.identity."""
        return (await self._directory.membership(person.id)).identity

    async def audience(self, channel: str) -> Readers:
        """Who reads what is posted in a channel; anybody, where Slack does not say. The log says why."""
        try:
            readers = await self._readers(channel)
        except KbError as error:
            reason = _reason(error)
            log.warning(
                "Channel %s: a reply holds what is public alone (%s): %s (%s)", channel, reason, error.what, error.why
            )
            return Readers("public", reason)
        if readers.reason:
            log.warning("Channel %s: a reply holds what is public alone (%s)", channel, readers.reason)
        return readers

    def forget(self, person: str, user: Mapping[str, Any] | None = None) -> None:
        """A person has changed. user: as they are now, where that is known: a profile that changes nothing that rights
        hang on is ignored."""
        self._directory.changed(person, user)

    def joined(self, channel: str) -> None:
        """Somebody joined or left a channel, or it is shared now."""
        self._rooms.drop(channel)

    async def close(self) -> None:
        """Ends what goes on in the background."""
        await self._directory.close()

    async def _readers(self, channel: str) -> Readers:
        room = await self._rooms.get(channel, lambda: self._room(channel))
        if room.private:
            return ASKER_ALONE
        if room.shared:
            return Readers("public", "shared_channel")
        if len(room.members) > MOST_MEMBERS:
            return Readers("public", "too_many_members")
        match await self._directory.outsider(room.members):
            case "":
                return MEMBERS
            case "missing_scope":
                return Readers("public", "missing_scope")
            case _:
                return Readers("public", "guests")

    async def _room(self, channel: str) -> Room:
        found = await self._client.call("conversations.info", patience=PATIENCE, channel=channel)
        about = found.get("channel") or {}
        if about.get("is_im"):
            return Room(private=True)
        if any(about.get(name) for name in _SHARED):
            return Room(shared=True)
        return Room(members=tuple(await self._members(channel)))

    async def _members(self, channel: str) -> list[str]:
        """Who is in a channel, no further than it can be looked up who they are."""
        members: list[str] = []
        cursor = None
        while len(members) <= MOST_MEMBERS:
            page = await self._client.call(
                "conversations.members", patience=PATIENCE, channel=channel, limit=_PAGE, cursor=cursor
            )
            members += page.get("members", ())
            before, cursor = cursor, (page.get("response_metadata") or {}).get("next_cursor") or None
            if cursor in (None, before):
                break
        return members


def _reason(error: KbError) -> PublicReason:
    """Why a reply is held to what is public when Slack did not say who reads it."""
    if isinstance(error, UnfinishedLookup):
        return "lookup_unfinished"
    if isinstance(error, SlackRefused) and error.code == "channel_not_found":
        return "unknown_channel"
    return failed_lookup(error)
