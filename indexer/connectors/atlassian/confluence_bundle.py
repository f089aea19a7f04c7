"""The content of a page in one piece, as indexer.parse.confluence_page reads it."""

import json
from collections.abc import Sequence
from datetime import UTC

from indexer.connectors.atlassian.called import mentioned
from indexer.connectors.atlassian.confluence_records import Body, Remark, Wiki
from indexer.connectors.atlassian.lengths import Room

PAGE = "application/vnd.kb-agent.confluence-page+json"


async def bundle(wiki: Wiki, body: Body, remarks: Sequence[Remark]) -> bytes:
    """A page with its comments, the oldest first: the same bytes as long as nothing changes."""
    room = Room()
    body = room.body(body)
    talk = room.remarks(sorted(remarks, key=lambda each: (len(each.id), each.id)))
    spoken = dict.fromkeys(who for text in (body.value, *(each.value for each in talk)) for who in mentioned(text))
    authors = [wiki.person(each) for each in (body.author, *(each.author for each in talk))]
    names = await wiki.names.of([*authors, *spoken])
    content = {
        "title": body.entry.title,
        "space": body.entry.space,
        "author": names.get(wiki.person(body.author), ""),
        "updated": max((body.entry.at, *(each.at for each in talk))).astimezone(UTC).isoformat(),
        "labels": list(body.entry.labels or ()),
        "body": {"representation": body.representation, "value": body.value},
        "cut": room.cut,
        "names": {each: names[each] for each in spoken if each in names},
        "comments": [_comment(each, names.get(wiki.person(each.author), "")) for each in talk],
    }
    return json.dumps(content, ensure_ascii=False, sort_keys=True).encode(errors="replace")


def _comment(remark: Remark, author: str) -> dict[str, str]:
    return {
        "author": author,
        "date": remark.at.astimezone(UTC).isoformat(),
        "on": remark.on,
        "representation": remark.representation,
        "value": remark.value,
    }
