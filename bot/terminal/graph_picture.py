"""What lies around a thing, as a picture (SVG) or for Graphviz (DOT). Pure: the same relations give the same picture.

What leads to the thing stands on its left, where it leads on its right; a line carries the predicate, a box the name,
below it the document that says so.
"""

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from bot.markup.plain_text import counted
from domain.graph_search import EntityNeighbourhood, Neighbour

WIDTH, BOX, MIDDLE, LINE, ROW, MARGIN, STRAIGHT = 1240, 300, 240, 46, 62, 24, 120

_STYLE = (
    "text{font:13px sans-serif;fill:#1b2733}.t{font-weight:bold}.s{font-size:11px;fill:#5b6b78}"
    ".l{font-size:11px;fill:#2c4a63;paint-order:stroke;stroke:#ffffff;stroke-width:4px}"
    ".c{fill:#dcebfa;stroke:#2f6db3;stroke-width:1.6}.n{fill:#f6f8fa;stroke:#8797a5}"
    "path{fill:none;stroke:#6d7f8c;stroke-width:1.3}.d{stroke-dasharray:5 4}"
)
_ARROW = (
    '<marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    '<path d="M0 0L8 4L0 8Z" style="fill:#6d7f8c;stroke:none"/></marker>'
)
_CERTAIN = 0.9
"""Relations less sure than this have a dashed line."""


def svg(found: Sequence[EntityNeighbourhood]) -> str:
    """One picture of all, below each other."""
    parts: list[str] = []
    top = MARGIN
    for each in found:
        height = ROW * max(1, *map(len, _sides(each)))
        parts += _drawn(each, top, height)
        top += height + MARGIN
    size = f'viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" height="{top}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{_STYLE}</style><defs>{_ARROW}</defs>'
    return "\n".join([head, '<rect width="100%" height="100%" fill="#ffffff"/>', *parts, "</svg>"]) + "\n"


def _sides(thing: EntityNeighbourhood) -> tuple[list[Neighbour], list[Neighbour]]:
    """What leads to the thing, and where it leads; by predicate, then by name."""
    ordered = sorted(thing.neighbours, key=lambda each: (each.predicate, each.name, each.key))
    leads_to = [each for each in ordered if each.direction == "in"]
    return leads_to, [each for each in ordered if each.direction == "out"]


def _drawn(thing: EntityNeighbourhood, top: int, height: int) -> Iterator[str]:
    centre = top + height / 2
    left, right = _sides(thing)
    for side, column in ((-1, left), (1, right)):
        first = centre - ROW * len(column) / 2 + ROW / 2
        for place, each in enumerate(column):
            yield from _beside(each, side, centre, first + ROW * place)
    below = f"{thing.kind.value}; {counted(thing.documents, 'document')}{'' if thing.complete else '; not all shown'}"
    yield from _box((WIDTH - MIDDLE) / 2, centre, MIDDLE, "c", thing.name, below)


def _beside(each: Neighbour, side: int, centre: float, y: float) -> Iterator[str]:
    x = MARGIN if side < 0 else WIDTH - MARGIN - BOX
    inner = (WIDTH + side * MIDDLE) / 2
    outer = x + BOX if side < 0 else x
    style = "" if each.confidence >= _CERTAIN else ' class="d"'
    # straight below its label, near the outer box, where lines lie apart
    level = outer - side * STRAIGHT
    bend = (inner + level) / 2
    curve = (
        f"M{inner:g} {centre:g}C{bend:g} {centre:g} {bend:g} {y:g} {level:g} {y:g}H{outer - 3 * side:g}"
        if side > 0
        else f"M{outer:g} {y:g}H{level:g}C{bend:g} {y:g} {bend:g} {centre:g} {inner - 3:g} {centre:g}"
    )
    yield f'<path{style} d="{curve}" marker-end="url(#a)"/>'
    near = outer - side * 8
    anchor = "end" if side > 0 else "start"
    yield (
        f'<text class="l" x="{near:g}" y="{y - 5:g}" text-anchor="{anchor}">{escape(_cut(each.predicate, 22))}</text>'
    )
    yield from _box(x, y, BOX, "n", each.name, each.title)


def _box(x: float, y: float, width: int, style: str, name: str, below: str) -> Iterator[str]:
    yield f'<rect class="{style}" x="{x:g}" y="{y - LINE / 2:g}" width="{width}" height="{LINE}" rx="6"/>'
    middle = x + width / 2
    for words, kind, shift, room in ((name, "t", -3, 8.4), (below, "s", 14, 6.0)):
        text = escape(_cut(words, int(width / room)))
        yield f'<text class="{kind}" x="{middle:g}" y="{y + shift:g}" text-anchor="middle">{text}</text>'


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def dot(found: Sequence[EntityNeighbourhood]) -> str:
    """The same for Graphviz."""
    lines = ["digraph knowledge {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    for thing in found:
        lines.append(f"  {_quoted(thing.key)} [label={_quoted(thing.name)}, penwidth=2];")
        for column in _sides(thing):
            for each in column:
                ends = (thing.key, each.key) if each.direction == "out" else (each.key, thing.key)
                lines.append(f"  {_quoted(each.key)} [label={_quoted(each.name)}];")
                told = f"label={_quoted(each.predicate)}, tooltip={_quoted(each.title)}"
                lines.append(f"  {_quoted(ends[0])} -> {_quoted(ends[1])} [{told}];")
    return "\n".join([*dict.fromkeys(lines), "}"]) + "\n"


def _quoted(text: str) -> str:
    plain = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'
