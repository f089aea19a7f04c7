"""The masker that the settings describe."""

from functools import lru_cache

from config.settings import Settings
from domain.masking import Masker, OwnRule, Policy
from domain.masking.policy import ROLE_MAILBOXES


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
    return Masker(policy)
