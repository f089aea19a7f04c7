"""Short forms for the tests of Atlassian's document format: nodes, and what is read of them."""

import json
from typing import Any

from domain.documents import ParsedFile
from tests.fakes.atlassian.markup import ADF
from tests.unit.indexer.parse.parsing import parsed, texts

Json = dict[str, Any]


def node(kind: str, *content: Json, **attributes: object) -> Json:
    made: Json = {"type": kind}
    if attributes:
        made["attrs"] = attributes
    if content:
        made["content"] = list(content)
    return made


def text(words: str, *marks: Json) -> Json:
    return {"type": "text", "text": words, **({"marks": list(marks)} if marks else {})}


def mark(kind: str, **attributes: object) -> Json:
    return {"type": kind, "attrs": attributes}


def p(*content: Json | str) -> Json:
    return node("paragraph", *(text(each) if isinstance(each, str) else each for each in content))


def item(*content: Json | str) -> Json:
    return node("listItem", *(p(each) if isinstance(each, str) else each for each in content))


def row(*cells: Json) -> Json:
    return node("tableRow", *cells)


def cell(*content: Json | str, kind: str = "tableCell", **attributes: object) -> Json:
    return node(kind, *(p(each) if isinstance(each, str) else each for each in content), **attributes)


def head(words: str, **attributes: object) -> Json:
    return cell(words, kind="tableHeader", **attributes)


def doc(*content: Json) -> Json:
    return {"version": 1, "type": "doc", "content": list(content)}


def issue(*content: Json) -> ParsedFile:
    return parsed(json.dumps(doc(*content)), "description", ADF)


def said(*content: Json) -> list[str]:
    return texts(issue(*content))
