"""The masker that the settings describe."""

import logging
import threading
from functools import lru_cache

from config.settings import Settings
from domain.masking import ROLE_MAILBOXES, Masker, OwnRule, Policy

_log = logging.getLogger(__name__)
_saying = threading.local()


def policy_of(settings: Settings) -> Policy:
    """What the operator decided about masking."""
    wanted = settings.masking
    return Policy(
        off=frozenset(wanted.mask_off),
        mailboxes=(*ROLE_MAILBOXES, *wanted.mask_mailboxes),
        domains=wanted.mask_domains,
        values=wanted.mask_values,
        own=tuple(OwnRule(rule.name, rule.pattern, rule.keywords) for rule in wanted.masking_rules),
    )


@lru_cache(maxsize=4)
def masker_of(policy: Policy) -> Masker:
    """The masker of a policy, compiled once.

    Raises:
        Misconfigured: a rule of the operator's own, or a kind that is switched off, is not what it should be.
    """
    return Masker(policy, report=log_withheld)


def log_withheld(reason: str) -> None:
    """Into the log, that a text was withheld. Lines of the log are masked: one that cannot be is not told of."""
    if getattr(_saying, "now", False):
        return
    _saying.now = True
    try:
        _log.warning("A text was withheld, because it could not be masked: %s", reason)
    finally:
        _saying.now = False
