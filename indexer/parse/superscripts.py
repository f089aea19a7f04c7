"""Superscripts in running text: `10^6`, not `106`."""

import re

_UP, _DOWN = "\x06", "\x0e"
"""Around a superscript until the text before it is known; no store wants them, and to none they are white space."""
DEEPEST = 3
"""Superscripts within each other that are told apart."""
_MARKED = re.compile(f"([\\w)]?){_UP}([^{_UP}{_DOWN}]*){_DOWN}")
_WORD = re.compile(r"[+\-−–]?\w")
_SHORT = re.compile(_WORD.pattern + r"[\w.,*+\-−–/^]{0,7}")
_ORDINALS = frozenset("st nd rd th e er re ère ème o a º ª".split())  # noqa: SIM905 - words read more easily


def as_superscript(text: str) -> str:
    """`text` marked as a superscript, for `with_carets`."""
    return f"{_UP}{text}{_DOWN}"


def with_carets(text: str) -> str:
    """`text` with its superscripts as they read: `10^6` and `word^1`, but `1st`; a long one is words of its own."""
    text = text.replace(f"{_DOWN}{_UP}", "")
    for _ in range(DEEPEST):
        if _UP not in text:
            break
        text = _MARKED.sub(_settle, text)
    return text


def _settle(found: re.Match[str]) -> str:
    before, text = found[1], found[2]
    inner = text.strip()
    is_ordinal = inner.casefold() in _ORDINALS and (before.isdigit() or inner == "th")
    if not before or is_ordinal or not _WORD.match(inner):
        return before + text
    return f"{before}{'^' if _SHORT.fullmatch(inner) else ' '}{text.lstrip()}"
