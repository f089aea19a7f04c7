"""Jira's wiki markup: what Jira Data Center keeps descriptions and comments in.

Its rules are those of Jira's own page "Text Formatting Notation Help". Where text is not balanced, it is read as the
writer most likely meant it. Left out are marks, what is struck out, tags of boxes and colours with their parameters
other than the title, where links with a text of their own lead, and how images are shown. A tag that is not known stays
as it is, as in Jira.
"""

import re

from domain.documents import BlockKind
from indexer.parse import macros
from indexer.parse.html_elements import BREAK
from indexer.parse.jira_wiki_inline import CodeShelf, WikiCode, WikiInline, WikiTag, parameters, without_placeholders
from indexer.parse.mentions import MentionCollector
from indexer.parse.outline import Outline, bullet, one_line, reflow
from indexer.parse.tables import WIDEST, TableCell, add_table

MAX_OPEN = 20
"""Boxes inside each other; the tags of more are dropped."""
DEEPEST_ITEM = 20
"""Levels of list items that are told apart."""

_VERBATIM = re.compile(r"(?<!\\)\{(?P<name>code|noformat)(?::(?P<parameters>[^{}\n]{0,500}))?\}")
_BOX = "panel|info|note|tip|warning|expand"
_TAG = re.compile(rf"(?<!\\)\{{(?P<name>{_BOX}|quote)(?::(?P<parameters>[^{{}}\n]{{0,500}}))?\}}")
_DROPPED = re.compile(r"(?<!\\)\{(?:color|align|anchor|toc|section|column|center|span|div)(?::[^{}\n]{0,500})?\}")
_HEADING = re.compile(r"\s*h(?P<level>[1-6])\.(?:\s+(?P<text>.*)|$)")
_QUOTE = re.compile(r"\s*bq\.\s+(?P<text>.*)")
_ITEM = re.compile(r"\s*(?P<marker>[*#-]+)(?:\s+(?P<text>\S.*)|\s*)")
_RULE = re.compile(r"\s*-{4,5}\s*")
_BARS = re.compile(r"(\|\|?)")


def add_fragment(out: Outline, source: str, mentioned: MentionCollector) -> None:
    """Add what `source` says, a whole text in this markup. Raises Unparsable beyond the limits."""
    shelf = CodeShelf()
    inline = WikiInline(shelf, mentioned)
    text = _without_verbatim(without_placeholders(source), shelf)
    text = _DROPPED.sub("", inline.protected(text))
    reader = _Reader(out, inline, shelf)
    reader.read(_with_tags_apart(text, shelf))


def _without_verbatim(text: str, shelf: CodeShelf) -> str:
    """`text` with code put away. A tag without an end is dropped."""
    pieces: list[str] = []
    place, unended = 0, set[str]()
    for found in _VERBATIM.finditer(text):
        if found.start() < place:
            continue
        end = f"{{{found['name']}}}"
        stop = -1 if end in unended else text.find(end, found.end())
        pieces.append(text[place : found.start()])
        if stop < 0:
            unended.add(end)
            place = found.end()
            continue
        given, free = parameters(found["parameters"] or "")
        language = given.get("language") or (free[0] if free else "")
        pieces.append(shelf.put(WikiCode(text[found.end() : stop], given.get("title", ""), language)))
        place = stop + len(end)
    return "".join([*pieces, text[place:]])


def _with_tags_apart(text: str, shelf: CodeShelf) -> list[str]:
    """The lines of `text`, tags and blocks of code on lines of their own; in the row of a table, nothing is."""
    lines: list[str] = []
    is_open = False
    for line in text.split("\n"):
        if line.lstrip().startswith("|") or (is_open and "|" in line):
            is_open = not line.rstrip().endswith("|")
            lines.append(_TAG.sub(lambda tag: f" {_title(tag['name'], tag['parameters'] or '')} ", line))
            continue
        is_open = is_open and line.strip() != ""
        tagged = _TAG.sub(lambda tag: shelf.put(WikiTag(tag["name"], tag["parameters"] or "")), line)
        lines += [part for part in shelf.apart(tagged).split("\n") if part.strip()] or [""]
    return lines


def _title(name: str, text: str) -> str:
    """What the parameters of a box call it; a fold has its title without a key, too."""
    given, free = parameters(text)
    return given.get("title") or (free[0] if free and name == "expand" else "")


class _Reader:
    """Writes lines into an outline."""

    def __init__(self, out: Outline, inline: WikiInline, shelf: CodeShelf) -> None:
        self._out = out
        self._inline = inline
        self._shelf = shelf
        self._paragraph: list[str] = []
        self._items: list[tuple[str, list[str]]] = []
        self._levels: list[tuple[str, int]] = []
        self._rows: list[list[str]] = []
        self._boxes: list[tuple[str, str, Outline]] = []

    def read(self, lines: list[str]) -> None:
        """All of `lines`; what is open in the end is closed."""
        for line in lines:
            self._line(line)
        self._flush()
        while self._boxes:
            self._end_box()

    def _line(self, line: str) -> None:
        alone = self._shelf.only(line)
        if isinstance(alone, WikiCode):
            self._code(alone)
        elif isinstance(alone, WikiTag):
            self._flush()
            self._tag(alone)
        elif not line.strip() or _RULE.fullmatch(line):
            self._flush()
        elif line.lstrip().startswith("|"):
            self._row(line.strip())
        elif self._rows and not self._rows[-1][-1].rstrip().endswith("|") and not _HEADING.fullmatch(line):
            self._rows[-1].append(line)  # a cell of several lines
        else:
            self._text(line)

    def _row(self, line: str) -> None:
        if line.count("|") > WIDEST:
            self._flush()
            self._paragraph.append(line)
            return
        if not self._rows:
            self._flush()
        self._rows.append([line])

    def _text(self, line: str) -> None:
        heading, quote, item = _HEADING.fullmatch(line), _QUOTE.fullmatch(line), _ITEM.fullmatch(line)
        if heading:
            self._flush()
            self._out.heading(int(heading["level"]), self._inlined(heading["text"] or "").replace("\n", " "))
        elif quote:
            self._flush()
            self._paragraph.append(quote["text"])
            self._flush()
        elif item and (self._levels or self._items or not item["marker"].startswith("--")):
            if not self._items:
                self._write()
            self._items.append((item["marker"], [item["text"] or ""]))
        elif self._items:
            self._items[-1][1].append(line)
        else:
            self._end_table()
            self._paragraph.append(line)

    def _inlined(self, text: str) -> str:
        return reflow(self._inline.text(text).replace(BREAK, "\n"))

    def _flush(self) -> None:
        """End the paragraph, list or table that is being read."""
        self._write()
        self._levels = []

    def _write(self) -> None:
        """Write what was read; the list goes on counting, if it is one."""
        self._out.add(BlockKind.PROSE, self._inlined("\n".join(self._paragraph)))
        self._out.add(BlockKind.LIST, "\n".join(self._list()))
        self._paragraph, self._items = [], []
        self._end_table()

    def _list(self) -> list[str]:
        """The lines of the items, each level counted for itself."""
        lines, levels = list[str](), self._levels
        for marker, texts in self._items:
            depth, sign = min(len(marker), DEEPEST_ITEM), marker[:DEEPEST_ITEM][-1]
            levels = [*levels[:depth], *[("", 0)] * (depth - len(levels))]
            count = levels[-1][1] + 1 if levels[-1][0] == sign else 1
            levels[-1] = (sign, count)
            inner = self._inlined("\n".join(texts)).split("\n")
            indent, shown = "  " * (depth - 1), f"{count}." if sign == "#" else "-"
            lines += [f"{indent}{line}" for line in bullet(shown, inner) if any(inner)]
        self._levels = levels
        return lines

    def _end_table(self) -> None:
        rows, self._rows = self._rows, []
        if rows:
            add_table(self._out, (self._cells("\n".join(row)) for row in rows))

    def _cells(self, row: str) -> list[TableCell]:
        parts = _BARS.split(row)
        cells = list(zip(parts[1::2], parts[2::2], strict=True))
        if cells and not cells[-1][1].strip():
            cells.pop()
        return [TableCell(self._cell(text), heading=bar == "||") for bar, text in cells]

    def _cell(self, text: str) -> str:
        """What is in a cell: one line, or several with lists among them."""
        inner = self._out.nested()
        _Reader(inner, self._inline, self._shelf).read(text.split("\n"))
        return one_line(" ".join(inner.lines()))

    def _code(self, code: WikiCode) -> None:
        """Code of its own; a list around it goes on behind it."""
        self._write()
        if self._out.is_nested:
            self._out.add(BlockKind.PROSE, code.title)
        header = "" if self._out.is_nested else macros.code_header(code.title, code.language)
        self._out.add(BlockKind.CODE, code.text, header=header)

    def _tag(self, tag: WikiTag) -> None:
        """A tag without parameters ends a box of its name that is open; any other begins one."""
        is_open = any(name == tag.name for name, _, _ in self._boxes)
        if tag.name == "quote":
            return
        if is_open and not tag.parameters:
            while self._end_box() != tag.name:
                pass
        elif len(self._boxes) < MAX_OPEN:
            title = self._inlined(_title(tag.name, tag.parameters))
            self._boxes.append((tag.name, one_line(title), self._out))
            self._out = self._out.part()

    def _end_box(self) -> str:
        """End the innermost box; its name."""
        name, title, outside = self._boxes.pop()
        if name in macros.EXPANDS:
            outside.adopt(self._out, heading=title)
        else:
            label, line = macros.panel_label(name, title)
            outside.add(BlockKind.PROSE, line)
            outside.adopt(self._out, label=label)
        self._out = outside
        return name
