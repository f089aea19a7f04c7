"""Plain text: paragraphs, with headings, lists and logs recognised where that is fairly certain."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from domain.documents import BlockKind, ParsedFile, Span
from indexer.parse.formats import FileContent
from indexer.parse.limits import ParseLimits
from indexer.parse.outline import Outline

WRAPPED_FROM = 50
"""Characters of all lines but the last from which a paragraph counts as wrapped by an editor."""
LONGEST_HEADING = 80

_UNDERLINE = re.compile(r"\s*([=\-~*#_^])\1{2,}\s*")
_NUMBERED = re.compile(r"\s{0,3}(?P<number>\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+(?=[^\W\d_])\S.*")
_ITEM = re.compile(r"\s*(?:[-*+•‣◦]|\d{1,3}[.)]|\(\w\)|[a-zA-Z][.)])\s+\S")
_LOG = re.compile(
    r"\s*\[?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|\w{3}\s+\d{1,2}\s\d\d:\d\d|\d{1,2}/\w{3,9}/\d{4})"
    r"|\s*(?:\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\]?\b[:\s])|\S+ \S+ \S+ \[\d\d/\w{3}/\d{4}"
)


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Lines without a blank one between them. first: index of the first one."""

    first: int
    lines: list[str]

    def span(self, start: int = 0) -> Span:
        return Span(self.first + 1 + start, self.first + len(self.lines))


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """A text file. Its title is the one heading that stands above everything, if there is one."""
    paragraphs = list(_paragraphs(content.text.split("\n")))
    out = Outline(limits)
    lines = [line for paragraph in paragraphs for line in paragraph.lines]
    if PurePosixPath(content.name.lower()).suffix == ".log" or _is_log(lines):
        out.add(BlockKind.CODE, content.text, Span(paragraphs[0].first + 1, paragraphs[-1].span().last_line))
        return out.finish()
    for paragraph, following in zip(paragraphs, [*paragraphs[1:], None], strict=True):
        _add(out, paragraph, following)
    return out.finish()


def _paragraphs(lines: list[str]) -> Iterator[_Paragraph]:
    gathered: list[str] = []
    for index, line in enumerate([*lines, ""]):
        if line.strip():
            gathered.append(line)
        elif gathered:
            yield _Paragraph(index - len(gathered), gathered)
            gathered = []


def _add(out: Outline, paragraph: _Paragraph, following: _Paragraph | None) -> None:
    """A heading with what stands right below it, or a block."""
    lines, start = paragraph.lines, 0
    if len(lines) > 2 and _UNDERLINE.fullmatch(lines[0]) and _UNDERLINE.fullmatch(lines[2]):
        paragraph, lines = _Paragraph(paragraph.first + 1, lines[1:]), lines[1:]
    if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1]) and _may_be_heading(lines[0]):
        out.heading(1 if lines[1].strip()[0] in "=#*" else 2, lines[0], Span(paragraph.first + 1, paragraph.first + 2))
        start = 2
    elif len(lines) == 1 and following is not None and (level := _level(lines[0], following)):
        out.heading(level, lines[0], paragraph.span())
        start = 1
    if any(character.isalnum() for line in lines[start:] for character in line):
        out.add(*_read(lines[start:]), paragraph.span(start))


def _level(line: str, following: _Paragraph) -> int:
    """The rank of a line that stands alone, 0 for an ordinary one. One number after the other is a list."""
    if not _may_be_heading(line):
        return 0
    numbered = _NUMBERED.fullmatch(line)
    if numbered:
        next_number = _NUMBERED.fullmatch(following.lines[0])
        is_list = next_number is not None and "." not in numbered["number"] + next_number["number"]
        return 0 if is_list else 2 + numbered["number"].count(".")
    letters = [character for character in line if character.isalpha()]
    return 1 if len(letters) > 3 and line.upper() == line and line.lower() != line else 0


def _may_be_heading(line: str) -> bool:
    text = line.strip()
    return len(text) <= LONGEST_HEADING and text[-1:] not in {".", ",", ";", ":"} and any(map(str.isalnum, text))


def _read(lines: list[str]) -> tuple[BlockKind, str]:
    """What a paragraph is, and its lines as they are; those of one that an editor wrapped as one."""
    if _is_log(lines) or all(line.startswith(("    ", "\t")) for line in lines):
        return BlockKind.CODE, "\n".join(lines)
    if _ITEM.match(lines[0]):
        return BlockKind.LIST, "\n".join(lines)
    is_wrapped = all(len(line) >= WRAPPED_FROM for line in lines[:-1])
    return BlockKind.PROSE, " ".join(line.strip() for line in lines) if is_wrapped else "\n".join(lines)


def _is_log(lines: list[str]) -> bool:
    return len(lines) > 2 and 2 * sum(1 for line in lines if _LOG.match(line[:200])) > len(lines)
