"""All positives in one list."""

from tests.masking.case import Positive
from tests.masking.leaks import (
    cryptography,
    money_values,
    national_id_values_east,
    national_id_values_west,
    telephone_values,
    transforms,
)
from tests.masking.leaks.addresses import BASIC_URL, SSN
from tests.masking.leaks.cards import CARD, IBAN
from tests.masking.leaks.command_lines import COMMAND, URL_TOKEN
from tests.masking.leaks.connections import AUTH, CONNECTION
from tests.masking.leaks.evasions import EVASION
from tests.masking.leaks.keys import JWT, PRIVATE_KEY
from tests.masking.leaks.keys_and_values import KEY_VALUE
from tests.masking.leaks.keys_and_values_code import KEY_VALUE_CODE
from tests.masking.leaks.national_ids import NATIONAL
from tests.masking.leaks.people import EMAIL, PHONE
from tests.masking.leaks.prose_eastern import PROSE_C
from tests.masking.leaks.prose_southern import PROSE_B
from tests.masking.leaks.prose_told import PROSE_D
from tests.masking.leaks.prose_western import PROSE_A
from tests.masking.leaks.template import blocks, render_positives
from tests.masking.leaks.vendors import vendor_positives

# Importing these modules registers their generators and transforms.
REGISTERED = (
    cryptography,
    national_id_values_west,
    national_id_values_east,
    money_values,
    telephone_values,
    transforms,
)

KINDS: tuple[tuple[str, str], ...] = (
    ("jwt", JWT),
    ("private key", PRIVATE_KEY),
    ("basic auth url", BASIC_URL),
    ("card", CARD),
    ("us ssn", SSN),
    ("connection string", CONNECTION),
    ("auth header", AUTH),
    ("key value", KEY_VALUE + KEY_VALUE_CODE),
    ("url token", URL_TOKEN),
    ("e-mail", EMAIL),
    ("iban", IBAN),
    ("command line", COMMAND),
    ("telephone", PHONE),
    ("national id", NATIONAL),
    ("prose password", PROSE_A + PROSE_B + PROSE_C + PROSE_D),
    ("evasion", EVASION),
)


def all_positives(seed: int) -> list[Positive]:
    """The positives of every kind."""
    made = vendor_positives(seed)
    for kind, raw in KINDS:
        made += render_positives(kind, blocks(raw), seed)
    return made
