"""Source code: split at its top-level definitions, their names as heading path."""

import ast
import warnings
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import PurePosixPath

from pygments.lexers import get_all_lexers

from domain.documents import ParsedFile
from indexer.parse.code_definitions import PATTERNS
from indexer.parse.code_sections import SectionStart, add_sections
from indexer.parse.formats import FileContent
from indexer.parse.limits import ParseLimits
from indexer.parse.outline import Outline

LONG_CLASS = 40
"""Lines from which the methods of a class become blocks of their own."""
LONGEST_LINE = 300
"""Characters of a line in which a definition is looked for."""
LONGEST_HEADER = 500

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """A program. It has no title."""
    lines = content.text.split("\n")
    language = _language(content.name)
    starts = _python(content.text, lines) if language == "Python" else None
    out = Outline(limits)
    if starts is None:
        starts, pattern = [], PATTERNS.get(language)
        for index, line in enumerate(lines):
            found = pattern.match(line[:LONGEST_LINE]) if pattern else None
            if found:
                name = "".join(found.named().values()).strip()
                starts.append(SectionStart(index, (name,), line.strip()[:LONGEST_HEADER]))
    add_sections(out, lines, starts)
    return out.finish(lone_heading_is_title=False)


def _language(name: str) -> str:
    """What Pygments calls the language of a file of that name, if it is one with a pattern; else empty."""
    base = PurePosixPath(name).name
    fitting = (
        language
        for language, _, globs, _ in get_all_lexers(plugins=False)
        if language in PATTERNS and any(fnmatch(base, glob) for glob in globs)
    )
    return next(fitting, "")


def _python(text: str, lines: list[str]) -> list[SectionStart] | None:
    """The definitions of a Python module, or None when this Python does not understand it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes in the file, which are not ours
            module = ast.parse(text)
        return list(_definitions(module.body, lines, SectionStart(0)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # MemoryError too: that is how the parser says that an expression is nested too deeply
        return None


def _definitions(body: Sequence[ast.stmt], lines: list[str], around: SectionStart) -> Iterator[SectionStart]:
    """Where the definitions in `body` begin, and where each goes back to what is `around`."""
    for node in body:
        if not isinstance(node, _Definition):
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
        end = node.end_lineno or node.lineno
        # the lines from `def` or `class` to the first statement, that statement left out
        signature = "\n".join(lines[node.lineno - 1 : max(node.lineno, node.body[0].lineno - 1)]).rstrip()
        here = SectionStart(first, (*around.path, node.name), signature[:LONGEST_HEADER])
        yield here
        if isinstance(node, ast.ClassDef) and end - first > LONG_CLASS:
            yield from _definitions(node.body, lines, here)
        yield SectionStart(end, around.path)
