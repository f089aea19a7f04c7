"""HTML that is safe by its type: a text becomes markup by being escaped, and in no other way. Pure."""

from html import escape
from typing import final

_VOID = frozenset({"br", "hr", "input", "link", "meta", "rect"})


@final
class Html(str):
    """Markup. Only `element`, `joined` and `text` make it."""

    __slots__ = ()


Child = str | None
"""A text, which is escaped; markup, which is not; or nothing."""

Attribute = str | int | bool | None
"""A value, which is escaped; whether an attribute without one is there; or nothing."""


def text(given: str) -> Html:
    """A text as markup. What no page may hold, such as a NUL, is left out."""
    return given if isinstance(given, Html) else Html(escape("".join(filter(_may_stand, given))))


def _may_stand(letter: str) -> bool:
    return letter in "\t\n" or (letter >= " " and not "\x7f" <= letter <= "\x9f" and not "\ud800" <= letter <= "\udfff")


def joined(*children: Child) -> Html:
    """What stands side by side."""
    return Html("".join(text(each) for each in children if each))


def element(tag: str, /, *children: Child, **attributes: Attribute) -> Html:
    """An element. An attribute's name has `_` for `-`; one at the end is dropped, as in `class_`."""
    given = "".join(_attribute(key, value) for key, value in attributes.items())
    return Html(f"<{tag}{given}/>" if tag in _VOID else f"<{tag}{given}>{joined(*children)}</{tag}>")


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(str(value))}"'
