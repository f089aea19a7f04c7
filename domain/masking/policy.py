"""What an operator may decide about masking."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

import re2

from domain.errors import Misconfigured
from domain.masking.ruleset.rule import Check, Rule, value
from domain.masking.ruleset.secret_strength import words
from domain.patterns import LinearRegex, PatternMatch, options

ROLE_MAILBOXES = words(
    "abuse accounting accounts admin billing careers compliance contact customerservice datenschutz dpo events "
    "facilities feedback finance hello help helpdesk hostmaster hr info invoices it it-support jobs legal "
    "mailer-daemon marketing media no-reply noc noreply office oncall operations ops orders payroll people "
    "postmaster press privacy procurement recruiting reception sales security service servicedesk support team "
    "webmaster"
)
"""Local parts of addresses that belong to an office, not to a person; RFC 2142 lists the first of them."""


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule for secrets that the operator adds."""

    name: str
    """The kind of secret, as the mask shows it."""
    pattern: str
    """In RE2's syntax. Group 1 is masked; the whole match if there is no group."""
    keywords: tuple[str, ...] = ()
    """The pattern is tried only if the text holds one of these, in any case. Empty: it is always tried."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What the operator changes about masking."""

    off: frozenset[str] = frozenset()
    """Kinds of secrets that are not masked."""
    mailboxes: tuple[str, ...] = ROLE_MAILBOXES
    """E-mail addresses with these local parts are shown."""
    domains: tuple[str, ...] = ()
    """All e-mail addresses of these domains are shown."""
    values: tuple[str, ...] = ()
    """Shown wherever they stand, such as the examples in the company's own documentation."""
    own: tuple[OwnRule, ...] = ()
    """Further rules for secrets."""


def effective_rules(policy: Policy, rules: Sequence[Rule]) -> list[Rule]:
    """The rules that are in force under a policy: its own rules first, and no rule finds what the policy allows.

    Raises:
        Misconfigured: an own rule cannot be used, or a kind that is switched off does not exist.
    """
    kinds = {rule.kind for rule in rules}
    own = [_own(rule) for rule in policy.own]
    unknown = sorted(policy.off - kinds)
    if unknown:
        raise Misconfigured(
            f"There is no kind of secret called {unknown[0]!r}",
            why="mask_off names kinds that are left alone.",
            next_step="See their names: kb mask --kinds",
        )
    allowed = AllowedValues(policy)
    return [replace(rule, check=allowed.check_without(rule)) for rule in (*own, *rules) if rule.kind not in policy.off]


_NAME = LinearRegex(r"[a-z0-9][a-z0-9 ._-]{0,39}")


def _own(rule: OwnRule) -> Rule:
    name = f"The masking rule {rule.name!r}"
    if not _NAME.fullmatch(rule.name):
        raise Misconfigured(
            f"{name} needs another name",
            why="It stands in the mask: small letters, digits, blanks, points and hyphens, at most 40.",
            next_step='Choose one such as "project code".',
        )
    try:
        pattern = re2.compile(rule.pattern, options())
    except re2.error as error:
        raise Misconfigured(
            f"{name} has a pattern that RE2 does not take",
            why=str(error.args[0].decode() if isinstance(error.args[0], bytes) else error),
            next_step="RE2 has no look-around and no back-references; mend the pattern.",
        ) from None
    if len(rule.pattern) > 1000 or pattern.groups > 1 or pattern.search("") is not None:
        raise Misconfigured(
            f"{name} has a pattern that cannot be used",
            why="It takes at most 1,000 characters and one group, and must not match an empty text.",
            next_step="Mend the pattern; a group that is not masked is written (?:…).",
        )
    return Rule(rule.name, rule.pattern, rule.keywords, value(), (), group="own rule")


class AllowedValues:
    """What a policy allows to be shown."""

    def __init__(self, policy: Policy) -> None:
        self._values = frozenset(policy.values)
        self._mailboxes = frozenset(each.lower() for each in policy.mailboxes)
        self._domains = frozenset(each.lower().lstrip("@") for each in policy.domains)

    def check_without(self, rule: Rule) -> Check:
        """The rule's check without the places whose text is allowed."""
        mail = rule.kind == "e-mail address"
        if not self._values and not mail:
            return rule.check

        def check(match: PatternMatch) -> list[tuple[int, int]]:
            text = match.string
            return [place for place in rule.check(match) if not self._allowed(text[slice(*place)], mail=mail)]

        return check

    def _allowed(self, text: str, *, mail: bool) -> bool:
        if text in self._values:
            return True
        local, _, domain = text.lower().rpartition("@")
        return mail and (local in self._mailboxes or domain in self._domains)


def version_of(policy: Policy) -> str:
    """The version of the rule table, followed by a digest of the operator's decisions if there are any."""
    from domain.masking.ruleset.table import TABLE_VERSION

    decided = repr((sorted(policy.off), sorted(policy.values), policy.own))
    if decided == repr(([], [], ())):
        return str(TABLE_VERSION)
    return f"{TABLE_VERSION}-{blake2b(decided.encode(), digest_size=6).hexdigest()}"
