r"""How a rule of the detector is written: rows in small letters over the form that `detector` makes of a text.

In that form there is no mark-up of emphasis, and blanks are single spaces or line breaks. In a row, a space means a
blank of either sort, and ` {n} ` up to n words of one sentence between blanks.
"""

from domain.patterns import LinearRegex

_GAP = LinearRegex(r" \{(\d)\} ")


def rule(*rows: str) -> LinearRegex:
    """One pattern of several rows; words stand by themselves."""
    # words between, and a comma before them, but no end of a sentence
    either = _GAP.sub(lambda gap: rf"[,:;]? (?:\S*[^\s.!?] ){{0,{gap[1]}}}", "|".join(rows))
    return LinearRegex(either.replace(" ", r"[ \n]"), before=r"^|\W", after=r"\W|\Z")


def wide_rule(*alternatives: str) -> LinearRegex:
    """One pattern of a script that puts no blanks between words."""
    return LinearRegex("|".join(alternatives))
