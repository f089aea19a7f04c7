"""What a user object of Slack's says about a person's place in the organisation; and everybody in a workspace, read
page by page in the background: for channels of so many that asking for each of them would take longer, and for public
channels, which everybody in the workspace may open."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.slack.client import SlackClient
from domain.access import lowered
from domain.conversation import Identity, outsider
from domain.errors import KbError, Transient
from domain.scope_reason import OutsiderReason

log = logging.getLogger(__name__)

PAGE = 1_000
"""People of one call, the most that Slack gives."""

LIST_SECONDS = 3_600.0
"""For which a list holds. Who uses it after half of them has it read anew, and does not wait for that."""

AGAIN_SECONDS = 60.0
"""After a list that could not be read, until it is tried again."""

FULL_MEMBERS: frozenset[OutsiderReason] = frozenset(
    {"no_address", "unverified_address", "foreign_domain", "missing_scope"}
)
"""Why a full member of the workspace is an outsider. Such a one opens every public channel without joining it, which
guests and people of other organisations cannot."""

PAGE_PATIENCE = 120.0
"""Seconds for which one page is tried: users.list is Tier 2, 20 calls a minute."""


@dataclass(frozen=True, slots=True)
class Membership:
    """A person as Slack knows them. outsider: why they may not read what the organisation may, as scope_of has it for
    who asks; empty for one who may. An app of ours may, too."""

    identity: Identity
    outsider: OutsiderReason

    @property
    def rights(self) -> tuple[str, str | None, bool]:
        """What rights hang on: no name, and no picture."""
        return self.outsider, self.identity.email, self.identity.member


NOBODY = Membership(Identity(None, member=False, reason="unknown_person"), "unknown_person")
"""Somebody whom Slack does not know, or does not show us."""


@dataclass(frozen=True, slots=True)
class HomeOrganisation:
    """What makes a person one of ours. ids: of our workspace, and of the organisation that it belongs to. domains: see
    domain.conversation.scope_of."""

    ids: frozenset[str] = frozenset()
    domains: tuple[str, ...] = ()

    def membership(self, user: Mapping[str, Any], *, addresses: bool = True) -> Membership:
        """What a user object says. addresses: whether the app may see any.

        A person who is no full member counts as an outsider: guests, strangers of shared channels, bots, and whoever
        Slack does not know. Slack's `is_stranger` alone does not say so: it is false for people of other organisations
        that are met in a channel.
        """
        profile = user.get("profile") or {}
        email = lowered(str(profile.get("email") or "")) or None
        name = str(profile.get("display_name") or user.get("real_name") or "")
        reason = self._reason(user)
        hidden: OutsiderReason = "missing_scope" if not reason and email is None and not addresses else reason
        identity = Identity(email, member=not reason, name=name, reason=hidden)
        ours = not self._away(user) and not user.get("deleted")
        ours = ours and bool(user.get("is_bot") or user.get("id") == "USLACKBOT")
        return Membership(identity, "" if ours else outsider(identity, self.domains))

    def _reason(self, user: Mapping[str, Any]) -> OutsiderReason:
        """Why a user of Slack is no member; empty for one who is."""
        if user.get("is_bot"):
            return "bot"
        invited = user.get("is_invited_user") and user.get("is_email_confirmed") is False
        if user.get("deleted") or invited:  # who was invited and has not come yet reads nothing
            return "deactivated"
        return self._away(user) or ("" if user.get("is_email_confirmed", True) else "unverified_address")

    def _away(self, user: Mapping[str, Any]) -> OutsiderReason:
        """Why a user of Slack is a person from outside: a guest, or a stranger of a shared channel."""
        at = {user.get("team_id"), (user.get("enterprise_user") or {}).get("enterprise_id")} - {None, ""}
        if user.get("is_stranger") or (self.ids and not at & self.ids):
            return "stranger"
        return "guest" if user.get("is_restricted") or user.get("is_ultra_restricted") else ""


NAMED = 10
"""Ids in one line of the log."""


class WorkspaceUsers:
    """Why people are outsiders, by id; empty for those who are none. outsider: what a user object says."""

    def __init__(
        self,
        client: SlackClient,
        outsider: Callable[[Mapping[str, Any]], OutsiderReason],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._outsider = outsider
        self._clock = clock
        self._found: dict[str, OutsiderReason] = {}
        self._good_until = self._due_at = self._began = float("-inf")
        self._complete = False
        self._failed: KbError | None = None
        self._changed: set[str] = set()
        self._unsettled: set[str] = set()
        self._reading: asyncio.Task[None] | None = None
        self._progress = asyncio.Event()

    def outsider(self, person: str) -> OutsiderReason | None:
        """Why somebody is an outsider; None for who is not known."""
        return self._found.get(person) if self._clock() < self._good_until else None

    @property
    def complete(self) -> bool:
        """Whether everybody is on the list."""
        return self._complete and self._clock() < self._good_until

    @property
    def unsettled(self) -> frozenset[str]:
        """Who has changed since the list was read, so that it does not say what they are now."""
        return frozenset(self._unsettled - self._found.keys())

    def outside_full_member(self) -> OutsiderReason:
        """Why the first full member on the list who is an outsider is one; empty where none is."""
        return next((reason for reason in self._found.values() if reason in FULL_MEMBERS), "")

    def changed(self, person: str, now: OutsiderReason | None) -> None:
        """Somebody has changed. now: why they are an outsider; None where that is not known."""
        if now == "stranger" and person not in self._found:
            return  # of another workspace, and on no list of ours
        if now is None or self._found.get(person) != now:
            self._found.pop(person, None)
            self._changed.add(person)  # a page that is on its way may have them as they were
            self._unsettled.add(person)

    def outdated(self) -> None:
        """Too many have changed to ask for each of them: has the list read anew, once a minute at most."""
        now = self._clock()
        if self._reading is None and now - self._began >= AGAIN_SECONDS:
            self._begin(now)

    def renew(self) -> None:
        """Has a list that grows old read anew, behind those who use it."""
        if self._complete and self._reading is None and self._clock() >= self._due_at:
            self._begin(self._clock())

    def want(self) -> None:
        """Has the list read where that is due."""
        now = self._clock()
        if self._reading is None and now >= self._due_at:
            self._begin(now)

    async def more(self, seconds: float) -> bool:
        """Has the list read where that is due. Returns whether more of it is known than before, for which it waits so
        long. Raises Transient or Misconfigured when Slack did not give the list a moment ago."""
        self.want()
        if self.complete:
            return False
        if self._reading is None and self._failed is not None:
            raise self._failed
        progress = self._progress
        try:
            async with asyncio.timeout(max(0.0, seconds)):
                await progress.wait()
        except TimeoutError:
            return False
        return True

    async def close(self) -> None:
        """Ends what goes on in the background."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    def _begin(self, now: float) -> None:
        if now >= self._good_until:
            self._found.clear()
            self._complete = False
            self._good_until = now + LIST_SECONDS  # what is read holds before all is
        self._changed.clear()
        self._began = now
        self._failed = None
        self._reading = asyncio.create_task(self._read(now))

    async def _read(self, began: float) -> None:
        try:
            await self._read_pages()
        except KbError as error:
            log.warning("The people of the workspace could not be listed: %s (%s)", error.what, error.why)
            self._failed, self._due_at = error, self._clock() + AGAIN_SECONDS
        else:
            self._complete = True
            self._unsettled &= self._changed
            self._good_until, self._due_at = began + LIST_SECONDS, began + LIST_SECONDS / 2
            outside = sorted(person for person, reason in self._found.items() if reason in FULL_MEMBERS)
            named = ", ".join(outside[:NAMED]) + (", …" if len(outside) > NAMED else "")
            log.info("Slack listed %s people; outsiders with full membership: %s", len(self._found), named or "none")
        finally:
            self._reading = None
            self._wake_waiting()

    async def _read_pages(self) -> None:
        cursor = None
        while True:
            page = await self._client.call("users.list", limit=PAGE, cursor=cursor, patience=PAGE_PATIENCE)
            users = [each for each in page.get("members", ()) if each.get("id") not in self._changed]
            self._found.update({str(each["id"]): self._outsider(each) for each in users})
            self._wake_waiting()
            before, cursor = cursor, (page.get("response_metadata") or {}).get("next_cursor") or None
            if cursor in (None, before):
                break
        if not self._found and not self._changed:
            raise Transient("Slack listed nobody")  # we are in the workspace ourselves

    def _wake_waiting(self) -> None:
        self._progress.set()
        self._progress = asyncio.Event()
