"""What Teams takes and what comes alive in it, read from Microsoft's documentation, independently of bot.teams."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.fakes.slack_limits import page

Json = Mapping[str, Any]

BODY = {"type", "textFormat", "text", "entities", "attachments", "channelData", "suggestedActions", "summary"}
KEYS = {
    "AdaptiveCard": {"type", "$schema", "version", "msteams", "body"},
    "TextBlock": {"type", "text", "weight", "wrap", "style", "isSubtle", "size", "separator"},
    "RichTextBlock": {"type", "inlines"},
    "TextRun": {"type", "text", "weight", "italic", "strikethrough", "fontType", "isSubtle", "size", "color"},
    "Container": {"type", "items", "id", "isVisible", "style", "selectAction"},
    "ColumnSet": {"type", "columns"},
    "Column": {"type", "width", "items", "selectAction"},
    "ActionSet": {"type", "actions"},
    "Input.Text": {"type", "id", "label", "isMultiline", "maxLength"},
    "Action.OpenUrl": {"type", "title", "url"},
    "Action.Submit": {"type", "title", "tooltip", "data"},
    "Action.Execute": {"type", "title", "verb", "data", "style"},
    "Action.ToggleVisibility": {"type", "title", "targetElements"},
}
ICONS = {
    *("Microsoft Word", "Microsoft Excel", "Microsoft PowerPoint", "Microsoft OneNote", "Microsoft SharePoint"),
    *("Microsoft Visio", "Microsoft Loop", "Microsoft Whiteboard", "Source Code", "Sketch", "Adobe Illustrator"),
    *("Adobe Photoshop", "Adobe InDesign", "Adobe Flash", "Image", "GIF", "Video", "Sound", "ZIP", "Text", "PDF"),
}
SHOWN = {
    *("paragraph_open", "paragraph_close", "inline", "fence", "bullet_list_open", "bullet_list_close"),
    *("ordered_list_open", "ordered_list_close", "list_item_open", "list_item_close"),
    *("blockquote_open", "blockquote_close"),
}
"""What Teams shows in texts, as markdown-it calls it."""
INLINE = {"text", "softbreak", "hardbreak", "code_inline", "strong_open", "strong_close", "em_open", "em_close"}
STRUCK = {"s_open", "s_close", "link_open", "link_close"}

THUMBS = {"feedbackLoop": {"type": "default"}}

CALL = re.compile(r"(?i)</?at\b")
ADDRESS = re.compile(r"(?i)://|(?<![a-z0-9])www\.|\bmailto:")
MARKUP = re.compile(r"[<>\[\]`*]|://")

_markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def utf16(value: object) -> int:
    """Bytes of the JSON of a value in UTF-16."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-16-le", "surrogatepass"))


def length(text: str) -> int:
    """As JavaScript counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def wrong_with(body: Json, allowed: Collection[str] = ()) -> list[str]:
    """What Teams would refuse of a message, or bring to life in it. allowed: addresses of citations."""
    found = [f"body with {key}" for key in body if key not in BODY]
    found += [f"{utf16(body)} bytes"] * (utf16(body) > 78 * 1024)
    found += ["no message"] * (body["type"] != "message")
    found += ["neither text nor card"] * (not body.get("text", "").strip() and not body.get("attachments"))
    found += ["several messages"] * (bool(body.get("text", "").strip()) + len(body.get("attachments", ())) > 1)
    found += [f"calls somebody: {text}" for text in strings(body) if CALL.search(text)]
    found += [f"a lone surrogate: {text!r}" for text in strings(body) if re.search(r"[\ud800-\udfff]", text)]
    found += wrong_with_text(body.get("text", ""), allowed) if "text" in body else []
    found += wrong_with_entities(body, allowed)
    for attached in body.get("attachments", ()):
        found += ["its type"] * (attached["contentType"] != "application/vnd.microsoft.card.adaptive")
        found += wrong_with_card(attached["content"], allowed)
    offered = body.get("suggestedActions", {"actions": ()})["actions"]
    found += ["suggested actions"] * (len(offered) > 3 or bool(offered and body.get("attachments")))
    found += ["a suggestion"] * any(not 1 <= length(each["value"]) <= 1_000 for each in offered)
    found += ["feedback"] * (body.get("channelData", THUMBS) != THUMBS)
    return found


def strings(value: object) -> Iterator[str]:
    """All texts of a value that anybody sees: names of fields, and what buttons send to us, are left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from strings(each) if "kb" not in value or name == "msteams" else ()
    elif isinstance(value, list | tuple):
        for each in value:
            yield from strings(each)


def wrong_with_text(text: str, allowed: Collection[str]) -> list[str]:
    """What in the Markdown of a text is no text, and where its links lead."""
    found = []
    for token in _markdown.parse(text):
        found += [token.type] * (token.type not in SHOWN)
        for child in token.children or ():
            found += [f"{child.type}: {child.content}"] * (child.type not in INLINE | STRUCK)
        found += wrong_with_inline(token.children or [], allowed)
    return found


def wrong_with_inline(tokens: list[Token], allowed: Collection[str]) -> Iterator[str]:
    within = 0
    said = ""
    for token in tokens:
        if token.type == "link_open":
            yield from wrong_with_url(str(token.attrs["href"]), allowed)
        within += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        said += token.content if token.type == "text" and not within else "\n"
    if ADDRESS.search(said):
        yield f"an address in {said!r}"


def wrong_with_url(url: str, allowed: Collection[str]) -> Iterator[str]:
    if not url.startswith(("http://", "https://")) or page(url) not in map(page, allowed) or length(url) > 3_000:
        yield f"a link to {url}"
    if re.search(r"[\s<>()\"]", url) or not url.isascii():
        yield f"not encoded: {url}"


def wrong_with_entities(body: Json, allowed: Collection[str]) -> list[str]:
    entities = body.get("entities", [])
    found = ["entities"] * (len(entities) > 1)
    for entity in entities:
        found += ["its type"] * ((entity["type"], entity["@type"]) != ("https://schema.org/Message", "Message"))
        found += ["no label"] * (entity["additionalType"] != ["AIGeneratedContent"])
        claims = entity.get("citation", [{}])
        found += [f"{len(claims)} citations"] * (not 1 <= len(claims) <= 20)
        for claim in claims if "citation" in entity else ():
            found += wrong_with_claim(claim, body["text"], allowed)
    positions = [claim["position"] for each in entities for claim in each.get("citation", ())]
    return found + ["a position twice"] * (len(set(positions)) != len(positions))


def wrong_with_claim(claim: Json, text: str, allowed: Collection[str]) -> Iterator[str]:
    shown = claim["appearance"]
    if claim["@type"] != "Claim" or shown["@type"] != "DigitalDocument" or f"[{claim['position']}]" not in text:
        yield f"a claim {claim}"
    if not 1 <= length(shown["name"]) <= 80 or not 1 <= length(shown["abstract"]) <= 160:
        yield f"name or abstract of {shown}"
    if len(shown.get("keywords", ())) > 3 or any(not 1 <= length(each) <= 28 for each in shown.get("keywords", ())):
        yield "keywords"
    if shown["image"] not in [{"@type": "ImageObject", "name": each} for each in ICONS]:
        yield "icon"
    yield from wrong_with_url(shown["url"], allowed) if "url" in shown else ()


def wrong_with_card(card: Json, allowed: Collection[str]) -> list[str]:
    """The same of a card."""
    found = [f"a card of {utf16(card)} bytes"] * (utf16(card) > 25 * 1024)
    found += ["version"] * ((card["type"], card["version"]) != ("AdaptiveCard", "1.5"))
    found += ["mentions"] * ("entities" in card.get("msteams", {}))
    ids = [each["id"] for each in nodes(card) if "id" in each]
    found += ["an id twice"] * (len(set(ids)) != len(ids))
    for node in nodes(card):
        found += wrong_with_node(node, allowed)
        found += [f"no {each}" for each in node.get("targetElements", ()) if each not in ids]
    return found


def nodes(value: object) -> Iterator[Json]:
    """The elements and actions of a card."""
    if isinstance(value, Mapping):
        if value.get("type") in KEYS:
            yield value
        for name, each in value.items():
            yield from nodes(each) if name not in ("data", "msteams") else ()
    elif isinstance(value, list):
        for each in value:
            yield from nodes(each)


def wrong_with_node(node: Json, allowed: Collection[str]) -> Iterator[str]:
    kind = node["type"]
    yield from (f"{kind} with {key}" for key in node if key not in KEYS[kind])
    for inside in ("items", "inlines", "columns", "actions", "body"):
        if inside in node and not node[inside]:
            yield f"{kind} without {inside}"
        if any(each["type"] not in KEYS for each in node.get(inside, ())):
            yield f"unknown in {kind}"
    match kind:
        case "TextBlock":
            if not node["text"] or MARKUP.search(node["text"]):
                yield f"mark-up in {node['text']!r}"
        case "TextRun":
            if not node["text"]:
                yield "an empty run"
        case "ActionSet":
            if len(node["actions"]) > 6:
                yield "many actions"
        case "Action.OpenUrl":
            yield from wrong_with_url(node["url"], allowed)
    if kind.startswith("Action.") and not 1 <= length(node["title"]) <= 60:
        yield f"a label {node['title']!r}"


def seen(body: Json) -> str:
    """The words of a message's text as a person sees them."""
    shown = []
    for token in _markdown.parse(body["text"]):
        if token.type == "fence":
            shown.append(token.content)
        breaks = ("softbreak", "hardbreak")
        shown += ["\n" if child.type in breaks else child.content for child in token.children or ()]
        shown.append("\n" if token.type in ("inline", "fence") else "")
    return "".join(shown)
