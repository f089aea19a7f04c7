"""The rule table, in the order of precedence: where findings overlap, the kind of the first one is named."""

from domain.masking.ruleset.command_lines import COMMANDS
from domain.masking.ruleset.credentials import CREDENTIALS
from domain.masking.ruleset.key_value import ASSIGNMENTS
from domain.masking.ruleset.mail_and_accounts import PERSONAL
from domain.masking.ruleset.national_ids import PERSONS
from domain.masking.ruleset.private_keys import PRIVATE_KEYS
from domain.masking.ruleset.prose import PROSE
from domain.masking.ruleset.rule import Rule
from domain.masking.ruleset.statements import STATEMENTS
from domain.masking.ruleset.telephone_numbers import TELEPHONES
from domain.masking.ruleset.vendor_tokens_business import BUSINESS
from domain.masking.ruleset.vendor_tokens_cloud import CLOUD
from domain.masking.ruleset.vendor_tokens_platform import PLATFORM

RULES: tuple[Rule, ...] = (
    *PRIVATE_KEYS,
    *CREDENTIALS,
    *CLOUD,
    *BUSINESS,
    *PLATFORM,
    *COMMANDS,
    *ASSIGNMENTS,
    *STATEMENTS,
    *PROSE,
    *PERSONAL,
    *PERSONS,
    *TELEPHONES,
)

TABLE_VERSION = 4
"""Raised whenever a rule for secrets finds more than before, so that documents are masked anew."""
