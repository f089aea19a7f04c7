"""The rule table, in the order of precedence: where findings overlap, the kind of the first one is named."""

from domain.masking.assignments import ASSIGNMENTS
from domain.masking.commands import COMMANDS
from domain.masking.credentials import CREDENTIALS
from domain.masking.personal import PERSONAL
from domain.masking.persons import PERSONS
from domain.masking.prose import PROSE
from domain.masking.rule import Rule
from domain.masking.statements import STATEMENTS
from domain.masking.telephones import TELEPHONES
from domain.masking.vendors_business import BUSINESS
from domain.masking.vendors_cloud import CLOUD
from domain.masking.vendors_platform import PLATFORM

RULES: tuple[Rule, ...] = (
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

TABLE_VERSION = 3
"""Raised whenever a rule for secrets finds more than before, so that documents are masked anew."""
