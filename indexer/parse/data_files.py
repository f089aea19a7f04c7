"""JSON, YAML, TOML and settings files: code that is split at its top-level keys."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from domain.documents import ParsedFile
from domain.patterns import LinearRegex
from indexer.parse.code_sections import SectionStart, add_sections, visible
from indexer.parse.formats import FileContent
from indexer.parse.limits import ParseLimits
from indexer.parse.outline import Outline

_YAML_KEY = re.compile(r"""(?P<key>"[^"]{1,200}"|'[^']{1,200}'|[\w./$][\w .,/@$+-]{0,199}?)\s*:(?:\s|$)""")
_TOML_SECTION = LinearRegex(r"\[{1,2}\s*(?P<key>[^\[\]]{1,200}?)\s*\]{1,2}\s*(?:#.*)?$")
_INI_SECTION = LinearRegex(r"\[(?P<key>[^\[\]]{1,200})\]\s*(?:[#;].*)?$")
# a string that nothing ends goes to the end of its line, lest every quote in it be tried as a beginning
_JSON_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*(?P<end>"?)|//[^\n]*|[{}\[\],]')


def _load(content: FileContent, limits: ParseLimits, find: Callable[[list[str]], Iterator[SectionStart]]) -> ParsedFile:
    lines = content.text.split("\n")
    starts, out = list(find(lines)), Outline(limits)
    ends = [*(start.line for start in starts[1:]), len(lines)]
    # those of one line have no name: `name: x`, `version: 1` are better read together
    named = (
        start if visible(lines, start.line + 1, end) else replace(start, path=(), header="")
        for start, end in zip(starts, ends, strict=False)
    )
    add_sections(out, lines, named)
    return out.finish(lone_heading_is_title=False)


def _by_pattern(lines: list[str], pattern: re.Pattern[str] | LinearRegex) -> Iterator[SectionStart]:
    for index, line in enumerate(lines):
        found = pattern.match(line[:300])
        if found:
            yield SectionStart(index, (found["key"].strip("\"'"),), line.rstrip())


def _by_depth(lines: list[str]) -> Iterator[SectionStart]:
    """The lines on which a key of the outermost object begins."""
    depth, key_may_follow = 0, False
    for index, line in enumerate(lines):
        named = False
        for token in _JSON_TOKEN.finditer(line):
            mark = token[0][0]
            if token["end"] and depth == 1 and key_may_follow and not named:
                yield SectionStart(index, (token[0][1:-1][:200],), line.strip()[:200])
                named = True
            depth += (mark in "{[") - (mark in "}]")
            key_may_follow = mark in "{,"


load_yaml = partial(_load, find=partial(_by_pattern, pattern=_YAML_KEY))
"""A YAML file, split at the keys without indentation, of every document in it."""

load_toml = partial(_load, find=partial(_by_pattern, pattern=_TOML_SECTION))
"""A TOML file, split at its tables."""

load_ini = partial(_load, find=partial(_by_pattern, pattern=_INI_SECTION))
"""A settings file, split at its `[sections]`."""

load_json = partial(_load, find=_by_depth)
"""A JSON file, split at the keys of its outermost object."""
