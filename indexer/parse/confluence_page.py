"""A page of Confluence as our connector bundles it: body, comments, labels, who wrote it and when.

The bundle is JSON: `title`, `space`, `author`, `updated`, `labels`, `names`, `body` and `comments`. `names` has those
of people that the texts mention, by how the markup identifies them. A body is
`{"representation": "storage" | "atlas_doc_format", "value": …}`; a comment is a body with `author`, `date` and, for
those on words of the page, `on`. `cut` says what there is too much of, where something was left out.
"""

from domain.documents import BlockKind, ParsedFile
from indexer.parse import adf
from indexer.parse import confluence_storage as storage_format
from indexer.parse.bundle import Bundle, as_list, as_object, as_text, json_object, metadata_of, open_bundle
from indexer.parse.formats import FileContent
from indexer.parse.limits import ParseLimits
from indexer.parse.mentions import MentionCollector
from indexer.parse.outline import Outline


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """The page with its comments, these under a heading of their own.

    Raises Unparsable when it is no such bundle, or more than `limits` allow. A page with a title alone is one: it has
    pages below it.
    """
    bundle, out, mentioned = open_bundle(content.text, "damaged JSON", limits)
    _body(out, as_object(bundle.get("body")), mentioned)
    comments = as_list(bundle.get("comments"))
    if comments:
        out.heading(1, "Comments")
    for comment in comments:
        _comment(out, as_object(comment), mentioned)
    return out.finish(metadata_of(bundle), lone_heading_is_title=False, mentions=mentioned.all())


def _comment(out: Outline, row: Bundle, mentioned: MentionCollector) -> None:
    """One comment under its author and date; the words that it is about come first."""
    part = out.part()
    if about := as_text(row.get("on")):
        part.add(BlockKind.PROSE, f"On “{about}”:")
    _body(part, row, mentioned)
    out.adopt(part, ", ".join(filter(None, [as_text(row.get("author")), as_text(row.get("date"))[:10]])))


def _body(out: Outline, body: Bundle, mentioned: MentionCollector) -> None:
    value = as_text(body.get("value"))
    if not value:
        return
    if body.get("representation") == "atlas_doc_format":
        adf.add_fragment(out, json_object(value, "damaged document", "damaged document"), mentioned)
    else:
        storage_format.add_fragment(out, value, mentioned)
