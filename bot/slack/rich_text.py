"""Standard Markdown as rich_text blocks, whose texts are literal: nothing in them can call or link by itself. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from bot.slack.inline import NONE, Links, inline, live, merged
from bot.slack.limits import Block
from bot.slack.parts import Part, Run, blocks, header, paragraphs
from bot.slack.tables import table
from bot.terminal.plain import plain

NESTING = 40
"""Levels of quotes and lists. The parser drops what is nested deeper, so such a text is shown as it is."""
LONGEST = 20_000
"""Characters that are read as Markdown: reading takes time in proportion, and no written answer is as long."""
TOKENS = 20_000
"""Pieces of mark-up, for the same reason."""
BRACKETS = 2_000
"""Opening ones: the parser looks from each for its end."""
CELLS = 10_000
"""Of a table: the parser fills up short rows, and makes a great many cells out of few characters."""

_TASK = re.compile(r"\[([ xX])\](?=\s)")


def rich_text(markdown: str, cited: Mapping[int, str] | None = None) -> list[Block]:
    """Blocks that show a text of standard Markdown: header, divider and rich_text blocks that Slack takes.

    CommonMark with tables, strikethrough and task lists. cited: the addresses of citations by number; they, and what
    lies on their hosts, may be live. Raw HTML, emoji codes, definitions of links and all other addresses are literal;
    images are their alternative text and address. What is too long or nested too deeply is shown as it is written.
    Nothing is lost but blanks between words, the language of code, and the label of a link that pretends to be
    another.
    """
    text = plain(markdown)
    links = Links.of(cited) if cited else NONE
    tokens = _parsed(text)
    if tokens is None:
        return blocks(_literal(text, links))
    walker = _Walker(links)
    walker.walk(SyntaxTreeNode(tokens), _Place())
    return blocks(walker.parts)


def literal(text: str) -> list[Block]:
    """Blocks that show a text as it is written."""
    return blocks(paragraphs(plain(text)))


def preformatted(code: str) -> list[Block]:
    """Blocks that show code as it is."""
    return blocks([Part("code", (Run(plain(code).strip("\n")),))])


def _literal(text: str, links: Links) -> list[Part]:
    """A text as it is written, with what may be live as links."""
    return [replace(part, runs=merged(live(part.text, (), links))) for part in paragraphs(text)]


def _parsed(text: str) -> list[Token] | None:
    """The text's tokens; None where it asks for more than a text that is meant to be read does."""
    lines = text.split("\n")
    if len(text) > LONGEST or text.count("[") > BRACKETS:
        return None
    if len(lines) * max(line.count("|") for line in lines) > CELLS:
        return None
    tokens = _parser().parse(text)
    deep = any(token.level >= NESTING - 1 for token in tokens)
    return None if deep or len(tokens) > TOKENS else tokens


@cache
def _parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "maxNesting": NESTING}).enable(["table", "strikethrough"])
    # a definition would make a marker such as [1] lead elsewhere, and is not shown itself
    return markdown.disable("reference")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a node stands: whether in a quote, and in how many lists."""

    quoted: bool = False
    lists: int = 0


class _Walker:
    """Collects the parts of a tree of Markdown."""

    def __init__(self, links: Links) -> None:
        self.parts: list[Part] = []
        self._links = links

    def walk(self, node: SyntaxTreeNode, place: _Place) -> None:
        """All children of a node, in their order."""
        for child in node.children:
            self._one(child, place)

    def _one(self, node: SyntaxTreeNode, place: _Place) -> None:
        match node.type:
            case "heading":
                within = place.quoted or place.lists > 0
                self.parts.append(header(inline(node, self._links), within=within, quoted=place.quoted))
            case "paragraph":
                self.parts.append(Part("text", inline(node, self._links), place.quoted))
            case "fence" | "code_block":
                self.parts.append(Part("code", (Run(node.content.rstrip("\n")),), place.quoted))
            case "hr":
                self.parts.append(Part("rule"))
            case "table":
                self.parts += table(self._rows(node), quoted=place.quoted)
            case "bullet_list" | "ordered_list":
                self._list(node, place)
            case _:
                self.walk(node, replace(place, quoted=place.quoted or node.type == "blockquote"))

    def _list(self, node: SyntaxTreeNode, place: _Place) -> None:
        ordered = node.type == "ordered_list"
        first = int(node.attrs.get("start", 1)) if ordered else 1
        for number, item in enumerate(node.children, start=first):
            empty = Part("item", (), place.quoted, ordered, place.lists, number)
            self._item(item, replace(place, lists=place.lists + 1), empty)

    def _item(self, node: SyntaxTreeNode, place: _Place, item: Part) -> None:
        """An item with the paragraphs that follow its first; what else stands in it follows it."""
        own: Part | None = None
        for place_of_child, child in enumerate(node.children):
            runs = inline(child, self._links) if child.type == "paragraph" else ()
            if runs and place_of_child == 0:
                own = replace(item, runs=_with_box(runs))
                self.parts.append(own)
            elif runs and own is not None and self.parts[-1] is own:
                own = replace(own, runs=(*own.runs, Run("\n"), *runs))
                self.parts[-1] = own
            else:
                self._one(child, place)

    def _rows(self, node: SyntaxTreeNode) -> list[list[tuple[Run, ...]]]:
        return [[inline(cell, self._links) for cell in row.children] for part in node.children for row in part.children]


def _with_box(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """The runs of an item; that of a task list begins with a box."""
    if runs[0].styles or not (found := _TASK.match(runs[0].text)):
        return runs
    box = "☐" if found[1] == " " else "☑"
    return (replace(runs[0], text=box + runs[0].text[found.end() :]), *runs[1:])
