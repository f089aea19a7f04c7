"""What a user object of Slack's says about a person's place in the organisation. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.conversation import Identity, outsider
from domain.scope_reason import OutsiderReason


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
        email = str(profile.get("email") or "").strip().lower() or None
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
        if user.get("deleted"):
            return "deactivated"
        return self._away(user) or ("" if user.get("is_email_confirmed", True) else "unverified_address")

    def _away(self, user: Mapping[str, Any]) -> OutsiderReason:
        """Why a user of Slack is a person from outside: a guest, or a stranger of a shared channel."""
        at = {user.get("team_id"), (user.get("enterprise_user") or {}).get("enterprise_id")} - {None, ""}
        if user.get("is_stranger") or (self.ids and not at & self.ids):
            return "stranger"
        return "guest" if user.get("is_restricted") or user.get("is_ultra_restricted") else ""
