"""The content of a page in one piece, as indexer.parse.confluence_page reads it."""

import json
from collections.abc import Sequence
from datetime import UTC

from indexer.connectors.atlassian.confluence_records import Body, Remark, Wiki

PAGE = "application/vnd.kb-agent.confluence-page+json"


async def bundle(wiki: Wiki, body: Body, remarks: Sequence[Remark]) -> bytes:
    """A page with its comments, the oldest first: the same bytes as long as nothing changes."""
    talk = sorted(remarks, key=lambda each: (len(each.id), each.id))
    content = {
        "title": body.entry.title,
        "space": body.entry.space,
        "author": await wiki.name(body.author),
        "updated": max((body.entry.at, *(each.at for each in talk))).astimezone(UTC).isoformat(),
        "labels": list(body.entry.labels or ()),
        "body": {"representation": body.representation, "value": body.value},
        "comments": [await _comment(wiki, each) for each in talk],
    }
    return json.dumps(content, ensure_ascii=False, sort_keys=True).encode()


async def _comment(wiki: Wiki, remark: Remark) -> dict[str, str]:
    return {
        "author": await wiki.name(remark.author),
        "date": remark.at.astimezone(UTC).isoformat(),
        "on": remark.on,
        "representation": remark.representation,
        "value": remark.value,
    }
