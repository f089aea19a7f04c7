"""What a site takes of a document in the Atlassian Document Format: known nodes with the attributes they need."""

from collections.abc import Iterator
from typing import Any

_PLAIN = (
    "blockCard blockquote bulletList caption codeBlock doc expand extensionFrame hardBreak inlineCard layoutSection"
    " listItem mediaGroup mediaSingle nestedExpand orderedList paragraph rule table tableCell tableHeader tableRow text"
)
NEEDED: dict[str, frozenset[str]] = {
    **dict.fromkeys(_PLAIN.split(), frozenset()),
    **dict.fromkeys(("blockTaskItem", "taskItem", "decisionItem"), frozenset({"localId", "state"})),
    **dict.fromkeys(("bodiedRule", "decisionList", "taskList"), frozenset({"localId"})),
    **dict.fromkeys(("bodiedSyncBlock", "syncBlock"), frozenset({"localId", "resourceId"})),
    **dict.fromkeys(
        ("extension", "bodiedExtension", "inlineExtension", "multiBodiedExtension"),
        frozenset({"extensionKey", "extensionType"}),
    ),
    "date": frozenset({"timestamp"}),
    "embedCard": frozenset({"layout", "url"}),
    "emoji": frozenset({"shortName"}),
    "heading": frozenset({"level"}),
    "layoutColumn": frozenset({"width"}),
    "media": frozenset({"type"}),
    "mediaInline": frozenset({"collection", "id"}),
    "mention": frozenset({"id"}),
    "panel": frozenset({"panelType"}),
    "placeholder": frozenset({"text"}),
    "status": frozenset({"color", "text"}),
}
"""The attributes that a node of each type must have."""
_OF_MEDIA = {"file": {"id", "collection"}, "link": {"id", "collection"}, "external": {"url"}}


def adf_faults(node: Any, at: str = "") -> Iterator[str]:
    """Why a site refuses a document; nothing for one that it takes."""
    kind = node.get("type") if isinstance(node, dict) else None
    if kind not in NEEDED:
        yield f"{at}: {kind!r} is no node"
        return
    given, at = node.get("attrs") or {}, f"{at}/{kind}"
    of_media = _OF_MEDIA.get(str(given.get("type")), set()) if kind == "media" else set[str]()
    needed = NEEDED[kind] | of_media
    yield from (f"{at}: no {name}" for name in sorted(needed - given.keys()))
    if kind == "doc" and node.get("version") != 1:
        yield f"{at}: no version"
    if kind == "text" and not node.get("text"):
        yield f"{at}: empty"
    if isinstance(given.get("alt", ""), str) is False:
        yield f"{at}: alt is no text"
    for each in node.get("content") or ():
        yield from adf_faults(each, at)
