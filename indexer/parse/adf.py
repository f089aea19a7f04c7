"""Atlassian Document Format: the JSON in which Jira Cloud, and on request Confluence Cloud, keeps rich text.

The nodes are those of version 1 as Atlassian publishes it (its JSON schema in the package `@atlaskit/adf-schema`, and
the reference of nodes on developer.atlassian.com), with those that only Confluence or newer editors write. They become
elements of Confluence's storage format, so that one walker writes both formats into an outline.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import dropwhile
from typing import Any

from indexer.parse import confluence_storage as storage_format
from indexer.parse import macros
from indexer.parse.bundle import as_object, as_text
from indexer.parse.confluence_storage_inline import is_block
from indexer.parse.confluence_storage_tree import StorageElement, tree
from indexer.parse.html_elements import BREAK, number_of
from indexer.parse.mentions import MentionCollector
from indexer.parse.outline import Outline
from indexer.parse.superscripts import as_superscript

_FILE_NAME = re.compile(r"[^/\\\n]{1,200}\.[A-Za-z][A-Za-z0-9]{1,4}")
_LISTS = {"bulletList": "ul", "orderedList": "ol", "taskList": "ac:task-list"}
_Parts = list[StorageElement | str]


def add_fragment(out: Outline, value: object, mentioned: MentionCollector) -> None:
    """Add the text of `value`, a document as a JSON parser gives it. Raises Unparsable beyond the limits."""
    reader = _Reader(mentioned, min(storage_format.DEEPEST, out.limits.nesting), out.limits.nodes)
    root = StorageElement("", children=reader.document(value))
    if reader.is_spent:
        out.cut(f"more than {out.limits.nodes:,} nodes")
    storage_format.add_elements(out, root, mentioned)


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of the JSON tree."""

    kind: str
    text: str
    attributes: Mapping[str, Any]
    links: list[Mapping[str, Any]]
    """The attributes of its link marks."""
    content: object
    """What is in it, not read yet."""
    depth: int
    """Levels above it."""
    is_struck: bool

    def attribute(self, *names: str) -> str:
        """The first of these attributes that is a text or a number and not empty; else empty."""
        found = (self.attributes.get(name) for name in names)
        return next((str(value) for value in found if _is_scalar(value) and str(value).strip()), "")


class _Reader:
    """Makes elements of blocks and text of inline nodes, white space as it is, BREAK where a line ends.

    mentioned: notes the targets of the nodes. deepest: levels of nodes; of what is nested deeper only the text is
    kept. most: nodes; those that come later are left out.
    """

    def __init__(self, mentioned: MentionCollector, deepest: int, most: int) -> None:
        self._mentioned = mentioned
        self._deepest = deepest
        self._left = most
        self._headings = 0
        self._inline: dict[str, Callable[[_Node], str]] = {
            "hardBreak": lambda _: BREAK,
            "placeholder": lambda _: "",
            "mention": self._mention,
            "emoji": lambda node: node.attribute("text", "shortName"),
            "date": _date,
            "status": lambda node: node.attribute("text"),
            **dict.fromkeys(("media", "image", "mediaInline"), self._media),
            "inlineExtension": self._macro_text,
            "confluenceJiraIssue": self._issue,
            "inlineCard": self._card,
        }
        self._blocks: dict[str, Callable[[_Node], StorageElement]] = {
            "heading": self._heading,
            **dict.fromkeys(_LISTS, self._list),
            "listItem": lambda node: _element("li", self._children(node)),
            **dict.fromkeys(("taskItem", "blockTaskItem"), self._task),
            "decisionList": lambda node: _element("ul", [_element("li", [each]) for each in self._children(node)]),
            "decisionItem": self._decision,
            "codeBlock": self._code,
            "table": self._table,
            "tableRow": lambda node: _element("tr", self._children(node)),
            **dict.fromkeys(("tableCell", "tableHeader"), self._cell),
            "panel": self._panel,
            **dict.fromkeys(("expand", "nestedExpand"), self._expand),
            **dict.fromkeys(("extension", "bodiedExtension", "multiBodiedExtension"), self._extension),
            "confluenceUnsupportedBlock": self._storage,
            **dict.fromkeys(("blockCard", "embedCard"), lambda node: _element("p", [self._card(node)])),
        }

    @property
    def is_spent(self) -> bool:
        """Whether there were more nodes than are taken."""
        return self._left < 0

    def document(self, value: object) -> _Parts:
        """The content of the document `value`; where it is a single inline node, its text."""
        root = self._node(value, 0)
        return self._parts(root) if self._is_inline(root) else self._children(root)

    def _node(self, value: object, depth: int) -> _Node:
        """`value` as a node; anything that is no node is the text or the content of one."""
        self._left -= 1
        if isinstance(value, str | list):
            value = {"type": "text", "text": value} if isinstance(value, str) else {"content": value}
        if self.is_spent or not isinstance(value, dict):
            value = {}
        marks = [as_object(each) for each in _as_list(value.get("marks"))]
        is_raised = any(
            as_object(each.get("attrs")).get("type") == "sup" for each in marks if each.get("type") == "subsup"
        )
        said = as_text(value.get("text"))
        return _Node(
            as_text(value.get("type")),
            as_superscript(said) if is_raised else said,
            as_object(value.get("attrs")),
            [as_object(each.get("attrs")) for each in marks if each.get("type") == "link"],
            value.get("content"),
            depth,
            any(each.get("type") == "strike" for each in marks),
        )

    def _is_inline(self, node: _Node) -> bool:
        """Whether it is part of running text; an unknown node without content is."""
        known = node.kind in self._inline or node.kind in {"text", "confluenceUnsupportedInline"}
        return known or (bool(node.text) and not node.content and node.kind not in self._blocks)

    def _parts(self, node: _Node) -> _Parts:
        self._note_links(node)
        if node.kind in self._inline:
            return [self._inline[node.kind](node).replace("\n", BREAK)]
        if node.kind in self._blocks:
            return [self._blocks[node.kind](node)]
        own = (node.text or node.attribute("text", "title")).replace("\n", BREAK)
        if self._is_inline(node):
            return [own, *self._children(node)]
        return [_element("div", [_element("p", [own]), *self._children(node)])]

    def _children(self, node: _Node) -> _Parts:
        if node.depth >= self._deepest:
            return [f"{text} ".replace("\n", BREAK) for text in self._flat(node.content)]
        inner = (self._node(each, node.depth + 1) for each in _as_list(node.content))
        return [part for each in inner if not each.is_struck for part in self._parts(each)]

    def _flat(self, content: object) -> Iterator[str]:
        """The texts in `content`, in their order; nothing twice, or an object that contains itself had no end."""
        seen: set[int] = set()
        waiting = [content]
        while waiting:
            value = waiting.pop()
            self._left -= 1
            if self.is_spent:
                return
            if isinstance(value, str):
                yield value
            if not isinstance(value, dict | list) or id(value) in seen:
                continue
            seen.add(id(value))
            parts = value if isinstance(value, list) else [value.get("text"), value.get("content")]
            waiting.extend(reversed(parts))

    def _heading(self, node: _Node) -> StorageElement:
        self._headings += 1
        level = min(max(number_of(node.attribute("level"), 1), 1), 6)
        return _element(f"h{level}", self._children(node))

    def _list(self, node: _Node) -> StorageElement:
        """A list; a text in it that is no item is a block of its own."""
        blocks = [_element("div", [each]) if isinstance(each, str) else each for each in self._children(node)]
        return _element(_LISTS[node.kind], list(blocks), start=node.attribute("order"))

    def _task(self, node: _Node) -> StorageElement:
        state = "complete" if node.attribute("state") == "DONE" else "incomplete"
        return _element("ac:task", [_element("ac:task-status", [state]), *self._children(node)])

    def _decision(self, node: _Node) -> StorageElement:
        said = list(dropwhile(lambda part: isinstance(part, str) and not part.strip(), self._children(node)))
        return _element("div", ["Decision: ", *said] if said else [])

    def _code(self, node: _Node) -> StorageElement:
        return _macro(
            "code", {"language": node.attribute("language")}, [node.text, *self._children(node)], "plain-text"
        )

    def _table(self, node: _Node) -> StorageElement:
        """A table; one with headings in it only arranges blocks on the page."""
        before = self._headings
        rows = self._children(node)
        return _element("table" if self._headings == before else "div", rows)

    def _cell(self, node: _Node) -> StorageElement:
        name, given = "th" if node.kind == "tableHeader" else "td", node.attribute
        return _element(name, self._children(node), colspan=given("colspan"), rowspan=given("rowspan"))

    def _panel(self, node: _Node) -> StorageElement:
        kind = StorageElement("ac:adf-attribute", {"key": "panel-type"}, [node.attribute("panelType")])
        return _element("ac:adf-node", [kind, *self._children(node)], type="panel")

    def _expand(self, node: _Node) -> StorageElement:
        return _macro("expand", {"title": node.attribute("title")}, self._children(node))

    def _extension(self, node: _Node) -> StorageElement:
        """A macro that is a block of its own: what it says of itself, then its body."""
        name, given = _macro_of(node)
        title = {"title": given.get("title", "")}
        if name in macros.PANELS or name in macros.EXPANDS:
            return _macro(name, title, self._children(node))
        if name in macros.TRANSPARENT | macros.QUOTES:
            return _macro("quote", title, self._children(node))
        head = _element("p", [self._macro_text(node)])
        body = [] if name in macros.INCLUDES else [_macro("quote", {}, self._children(node))]
        return _element("div", [head, *body])

    def _storage(self, node: _Node) -> StorageElement:
        """Content in storage format, which Confluence could not turn into nodes."""
        return _element("div", [*tree(node.attribute("cxhtml"), self._deepest, is_block).children])

    def _note_links(self, node: _Node) -> None:
        """Note where `node` leads to; Confluence adds which of its pages that is."""
        for link in node.links:
            self._mentioned.url(_text(link.get("href")), node.text)
            page = _texts(link.get("__confluenceMetadata"))
            self._mentioned.page(page.get("contentTitle", ""), page.get("contentId", ""), page.get("spaceKey", ""))

    def _card(self, node: _Node) -> str:
        """A link that is shown as a card: its URL, or the query of a list of issues."""
        data, source = (as_object(node.attributes.get(name)) for name in ("data", "datasource"))
        url = node.attribute("url") or _text(data.get("url"))
        self._mentioned.url(url)
        query = macros.jira_text(_texts(source.get("parameters")), self._mentioned)
        return " ".join(filter(None, [_text(data.get("name")), query, url]))

    def _macro_text(self, node: _Node) -> str:
        """A macro without a body, or the head of one with a body: its name, title and text."""
        name, given = _macro_of(node)
        if name == "jira":
            return f" {macros.jira_text(given, self._mentioned)} "
        if name in macros.INCLUDES:
            shown, space, title = macros.included(given)
            self._mentioned.page(title, space=space, included=True)
            return f"{BREAK}Included page: {shown}{BREAK}" if shown else ""
        if name == "status":
            return given.get("title", "")
        if macros.is_generated(name):
            return ""
        said, text = macros.described(name, given), node.attribute("text")
        return f" {said}{f' {text}' if text not in said else ''} "

    def _mention(self, node: _Node) -> str:
        """A person's name."""
        account = node.attribute("id")
        return self._mentioned.person(f"accountid:{account}" if account else "", node.attribute("text"))

    def _media(self, node: _Node) -> str:
        """The name of an image or a file, never its id. Jira gives a file's name as `alt`."""
        url, name = node.attribute("url"), node.attribute("__fileName", "fileName", "name")
        alt = node.attribute("alt")
        self._mentioned.url(url)
        if not url:
            self._mentioned.attachment(name or (alt if _FILE_NAME.fullmatch(alt) else ""))
        return f" {alt or name} "

    def _issue(self, node: _Node) -> str:
        key = node.attribute("issueKey")
        self._mentioned.issue(key)
        return key


def _element(name: str, children: _Parts, **attributes: str) -> StorageElement:
    return StorageElement(name, attributes, children, any(isinstance(each, StorageElement) for each in children))


def _macro(name: str, given: Mapping[str, str], content: _Parts, body: str = "rich-text") -> StorageElement:
    parameters = [StorageElement("ac:parameter", {"ac:name": key}, [value]) for key, value in given.items()]
    inner = _element(f"ac:{body}-body", content)
    return StorageElement("ac:structured-macro", {"ac:name": name}, [*parameters, inner], holds_block=True)


def _macro_of(node: _Node) -> tuple[str, dict[str, str]]:
    """The name of the macro that an extension node stands for, and those of its parameters that are texts.

    An app's key is a path of its ids, whose last part is the macro.
    """
    parameters = as_object(node.attributes.get("parameters"))
    given = _texts(parameters)
    for key, value in as_object(parameters.get("macroParams")).items():
        given[str(key)] = _text(value.get("value") if isinstance(value, dict) else value)
    given.setdefault("title", given.get("extensionTitle", ""))
    return node.attribute("extensionKey").rpartition("/")[2].strip().lower(), given


def _date(node: _Node) -> str:
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
    return {str(key): str(each) for key, each in as_object(value).items() if _is_scalar(each)}


def _text(value: object) -> str:
    return str(value) if _is_scalar(value) else ""


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)
