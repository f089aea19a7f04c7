"""Code that is cut into sections at certain lines: definitions of a program, keys of a data file."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from domain.documents import BlockKind, Span
from indexer.parse.outline import Outline

_COMMENT = re.compile(
    r"""\s*(?:#(?!\s*(?:include|define|if|el|endif|pragma|undef|import|region)\w*\b)|//|/\*|\*/|\*\s|\*$|--|;|@|<!--|%)"""
)


@dataclass(frozen=True, slots=True)
class SectionStart:
    """A line at which a section begins.

    line: its index, from 0. path: what the section is called, outermost first; empty for what lies between.
    header: what each part repeats when the section is split.
    """

    line: int
    path: tuple[str, ...] = ()
    header: str = ""


def add_sections(out: Outline, lines: Sequence[str], starts: Iterable[SectionStart]) -> None:
    """Add a block of code for each section, so that every line is in exactly one.

    starts: in the order of their lines. Comments right above a named section go with it.
    """
    placed = _with_comments(lines, [SectionStart(0), *starts])
    pairs = zip([None, *placed], placed, strict=False)
    # a section without a name goes on with what lies between named ones
    joined = [start for before, start in pairs if before is None or before.path or start.path]
    for start, end in zip(joined, [*(start.line for start in joined[1:]), len(lines)], strict=True):
        span = visible(lines, start.line, end)
        if span is not None:
            out.add(BlockKind.CODE, "\n".join(lines[start.line : end]), span, start.header, start.path)


def visible(lines: Sequence[str], first: int, end: int) -> Span | None:
    """The span from the first to the last line with something on it, or None when all are blank."""
    filled = [index for index in range(first, end) if lines[index].strip()]
    return Span(filled[0] + 1, filled[-1] + 1) if filled else None


def _with_comments(lines: Sequence[str], starts: list[SectionStart]) -> list[SectionStart]:
    """`starts`, those with a name moved up over the comments above them; what becomes empty by that is left out."""
    moved: list[SectionStart] = []
    for start in starts:
        line = start.line
        lowest = moved[-1].line if moved else 0
        while start.path and line > lowest and _COMMENT.match(lines[line - 1][:200]):
            line -= 1
        if moved and moved[-1].line == line:
            moved.pop()
        moved.append(replace(start, line=line))
    return moved
