"""Secrets and personal data are masked before they leave: one engine for index, model, reply, log and trace.

This is the only module of the package that others may import. How it works: `masker` cuts a text into `segments`, lets
`detector` look at each of them, also in other spellings (`text_views`, `decoding`), and puts `masked_text` together;
`ruleset` holds what is looked for, `policy` what an operator changes about that.
"""

from domain.masking.masked_text import WITHHELD, Finding, MaskedText, count_masks, masked_kinds, without_masks
from domain.masking.masker import Masker, MaskStream
from domain.masking.policy import ROLE_MAILBOXES, OwnRule, Policy
from domain.masking.ruleset.table import RULES

__all__ = [
    "ROLE_MAILBOXES",
    "RULES",
    "WITHHELD",
    "Finding",
    "MaskStream",
    "MaskedText",
    "Masker",
    "OwnRule",
    "Policy",
    "count_masks",
    "masked_kinds",
    "without_masks",
]
