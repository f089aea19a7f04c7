"""Markdown: CommonMark with tables, strikethrough, front matter, footnotes and `!!!` admonitions."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from domain.documents import BlockKind, ParsedFile, Span
from domain.patterns import LinearRegex
from indexer.parse import html
from indexer.parse.formats import FileContent, Unparsable
from indexer.parse.frontmatter import FrontMatter, read
from indexer.parse.html_elements import is_block_name, is_element
from indexer.parse.limits import ParseLimits
from indexer.parse.mentions import MentionCollector, code_terms
from indexer.parse.outline import Outline, bullet, reflow
from indexer.parse.strikethrough import is_struck
from indexer.parse.superscripts import as_superscript
from indexer.parse.tables import TableCell, add_table

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9_-]*)(?P<bare>(?<!/)\s*>)?")
_CODE_TITLE = re.compile(r"""\btitle=["']([^"']{1,200})["']""")
_STYLE = LinearRegex(r"""\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_HEADING_ID = LinearRegex(r"\s*\{#[\w:.-]+\}\s*$")


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """A Markdown file. Its title is that of the front matter, else its first heading of level 1."""
    tokens = _parser(limits.nesting).parse(content.text)
    # the parser drops what is nested deeper than it may go; that must not go unnoticed
    if max((token.level for token in tokens), default=0) >= limits.nesting - 1:
        raise Unparsable(f"nested more than {limits.nesting} levels deep")
    matter = read(tokens[0].content if tokens and tokens[0].type == "front_matter" else "")
    outline = Outline(limits, matter.title)
    walker = _Walker(outline, content.text.split("\n"))
    walker.front_matter(matter)
    walker.walk(SyntaxTreeNode(tokens))
    mentions = replace(
        _links(tokens).all(),
        replaces=matter.replaces,
        replaced_by=matter.replaced_by,
        roles=matter.roles,
        terms=code_terms(
            each.content for token in tokens for each in _valid(token.children) if each.type == "code_inline"
        ),
    )
    return outline.finish(matter.metadata, mentions=mentions)


def _links(tokens: list[Token]) -> MentionCollector:
    """Where the text leads to, with the words that lead there."""
    mentioned = MentionCollector()
    for inner in (_valid(token.children) for token in tokens):
        target, words = "", list[str]()
        for token in inner:
            if token.type == "link_open":
                target, words = str(token.attrs.get("href", "")), []
            elif token.type == "link_close" and not target.startswith("#"):
                mentioned.url(target, "".join(words))
            words.append(token.content)
    return mentioned


def _valid(inline: list[Token] | None) -> Iterator[Token]:
    """Those of the tokens in a line that are not struck out."""
    struck = 0
    for token in inline or ():
        struck += (token.type == "s_open") - (token.type == "s_close")
        if not struck:
            yield token


@cache
def _parser(nesting: int) -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"maxNesting": nesting}).enable(["table", "strikethrough"])
    markdown.use(front_matter_plugin).use(footnote_plugin).use(admon_plugin)
    # footnotes stay where they are defined: moved to the end, those that nothing refers to would be lost
    return markdown.disable(["footnote_tail", "footnote_inline"])


class _Walker:
    """Writes the nodes of a syntax tree into an outline. lines: of the source, to end spans at a visible one."""

    def __init__(self, out: Outline, lines: list[str]) -> None:
        self._out = out
        self._lines = lines
        self._handlers: dict[str, Callable[[SyntaxTreeNode], None]] = {
            "heading": self._heading,
            "paragraph": self._paragraph,
            "admonition_title": self._paragraph,
            "inline": self._paragraph,
            "fence": self._code,
            "code_block": self._code,
            "html_block": self._html,
            "table": self._table,
            "bullet_list": self._list,
            "ordered_list": self._list,
            "footnote_reference": self._footnote,
        }

    def walk(self, node: SyntaxTreeNode) -> None:
        """All children of `node`, in their order."""
        skip_to = 0
        for index, child in enumerate(node.children):
            if index < skip_to:
                continue
            skip_to = _end_of_table(node.children, index)
            if skip_to > index + 1:
                self._html_table(node.children[index:skip_to])
            else:
                self._handlers.get(child.type, self.walk)(child)

    def front_matter(self, matter: FrontMatter) -> None:
        """What of the front matter is text: a description, or all of it when it could not be understood."""
        span = Span(1, matter.lines) if matter.lines else Span()
        self._out.add(BlockKind.CODE, matter.unread, span)
        self._out.add(BlockKind.PROSE, matter.description, span)

    def _heading(self, node: SyntaxTreeNode) -> None:
        text = _HEADING_ID.sub("", _inline(node))
        level = int(node.tag[1:])
        # a heading inside a quote does not divide the document
        if node.parent is not None and not node.parent.is_root:
            self._out.add(BlockKind.PROSE, text, self._span(node))
        elif level == 1:
            self._out.title_or_heading(1, text, self._span(node))
        else:
            self._out.heading(level, text, self._span(node))

    def _paragraph(self, node: SyntaxTreeNode) -> None:
        self._out.add(BlockKind.PROSE, reflow(_inline(node)), self._span(node))

    def _code(self, node: SyntaxTreeNode) -> None:
        titled = _CODE_TITLE.search(node.info)
        self._out.add(BlockKind.PROSE, titled[1] if titled else "", self._span(node))
        self._out.add(BlockKind.CODE, node.content, self._span(node))

    def _html(self, node: SyntaxTreeNode) -> None:
        html.add_fragment(self._out, _keep_placeholders(node.content), self._span(node))

    def _html_table(self, nodes: Sequence[SyntaxTreeNode]) -> None:
        """A table in HTML with blank lines or Markdown in it, which to Markdown are several blocks."""
        parser = _parser(self._out.limits.nesting)
        tokens = [token for node in nodes for token in node.to_tokens()]
        source = parser.renderer.render(tokens, parser.options, {})
        first, last = self._span(nodes[0]), self._span(nodes[-1])
        html.add_fragment(self._out, _keep_placeholders(source), Span(first.first_line, last.last_line))

    def _table(self, node: SyntaxTreeNode) -> None:
        rows = [row for part in node.children for row in part.children]
        cells = ([TableCell(_inline(cell), heading=cell.type == "th") for cell in row.children] for row in rows)
        add_table(self._out, cells, self._span(node))

    def _list(self, node: SyntaxTreeNode) -> None:
        lines: list[str] = []
        for number, item in enumerate(node.children, int(node.attrs.get("start", 1))):
            lines += bullet(f"{number}." if node.type == "ordered_list" else "-", self._inner_lines(item))
        self._out.add(BlockKind.LIST, "\n".join(lines), self._span(node))

    def _footnote(self, node: SyntaxTreeNode) -> None:
        lines = bullet(f"[{node.meta['label']}]", self._inner_lines(node))
        self._out.add(BlockKind.PROSE, "\n".join(lines), self._span(node))

    def _inner_lines(self, node: SyntaxTreeNode) -> list[str]:
        inner = self._out.nested()
        _Walker(inner, self._lines).walk(node)
        return inner.lines()

    def _span(self, node: SyntaxTreeNode) -> Span:
        """The source lines of `node`, or of what it contains when it has none of its own."""
        places = [node.map] if node.map else [child.map for child in node.children if child.map]
        if not places:
            return Span()
        first, last = min(start for start, _ in places), max(end for _, end in places)
        while last > first + 1 and not self._lines[last - 1].strip(" \t>"):
            last -= 1
        return Span(first + 1, last)


def _end_of_table(nodes: Sequence[SyntaxTreeNode], index: int) -> int:
    """The index behind the table in HTML that begins at `index` and ends in a later node; `index` when none does."""
    is_open = 0
    for end in range(index, len(nodes)):
        if nodes[end].type == "html_block":
            content = nodes[end].content.lower()
            is_open += content.count("<table") - content.count("</table")
        if is_open <= 0:
            return end + 1 if end > index else index
    return index


def _inline(node: SyntaxTreeNode) -> str:
    """The text of inline content: links and emphasis without their marks, images as their alternative text."""
    if node.type in {"text", "code_inline"}:
        return node.content
    if node.type == "s":
        return ""
    if node.type in {"softbreak", "hardbreak"}:
        return " " if node.type == "softbreak" else "\n"
    if node.type == "html_inline":
        return _tag(node)
    if node.type == "footnote_ref":
        return f"[{node.meta['label']}]"
    return _run(node.children)


def _run(nodes: Sequence[SyntaxTreeNode]) -> str:
    """The text of neighbours, between `<sup>` and its end as a superscript, without what tags strike out."""
    pieces: list[str] = []
    begun: dict[str, tuple[int, int]] = {}  # by the name of a tag: where its text begins, how often it is open
    for node in nodes:
        found = _TAG.match(node.content) if node.type == "html_inline" else None
        name = found["name"].lower() if found else ""
        start, times = begun.get(name, (len(pieces), 0))
        if found is None or not (times or name == "sup" or _strikes(name, node.content)):
            pieces.append(_inline(node))
        elif not found["end"]:
            begun[name] = start, times + 1
        elif times > 1:
            begun[name] = start, times - 1
        elif times:
            del begun[name]
            pieces[start:] = [as_superscript("".join(pieces[start:]))] if name == "sup" else []
    return "".join(pieces)


def _strikes(name: str, tag: str) -> bool:
    style = _STYLE.search(tag) if "line-through" in tag else None
    return is_struck(name, (style[1] or style[2]) if style else None)


def _tag(node: SyntaxTreeNode) -> str:
    """What a reader sees of an HTML tag in running text: a break, a placeholder such as `<name>`, or nothing."""
    found = _TAG.match(node.content)
    if found is None:
        return ""
    name = found["name"].lower()
    if name == "li":
        return "\n- " if not found["end"] else "\n"
    if name == "br" or is_block_name(name):
        return "\n"
    neighbours = node.parent.children if node.parent else []
    is_placeholder = found["bare"] and not any(other.content.lower() == f"</{name}>" for other in neighbours)
    return node.content if is_placeholder and not is_element(name) else ""


def _keep_placeholders(source: str) -> str:
    """`source` with placeholders such as `<name>` escaped, which would pass for elements without a text."""
    folded = source.lower()

    def keep(found: re.Match[str]) -> str:
        name = found["name"].lower()
        is_placeholder = found["bare"] and not is_element(name) and f"</{name}>" not in folded
        return f"&lt;{found['name']}&gt;" if is_placeholder else found[0]

    return _TAG.sub(keep, source)
