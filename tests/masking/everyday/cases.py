"""Texts as people of all departments write and paste them: with secrets, and without any."""

from random import Random

from tests.masking.case import Negative, Positive
from tests.masking.everyday import (
    clean_more,
    clean_pages,
    clean_texts,
    credentials,
    keys_and_commands,
    personal,
    prose_eastern,
    prose_more,
    prose_western,
    vendors,
)
from tests.masking.everyday.plain_values import VALUES
from tests.masking.everyday.template import make_negatives, make_positives

__all__ = ["Negative", "Positive", "negatives", "positives"]

SOURCES: tuple[tuple[str, str], ...] = (
    ("vendor token", vendors.VENDOR),
    ("jwt", credentials.JWT),
    ("private key", credentials.KEY),
    ("basic auth url", credentials.URL),
    ("card", personal.CARD),
    ("us ssn", personal.SSN),
    ("connection string", credentials.CONNECTION),
    ("auth header", credentials.HEADER),
    ("key value", keys_and_commands.KEYVALUE),
    ("url token", keys_and_commands.URLTOKEN),
    ("e-mail", personal.MAIL),
    ("iban", personal.IBAN),
    ("command line", keys_and_commands.COMMAND),
    ("telephone", personal.PHONE),
    ("national id", personal.NATIONAL),
    ("prose password", prose_western.PROSE_WEST),
    ("prose password", prose_eastern.PROSE_EAST),
    ("prose password", prose_more.PROSE_MORE),
    ("evasion", prose_eastern.EVASION),
)


def positives(seed: int) -> list[Positive]:
    """All positives of a seed."""
    rng = Random(seed)
    return [case for kind, source in SOURCES for case in make_positives(kind, source, VALUES, rng)]


def negatives(seed: int) -> list[Negative]:
    """All negatives of a seed."""
    rng = Random(seed + 1)
    sources = (clean_texts.SHORT, clean_more.WORLD, clean_pages.LONG)
    return [case for source in sources for case in make_negatives(source, VALUES, rng)]
