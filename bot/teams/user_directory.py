"""Who somebody in Teams is, and who reads a conversation."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bot.conversation.chat_platform import lookup_seconds
from bot.conversation.ttl_cache import TtlCache
from bot.teams.connector import PAGE
from bot.teams.connector_session import TooManyMembers
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.json_reading import Json, text
from domain.access import lowered
from domain.conversation import MEMBERS, Audience, Identity, Participant, ReplyAudience, lookup_failure
from domain.errors import KbError, Refused, Transient
from domain.scope_reason import OutsiderReason, PublicReason

log = logging.getLogger(__name__)

PEOPLE_SECONDS = 300.0
READERS_SECONDS = 60.0
MET = 20_000
"""People whose whereabouts are remembered."""

NOBODY = Identity(None, member=False, reason="unknown_person")


class Roster(Protocol):
    """What Teams says of the members of a conversation or a team. Methods raise Transient, and Refused where it says
    nothing."""

    async def member(self, service_url: str, conversation: str, user_id: str) -> Mapping[str, Any]:
        """One of them."""

    async def members(self, service_url: str, conversation: str) -> Sequence[Mapping[str, Any]]:
        """All of them."""


class TeamsUserDirectory:
    """What Teams says about persons and conversations, kept for minutes.

    Guests, anonymous participants and people of other tenants are outsiders. Teams tells of people only where one meets
    them, so that who is asked for has to be met before: a worker meets the asker in the question's handle.

    tenant: ours; empty for any. domains: see domain.conversation.scope_of.
    """

    def __init__(self, roster: Roster, tenant: str = "", domains: tuple[str, ...] = ()) -> None:
        self._roster = roster
        self._tenant = tenant.lower()
        self._domains = domains
        self._met: OrderedDict[Participant, TeamsConversation] = OrderedDict()
        self._identities: TtlCache[Identity] = TtlCache(PEOPLE_SECONDS)
        self._by_address: OrderedDict[tuple[str, str], Participant] = OrderedDict()
        self._readers: TtlCache[tuple[ReplyAudience, int]] = TtlCache(READERS_SECONDS)

    def person_seen(self, person: Participant, reference: TeamsConversation) -> None:
        """Somebody did something there: from now on, who they are can be asked for."""
        self._met[person] = reference
        self._met.move_to_end(person)
        while len(self._met) > MET:
            self._met.popitem(last=False)

    async def identity(self, person: Participant) -> Identity:
        """See ChatPlatform.identity."""
        found = await self._identities.get(f"{person.workspace}:{person.id}", lambda: self._identity(person))
        if found.member and found.email:
            self._by_address[person.workspace, found.email] = person
            while len(self._by_address) > MET:
                self._by_address.popitem(last=False)
        return found

    async def member_with(self, address: str, workspace: str) -> tuple[Participant, TeamsConversation] | None:
        """The member with that address and where they were met last; None for nobody who has asked us something since
        this process began, or who is no member any more."""
        person = self._by_address.get((workspace, address))
        reference = self._met.get(person) if person else None
        if person is None or reference is None:
            return None
        now = await self.identity(person)
        return (person, reference) if now.member and now.email == address else None

    def met(self, person: Participant) -> TeamsConversation | None:
        """Where a person was met last."""
        return self._met.get(person)

    async def ids_with(self, address: str, people: Mapping[str, TeamsConversation]) -> frozenset[str]:
        """Those of `people` who have an e-mail address, in lower case. people: by id, where they spoke. Raises
        Transient or Refused when Teams does not say."""
        found = set()
        for person, reference in people.items():
            met = Participant("teams", person, reference.tenant)
            self.person_seen(met, reference)
            if (await self.identity(met)).email == address:
                found.add(person)
        return frozenset(found)

    async def audience(self, told: Audience, reference: TeamsConversation, since: float | None = None) -> ReplyAudience:
        """Who reads what is posted in a conversation: what is `told` of it, or anybody, where an outsider is among its
        members, or Teams does not say. since: see ChatPlatform.audience."""
        if told != "organisation":
            return ReplyAudience(told, "shared_channel" if told == "public" else "")
        where = " ".join(reference.rosters)
        try:
            async with asyncio.timeout(None if since is None else self._lookup_seconds(where)):
                found, _ = await self._readers.get(where, lambda: self._audience(reference), since=since)
                return found
        except TimeoutError:
            log.warning("A conversation's readers are taken for the public: Teams did not say in time")
            return ReplyAudience("public", "lookup_failed")
        except KbError as error:
            log.warning("A conversation's readers are taken for the public: %s (%s)", error.what, error.why)
            return ReplyAudience("public", lookup_failure(error))

    def members_changed(self) -> None:
        """Somebody joined or left somewhere: a member of a team is one of all its channels."""
        self._readers.clear()

    async def _identity(self, person: Participant) -> Identity:
        reference = self._met.get(person)
        if reference is None:
            raise Transient("Teams says nothing of a person whom nobody has met")
        # outsiders and members alike are found under the id that their own message gave
        wanted = reference.user or person.id
        where = next(iter(reference.rosters), reference.channel)
        try:
            found = await self._roster.member(reference.service_url, where, wanted)
        except Refused:  # unknown, or none of ours to see
            return NOBODY
        names = {text(found.get(name)) for name in ("aadObjectId", "objectId", "id")}
        if person.id not in names:
            return NOBODY
        reason = self._reason(found)
        return Identity(_address(found) or None, member=not reason, name=text(found.get("name")), reason=reason)

    def _lookup_seconds(self, where: str) -> float:
        """By how many members there were lately: a call says of 500 of them who they are."""
        known = self._readers.last(where)
        return lookup_seconds(1 + (known[1] if known else 0) // PAGE)

    async def _audience(self, reference: TeamsConversation) -> tuple[ReplyAudience, int]:
        """Who reads along, and how many these are."""
        if not reference.rosters:
            log.warning("A channel's readers are taken for the public: Teams does not say of which team it is")
            return ReplyAudience("public", "unknown_channel"), 0
        members: list[Json] = []
        try:
            for each in reference.rosters:
                members += await self._roster.members(reference.service_url, each)
        except Refused as error:  # it stays so: kept as an answer, or each question would ask all of it again
            log.warning("A conversation's readers are taken for the public: %s (%s)", error.what, error.why)
            reason: PublicReason = "too_many_members" if isinstance(error, TooManyMembers) else "lookup_failed"
            return ReplyAudience("public", reason), 0
        people = [each for each in members if text(each.get("id")) != reference.bot]
        if not people:
            return ReplyAudience("public", "lookup_failed"), 0
        ours = all(map(self._reads_along, people))
        return MEMBERS if ours else ReplyAudience("public", "guests"), len(people)

    def _reads_along(self, member: Json) -> bool:
        """Whether a member may read what the organisation may: as scope_of has it for who asks."""
        at_home = not self._domains or _address(member).rpartition("@")[2] in self._domains
        return not self._reason(member) and bool(_address(member)) and at_home

    def _reason(self, member: Json) -> OutsiderReason:
        """Why a member is no person of our tenant, or a guest there; empty for one of ours."""
        if self._tenant and text(member.get("tenantId")).lower() != self._tenant:
            return "stranger"
        if text(member.get("userRole")).lower() not in {"", "user", "owner"}:
            return "guest"
        return "guest" if "#ext#" in text(member.get("userPrincipalName")).lower() else ""


def _address(member: Json) -> str:
    """The address of a member, in lower case: the mailbox's, or else the name to log on with."""
    for name in ("email", "userPrincipalName"):
        found = lowered(text(member.get(name)))
        if "@" in found and "#ext#" not in found:
            return found
    return ""
