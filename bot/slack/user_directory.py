"""Who somebody on Slack is, and who reads a channel."""

import logging
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from bot.conversation.ttl_cache import TtlCache
from bot.slack.client import LASTING, SlackClient, SlackRefused
from bot.slack.membership import HomeOrganisation
from bot.slack.user_lookup import FAILED_SECONDS, PATIENCE, UnfinishedLookup, UserLookup
from domain.conversation import ASKER_ALONE, MEMBERS, Identity, Participant, ReplyAudience, lookup_failure
from domain.errors import KbError
from domain.scope_reason import PublicReason

log = logging.getLogger(__name__)

CHANNEL_SECONDS = 60.0
"""Seconds for which the list of a channel's members is kept."""

MOST_MEMBERS = 20_000
"""A channel with more members counts as public: so many are read with twenty calls."""

_PAGE = 1_000
_SHARED = ("is_ext_shared", "is_pending_ext_shared", "is_org_shared_externally", "connected_team_ids")


@dataclass(frozen=True, slots=True)
class SlackChannel:
    """A conversation. members: ids of who is in it; empty where that is not asked for."""

    private: bool = False
    shared: bool = False
    members: tuple[str, ...] = ()


class SlackUserDirectory:
    """What Slack says about persons and channels, kept for minutes, each by itself.

    Events make it forget at once in the process that gets them; in others, what is told here holds for five minutes, of
    people in channels of many for an hour.

    homes: ids of our workspace, and of the organisation that it belongs to. domains: see domain.conversation.scope_of.
    own, patience: see UserLookup.
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
        self._directory = UserLookup(client, HomeOrganisation(homes, domains), own, patience=patience, clock=clock)
        self._channels: TtlCache[SlackChannel] = TtlCache(
            CHANNEL_SECONDS, failures=FAILED_SECONDS, lasting=LASTING, clock=clock
        )

    async def identity(self, person: Participant) -> Identity:
        """See ChatPlatform.identity."""
        return (await self._directory.membership(person.id)).identity

    async def audience(self, channel: str) -> ReplyAudience:
        """Who reads what is posted in a channel; anybody, where Slack does not say. The log says why."""
        try:
            readers = await self._readers(channel)
        except KbError as error:
            reason = _reason(error)
            log.warning(
                "Channel %s: a reply holds what is public alone (%s): %s (%s)", channel, reason, error.what, error.why
            )
            return ReplyAudience("public", reason)
        if readers.reason:
            log.warning("Channel %s: a reply holds what is public alone (%s)", channel, readers.reason)
        return readers

    def person_changed(self, person: str, user: Mapping[str, Any] | None = None) -> None:
        """A person has changed. user: as they are now, where that is known: a profile that changes nothing that rights
        hang on is ignored."""
        self._directory.changed(person, user)

    def members_changed(self, channel: str) -> None:
        """Somebody joined or left a channel, or it is shared now."""
        self._channels.drop(channel)

    async def close(self) -> None:
        """Ends what goes on in the background."""
        await self._directory.close()

    async def _readers(self, channel: str) -> ReplyAudience:
        found = await self._channels.get(channel, lambda: self._channel(channel))
        if found.private:
            return ASKER_ALONE
        if found.shared:
            return ReplyAudience("public", "shared_channel")
        if len(found.members) > MOST_MEMBERS:
            return ReplyAudience("public", "too_many_members")
        match await self._directory.outsider(found.members):
            case "":
                return MEMBERS
            case "missing_scope":
                return ReplyAudience("public", "missing_scope")
            case _:
                return ReplyAudience("public", "guests")

    async def _channel(self, channel: str) -> SlackChannel:
        found = await self._client.call("conversations.info", patience=PATIENCE, channel=channel)
        about = found.get("channel") or {}
        if about.get("is_im"):
            return SlackChannel(private=True)
        if any(about.get(name) for name in _SHARED):
            return SlackChannel(shared=True)
        return SlackChannel(members=tuple(await self._members(channel)))

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
    return lookup_failure(error)
