"""Nodes of the Atlassian Document Format as a tree of bounded depth and size, and the text of inline ones."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from indexer.parse import macros
from indexer.parse.html_elements import BREAK
from indexer.parse.mentions import MentionCollector
from indexer.parse.outline import one_line

_FILE_NAME = re.compile(r"[^/\\\n]{1,200}\.[A-Za-z][A-Za-z0-9]{1,4}")
_INLINE = frozenset(
    {
        *("text", "hardBreak", "mention", "emoji", "date", "status", "inlineCard", "inlineExtension", "mediaInline"),
        *("placeholder", "media", "confluenceJiraIssue", "confluenceUnsupportedInline", "image"),
    }
)


@dataclass(slots=True, eq=False)
class AdfNode:
    """A node. attributes and links (what its link marks say of themselves) are as written, text that of a text node."""

    kind: str
    text: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    links: list[Mapping[str, Any]] = field(default_factory=list)
    children: "list[AdfNode]" = field(default_factory=list)

    @property
    def is_inline(self) -> bool:
        """Whether it is part of running text; an unknown node without content is."""
        return self.kind in _INLINE or (not self.children and bool(self.text))

    def attribute(self, *names: str) -> str:
        """The first of these attributes that is a text or a number and not empty; else empty."""
        found = (self.attributes.get(name) for name in names)
        return next((str(value) for value in found if _is_scalar(value) and str(value).strip()), "")

    def number(self, name: str, default: int) -> int:
        """A whole number of at most five digits, not negative."""
        text = self.attribute(name)
        return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else default


def tree(value: object, deepest: int, most: int, cut: Callable[[str], None]) -> AdfNode:
    """The root of the document that `value` is, as a JSON parser gives it.

    deepest: levels of nodes; of what is nested deeper only the text is kept. most: nodes; those that come later are
    left out. cut: told when there are more.
    """
    builder = _Builder(deepest, most)
    root = builder.node(value, 0)
    if builder.is_spent:
        cut(f"more than {most:,} nodes")
    return root


class _Builder:
    """Counts what it makes nodes of."""

    def __init__(self, deepest: int, most: int) -> None:
        self._deepest = deepest
        self._left = most

    def node(self, value: object, depth: int) -> AdfNode:
        """`value` and what is in it; anything that is no node is the text or the content of one."""
        if not self._takes_one():
            return AdfNode("")
        if isinstance(value, str):
            return AdfNode("text", value)
        if isinstance(value, list):
            value = {"content": value}
        if not isinstance(value, dict):
            return AdfNode("")
        text, kind, attributes = value.get("text"), value.get("type"), value.get("attrs")
        made = AdfNode(
            kind if isinstance(kind, str) else "",
            text if isinstance(text, str) else "",
            attributes if isinstance(attributes, dict) else {},
            [mark["attrs"] for mark in _as_list(value.get("marks")) if _is_link(mark)],
        )
        content = value.get("content")
        if depth >= self._deepest:
            made.children = [AdfNode("text", f"{part} ") for part in self._flat(content)]
        else:
            made.children = [self.node(each, depth + 1) for each in _as_list(content)]
        return made

    def _flat(self, content: object) -> Iterator[str]:
        """The texts in `content`, in their order; nothing twice, or an object that contains itself had no end."""
        seen: set[int] = set()
        waiting = [content]
        while waiting:
            value = waiting.pop()
            if not self._takes_one():
                return
            if isinstance(value, str):
                yield value
            if not isinstance(value, dict | list) or id(value) in seen:
                continue
            seen.add(id(value))
            parts = value if isinstance(value, list) else [value.get("text"), value.get("content")]
            waiting.extend(reversed(parts))

    @property
    def is_spent(self) -> bool:
        """Whether there were more nodes than are taken."""
        return self._left < 0

    def _takes_one(self) -> bool:
        self._left -= 1
        return not self.is_spent


class AdfInline:
    """Makes text of inline nodes and notes what they point at."""

    def __init__(self, mentioned: MentionCollector) -> None:
        self.mentioned = mentioned
        self._handlers: dict[str, Callable[[AdfNode], str]] = {
            "hardBreak": lambda _: BREAK,
            "placeholder": lambda _: "",
            "mention": self._mention,
            "emoji": lambda node: node.attribute("text", "shortName"),
            "date": _date,
            "status": lambda node: node.attribute("text"),
            "media": self._media,
            "image": self._media,
            "mediaInline": self._media,
            "extension": self.extension,
            "inlineExtension": self.extension,
            "confluenceJiraIssue": self._issue,
            **dict.fromkeys(("inlineCard", "blockCard", "embedCard"), self.card),
        }

    def text(self, node: AdfNode) -> str:
        """The text of `node` and what is in it, white space as it is, BREAK where a line ends."""
        self.note_links(node)
        handle = self._handlers.get(node.kind)
        if handle is not None:
            return handle(node)
        own = node.text or node.attribute("text", "title")
        inner = own + "".join(map(self.text, node.children))
        return inner if node.is_inline else f"{BREAK}{inner}{BREAK}"

    def line(self, nodes: list[AdfNode]) -> str:
        """The text of `nodes` on one line."""
        return one_line("".join(map(self.text, nodes)).replace(BREAK, " "))

    def note_links(self, node: AdfNode) -> None:
        """Note where `node` leads to; Confluence adds which of its pages that is."""
        for link in node.links:
            self.mentioned.url(_text(link.get("href")), node.text)
            page = _texts(link.get("__confluenceMetadata"))
            self.mentioned.page(page.get("contentTitle", ""), page.get("contentId", ""), page.get("spaceKey", ""))

    def card(self, node: AdfNode) -> str:
        """A link that is shown as a card: its URL, or the query of a list of issues."""
        data, source = node.attributes.get("data"), node.attributes.get("datasource")
        data = data if isinstance(data, dict) else {}
        url = node.attribute("url") or _text(data.get("url"))
        self.mentioned.url(url)
        given = source.get("parameters") if isinstance(source, dict) else None
        query, keys = macros.jira_text(_texts(given))
        for key in keys:
            self.mentioned.issue(key)
        return " ".join(filter(None, [_text(data.get("name")), query, url]))

    def extension(self, node: AdfNode) -> str:
        """A macro without a body, or the head of one with a body: its name, title and text."""
        name, given = extension_of(node)
        if name == "jira":
            text, keys = macros.jira_text(given)
            for key in keys:
                self.mentioned.issue(key)
            return f" {text} "
        if name in macros.INCLUDES:
            shown, space, title = macros.included(given)
            self.mentioned.page(title, space=space, included=True)
            return f"{BREAK}Included page: {shown}{BREAK}" if shown else ""
        if name == "status":
            return given.get("title", "")
        if macros.is_generated(name):
            return ""
        said, text = macros.described(name, given), node.attribute("text")
        return f" {said}{f' {text}' if text not in said else ''} "

    def _mention(self, node: AdfNode) -> str:
        """A person's name."""
        account = node.attribute("id")
        return self.mentioned.person(f"accountid:{account}" if account else "", node.attribute("text"))

    def _media(self, node: AdfNode) -> str:
        """What an image or a file is called; its id says nothing to anybody. Jira has a file's name as the `alt`."""
        url, name = node.attribute("url"), node.attribute("__fileName", "fileName", "name")
        alt = node.attribute("alt")
        self.mentioned.url(url)
        if not url:
            self.mentioned.attachment(name or (alt if _FILE_NAME.fullmatch(alt) else ""))
        return f" {alt or name} "

    def _issue(self, node: AdfNode) -> str:
        key = node.attribute("issueKey")
        self.mentioned.issue(key)
        return key


def extension_of(node: AdfNode) -> tuple[str, dict[str, str]]:
    """The name of the macro that an extension node stands for, and those of its parameters that are texts.

    An app's key is a path of its ids, whose last part is the macro.
    """
    parameters = node.attributes.get("parameters")
    parameters = parameters if isinstance(parameters, dict) else {}
    given = _texts(parameters)
    of_macro = parameters.get("macroParams")
    for key, value in of_macro.items() if isinstance(of_macro, dict) else ():
        given[str(key)] = _text(value.get("value") if isinstance(value, dict) else value)
    given.setdefault("title", given.get("extensionTitle", ""))
    return node.attribute("extensionKey").rpartition("/")[2].strip().lower(), given


def _is_link(mark: object) -> bool:
    return isinstance(mark, dict) and mark.get("type") == "link" and isinstance(mark.get("attrs"), dict)


def _date(node: AdfNode) -> str:
    """The day of a date node, which is in milliseconds since 1970, in UTC; as written when it is no such number."""
    written = node.attribute("timestamp")
    try:
        return datetime.fromtimestamp(int(written[:20]) / 1000, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return written


def _as_list(value: object) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _texts(value: object) -> dict[str, str]:
    """The entries of an object whose values are texts or numbers."""
    entries = value.items() if isinstance(value, dict) else ()
    return {str(key): str(each) for key, each in entries if _is_scalar(each)}


def _text(value: object) -> str:
    return str(value) if _is_scalar(value) else ""


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)
