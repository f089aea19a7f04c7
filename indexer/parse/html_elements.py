"""What the elements of HTML are to a reader: blocks, running text, or nothing."""

import re
from collections.abc import Callable

import lxml.html
from lxml import etree
from lxml.html import HtmlElement

from indexer.parse.equations import equation_text
from indexer.parse.outline import one_line
from indexer.parse.strikethrough import is_struck


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BLOCK = _words(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol p pre search section summary table"
    " tbody td tfoot th thead tr ul"
)
_DROPPED = _words(
    "script style template noscript nav footer svg canvas iframe object embed video audio map head"
    " input select datalist annotation annotation-xml"
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_MORE_THAN_FIELDS = (*_HEADINGS, "table", "ul", "ol", "dl", "main", "article")
"""What a form holds that is more than fields to fill in."""
LONG_TEXT = 200
"""Characters from which on a form without such a thing is text, too."""
_NEWER_ELEMENTS = _words("bdi data dialog frame main nobr noframes picture rb search slot template")
_ELEMENTS = frozenset(lxml.html.defs.tags) | _NEWER_ELEMENTS
_CALLOUT = re.compile(
    r"\b(?:admonition|callout|note|tip|info|warning|caution|danger|important|alert)\b|starlight-aside"
)
_INVISIBLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!important\s*)?(?:;|$)")
_PERMALINKS = {"¶", "#", "§", "🔗"}
BREAK = "\v"
"""Stands for <br> until white space is collapsed."""


def number_of(text: str | None, default: int) -> int:
    """A whole number of at most five digits, as attributes have it."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 6 else default


def is_element(name: str) -> bool:
    """Whether HTML has an element called `name`."""
    return name.lower() in _ELEMENTS


def is_block_name(name: str) -> bool:
    """Whether what is inside an element called `name` is set apart from the text around it."""
    return name.lower() in _BLOCK


def is_block(element: HtmlElement) -> bool:
    """Whether `element` is set apart from the text around it, or contains something that is."""
    return element.tag in _BLOCK or next(element.iterdescendants(*_BLOCK), None) is not None


def is_dropped(element: HtmlElement) -> bool:
    """Whether readers do not see `element`, or not as part of the document."""
    if not isinstance(element.tag, str) or element.tag in _DROPPED:
        return True
    if is_struck(element.tag, element.get("style")):
        return True
    sometimes = _SOMETIMES_DROPPED.get(element.tag)
    return (sometimes is not None and sometimes(element)) or _is_hidden(element)


def _is_control(element: HtmlElement) -> bool:
    """Whether `element` is there to be pressed or filled in: outside a form and in a heading it shows text."""
    return bool(next(element.iterancestors(*_HEADINGS, "form"), element).tag == "form")


def _only_asks(form: HtmlElement) -> bool:
    """Whether a form is a part of the site and not of the text: a search, a subscription, a comment."""
    if form.get("role") == "search":
        return True
    if next(form.iterdescendants(*_MORE_THAN_FIELDS), None) is not None:
        return False
    length = 0
    for part in form.iter():
        is_said = part.tag not in {*_DROPPED, "option", "button", "textarea", etree.Comment}
        length += len(one_line(part.text or "")) * is_said + len(one_line(part.tail or "")) * (part is not form)
        if length >= LONG_TEXT:
            return False
    return True


def _is_hidden(element: HtmlElement) -> bool:
    """What is not shown at all; a tab that is not in front is shown on a click."""
    if element.get("hidden", "until-found") != "until-found":
        return bool(element.get("role") != "tabpanel")
    return _INVISIBLE.search(element.get("style", "").lower()) is not None


_SOMETIMES_DROPPED: dict[str, Callable[[HtmlElement], bool]] = {
    "a": lambda element: element.get("href", "").startswith("#") and element.text_content().strip() in _PERMALINKS,
    # the header of an article holds its heading
    "header": lambda element: next(element.iterancestors("main", "article"), None) is None,
    # it may be a note to the text
    "aside": lambda element: element.get("role") != "note" and _CALLOUT.search(element.get("class", "")) is None,
    "form": _only_asks,
    "button": _is_control,
    "textarea": _is_control,
    # an equation as it looks, behind what it says
    "span": lambda element: "katex-html" in element.get("class", "") and element.getprevious() is not None,
}
"""When elements of these names are dropped."""


def inline_text(element: HtmlElement) -> str:
    """The text of `element`, white space as it is, <br> as a mark, images as their alternative text."""
    if element.tag == "br":
        return BREAK
    if element.tag == "img":
        return f" {element.get('alt') or ''} "
    return equation_text(element, _inner_text)


def _inner_text(element: HtmlElement) -> str:
    pieces = [element.text or ""]
    for child in element:
        if not is_dropped(child):
            pieces.append(inline_text(child))
        pieces.append(child.tail or "")
    return "".join(pieces)


def heading_text(element: HtmlElement) -> str:
    """The text of a heading on one line."""
    return one_line(inline_text(element).replace(BREAK, " "))
