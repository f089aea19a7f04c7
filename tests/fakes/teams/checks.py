"""Whether an activity is one that Teams would take."""

import json
import re
from typing import Any

from tests.fakes.teams.records import Body, TeamsError

ROOT = "https://schema.org/Message"
CARD = "application/vnd.microsoft.card.adaptive"
PAYLOAD = 100 * 1024
"""Bytes of a whole activity in UTF-16."""
CARD_BYTES = 28 * 1024
CITATIONS, NAME, ABSTRACT, KEYWORDS, KEYWORD = 20, 80, 160, 3, 28
_MICROSOFT = ("Word", "Excel", "PowerPoint", "OneNote", "SharePoint", "Visio", "Loop", "Whiteboard")
_ADOBE = ("Illustrator", "Photoshop", "InDesign", "Flash")
ICONS = {
    *(f"Microsoft {each}" for each in _MICROSOFT),
    *(f"Adobe {each}" for each in _ADOBE),
    *("Sketch", "Source Code", "Image", "GIF", "Video", "Sound", "ZIP", "Text", "PDF"),
}
"""What the picture of a citation may be."""
INFORMATIVE = 1024
"""Bytes of an informative update."""


def check(body: Any) -> Body:
    """The activity; raises TeamsError where Teams would not take it."""
    if not isinstance(body, dict):
        raise TeamsError(400, "BadSyntax", "Bad format of conversation ID or activity")
    if len(json.dumps(body, ensure_ascii=False).encode("utf-16-le", "surrogatepass")) > PAYLOAD:
        raise TeamsError(413, "MessageSizeTooBig", "Message size too large.")
    if body.get("type") not in {"message", "typing"}:
        raise TeamsError(400, "BadArgument", "Unknown activity type")
    entities = body.get("entities") or []
    if not isinstance(entities, list) or not all(isinstance(each, dict) and each.get("type") for each in entities):
        raise TeamsError(400, "BadArgument", "Entities need a type")
    if body["type"] == "message":
        _message(body)
        _labels(body, [each for each in entities if each["type"] == ROOT])
    return body


def split(body: Body) -> list[Body]:
    """An activity as the messages that it becomes: a text is one, and each attachment is one."""
    attachments = body.get("attachments") or []
    texts = [{**body, "attachments": []}] if str(body.get("text") or "").strip() else []
    return [*texts, *({**body, "text": "", "attachments": [each]} for each in attachments)]


def check_change(body: Any) -> Body:
    """The activity that a message is to become; raises TeamsError where Teams would not take it: it would be two, or is
    no message."""
    if len(split(check(body))) > 1:
        raise TeamsError(400, "BadSyntax", "Activity resulted into multiple skype activities")
    if body["type"] != "message":
        raise TeamsError(400, "BadArgument", "Bot Activities of type Typing cannot be edited")
    return check(body)


def stream_of(body: Body) -> Body | None:
    """The entity that says which stream an activity belongs to; also in channelData, where older apps put it."""
    found = [each for each in body.get("entities") or [] if each.get("type") == "streaminfo"]
    return found[0] if found else None


def _message(body: Body) -> None:
    attachments = body.get("attachments") or []
    if not str(body.get("text") or "").strip() and not attachments:
        raise TeamsError(400, "BadSyntax", "Activity must include non empty 'text' field or at least 1 attachment")
    for each in attachments:
        card = each.get("content")
        if each.get("contentType") != CARD:
            raise TeamsError(400, "BadArgument", "Unknown attachment type")
        if not isinstance(card, dict) or card.get("type") != "AdaptiveCard" or not isinstance(card.get("body"), list):
            raise TeamsError(400, "BadArgument", "Invalid Adaptive Card")
        if len(json.dumps(card, ensure_ascii=False).encode()) > CARD_BYTES:
            raise TeamsError(413, "MessageSizeTooBig", "Card size too large.")


def _labels(body: Body, roots: list[Body]) -> None:
    if len(roots) > 1:
        raise TeamsError(400, "BadRequest", "There must be exactly one root entity")
    for root in roots:
        if root.get("@type") != "Message":
            raise TeamsError(400, "BadRequest", "The root entity must be a Message")
        _citations(str(body.get("text") or ""), root.get("citation") or [])


def _citations(text: str, claims: list[Body]) -> None:
    if len(claims) > CITATIONS:
        raise TeamsError(400, "BadRequest", "Too many citations")
    positions = [each.get("position") for each in claims]
    if len(set(positions)) != len(positions):
        raise TeamsError(400, "BadRequest", "Citation positions must be unique")
    for claim in claims:
        position, appearance = claim.get("position"), claim.get("appearance")
        if claim.get("@type") != "Claim" or not isinstance(position, int) or not isinstance(appearance, dict):
            raise TeamsError(400, "BadRequest", "A citation is a Claim with position and appearance")
        if not re.search(rf"\[{position}\]", text):
            raise TeamsError(400, "BadRequest", f"The text does not cite [{position}]")
        _appearance(appearance)


def _appearance(appearance: Body) -> None:
    name, abstract = appearance.get("name"), appearance.get("abstract")
    if appearance.get("@type") != "DigitalDocument" or not name or not abstract:
        raise TeamsError(400, "BadRequest", "A citation's appearance needs name and abstract")
    keywords = appearance.get("keywords") or []
    long = len(name) > NAME or len(abstract) > ABSTRACT or any(len(each) > KEYWORD for each in keywords)
    if long or len(keywords) > KEYWORDS:
        raise TeamsError(400, "BadRequest", "A citation's appearance is too long")
    if (appearance.get("image") or {"name": "Text"}).get("name") not in ICONS:
        raise TeamsError(400, "BadRequest", "A citation's picture is not one of those there are")
    url = appearance.get("url")
    if url is not None and not str(url).startswith(("https://", "http://")):
        raise TeamsError(400, "BadRequest", "A citation's url must be absolute")
