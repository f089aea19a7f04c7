"""A message or a view as a person meets it: what it says, whom it pings, what can be clicked."""

from collections.abc import Iterator
from typing import Any

from tests.fakes.slack import mrkdwn
from tests.fakes.slack.records import Body, Message

Shown = Message | Body
"""A message, or anything with `text` and `blocks`: an event, a view, a home tab."""


def plain(message: Shown) -> str:
    """What a person reads: the blocks line by line, or the text when there are none. Buttons are [Button]."""
    text, blocks, attachments = _parts(message)
    lines = [_block(block) for block in blocks] if blocks else [mrkdwn.read(text)]
    lines += [mrkdwn.read(each.get("text") or "") or plain({"blocks": each.get("blocks", [])}) for each in attachments]
    return "\n".join(line for line in lines if line)


def notified(message: Shown) -> set[str]:
    """Whom it would ping: ids of people and groups, and !here, !channel, !everyone. The text counts beside blocks."""
    text, blocks, attachments = _parts(message)
    options = message.options if isinstance(message, Message) else message
    bare = options.get("parse") == "full" or str(options.get("link_names")).lower() in {"true", "1"}
    found = mrkdwn.pings(text, bare=bare)
    for node in _nodes([blocks, attachments]):
        kind = node.get("type")
        if kind in {"mrkdwn", "markdown"}:
            found |= mrkdwn.pings(node.get("text") or "", bare=bare)
        elif kind == "user":
            found.add(node["user_id"])
        elif kind == "usergroup":
            found.add(node["usergroup_id"])
        elif kind == "broadcast":
            found.add(f"!{node['range']}")
        elif kind is None and isinstance(node.get("text"), str):
            found |= mrkdwn.pings(node["text"], bare=bare)
    return found


def links(message: Shown) -> list[tuple[str, str]]:
    """What can be clicked, in order, as URL and label: of the blocks, or of the text when there are none."""
    text, blocks, attachments = _parts(message)
    found = [] if blocks else mrkdwn.links(text)
    for node in _nodes([blocks, attachments]):
        kind = node.get("type")
        if kind == "mrkdwn":
            found += mrkdwn.links(node.get("text") or "")
        elif kind == "markdown":
            found += mrkdwn.markdown_links(node.get("text") or "")
        elif kind in {"link", "url"}:
            found.append((node["url"], node.get("text") or node["url"]))
        elif kind == "button" and node.get("url"):
            found.append((node["url"], _words(node.get("text"))))
    return found


def buttons(message: Shown) -> list[Body]:
    """What can be pressed, in order, each with the block_id of its block."""
    _, blocks, _ = _parts(message)
    found: list[Body] = []
    for block in blocks:
        inside = [*block.get("elements", ()), block.get("accessory"), block.get("element")]
        found += [{**each, "block_id": block.get("block_id", "")} for each in inside if _acts(each)]
    return found


def _acts(element: Any) -> bool:
    return isinstance(element, dict) and "action_id" in element


def _parts(message: Shown) -> tuple[str, list[Body], list[Body]]:
    if isinstance(message, Message):
        return message.text, message.blocks, message.attachments
    return message.get("text") or "", message.get("blocks") or [], message.get("attachments") or []


def _nodes(value: Any) -> Iterator[Body]:
    """All objects inside a value, outermost first."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from _nodes(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _nodes(inner)


def _words(value: Any) -> str:
    """A text object, or a string."""
    if isinstance(value, dict):
        text = value.get("text") or ""
        return mrkdwn.read(text) if value.get("type") == "mrkdwn" else str(text)
    return str(value or "")


def _block(block: Body) -> str:
    kind = block.get("type")
    if kind == "markdown":
        return mrkdwn.read_markdown(block["text"])
    if kind == "rich_text":
        return "\n".join(_rich(each) for each in block["elements"])
    if kind == "table":
        return "\n".join(" | ".join(_cell(cell) for cell in row) for row in block["rows"])
    if kind == "divider":
        return "---"
    if kind in {"task_card", "plan"}:
        return _task(block)
    words = [_words(block.get("title")), _words(block.get("subtitle")), _words(block.get("body"))]
    words += [_words(block.get("label")), _words(block.get("text"))]
    words += [_words(each) for each in block.get("fields", ())]
    inside = [*block.get("elements", ()), *block.get("actions", ()), block.get("accessory"), block.get("element")]
    shown = " ".join(filter(None, (_element(each) for each in inside if each)))
    hint = _words(block.get("hint")) or (f"[image: {block['alt_text']}]" if kind == "image" else "")
    return "\n".join(line for line in (*words, shown, hint) if line)


def _task(block: Body) -> str:
    if block["type"] == "plan":
        tasks = [_task({"type": "task_card", **task}) for task in block.get("tasks", ())]
        return "\n".join([block["title"], *tasks])
    lines = [f"({block.get('status', 'pending')}) {block['title']}"]
    lines += [_block(block[name]) for name in ("details", "output") if block.get(name)]
    return "\n".join([*lines, *(source["text"] for source in block.get("sources", ()))])


def _element(element: Body) -> str:
    kind = element.get("type")
    if kind == "image":
        return f"[image: {element['alt_text']}]"
    if kind == "feedback_buttons":
        return " ".join(f"[{_words(element[name]['text'])}]" for name in ("positive_button", "negative_button"))
    if kind in {"plain_text", "mrkdwn"}:
        return _words(element)
    label = element.get("text") or element.get("placeholder")
    options = element.get("options") or []
    shown = f"[{_words(label)}]" if label else ""
    return " ".join(filter(None, [shown, *(f"( ) {_words(option['text'])}" for option in options)]))


def _rich(element: Body) -> str:
    if element["type"] == "rich_text_list":
        indent = "  " * element.get("indent", 0)
        first = element.get("offset", 0) + 1
        marks = (f"{first + place}." if element["style"] == "ordered" else "-" for place in range(1000))
        return "\n".join(
            f"{indent}{mark} {_rich(each)}" for mark, each in zip(marks, element["elements"], strict=False)
        )
    return "".join(_inline(each) for each in element["elements"])


def _inline(piece: Body) -> str:
    kind = piece["type"]
    if kind in {"text", "link"}:
        return str(piece.get("text") or piece.get("url", ""))
    if kind == "date":
        return str(piece.get("fallback", ""))
    names = {"user": "@{user_id}", "usergroup": "@{usergroup_id}", "channel": "#{channel_id}", "broadcast": "@{range}"}
    return {**names, "emoji": ":{name}:", "team": "{team_id}", "color": "{value}"}[kind].format(**piece)


def _cell(cell: Body) -> str:
    if cell["type"] == "rich_text":
        return " ".join(_rich(each) for each in cell["elements"])
    return str(cell.get("text") or cell.get("value", ""))
