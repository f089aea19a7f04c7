import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.documents import ParsedFile
from indexer.parse.formats import Unparsable
from indexer.parse.limits import ParseLimits
from tests.fakes.atlassian.markup import ADF, STORAGE, WIKI, read_adf, read_markup

LIMITS = ParseLimits(output_characters=200_000)

word = st.integers(100, 999).map(lambda number: f"w{number}x")
"""A word that no mark-up contains."""

MACRO = '<ac:structured-macro ac:name="{}">'.format
storage_pieces = st.one_of(
    word,
    st.sampled_from([" ", "\n", "&amp;", "&auml;", "&x;", "< ", " > ", "&", '"', "'", "]]>", "<br/>", "<hr>"]),
    st.sampled_from(
        ["p", "b", "h1", "h4", "ul", "ol", "li", "table", "tbody", "tr", "td", "th", "pre", "a", "div"]
    ).flatmap(
        lambda name: st.sampled_from([f"<{name}>", f"</{name}>", f"<{name} />", f'<{name} class="c" colspan="3">'])
    ),
    st.sampled_from(
        ["link", "link-body", "image", "caption", "task-list", "task", "task-body", "layout", "emoticon", "adf-content"]
    ).flatmap(lambda name: st.sampled_from([f"<ac:{name}>", f"</ac:{name}>", f"<ac:{name} />"])),
    st.sampled_from(
        [MACRO(name) for name in ("info", "panel", "expand", "code", "jira", "status", "excerpt", "toc", "x")]
    ),
    st.sampled_from(["</ac:structured-macro>", "<ac:rich-text-body>", "</ac:rich-text-body>", "<ac:plain-text-body>"]),
    st.sampled_from(
        ["</ac:plain-text-body>", '<ri:page ri:content-title="T" />', '<ri:user ri:username="u">', "</ri:user>"]
    ),
    st.sampled_from(['<time datetime="2026-01-01">', "</time>", "<adr>", "<x@y.example>", "<td", "<![CDATA["]),
)
"""Storage format in any order, without what is meant to hide text: parameters, comments, ids of tasks, scripts."""

wiki_pieces = st.one_of(
    word,
    word.map("{}\n".format),
    word.map("\n|{}".format),
    st.sampled_from([" ", "\n", "\n\n", "\n|", "\n||", "|\n", "|", "||", "\n* ", "\n# ", "\n#* ", "\n-- ", "\n----\n"]),
    st.sampled_from(
        ["\nh1. ", "\nh3.", "\nbq. ", "*", "_", "-", "+", "^", "~", "??", "{{", "}}", "\\", "\\\\ ", "{*}"]
    ),
    st.sampled_from(
        ["{code}", "{code:java}", "{noformat}", "{quote}", "{color}", "{color:red}", "{x}", "{", "}", "[", "]"]
    ),
    st.sampled_from(
        ["{panel}", "{panel:title=T}", "{info}", "{expand}", "{expand:E}", "[~u]", "[^f]", "[a|https://a.example]"]
    ),
    st.sampled_from(["!a.png!", "!", "https://b.example/", "PROJ-1", ".", ",", "(", ")", "#", ":"]),
)
"""Wiki markup in any order, without what is meant to hide text: parameters that words could slip into."""

KINDS = (
    *("doc", "paragraph", "heading", "bulletList", "orderedList", "listItem", "taskList", "taskItem", "decisionList"),
    *("decisionItem", "codeBlock", "table", "tableRow", "tableCell", "tableHeader", "panel", "expand", "nestedExpand"),
    *("blockquote", "rule", "mediaSingle", "mediaGroup", "layoutSection", "layoutColumn", "bodiedExtension", "caption"),
    *("extensionFrame", "unknown", "blockTaskItem", "bodiedSyncBlock", "", None, 3),
)
leaves = st.one_of(
    st.builds(lambda text: {"type": "text", "text": text}, word),
    st.builds(lambda text: {"type": "status", "attrs": {"text": text}}, word),
    st.sampled_from(
        [{"type": "hardBreak"}, {"type": "emoji", "attrs": {"shortName": ":x:"}}, {"type": "rule"}, None, 7]
    ),
)
nodes = st.recursive(
    leaves,
    lambda inner: st.builds(
        lambda kind, content, attributes: {"type": kind, "content": content, "attrs": attributes},
        st.sampled_from(KINDS),
        st.lists(inner, max_size=5),
        st.sampled_from(
            [{}, {"level": 3}, {"colspan": 2, "rowspan": "3"}, {"panelType": "info"}, {"order": -1}, None, []]
        ),
    ),
    max_leaves=30,
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(["type", "content", "attrs", "marks", "text", "href", "parameters", "url"]), inner
        ),
        st.builds(
            lambda kind, attrs, content: {"type": kind, "attrs": attrs, "content": content},
            st.sampled_from(["extension", "inlineExtension", "mention", "date", "media", "blockCard", *KINDS[:18]]),
            st.dictionaries(
                st.sampled_from(["text", "id", "timestamp", "parameters", "data", "datasource", "level"]), inner
            ),
            inner,
        ),
    ),
    max_leaves=25,
)


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"w\d{3}x", text))


def said(file: ParsedFile) -> Counter[str]:
    parts: list[str] = []
    for block in file.blocks:
        parts += [*block.heading_path, block.text, block.header]
    return words("\n".join(parts))


def parsed(source: str, form: str) -> ParsedFile | None:
    """What `source` is read as; None when it is refused."""
    try:
        return read_markup(form, source, LIMITS)
    except Unparsable:
        return None


def lost(source: str, form: str) -> Counter[str]:
    """The words of `source` that are in no block; a source without words may be refused."""
    file = parsed(source, form)
    return words(source) - (said(file) if file else Counter())


@given(st.lists(storage_pieces, max_size=25).map("".join))
def test_storage_format_in_any_order_keeps_its_words(source: str) -> None:
    assert not lost(source, STORAGE)


@given(st.lists(wiki_pieces, max_size=25).map("".join))
def test_wiki_markup_in_any_order_keeps_its_words(source: str) -> None:
    assert not lost(source, WIKI)


@given(st.lists(nodes, max_size=4))
def test_nodes_in_any_order_keep_their_words(content: list[Any]) -> None:
    assert not lost(json.dumps({"type": "doc", "content": content}), ADF)


def fragments() -> Iterator[str]:
    """What the formats give a meaning to, whole and cut off."""
    yield from [
        "<ac:parameter",
        ' ac:name="title">',
        "</ac:parameter>",
        "<!--",
        "-->",
        "<ac:placeholder>",
        "<!",
        "<?",
        "</",
    ]
    yield from [
        "<script>",
        "<ac:adf-node type='panel'>",
        '<ac:structured-macro ac:name="include">',
        "&#x110000;",
        "&#0;",
    ]
    yield from [
        "{code:",
        "{panel:title=",
        "|title=",
        "[^",
        "[~",
        "|http://",
        "!x.png|",
        "}",
        "\x01",
        "\x02",
        "\x010\x02",
        "\v",
    ]
    yield from ['{"type":"', '","content":[', '"}', "[[[", "]]]", "\ud800", "\0", "h1. ", "'", '"', "\\"]


@pytest.mark.parametrize("form", [STORAGE, WIKI, ADF])
@given(
    source=st.lists(st.one_of(st.sampled_from(list(fragments())), storage_pieces, wiki_pieces, st.text())).map("".join)
)
def test_any_text_is_read_or_refused(source: str, form: str) -> None:
    parsed(source, form)


@given(json_values)
def test_any_value_is_read_or_refused(value: object) -> None:
    try:
        read_adf(value, LIMITS)
    except Unparsable:
        return
