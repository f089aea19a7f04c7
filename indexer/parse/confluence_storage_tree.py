"""Confluence storage format as a tree: XML as people and add-ons leave it, well-formed or not.

An XML library stops at, or silently drops, what is not well-formed, and what HTML has no entity for; an HTML library
takes CDATA for a comment. This reader keeps all text whatever the mark-up around it: nothing is resolved, nothing is
fetched, and its time is linear in the input.
"""

import html
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from domain.patterns import LinearRegex, PatternMatch
from indexer.parse.html_elements import is_element

_VOID = frozenset({"br", "hr", "img", "col", "input", "wbr", "area", "link", "meta"})
# no attribute value holds "<": so that a tag ends, or proves to be none, before the next one begins
_TAG = LinearRegex(
    r"""<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9_:.-]*)(?P<attributes>(?:[^<>"']|"[^"<]*"|'[^'<]*')*)>"""
    r"""|<(?P<loose_end>/?)(?P<loose_name>[A-Za-z][A-Za-z0-9_:.-]*)(?:\s[^<>]*)?>"""
)
_ATTRIBUTE = LinearRegex(r"""([A-Za-z][A-Za-z0-9_:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_CDATA = "<![CDATA["


@dataclass(slots=True, eq=False)
class StorageElement:
    """An element. name and attributes are in lower case and as written, children in their order.

    holds_block: whether something in it is set apart from the text around it.
    """

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[StorageElement | str]" = field(default_factory=list)
    holds_block: bool = False

    def elements(self, *names: str) -> "Iterator[StorageElement]":
        """The elements directly in it, of these names when there are some."""
        for child in self.children:
            if isinstance(child, StorageElement) and (not names or child.name in names):
                yield child

    def text(self) -> str:
        """All text in it, as it stands."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


def tree(source: str, deepest: int, is_block: Callable[[StorageElement], bool]) -> StorageElement:
    """The root, an element without a name, of what `source` says.

    deepest: levels of elements; what is nested deeper loses its mark-up and keeps its text.
    """
    builder = _Builder(deepest, is_block)
    _read(source, builder)
    return builder.finish()


def unescaped(text: str) -> str:
    """`text` with its entities as characters; those of no standard stay as they are."""
    return _ENTITY.sub(lambda found: html.unescape(found[0]), text)


class _Builder:
    """Makes a tree of tags and texts, whatever their order."""

    def __init__(self, deepest: int, is_block: Callable[[StorageElement], bool]) -> None:
        self._is_block = is_block
        self._deepest = deepest
        self._root = StorageElement("")
        self._nodes = [self._root]
        self._open: list[tuple[str, bool]] = []
        self._counts: Counter[str] = Counter()

    def text(self, text: str) -> None:
        """Text at this place."""
        if text:
            self._nodes[-1].children.append(text)

    def start(self, name: str, attributes: dict[str, str], *, empty: bool) -> None:
        """A tag that begins an element. empty: it ends it, too."""
        is_kept = len(self._nodes) <= self._deepest
        if is_kept:
            element = StorageElement(name, attributes)
            self._nodes[-1].children.append(element)
            self._nodes.append(element)
        else:
            self.text(" ")
        self._open.append((name, is_kept))
        self._counts[name] += 1
        if empty:
            self._pop()

    def end(self, name: str) -> None:
        """A tag that ends an element and all that are still open in it; without a beginning, it is ignored."""
        if not self._counts[name]:
            return
        while self._open[-1][0] != name:
            self._pop()
        self._pop()

    def finish(self) -> StorageElement:
        """The root, everything ended."""
        while self._open:
            self._pop()
        return self._root

    def _pop(self) -> None:
        name, is_kept = self._open.pop()
        self._counts[name] -= 1
        if not is_kept:
            self.text(" ")
            return
        element = self._nodes.pop()
        self._nodes[-1].holds_block |= element.holds_block or self._is_block(element)


def _read(source: str, builder: _Builder) -> None:
    """Give `builder` the tags and texts of `source`."""
    place = 0
    missing: set[str] = set()
    while place < len(source):
        sign = source.find("<", place)
        sign = len(source) if sign < 0 else sign
        builder.text(unescaped(source[place:sign]))
        if sign == len(source):
            return
        following = source.find("<", sign + 1)
        found = _TAG.match(source[sign : following if following > 0 else len(source)])
        if found is not None:
            _tag(found, builder)
            place = sign + found.end()
        else:
            place = _special(source, sign, builder, missing)


def _tag(found: PatternMatch, builder: _Builder) -> None:
    name = (found["name"] or found["loose_name"]).lower()
    if ":" not in name and not is_element(name):
        builder.text(unescaped(found[0]))  # a placeholder or an address that nobody escaped
    elif found["end"] or found["loose_end"]:
        builder.end(name)
    else:
        attributes = found["attributes"]
        values = {
            key.lower(): unescaped(one or two)
            for key, one, two in map(PatternMatch.parts, _ATTRIBUTE.finditer(attributes))
        }
        builder.start(name, values, empty=name in _VOID or attributes.endswith("/"))


def _special(source: str, sign: int, builder: _Builder, missing: set[str]) -> int:
    """Read what begins with `<` and is no tag; where it ends. missing: ends that no longer come in `source`."""
    for start, end in ((_CDATA, "]]>"), ("<!--", "-->"), ("<!", ">"), ("<?", ">")):
        if not source.startswith(start, sign):
            continue
        stop = -1 if end in missing else source.find(end, sign + len(start))
        if stop < 0:
            missing.add(end)
            if start != _CDATA:
                return sign + len(start)  # only the sign is left out
            stop = len(source)  # CDATA that never ends is the rest of the source
        if start == _CDATA:
            builder.text(source[sign + len(start) : stop])
        return stop + len(end)
    builder.text("<")
    return sign + 1
