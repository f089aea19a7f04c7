"""What an operator may decide about masking."""

from dataclasses import dataclass

ROLE_MAILBOXES = (
    "abuse",
    "accounting",
    "accounts",
    "admin",
    "billing",
    "careers",
    "compliance",
    "contact",
    "customerservice",
    "datenschutz",
    "dpo",
    "events",
    "facilities",
    "feedback",
    "finance",
    "hello",
    "help",
    "helpdesk",
    "hostmaster",
    "hr",
    "info",
    "invoices",
    "it",
    "it-support",
    "jobs",
    "legal",
    "mailer-daemon",
    "marketing",
    "media",
    "no-reply",
    "noc",
    "noreply",
    "office",
    "oncall",
    "operations",
    "ops",
    "orders",
    "payroll",
    "people",
    "postmaster",
    "press",
    "privacy",
    "procurement",
    "recruiting",
    "reception",
    "sales",
    "security",
    "service",
    "servicedesk",
    "support",
    "team",
    "webmaster",
)
"""Local parts of addresses that belong to an office, not to a person; RFC 2142 lists the first of them."""


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule of the operator's. name: of the kind, as the mask shows it. pattern: in RE2's syntax; what is masked is
    group 1 where there is one, else the whole match. keywords: one of them must occur, in any case, before the pattern
    is tried; none: it is always tried."""

    name: str
    pattern: str
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """What is masked, and what is not.

    off: kinds that are left alone. mailboxes: local parts of e-mail addresses that may be shown. domains: whose
    addresses may be shown, all of them. values: that may be shown wherever they stand, such as examples in the
    company's own documentation. own: further rules, for secrets.
    """

    off: frozenset[str] = frozenset()
    mailboxes: tuple[str, ...] = ROLE_MAILBOXES
    domains: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    own: tuple[OwnRule, ...] = ()
