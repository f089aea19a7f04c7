import asyncio
import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from domain.documents import ParsedFile
from indexer.parse.formats import CONFLUENCE_PAGE, JIRA_ISSUE, FileFormat, Unparsable
from indexer.parse.sandbox import SandboxedParser
from tests.golden.atlassian import FOLDER, SUFFIX, golden, read, shown, sources

SOURCES = sources()
READ = [name for name in SOURCES if name != "adf/cut_off.json"]


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_is_read_as_its_file_says(name: str) -> None:
    path = SOURCES[name]
    expected = golden(path).read_text(encoding="utf-8")
    assert shown(path) == expected, "if it was meant to change: python -m tests.golden.atlassian --write"


def test_every_golden_file_has_a_source() -> None:
    assert set(FOLDER.glob(f"*/*{SUFFIX}")) == {golden(path) for path in SOURCES.values()}


@pytest.mark.parametrize(
    ("name", "made", "item"),
    [
        ("wiki/description.wiki", JIRA_ISSUE, lambda text: {"texts": [["", text]]}),
        ("adf/description.json", JIRA_ISSUE, lambda text: {"texts": [["", json.loads(text)]]}),
        ("storage/runbook.xml", CONFLUENCE_PAGE, lambda text: {"body": {"representation": "storage", "value": text}}),
    ],
)
async def test_a_child_process_gives_all_of_it_back(
    name: str, made: FileFormat, item: Callable[[str], Mapping[str, object]]
) -> None:
    (media_type,) = made.media_types
    source = SOURCES[name].read_text(encoding="utf-8")
    async with asyncio.timeout(60), SandboxedParser() as pool:
        assert await pool.parse(json.dumps(item(source)).encode(), "d", media_type) == read(SOURCES[name])


# -- what a reader sees, found without our parsers


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[^\W_]+", text))


def visible_in_storage(source: str) -> str:
    """Storage format without what the rules leave out: parameters other than titles, ids and states of tasks, hints for
    writers, comments, what lists generate, and the copy for old readers of what stands there for new ones."""
    source = re.sub(
        r'<ac:structured-macro ac:name="(?:toc|children|contentbylabel)".*?(?:/>|</ac:structured-macro>)', "", source
    )
    source = re.sub(r"</ac:adf-content></ac:adf-node><ac:adf-fallback>.*?</ac:adf-fallback>", "", source)
    source = re.sub(r'<ac:parameter ac:name="(?!title"|"|jqlQuery"|diagramName")[^<]*</ac:parameter>', "", source)
    source = re.sub(r"<(ac:task-id|ac:task-status|ac:placeholder|ac:adf-attribute)\b.*?</\1>|<!--.*?-->", "", source)
    source = re.sub(r'<time datetime="(.*?)" />|<ac:image ac:alt="(.*?)">', r" \1 \2 ", source)
    source = re.sub(r'<ac:link><ri:[^<>]*content-title="([^"<>]*)"[^<>]*></ac:link>', r" \1 ", source)
    verbatim = re.sub(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", lambda found: html.escape(found[1]), source, flags=re.DOTALL)
    joining = r"(?i)</?(?:b|em|strong|code|ac:inline-comment-marker)\b[^<>]*>"
    dividing = r"(?i)</?(?:p|h\d|[ou]l|li|br|div|table|caption|col|colgroup|thead|tbody|t[rdh]|(?:ac|ri):\w+)\b[^<>]*>"
    spaced = re.sub(dividing, " ", re.sub(joining, "", verbatim))
    plain = re.sub(r"</?(?:a|pre|span)\b[^<>]*>", " ", spaced)
    return html.unescape(plain).replace("\u200b", "")


def visible_in_adf(source: str) -> str:
    return " ".join(_texts_in_adf(json.loads(source)))


def _texts_in_adf(value: Any) -> Iterator[str]:
    """The texts of all nodes: `text` of their own, and those attributes that a reader sees."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts_in_adf(each)
    elif isinstance(value, dict) and value.get("type") != "placeholder":
        seen = ("text", "title", "alt", "__fileName", "extensionTitle")
        attributes = value.get("attrs") or {}
        of_macro = attributes.get("parameters", {}).get("macroParams", {})
        named = [of_macro.get(name, {}).get("value", "") for name in ("", "title", "diagramName", "jqlQuery")]
        yield from [value.get("text", ""), *(attributes[name] for name in seen if name in attributes), *named]
        yield re.sub(r"<[^<>]*>", " ", attributes.get("cxhtml", ""))
        yield from _texts_in_adf(value.get("content"))


def visible_in_wiki(source: str) -> str:
    """Wiki markup without what the rules leave out: what is struck out, tags, their parameters other than titles, where
    links with a text lead, and how images are shown."""
    source = source.replace("-struck-", "")
    source = re.sub(r"\{(?:/|code|color|anchor|noformat|quote|panel|expand|info|warning)\}", " ", source)
    source = re.sub(r"\{(?:color|anchor):[^{}\n]*\}", "", source)
    source = re.sub(r"\{code:java\|?|\|borderStyle=\w+|\btitle=|\{(?:panel|info|expand):", " ", source)
    source = re.sub(r"\[~accountid:[^\[\]\n]+\]", " ", source)  # a person is told by name
    source = re.sub(r"\[([^\[\]|\n]+)\|[^\[\]\n]+\]", r"\1", source)
    source = re.sub(r'!([^!|\n]+)\|(?:alt="(.*?)"|[^!\n]*)!', lambda found: found[2] or found[1], source)
    source = re.sub(r"^h[1-6]\.|^bq\.", " ", source, flags=re.MULTILINE)
    return re.sub(r"\{[*~]\}|(?<=\w)\{color\}", "", source)


VISIBLE = {"storage": visible_in_storage, "adf": visible_in_adf, "wiki": visible_in_wiki}


def said(file: ParsedFile) -> str:
    """All that the blocks say, a heading once for the blocks that follow each other under it."""
    parts: list[str] = []
    above: tuple[str, ...] = ()
    for block in file.blocks:
        if block.heading_path != above:
            parts += block.heading_path
        above = block.heading_path
        parts += [block.text, "" if block.header in block.text else block.header]
    return "\n".join(parts)


@pytest.mark.parametrize("name", READ)
def test_every_word_that_a_reader_sees_is_in_a_block(name: str) -> None:
    visible = VISIBLE[name.partition("/")[0]](SOURCES[name].read_text(encoding="utf-8"))
    seen = words(visible)
    assert seen.total() > 7
    assert seen - words(said(read(SOURCES[name]))) == Counter()


def test_only_damaged_json_is_refused() -> None:
    with pytest.raises(Unparsable, match="damaged JSON"):
        read(SOURCES["adf/cut_off.json"])
