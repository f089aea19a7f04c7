"""Whether Slack takes a message's blocks or a view, and what it says when it does not."""

import json
from typing import Any

from tests.fakes.slack.checks import (
    Check,
    Report,
    anything,
    boolean,
    items,
    one_of,
    plain,
    shape,
    string,
    text,
    typed,
    url,
)
from tests.fakes.slack.elements import (
    ACTIONS,
    BUTTON,
    CELL,
    COLUMN,
    CONTEXT,
    FEEDBACK,
    ICON_BUTTON,
    ID,
    IMAGE,
    INPUTS,
    RICH_TEXT,
    TASK,
)
from tests.fakes.slack.records import Body, SlackError

MARKDOWN = 12_000
ALL_BLOCKS = 100_000
VIEW = 250_000


def _markdown(value: Any, at: str, report: Report) -> None:
    shape({"text": string(MARKDOWN)}, block_id=ID)(value, at, report)
    if isinstance(value.get("text"), str):
        report.markdown += len(value["text"])


def _section(value: Any, at: str, report: Report) -> None:
    accessory = typed({**ACTIONS, "image": IMAGE})
    fields = items(text(2000), 10)
    shape({}, text=text(3000), fields=fields, accessory=accessory, expand=boolean, block_id=ID)(value, at, report)
    if "text" not in value and "fields" not in value:
        report.no("must define either `text` or `fields`", at)


def _actions(value: Any, at: str, report: Report) -> None:
    shape({"elements": items(typed(ACTIONS), 25)}, block_id=ID)(value, at, report)
    seen: set[str] = set()
    for place, element in enumerate(value.get("elements") or ()):
        action = element.get("action_id") if isinstance(element, dict) else None
        if action in seen:
            report.no(f"`action_id` {action} already exists", f"{at}/elements/{place}/action_id")
        if isinstance(action, str):
            seen.add(action)


def _input(value: Any, at: str, report: Report) -> None:
    if report.surface == "message":
        report.no("unsupported type: input", f"{at}/type")
        return
    needed = {"label": plain(2000), "element": typed(INPUTS)}
    shape(needed, hint=plain(2000), optional=boolean, dispatch_action=boolean, block_id=ID)(value, at, report)


def _table(value: Any, at: str, report: Report) -> None:
    rows = items(items(CELL, 20), 100)
    shape({"rows": rows}, column_settings=items(COLUMN, 20), block_id=ID)(value, at, report)
    report.tables += 1
    if report.tables > 1:
        report.no("only one table allowed", at)


def _image(value: Any, at: str, report: Report) -> None:
    more = {"image_url": url(), "slack_file": anything, "title": plain(2000), "block_id": ID}
    shape({"alt_text": string(2000)}, **more)(value, at, report)
    if ("image_url" in value) == ("slack_file" in value):
        report.no("must define one of `image_url` and `slack_file`", at)


def _plan(value: Any, at: str, report: Report) -> None:
    task = shape({"task_id": string(255), "title": string(256)}, **TASK)
    shape({"title": string(256)}, tasks=items(task, 50, 0), block_id=ID)(value, at, report)


_KINDS: dict[str, Check] = {
    "section": _section,
    "divider": shape({}, block_id=ID),
    "header": shape({"text": plain(150)}, block_id=ID),
    "context": shape({"elements": items(CONTEXT, 10)}, block_id=ID),
    "actions": _actions,
    "input": _input,
    "image": _image,
    "rich_text": shape({"elements": RICH_TEXT}, block_id=ID),
}
_ONLY_IN_MESSAGES: dict[str, Check] = {
    "markdown": _markdown,
    "table": _table,
    "context_actions": shape(
        {"elements": items(typed({"feedback_buttons": FEEDBACK, "icon_button": ICON_BUTTON}), 5)}, block_id=ID
    ),
    "task_card": shape({"task_id": string(255), "title": string(256)}, **TASK),
    "plan": _plan,
    "alert": shape({"text": text(3000)}, level=one_of("default", "info", "warning", "error", "success"), block_id=ID),
    "card": shape(
        {},
        title=text(150),
        subtitle=text(150),
        body=text(200),
        actions=items(typed({"button": BUTTON}), 3),
        hero_image=anything,
        icon=anything,
        block_id=ID,
    ),
}


def _one(value: Any, at: str, report: Report) -> None:
    kinds = _KINDS | (_ONLY_IN_MESSAGES if report.surface == "message" else {})
    typed(kinds)(value, at, report)
    name = value.get("block_id") if isinstance(value, dict) else None
    if name is not None and name in report.block_ids:
        report.no(f"`block_id` {name} already exists", f"{at}/block_id")
    if isinstance(name, str):
        report.block_ids.add(name)


def parsed(value: Any) -> Any:
    """What a client sent for blocks, a view or metadata: JSON, or a string that holds JSON; None when it is none."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return None


def message_blocks(value: Any) -> list[Body]:
    """The blocks of a message, each with a block_id. Raises SlackError when Slack would not take them."""
    blocks = parsed(value)
    if not isinstance(blocks, list) or any(not isinstance(block, dict) for block in blocks):
        raise SlackError("invalid_blocks_format")
    report = Report("message")
    items(_one, 50, 0)(blocks, "/blocks", report)
    if report.problems:
        raise SlackError("invalid_blocks", *report.problems)
    if report.markdown > MARKDOWN or len(json.dumps(blocks)) > ALL_BLOCKS:
        raise SlackError("msg_blocks_too_long")
    return with_ids(blocks)


def with_ids(blocks: list[Body]) -> list[Body]:
    """The blocks, each with a block_id; interactive elements get an action_id."""
    found = [dict(block) for block in blocks]
    for place, block in enumerate(found):
        block.setdefault("block_id", f"b{place:04}")
        if "elements" in block and block["type"] in {"actions", "context_actions"}:
            block["elements"] = [{"action_id": f"a{n:04}", **each} for n, each in enumerate(block["elements"])]
    return found


_MODAL = shape(
    {"title": plain(24), "blocks": items(_one, 100, 0)},
    submit=plain(24),
    close=plain(24),
    private_metadata=string(3000, 0),
    callback_id=string(255, 0),
    external_id=string(255, 0),
    clear_on_close=boolean,
    notify_on_close=boolean,
    submit_disabled=boolean,
)
_HOME = shape(
    {"blocks": items(_one, 100, 0)},
    private_metadata=string(3000, 0),
    callback_id=string(255, 0),
    external_id=string(255, 0),
)


def view(value: Any, kind: str) -> Body:
    """A view that may be shown. kind: modal or home. Raises SlackError when Slack would not take it."""
    content = parsed(value)
    if not isinstance(content, dict):
        raise SlackError("invalid_arguments", "must provide an object [json-pointer:/view]")
    report = Report(kind)
    typed({kind: _MODAL if kind == "modal" else _HOME})(content, "/view", report)
    blocks = content.get("blocks")
    asks = isinstance(blocks, list) and any(isinstance(each, dict) and each.get("type") == "input" for each in blocks)
    if kind == "modal" and asks and "submit" not in content:
        report.no("submit required when an input block is within blocks array", "/view")
    if report.problems:
        raise SlackError("invalid_arguments", *report.problems)
    if len(json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")) > VIEW:
        raise SlackError("view_too_large")
    return {**content, "blocks": with_ids(content["blocks"])}
