"""The content of a page in one piece, as indexer.parse.confluence_page reads it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC

from indexer.sources.atlassian.display_names import mentioned
from indexer.sources.atlassian.text_budget import TextBudget
from indexer.sources.confluence.records import ConfluenceApi, PageBody, PageComment

PAGE = "application/vnd.kb-agent.confluence-page+json"


async def bundle(wiki: ConfluenceApi, body: PageBody, comments: Sequence[PageComment]) -> bytes:
    """A page with its comments, the oldest first: the same bytes as long as nothing changes."""
    room = TextBudget()
    # JSON cannot be read without its end
    body = replace(body, value=room.kept(body.value, whole=body.representation == "atlas_doc_format"))
    ordered = sorted(comments, key=lambda each: (len(each.id), each.id))
    kept = [each for each in ordered if room.takes(len(each.value))]
    spoken = dict.fromkeys(who for text in (body.value, *(each.value for each in kept)) for who in mentioned(text))
    authors = [wiki.person(each) for each in (body.author, *(each.author for each in kept))]
    names = await wiki.names.of([*authors, *spoken])
    content = {
        "title": body.entry.title,
        "space": body.entry.space,
        "author": names.get(wiki.person(body.author), ""),
        "updated": max((body.entry.at, *(each.at for each in kept))).astimezone(UTC).isoformat(),
        "labels": list(body.entry.labels or ()),
        "body": {"representation": body.representation, "value": body.value},
        "cut": room.cut,
        "names": {each: names[each] for each in spoken if each in names},
        "comments": [_comment(each, names.get(wiki.person(each.author), "")) for each in kept],
    }
    return json.dumps(content, ensure_ascii=False, sort_keys=True).encode(errors="replace")


def _comment(comment: PageComment, author: str) -> dict[str, str]:
    return {
        "author": author,
        "date": comment.at.astimezone(UTC).isoformat(),
        "on": comment.on,
        "representation": comment.representation,
        "value": comment.value,
    }
