"""What the local Slack refuses of a message or a view, and what in it would come alive. It also reads out what a person
would see."""

import html
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.fakes.slack import blocks as rules
from tests.fakes.slack.checks import size
from tests.fakes.slack.records import SlackError

Block = Mapping[str, Any]

SHOWN = {
    *("section", "header", "divider", "context", "actions", "context_actions", "input", "rich_text", "button"),
    *("feedback_buttons", "plain_text_input", "rich_text_section", "rich_text_quote", "rich_text_preformatted"),
    *("rich_text_list", "text", "link", "plain_text", "mrkdwn"),
}
"""What we show: the rest of what Slack takes calls somebody, loads something or leads somewhere."""

CONTROL = re.compile(r"<([^<>]*)>")
ADDRESS = re.compile(r"(?i)://|\bwww\.")
TOKEN = re.compile(r"<[!@#]")
LIVE_MARKDOWN = re.compile(r"(?i)<|\]\(|\]:|://\S|\bwww\.")


def wrong_with_message(text: str, blocks: Collection[Block], allowed: Collection[str] = ()) -> list[str]:
    """What Slack would refuse of a message, or bring to life in it."""
    found = [f"{len(blocks)} blocks"] * (not 1 <= len(blocks) <= 50)
    length = size(json.dumps(list(blocks), ensure_ascii=False, separators=(",", ":")))
    found += [f"{length} characters of blocks"] * (length > 12_000)
    found += [f"text of {size(text)}"] * (not 1 <= size(text) <= 3_000)
    found += ["something live in the text"] * bool(re.search(r"[<>]", text))
    found += ["an address in the text"] * bool(ADDRESS.search(re.sub(r"`[^`]*`", "", text)))
    return [*found, *wrong_with_blocks(blocks, allowed)]


def wrong_with_plain(text: str, allowed: Collection[str] = ()) -> list[str]:
    """The same of a message without blocks."""
    found = [f"text of {size(text)}"] * (not 1 <= size(text) <= 4_000 or not text.strip())
    rest = CONTROL.sub("", text)
    found += ["something live in the text"] * bool(re.search(r"[<>]", rest))
    found += ["an address in the text"] * bool(ADDRESS.search(re.sub(r"`[^`]*`", "", rest)))
    urls = [html.unescape(each.partition("|")[0]) for each in CONTROL.findall(text)]
    return [*found, *(wrong for url in urls for wrong in wrong_with_url(url, allowed))]


def wrong_with_view(view: Block, allowed: Collection[str] = ()) -> list[str]:
    """The same of a modal or a Home tab."""
    found = refused(rules.view, dict(view), view["type"]) + ["no blocks"] * (not view["blocks"])
    return found + [wrong for block in view["blocks"] for wrong in alive_in(block, allowed)]


def wrong_with_blocks(blocks: Iterable[Block], allowed: Collection[str]) -> list[str]:
    return [wrong for block in blocks for wrong in (*refused(rules.message_blocks, [block]), *alive_in(block, allowed))]


def alive_in(block: Block, allowed: Collection[str]) -> Iterator[str]:
    parts = list(nodes(block))
    for part in parts:
        yield from wrong_with(part, allowed)
    if block["type"] == "rich_text" and sum(size(part["text"]) for part in parts if "text" in part) >= 3_000:
        yield "a long rich_text"
    ids = [part["action_id"] for part in parts if "action_id" in part]
    yield from ["two of one action_id"] * (len(ids) != len(set(ids)))


def refused(rule: Callable[..., object], *offered: object) -> list[str]:
    """What the local Slack says against it."""
    try:
        rule(*offered)
    except SlackError as error:
        return [error.code, *error.messages]
    return []


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
    if kind not in SHOWN or node.get("style") == {}:
        yield f"{kind} {node}"
    if "url" in node:
        yield from wrong_with_url(node["url"], allowed)
    match kind:
        case "link":
            yield from ["no text"] * (not node.get("text"))
        case "plain_text":
            yield from ["a token"] * bool(TOKEN.search(node["text"]))
        case "mrkdwn":
            yield from ["addresses are linked by themselves"] * (node.get("verbatim") is not True)
            yield from ["< or >"] * bool(re.search(r"[<>]", CONTROL.sub("", node["text"])))
            for control in CONTROL.findall(node["text"]):
                yield from wrong_with_url(html.unescape(control.partition("|")[0]), allowed)


def wrong_with_url(url: str, allowed: Collection[str]) -> Iterator[str]:
    """allowed: addresses of citations; places in the same pages are allowed as well."""
    if not url.startswith(("http://", "https://")) or page(url) not in map(page, allowed) or size(url) > 3_000:
        yield f"a link to {url}"
    if re.search(r"[\s<>|\"]", url) or not url.isascii():
        yield f"not encoded: {url}"


def host(url: str) -> str:
    """The host of an address as DNS spells it; nothing where it cannot be one."""
    try:
        return urlsplit(url.strip(" ")).netloc.encode("idna").decode().lower()
    except ValueError:
        return ""


def page(url: str) -> str:
    """The page that an address names, however it is encoded; the address itself where it cannot be one."""
    try:
        parts = urlsplit(url.strip(" "))
    except ValueError:
        return url
    path, query = (unquote(each, errors="replace") for each in (parts.path, parts.query))
    return f"{parts.scheme.lower()}://{host(url)}{path}?{query}"


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
