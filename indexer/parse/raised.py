"""Superscripts in running text: `10^6`, not `106`; and what it takes for text to be struck out."""

import re

_UP, _DOWN = "\x06", "\x0e"
"""Around a superscript until the text before it is known; no store wants them, and to none they are white space."""
_RAISED = re.compile(f"([\\w)]?){_UP}([^{_UP}{_DOWN}]*){_DOWN}")
_WORD = re.compile(r"[+\-−–]?\w")
_SHORT = re.compile(_WORD.pattern + r"[\w.,*+\-−–/]{0,7}")
_ORDINALS = frozenset("st nd rd th e er re ère ème o a º ª".split())  # noqa: SIM905 - words read more easily
STRUCK = frozenset({"del", "s", "strike"})
"""The elements of HTML that strike out what is in them: it does not hold any more, and is not indexed."""


def raised(text: str) -> str:
    """`text` marked as a superscript, for `settled`."""
    return f"{_UP}{text}{_DOWN}"


def settled(text: str) -> str:
    """`text` with its superscripts as they read: `10^6` and `word^1`, but `1st`; a long one is words of its own."""
    return _RAISED.sub(_settle, text.replace(f"{_DOWN}{_UP}", "")) if _UP in text else text


def _settle(found: re.Match[str]) -> str:
    before, text = found[1], found[2]
    inner = text.strip()
    is_ordinal = inner.casefold() in _ORDINALS and (before.isdigit() or inner == "th")
    if not before or is_ordinal or not _WORD.match(inner):
        return before + text
    return f"{before}{'^' if _SHORT.fullmatch(inner) else ' '}{text.lstrip()}"


def is_struck(name: str, style: str | None) -> bool:
    """Whether an element called `name` strikes out what is in it, by itself or by its style."""
    if name.lower() in STRUCK:
        return True
    rules = (rule.partition(":") for rule in (style or "").lower().split(";"))
    return any("line-through" in how for what, _, how in rules if what.strip().startswith("text-decoration"))
