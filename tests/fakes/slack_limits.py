"""What Slack takes, written down from its documentation and apart from the product: it says what is wrong with a
message or a view. It also reads out what a person would see."""

import html
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

Block = Mapping[str, Any]

KEYS = {
    "section": {"type", "text", "accessory", "block_id"},
    "header": {"type", "text", "block_id"},
    "divider": {"type", "block_id"},
    "context": {"type", "elements", "block_id"},
    "actions": {"type", "elements", "block_id"},
    "context_actions": {"type", "elements", "block_id"},
    "input": {"type", "label", "element", "optional", "block_id"},
    "rich_text": {"type", "elements", "block_id"},
    "button": {"type", "text", "action_id", "value", "style", "confirm"},
    "feedback_buttons": {"type", "action_id", "positive_button", "negative_button"},
    "plain_text_input": {"type", "action_id", "multiline", "max_length"},
    "rich_text_section": {"type", "elements"},
    "rich_text_quote": {"type", "elements", "border"},
    "rich_text_preformatted": {"type", "elements", "border"},
    "rich_text_list": {"type", "elements", "style", "indent", "offset", "border"},
    "text": {"type", "text", "style"},
    "link": {"type", "text", "style", "url"},
    "plain_text": {"type", "text", "emoji"},
    "mrkdwn": {"type", "text", "verbatim"},
}
WITHIN = {
    "context": {"mrkdwn", "plain_text"},
    "actions": {"button"},
    "context_actions": {"feedback_buttons"},
    "rich_text": {"rich_text_section", "rich_text_quote", "rich_text_preformatted", "rich_text_list"},
    "rich_text_list": {"rich_text_section"},
    "rich_text_section": {"text", "link"},
    "rich_text_quote": {"text", "link"},
    "rich_text_preformatted": {"text", "link"},
}
MOST = {"context": 10, "actions": 25, "context_actions": 5}
LAYOUT = {"section", "header", "divider", "context", "actions", "context_actions", "input", "rich_text"}
STYLES = {"bold", "italic", "strike", "code"}

CONTROL = re.compile(r"<([^<>]*)>")
ADDRESS = re.compile(r"(?i)://|\bwww\.")
TOKEN = re.compile(r"<[!@#]")
LIVE_MARKDOWN = re.compile(r"(?i)<|\]\(|\]:|://\S|\bwww\.")


def size(text: str) -> int:
    """As JavaScript counts, the strictest of the ways in which Slack may."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def wrong_with_message(text: str, blocks: Collection[Block], allowed: Collection[str] = ()) -> list[str]:
    """What Slack would refuse of a message, or bring to life in it."""
    found = [f"{len(blocks)} blocks"] * (not 1 <= len(blocks) <= 50)
    length = size(json.dumps(list(blocks), ensure_ascii=False, separators=(",", ":")))
    found += [f"{length} characters of blocks"] * (length > 12_000)
    found += [f"text of {size(text)}"] * (not 1 <= size(text) <= 3_000)
    found += ["something live in the text"] * bool(re.search(r"[<>]", text))
    found += ["an address in the text"] * bool(ADDRESS.search(re.sub(r"`[^`]*`", "", text)))
    return [*found, *wrong_with_blocks(blocks, allowed)]


def wrong_with_view(view: Block, allowed: Collection[str] = ()) -> list[str]:
    """The same of a modal or a Home tab."""
    found = [f"{len(view['blocks'])} blocks"] * (not 1 <= len(view["blocks"]) <= 100)
    found += ["too large"] * (len(json.dumps(view, ensure_ascii=False).encode()) > 250_000)
    for name in ("title", "close", "submit") if view["type"] == "modal" else ():
        found += [f"{name} too long"] * (name in view and not 1 <= size(view[name]["text"]) <= 24)
    found += ["private_metadata"] * (size(view.get("private_metadata", "")) > 3_000)
    return [*found, *wrong_with_blocks(view["blocks"], allowed)]


def wrong_with_blocks(blocks: Iterable[Block], allowed: Collection[str]) -> list[str]:
    found = []
    for block in blocks:
        found += [f"no block: {block['type']}"] * (block["type"] not in LAYOUT)
        found += [f"{block['type']}: {each}" for part in nodes(block) for each in wrong_with(part, allowed)]
        if block["type"] == "rich_text":
            found += ["a long rich_text"] * (
                sum(size(part["text"]) for part in nodes(block) if "text" in part) >= 3_000
            )
        ids = [part["action_id"] for part in nodes(block) if "action_id" in part]
        found += ["two of one action_id"] * (len(ids) != len(set(ids)))
    return found


def nodes(block: Block) -> Iterator[Block]:
    """A block and everything in it that has a type."""
    if "type" in block:
        yield block
    for value in block.values():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Mapping):
                yield from nodes(each)


def wrong_with(node: Block, allowed: Collection[str]) -> Iterator[str]:
    kind = node["type"]
    yield from (f"{kind} with {key}" for key in node if key not in KEYS.get(kind, ()))
    if "elements" in node:
        inside = [each["type"] for each in node["elements"]]
        yield from (f"{each} in {kind}" for each in inside if each not in WITHIN[kind])
        if not 1 <= len(inside) <= MOST.get(kind, len(inside)):
            yield f"{len(inside)} elements"
    match kind:
        case "text" | "link" | "plain_text" | "mrkdwn":
            yield from wrong_with_text(node, allowed)
        case "section" | "header" | "button" | "input":
            yield from wrong_with_labelled(node)
        case "feedback_buttons":
            halves = (node["positive_button"], node["negative_button"])
            if any(
                not 1 <= size(half["text"]["text"]) <= 75 or not 1 <= size(half["value"]) <= 2_000 for half in halves
            ):
                yield "a long half"
        case "rich_text_list":
            if node["style"] not in ("bullet", "ordered") or not 0 <= node["indent"] <= 8 or node.get("offset", 1) < 1:
                yield f"a list {node}"
        case "plain_text_input":
            if not 1 <= node["max_length"] <= 3_000:
                yield "max_length"


def wrong_with_confirm(dialog: Block) -> Iterator[str]:
    for name, most in {"title": 100, "text": 300, "confirm": 30, "deny": 30}.items():
        if dialog[name]["type"] != "plain_text" or not 1 <= size(dialog[name]["text"]) <= most:
            yield f"confirm: {name}"
    yield from (f"confirm with {name}" for name in dialog if name not in {"title", "text", "confirm", "deny", "style"})


def wrong_with_labelled(node: Block) -> Iterator[str]:
    yield from wrong_with_confirm(node["confirm"]) if "confirm" in node else ()
    most, kinds = {
        "section": (3_000, {"mrkdwn", "plain_text"}),
        "header": (150, {"plain_text"}),
        "button": (75, {"plain_text"}),
        "input": (2_000, {"plain_text"}),
    }[node["type"]]
    label = node["label"] if node["type"] == "input" else node["text"]
    if label["type"] not in kinds or size(label["text"]) > most:
        yield f"its text: {label}"
    if not 1 <= size(node.get("action_id", "x")) <= 255 or not 1 <= size(node.get("value", "x")) <= 2_000:
        yield "action_id or value"


def wrong_with_text(node: Block, allowed: Collection[str]) -> Iterator[str]:
    if not 1 <= size(node["text"]) <= 3_000:
        yield f"text of {size(node['text'])}"
    if set(node.get("style", ())) - STYLES or node.get("style") == {}:
        yield "style"
    match node["type"]:
        case "link":
            yield from wrong_with_url(node["url"], allowed)
        case "plain_text":
            yield from ["a token"] * bool(TOKEN.search(node["text"]))
        case "mrkdwn":
            yield from ["addresses are linked by themselves"] * (node.get("verbatim") is not True)
            yield from ["< or >"] * bool(re.search(r"[<>]", CONTROL.sub("", node["text"])))
            for control in CONTROL.findall(node["text"]):
                yield from wrong_with_url(html.unescape(control.partition("|")[0]), allowed)


def wrong_with_url(url: str, allowed: Collection[str]) -> Iterator[str]:
    """allowed: addresses of citations; what lies on their hosts is allowed as well."""
    hosts = {host(each) for each in allowed}
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or parts.netloc not in hosts or size(url) > 3_000:
        yield f"a link to {url}"
    if re.search(r"[\s<>|\"]", url) or not url.isascii():
        yield f"not encoded: {url}"


def host(url: str) -> str:
    """The host of an address as DNS spells it; nothing where it cannot be one."""
    try:
        return urlsplit(url.strip(" ")).netloc.encode("idna").decode().lower()
    except ValueError:
        return ""


def live_in_markdown(text: str) -> list[str]:
    """What Slack would bring to life in standard Markdown: tokens, HTML, links, definitions, addresses."""
    return LIVE_MARKDOWN.findall(text)


def seen(blocks: Iterable[Block]) -> str:
    """The words that a person sees of the blocks in which a reply is shown."""
    return "\n".join(_seen(block) for block in blocks if block["type"] in ("header", "rich_text"))


def _seen(node: Block) -> str:
    if node["type"] in ("text", "link"):
        return str(node["text"])
    if node["type"] == "header":
        return str(node["text"]["text"])
    inline = node["type"] in ("rich_text_section", "rich_text_quote", "rich_text_preformatted")
    return ("" if inline else "\n").join(map(_seen, node["elements"]))
