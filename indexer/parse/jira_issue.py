"""An issue of Jira, or one comment of it, as our connector bundles it: facts in words, then its texts.

A bundle is a JSON object; every entry may be missing:

    title       of the document
    facts       [name, value] pairs for the first block, in their order
    texts       [heading, text] pairs, each a section: the description, and further fields with rich text
    links       [words, key] pairs: `blocks`, `PAY-12`; which way a link goes is in the words
    remote      links to elsewhere: {"words", "title", "summary", "url"}
    history     changes, the oldest first: {"at", "by", "field", "from", "to"}
    comments    {"by", "at", "text"}
    metadata    {"author", "updated", "space", "labels"}
    people      of the fields, as the source identifies them
    cut         what there is too much of, where something was left out
    names       of people that the texts mention, by how the source identifies them

A text is an object where it is in the Atlassian Document Format, and a string where it is in wiki markup.
"""

import re
from typing import Any
from urllib.parse import unquote

from domain.documents import BlockKind, ParsedFile
from indexer.parse import adf
from indexer.parse import jira_wiki as wiki_markup
from indexer.parse.bundle import Bundle, as_list, as_object, as_text, metadata_of, open_bundle
from indexer.parse.formats import FileContent
from indexer.parse.limits import ParseLimits
from indexer.parse.mentions import MentionCollector
from indexer.parse.outline import Outline, one_line

_PAGE = re.compile(
    r"(?:[?&]pageId=(?P<old>\d{1,20})|/spaces/(?P<space>[^/?#]{1,255})/(?:pages|blog(?:/\d+)*)/(?P<new>\d{1,20}))(?!\d)"
)
"""Where an address leads to a page of Confluence, by its id."""


def load(content: FileContent, limits: ParseLimits) -> ParsedFile:
    """The parsed issue or comment.

    Raises Unparsable when it is no bundle, when nothing is in it, or more than `limits` allow.
    """
    bundle, out, mentioned = open_bundle(content.text, "not a bundle of an issue", limits)
    _add_facts(out, bundle)
    for heading, text in _pairs(bundle.get("texts")):
        _adopt(out, _part(out, text, mentioned), heading=as_text(heading))
    _add_links(out, bundle, mentioned)
    _add_history(out, bundle)
    _add_comments(out, bundle, mentioned)
    for person in as_list(bundle.get("people")):
        mentioned.person(as_text(person))
    known = metadata_of(as_object(bundle.get("metadata")))
    return out.finish(known, lone_heading_is_title=False, mentions=mentioned.all())


def _add_facts(out: Outline, bundle: Bundle) -> None:
    pairs = ((one_line(as_text(name)), one_line(as_text(value))) for name, value in _pairs(bundle.get("facts")))
    out.add(BlockKind.PROSE, "\n".join(f"{name}: {value}" for name, value in pairs if name and value))


def _add_links(out: Outline, bundle: Bundle, mentioned: MentionCollector) -> None:
    """Issues that this one is linked to, then what it leads to elsewhere, one line each."""
    lines: list[str] = []
    for words, key in _pairs(bundle.get("links")):
        mentioned.issue(as_text(key))
        lines.append(one_line(f"- {as_text(words)} {as_text(key)}"))
    lines += [_remote(remote, mentioned) for remote in _objects(bundle.get("remote"))]
    _add_section(out, "Links", lines)


def _remote(remote: Bundle, mentioned: MentionCollector) -> str:
    url = as_text(remote.get("url"))
    page = _PAGE.search(url)
    if page:
        mentioned.page(page_id=page["old"] or page["new"], space=unquote(page["space"] or ""))
    mentioned.url(url, as_text(remote.get("title")))
    words, title, summary = (as_text(remote.get(name)) for name in ("words", "title", "summary"))
    about = ": ".join(filter(None, [title, summary]))
    return one_line(f"- {words} {about} {f'<{url}>' if url else ''}")


def _add_history(out: Outline, bundle: Bundle) -> None:
    lines = []
    for change in _objects(bundle.get("history")):
        at, by, field, before, after = (as_text(change.get(name)) for name in ("at", "by", "field", "from", "to"))
        if field:
            lines.append(one_line(f"- {at[:10]} {by}: {field} {before or 'none'} → {after or 'none'}"))
    _add_section(out, "History", lines)


def _add_comments(out: Outline, bundle: Bundle, mentioned: MentionCollector) -> None:
    """Every comment with its author and day in front, so that it can be told whose words they are."""
    section = out.part()
    for comment in _objects(bundle.get("comments")):
        said = ", ".join(filter(None, [as_text(comment.get("by")), as_text(comment.get("at"))[:10]]))
        _adopt(section, _part(out, comment.get("text"), mentioned), label=said)
    _adopt(out, section, heading="Comments")


def _add_section(out: Outline, heading: str, lines: list[str]) -> None:
    section = out.part()
    section.add(BlockKind.LIST, "\n".join(lines))
    _adopt(out, section, heading=heading)


def _adopt(out: Outline, part: Outline, *, heading: str = "", label: str = "") -> None:
    """Takes a part in unless nothing is in it: its heading alone would say nothing."""
    if part.taken():
        out.adopt(part, heading, label)


def _part(out: Outline, text: object, mentioned: MentionCollector) -> Outline:
    """What a text says, in whichever of the two forms it is."""
    part = out.part()
    if isinstance(text, str):
        wiki_markup.add_fragment(part, text, mentioned)
    elif isinstance(text, dict):
        adf.add_fragment(part, text, mentioned)
    return part


def _objects(value: object) -> list[Bundle]:
    return [each for each in as_list(value) if isinstance(each, dict)]


def _pairs(value: object) -> list[tuple[Any, Any]]:
    return [(each[0], each[1]) for each in as_list(value) if isinstance(each, list) and len(each) == 2]
