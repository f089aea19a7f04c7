"""Equations in running text, of Office (OMML) and of web pages (MathML): `10^6` and `1/2`, not `106` and `12`."""

import re
from collections.abc import Callable
from itertools import islice
from typing import Any

from indexer.parse.superscripts import as_superscript

Element = Any
"""An element of a tree of lxml."""
TextOf = Callable[[Element], str]
"""Gives the text that is in an element."""

OFFICE = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}
_NOTHING = re.compile(r"\s*0(?:\.0*)?[a-z%]*\s*")
"""A thickness."""
MOST_MARKS = 4
"""Marks without text that are looked beyond, as Word puts them between words."""
_PLAIN = re.compile(r"[\w.,]*")


def equation_text(element: Element, text_of: TextOf) -> str:
    """The text of `element`: what is in it, or how it reads if it is a superscript or another part of an equation."""
    read = _READERS.get(element.tag)
    return text_of(element) if read is None else read(element, text_of)


def _parts(element: Element, text_of: TextOf) -> list[str]:
    """The texts of the elements in `element`, without its properties."""
    inner = (each for each in element if isinstance(each.tag, str) and not each.tag.endswith("Pr"))
    return [equation_text(each, text_of).strip() for each in inner]


def _grouped(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else f"({text})"


def _fraction(element: Element, text_of: TextOf) -> str:
    """A fraction, apart from a number or a name beside it: `2 1/2`; without a line it is two numbers, as `n over k`."""
    has_line = _set(element, "type", "") != "noBar" and not _NOTHING.fullmatch(element.get("linethickness", ""))
    line = "/" if has_line else " "
    after = element.getnext()
    joins = _before(element)[-1:].isalnum()
    goes_on = after is not None and next(filter(str.strip, after.itertext()), "").lstrip()[:1].isalnum()
    return f"{' ' * joins}{line.join(map(_grouped, _parts(element, text_of)))}{' ' * goes_on}"


def _before(element: Element) -> str:
    """The last words before `element`, also of what the equation stands in."""
    while (parent := element.getparent()) is not None:
        for before in islice(element.itersiblings(preceding=True), MOST_MARKS):
            if found := _end(before):
                return found
        if element.getprevious() is not None or (parent.text or "").strip():
            return (parent.text or "").rstrip()
        element = parent
    return ""


def _end(element: Element) -> str:
    """The last words in or behind `element`."""
    while not (element.tail or "").strip() and len(element):
        element = element[-1]
    return (element.tail or "").rstrip() or (element.text or "").rstrip()


def _raised(element: Element, text_of: TextOf) -> str:
    """The last part above the others."""
    *below, above = _parts(element, text_of) or [""]
    return "".join(below) + as_superscript(above)


def _root(inner: str, degree: str = "") -> str:
    return _ROOTS.get(degree, f"{degree}√") + _grouped(inner)


def _office_root(element: Element, text_of: TextOf) -> str:
    inner, *degree = reversed(_parts(element, text_of) or [""])
    return _root(inner, *degree[:1])


def _brackets(element: Element, text_of: TextOf) -> str:
    begin, between, end = (_set(element, *sign) for sign in (("begChr", "("), ("sepChr", "|"), ("endChr", ")")))
    return f"{begin}{between.join(_parts(element, text_of))}{end}"


def _operator(element: Element, text_of: TextOf) -> str:
    """A sum, an integral or the like: its limits, then what it is of."""
    *limits, inner = _parts(element, text_of) or [""]
    return f"{_set(element, 'chr', '∫')}{''.join(limits)} {inner}"


def _set(element: Element, name: str, usual: str) -> str:
    """The sign that the properties of an element of Office's name."""
    found = element.find(f"*/{OFFICE}{name}")
    return usual if found is None else str(found.get(f"{OFFICE}val", ""))


_READERS: dict[str, Callable[[Element, TextOf], str]] = {
    "sup": lambda element, text_of: as_superscript(text_of(element)),
    "mfrac": _fraction,
    **dict.fromkeys(("msup", "msubsup", "mover", "munderover"), _raised),
    "msqrt": lambda element, text_of: _root(text_of(element).strip()),
    "mroot": lambda element, text_of: _root(*(_parts(element, text_of) or [""])[:2]),
    f"{OFFICE}sup": lambda element, text_of: as_superscript(text_of(element)),
    f"{OFFICE}f": _fraction,
    f"{OFFICE}rad": _office_root,
    f"{OFFICE}d": _brackets,
    f"{OFFICE}nary": _operator,
}
