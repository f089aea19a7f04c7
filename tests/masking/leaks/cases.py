"""Texts in which somebody lets out secrets or personal data, and texts that only look like it."""

from tests.masking.case import Negative, Positive
from tests.masking.leaks.clean_code import NEG_CODE
from tests.masking.leaks.clean_configuration import NEG_CONFIGURATION
from tests.masking.leaks.clean_data import NEG_DATA
from tests.masking.leaks.clean_departments import LONG_B
from tests.masking.leaks.clean_languages import LONG_C
from tests.masking.leaks.clean_placeholders import placeholder_negatives
from tests.masking.leaks.clean_prose import NEG_PROSE
from tests.masking.leaks.clean_runbooks import LONG_A
from tests.masking.leaks.positives import all_positives
from tests.masking.leaks.template import render_negatives


def positives(seed: int) -> list[Positive]:
    """All texts that hold secrets."""
    return all_positives(seed)


def negatives(seed: int) -> list[Negative]:
    """All texts that must come back unchanged."""
    made = placeholder_negatives(seed)
    for label, raw in (
        ("code", NEG_CODE + NEG_CONFIGURATION),
        ("data", NEG_DATA),
        ("prose", NEG_PROSE),
        ("a", LONG_A),
        ("b", LONG_B),
        ("c", LONG_C),
    ):
        made += render_negatives(raw, seed, label)
    return made
