"""A page of Confluence as our connector bundles it: body, comments, labels, who wrote it and when.

The bundle is JSON: `title`, `space`, `author`, `updated`, `labels`, `names`, `body` and `comments`. `names` has those
of people that the texts mention, by how the markup identifies them. A body is
`{"representation": "storage" | "atlas_doc_format", "value": …}`; a comment is a body with `author`, `date` and, for
those on words of the page, `on`. `cut` says what there is too much of, where something was left out.
"""

import json
from collections.abc import Mapping

from domain.documents import BlockKind, ParsedFile
from indexer.parse import adf
from indexer.parse import confluence_storage as storage_format
from indexer.parse.formats import FileContent, Unparsable
from indexer.parse.limits import ParseLimits
from indexer.parse.mentions import MentionCollector, texts
from indexer.parse.metadata import collect, labels, moment
from indexer.parse.outline import Outline

Bundle = Mapping[str, object]


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """The page with its comments, these under a heading of their own.

    Raises Unparsable when it is no such bundle, or more than `limits` allow. A page with a title alone is one: it has
    pages below it.
    """
    bundle = _object(content.text, "damaged JSON")
    mentioned, out = MentionCollector(texts(bundle.get("names"))), Outline(limits, _text(bundle, "title"))
    if bundle.get("cut"):
        out.cut(_text(bundle, "cut"))
    _body(out, _inner(bundle.get("body")), mentioned)
    comments = bundle.get("comments")
    rows = [_inner(each) for each in comments] if isinstance(comments, list) else []
    if rows:
        out.heading(1, "Comments")
    for row in rows:
        _comment(out, row, mentioned)
    given = bundle.get("labels")
    said = collect(
        labels=labels(str(each) for each in given) if isinstance(given, list) else "",
        author=_text(bundle, "author"),
        updated=moment(_text(bundle, "updated")),
        space=_text(bundle, "space"),
    )
    return out.finish(said, lone_heading_is_title=False, mentions=mentioned.all())


def _comment(out: Outline, row: Bundle, mentioned: MentionCollector) -> None:
    """One comment under its author and date; the words that it is about come first."""
    part = out.part()
    about = _text(row, "on")
    if about:
        part.add(BlockKind.PROSE, f"On “{about}”:")
    _body(part, row, mentioned)
    out.adopt(part, ", ".join(each for each in (_text(row, "author"), _text(row, "date")[:10]) if each))


def _body(out: Outline, body: Bundle, mentioned: MentionCollector) -> None:
    value = _text(body, "value")
    if not value:
        return
    if body.get("representation") == "atlas_doc_format":
        adf.add_fragment(out, _object(value, "damaged document"), mentioned)
    else:
        storage_format.add_fragment(out, value, mentioned)


def _object(text: str, damaged: str) -> Bundle:
    try:
        found = json.loads(text)
    except RecursionError:
        raise Unparsable("nested too deeply") from None
    except ValueError:
        raise Unparsable(damaged) from None
    if not isinstance(found, dict):
        raise Unparsable(damaged)
    return found


def _inner(value: object) -> Bundle:
    return value if isinstance(value, dict) else {}


def _text(bundle: Bundle, name: str) -> str:
    value = bundle.get(name)
    return value if isinstance(value, str) else ""
