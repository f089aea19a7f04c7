"""Feast days that fall on the same day of every year, and their dates: other words for each other. Pure."""

from domain.text.days import named_days

FEASTS = (
    ("Christmas Eve", "24 December", "24. Dezember", "Heiligabend"),
    ("Christmas Day", "25 December", "25. Dezember", "erster Weihnachtsfeiertag", "1. Weihnachtsfeiertag"),
    ("Boxing Day", "26 December", "26. Dezember", "zweiter Weihnachtsfeiertag", "2. Weihnachtsfeiertag"),
    ("New Year's Eve", "31 December", "31. Dezember", "Silvester"),
    ("New Year's Day", "1 January", "1. Januar", "Neujahr"),
)
"""As questions and documents call them, in English and German."""


def feasts_named(text: str) -> str:
    """The names and the dates of the feast days that a text calls by a name, one after the other."""
    small = text.casefold()
    called = (feast for feast in FEASTS if any(each.casefold() in small for each in feast if not named_days(each)))
    return "; ".join(each for feast in called for each in feast)
