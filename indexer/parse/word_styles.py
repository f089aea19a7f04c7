"""What the styles and the numbering of a Word document say about a paragraph."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml.ns import qn

from domain.documents import BlockKind
from indexer.parse.list_markers import numeral

DEEPEST_CHAIN = 20
"""Styles that are based on each other."""

OFF = {None, "0", "false", "off"}
"""Values of a property that is switched off."""
_HEADING = re.compile(r"heading (\d)")
_CODE = re.compile(r"\b(?:code|preformatted|verbatim|source|macro text|listing)\b")


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """How a paragraph is set.

    level: rank as a heading, 0 for none. kind: LIST for a list item, CODE, else PROSE.
    marker: its number or bullet, empty for none. depth: of its list, 0 for the outermost.
    """

    is_title: bool = False
    level: int = 0
    kind: BlockKind = BlockKind.PROSE
    marker: str = ""
    depth: int = 0


class WordStyles:
    """The styles of one document and its list counters: ask for every paragraph once, in reading order."""

    def __init__(self, document: Any) -> None:
        self._styles = {style.get(qn("w:styleId")): style for style in document.styles.element.iter(qn("w:style"))}
        self._numbering = _Numbering(document)
        self._run_values: dict[tuple[str | None, str | None, str], str | None] = {}

    def look(self, paragraph: Any) -> ParagraphStyle:
        """How `paragraph` is set; counts its list on."""
        if self.is_title(paragraph):
            return ParagraphStyle(is_title=True)
        chain = [paragraph, *self._chain(_value(paragraph, "w:pPr/w:pStyle"))]
        names = [(_value(style, "w:name") or "").lower() for style in chain[1:]]
        level = _level(chain, names)
        depth, marker = self._numbering.next(chain)
        if level:
            return ParagraphStyle(level=level, marker="" if marker == "-" else marker)
        if marker:
            return ParagraphStyle(kind=BlockKind.LIST, marker=marker, depth=depth)
        is_code = any(_CODE.search(name) for name in names)
        return ParagraphStyle(kind=BlockKind.CODE if is_code else BlockKind.PROSE)

    def is_title(self, paragraph: Any) -> bool:
        """Whether `paragraph` is the title of the document."""
        style = self._styles.get(_value(paragraph, "w:pPr/w:pStyle"))
        return style is not None and (_value(style, "w:name") or "").lower() == "title"

    def is_left_out(self, run: Any) -> bool:
        """Whether a run is struck out or hidden."""
        return any(self.run_value(run, name) not in OFF for name in ("w:strike", "w:dstrike", "w:vanish"))

    def run_value(self, run: Any, name: str) -> str | None:
        """The value of the property `name` of a run, set by itself or by its styles; None when it is not set."""
        if run.find(f"{qn('w:rPr')}/{qn(name)}") is not None:
            return _set(run, name)
        paragraph = next(run.iterancestors(qn("w:p")), None)
        of_paragraph = None if paragraph is None else _value(paragraph, "w:pPr/w:pStyle")
        key = _value(run, "w:rPr/w:rStyle"), of_paragraph, name
        if key not in self._run_values:
            chain = (style for style_id in key[:2] for style in self._chain(style_id))
            self._run_values[key] = next((value for style in chain if (value := _set(style, name)) is not None), None)
        return self._run_values[key]

    def _chain(self, style_id: str | None) -> Iterator[Any]:
        for _ in range(DEEPEST_CHAIN):
            style = self._styles.get(style_id)
            if style is None:
                return
            yield style
            style_id = _value(style, "w:basedOn")


class _Numbering:
    """Numbers the items of lists, by list and level."""

    def __init__(self, document: Any) -> None:
        relations = document.part.rels.values()
        parts = [item.target_part for item in relations if item.reltype == RELATIONSHIP_TYPE.NUMBERING]
        root = parts[0].element if parts else None
        kinds = (
            {} if root is None else {kind.get(qn("w:abstractNumId")): kind for kind in root.iter(qn("w:abstractNum"))}
        )
        lists = [] if root is None else list(root.iter(qn("w:num")))
        self._lists = {item.get(qn("w:numId")): kinds.get(_value(item, "w:abstractNumId")) for item in lists}
        self._starts = {
            (item.get(qn("w:numId")), _integer(level.get(qn("w:ilvl")), 0)): _value(level, "w:startOverride")
            for item in lists
            for level in item.iter(qn("w:lvlOverride"))
        }
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)

    def next(self, chain: list[Any]) -> tuple[int, str]:
        """Depth and marker of the next item set like `chain`; an empty marker for no item."""
        number = _first(chain, "w:pPr/w:numPr/w:numId")
        if not number or number == "0":
            return 0, ""
        depth = min(_integer(_first(chain, "w:pPr/w:numPr/w:ilvl"), 0), 8)
        kind = self._lists.get(number)
        found = () if kind is None else kind.iter(qn("w:lvl"))
        levels = {_integer(level.get(qn("w:ilvl")), 0): level for level in found}
        level = levels.get(depth)
        if level is None or _value(level, "w:numFmt") in {"bullet", None}:
            return depth, "-"
        counts = {key: count for key, count in self._counts[number].items() if key <= depth}
        start = _integer(self._starts.get((number, depth)), _integer(_value(level, "w:start"), 1))
        counts[depth] = counts[depth] + 1 if depth in counts else start
        self._counts[number] = counts
        return depth, _marker(levels, counts, _value(level, "w:lvlText") or f"%{depth + 1}.")


def _marker(levels: dict[int, Any], counts: dict[int, int], pattern: str) -> str:
    """`%1.%2` with the counts put in."""

    def put(found: re.Match[str]) -> str:
        depth = int(found[1]) - 1
        level = levels.get(depth)
        style = _value(level, "w:numFmt") if level is not None else None
        return numeral(counts.get(depth, 1), style or "decimal")

    return re.sub(r"%(\d)", put, pattern).strip()


def _level(chain: list[Any], names: list[str]) -> int:
    """The rank of a heading: by the name of its style, which is English in every language, or its outline level."""
    for name in names:
        found = _HEADING.fullmatch(name)
        if found:
            return int(found[1])
    outline = _integer(_first(chain, "w:pPr/w:outlineLvl"), 9)
    return outline + 1 if outline < 9 else 0


def _first(chain: list[Any], path: str) -> str | None:
    return next((value for value in (_value(element, path) for element in chain) if value is not None), None)


def _value(element: Any, path: str) -> str | None:
    """The `w:val` of the element at `path`."""
    found = element.find("/".join(map(qn, path.split("/"))))
    return None if found is None else found.get(qn("w:val"))


def _set(element: Any, name: str) -> str | None:
    """The value of a property of runs at a run or a style; one that is switched on may have none."""
    found = element.find(f"{qn('w:rPr')}/{qn(name)}")
    return None if found is None else found.get(qn("w:val"), "1")


def _integer(text: str | None, default: int) -> int:
    return int(text) if text and text.isdigit() and len(text) < 9 else default
