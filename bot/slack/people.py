"""Who somebody on Slack is, and who reads a channel."""

import logging
from typing import Any

from bot.conversation.kept import Kept
from bot.slack.client import SlackClient, SlackRefused
from domain.conversation import ASKER_ALONE, MEMBERS, Identity, Person, Readers, failed_lookup
from domain.errors import KbError
from domain.reach import OutsiderReason

log = logging.getLogger(__name__)

PEOPLE_SECONDS = 300.0
CHANNEL_SECONDS = 60.0
LIST_SECONDS = 300.0
NOBODY = Identity(None, member=False, reason="unknown_person")

# a person's request waits for these: better no answer than a late one
PATIENCE = 10.0


class People:
    """What Slack says about persons and channels, kept for minutes.

    A person who is no full member of our own workspace or organisation counts as an outsider: guests, strangers of
    shared channels, bots, and whoever Slack does not know. Slack's `is_stranger` alone does not say so: it is false for
    people of other organisations that are met in a channel.

    Events make it forget at once in the process that gets them; in others, what is told here holds for five minutes.

    homes: ids of our workspace, and of the organisation that it belongs to. domains: see domain.conversation.scope_of.
    """

    def __init__(self, client: SlackClient, homes: frozenset[str], domains: tuple[str, ...] = ()) -> None:
        self._client = client
        self._homes = homes
        self._domains = domains
        self._identities: Kept[Identity] = Kept(PEOPLE_SECONDS)
        self._audiences: Kept[Readers] = Kept(CHANNEL_SECONDS)
        self._ours: Kept[frozenset[str]] = Kept(LIST_SECONDS)
        self._listed: frozenset[str] = frozenset()

    async def identity(self, person: Person) -> Identity:
        """See ChatPlatform.identity."""
        return await self._identities.get(person.id, lambda: self._identity(person.id))

    async def audience(self, channel: str) -> Readers:
        """Who reads what is posted in a channel; anybody, where Slack does not say."""
        try:
            return await self._audiences.get(channel, lambda: self._audience(channel))
        except KbError as error:
            log.warning("A channel's readers are taken for the public: %s (%s)", error.what, error.why)
            return Readers("public", failed_lookup(error))

    def forget(self, person: str) -> None:
        """What is known of a person has changed."""
        self._identities.drop(person)
        self._ours.drop("")
        self._audiences.clear()  # a member may be a guest from now on, wherever

    def joined(self, channel: str, person: str = "") -> None:
        """Somebody joined or left a channel, or it is shared now."""
        if person not in self._listed:  # perhaps a guest who was invited just now
            self._ours.drop("")
        self._audiences.drop(channel)

    async def _identity(self, person: str) -> Identity:
        try:
            found = (await self._client.call("users.info", patience=PATIENCE, user=person)).get("user", {})
        except SlackRefused:  # unknown, or none of ours to see
            return NOBODY
        profile = found.get("profile") or {}
        name = str(profile.get("display_name") or found.get("real_name") or "")
        email = str(profile.get("email") or "").strip().lower()
        reason = self._reason(found)
        return Identity(email or None, member=not reason, name=name, reason=reason)

    async def _audience(self, channel: str) -> Readers:
        info = await self._client.call("conversations.info", patience=PATIENCE, channel=channel)
        found = info.get("channel", {})
        if found.get("is_im"):
            return ASKER_ALONE
        if any(found.get(name) for name in ("is_ext_shared", "is_pending_ext_shared", "is_org_shared_externally")):
            return Readers("public", "shared_channel")
        if found.get("connected_team_ids"):
            return Readers("public", "shared_channel")
        ours = await self._ours.get("", self._all_of_ours)
        return MEMBERS if await self._all_belong(channel, ours) else Readers("public", "guests")

    async def _all_of_ours(self) -> frozenset[str]:
        """The ids of all who belong to the organisation, apps included."""
        everybody = [each async for each in self._pages("users.list", "members")]
        self._listed = frozenset(each["id"] for each in everybody)
        return frozenset(each["id"] for each in everybody if self._belongs(each))

    async def _all_belong(self, channel: str, ours: frozenset[str]) -> bool:
        """Whether everybody in a channel belongs to the organisation; who is in no list is asked for."""
        async for each in self._pages("conversations.members", "members", channel=channel):
            if each not in ours and (each in self._listed or not await self._belongs_now(each)):
                return False
        return True

    async def _belongs_now(self, person: str) -> bool:
        found = await self._client.call("users.info", patience=PATIENCE, user=person)
        return self._belongs(found.get("user", {}))

    def _belongs(self, user: dict[str, Any]) -> bool:
        """Whether a user may read what the organisation may: as scope_of has it for who asks. An app of ours may."""
        if self._outsider(user) or user.get("deleted"):
            return False
        email = str((user.get("profile") or {}).get("email") or "").strip().lower()
        confirmed = bool(email) and user.get("is_email_confirmed", True)
        at_home = not self._domains or email.rpartition("@")[2] in self._domains
        return bool(user.get("is_bot")) or user.get("id") == "USLACKBOT" or (confirmed and at_home)

    async def _pages(self, method: str, field: str, **arguments: Any) -> Any:
        cursor = ""
        while True:
            page = await self._client.call(method, limit=1000, cursor=cursor or None, patience=60.0, **arguments)
            for each in page.get(field, ()):
                yield each
            following = (page.get("response_metadata") or {}).get("next_cursor") or ""
            if not following or following == cursor:
                return
            cursor = following

    def _reason(self, user: dict[str, Any]) -> OutsiderReason:
        """Why a user of Slack is no member; empty for one who is."""
        if user.get("is_bot"):
            return "bot"
        if user.get("deleted"):
            return "deactivated"
        return self._outsider(user) or ("" if user.get("is_email_confirmed", True) else "unverified_address")

    def _outsider(self, user: dict[str, Any]) -> OutsiderReason:
        """Why a user of Slack is a person from outside: a guest, or a stranger of a shared channel."""
        at = {user.get("team_id"), (user.get("enterprise_user") or {}).get("enterprise_id")} - {None, ""}
        if user.get("is_stranger") or (self._homes and not at & self._homes):
            return "stranger"
        return "guest" if user.get("is_restricted") or user.get("is_ultra_restricted") else ""
