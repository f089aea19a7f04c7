"""Rich text in the forms that Atlassian has: ADF, wiki mark-up, storage format. Small conversions only."""

import re
from html import escape, unescape

from tests.fakes.atlassian.adf_rules import adf_faults
from tests.fakes.atlassian.records import Body
from tests.fakes.atlassian.tracker_records import Text

_BLOCK_END = re.compile(r"</(?:p|h[1-6]|li|td|th|ac:plain-text-body)>|<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)


def adf(*paragraphs: str) -> Body:
    """An ADF document of plain paragraphs."""
    rows = [{"type": "paragraph", "content": [{"type": "text", "text": each}]} for each in paragraphs if each]
    return {"type": "doc", "version": 1, "content": rows}


def adf_lines(node: Body) -> list[str]:
    """The text of an ADF document, one line for each block that holds text."""
    rows = node.get("content") or []
    if any(each.get("type") in {"text", "mention", "hardBreak", "inlineCard"} for each in rows):
        words = (each.get("text") or each.get("attrs", {}).get("text") or "" for each in rows)
        return ["".join(words)]
    return [line for each in rows for line in adf_lines(each)]


def storage(*paragraphs: str) -> str:
    """Storage format of plain paragraphs."""
    return "".join(f"<p>{escape(each, quote=False)}</p>" for each in paragraphs)


def storage_lines(content: str) -> list[str]:
    """The words of storage format, roughly: for search and for ADF that nobody gave."""
    plain = _CDATA.sub(lambda found: escape(found.group(1), quote=False), content)
    words = unescape(_TAG.sub("", _BLOCK_END.sub("\n", plain)))
    return [line.strip() for line in words.split("\n") if line.strip()]


def text(content: "str | Body | Text") -> Text:
    """Both forms of what was given in one: wiki mark-up as a string, ADF as a dictionary. Raises ValueError for ADF
    that a site would refuse."""
    if isinstance(content, Text):
        return content
    if isinstance(content, str):
        return Text(content, adf(*content.split("\n")))
    faults = list(adf_faults(content))
    if faults:
        raise ValueError(f"INVALID_INPUT: {faults[0]}")
    return Text("\n\n".join(adf_lines(content)), content)
