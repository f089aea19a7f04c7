"""Standard Markdown read as parts. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from bot.markup.inline import AllowedLinks, inline, live, merged
from bot.markup.tables import table
from bot.markup.text_parts import TextPart, TextRun, paragraphs

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


def read_markdown(text: str, links: AllowedLinks) -> list[list[TextPart]]:
    """The blocks of a text, each as its parts. A list, a quote or a table is one block.

    CommonMark with tables, strikethrough and task lists; raw HTML, emoji codes and definitions of links are literal. A
    text that is too long or nested too deeply is taken as it is written, a paragraph a block. What `links` allows is
    live. What stands before the last block of a text that ends with a line is the same whatever follows.
    """
    tokens = _parsed(text)
    if tokens is None:
        return [[replace(part, runs=merged(live(part.text, (), links)))] for part in paragraphs(text)]
    return [list(_Walker(links).one(node, _Place())) for node in SyntaxTreeNode(tokens).children]


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
    def __init__(self, links: AllowedLinks) -> None:
        self._links = links

    def one(self, node: SyntaxTreeNode, place: _Place) -> Iterator[TextPart]:
        """The parts of a node."""
        match node.type:
            case "heading":
                yield TextPart("header", inline(node, self._links), place.quoted, indent=place.lists)
            case "paragraph":
                yield TextPart("text", inline(node, self._links), place.quoted)
            case "fence" | "code_block":
                yield TextPart("code", (TextRun(node.content.rstrip("\n")),), place.quoted)
            case "hr":
                yield TextPart("rule")
            case "table":
                rows = [row for part in node.children for row in part.children]
                cells = [[inline(cell, self._links) for cell in row.children] for row in rows]
                yield from table(cells, quoted=place.quoted)
            case "bullet_list" | "ordered_list":
                yield from self._list(node, place)
            case _:
                within = replace(place, quoted=place.quoted or node.type == "blockquote")
                for child in node.children:
                    yield from self.one(child, within)

    def _list(self, node: SyntaxTreeNode, place: _Place) -> Iterator[TextPart]:
        ordered = node.type == "ordered_list"
        first = int(node.attrs.get("start", 1)) if ordered else 1
        for number, item in enumerate(node.children, start=first):
            empty = TextPart("item", (), place.quoted, ordered, place.lists, number)
            yield from self._item(item, replace(place, lists=place.lists + 1), empty)

    def _item(self, node: SyntaxTreeNode, place: _Place, item: TextPart) -> list[TextPart]:
        """An item with the paragraphs that follow its first; what else stands in it follows it."""
        own: TextPart | None = None
        parts: list[TextPart] = []
        for place_of_child, child in enumerate(node.children):
            runs = inline(child, self._links) if child.type == "paragraph" else ()
            if runs and place_of_child == 0:
                own = replace(item, runs=_with_box(runs))
                parts.append(own)
            elif runs and own is not None and parts[-1] is own:
                own = replace(own, runs=(*own.runs, TextRun("\n"), *runs))
                parts[-1] = own
            else:
                parts += self.one(child, place)
        return parts


def _with_box(runs: tuple[TextRun, ...]) -> tuple[TextRun, ...]:
    """The runs of an item; that of a task list begins with a box."""
    if runs[0].styles or not (found := _TASK.match(runs[0].text)):
        return runs
    box = "☐" if found[1] == " " else "☑"
    return (replace(runs[0], text=box + runs[0].text[found.end() :]), *runs[1:])
