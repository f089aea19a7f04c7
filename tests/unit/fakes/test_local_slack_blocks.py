"""What blocks may hold in the local Slack, whom they ping, and what a person reads in them."""

import json
from typing import Any

import pytest

from tests.fakes.slack import SlackError, links, message_blocks, notified, plain
from tests.fakes.slack import view as checked_view
from tests.fakes.slack_samples import ACTIONS, ASKS, BUTTON, FORM, MODAL, Body

TEXT = {"type": "mrkdwn", "text": "x"}


def section(**more: Any) -> Body:
    return {"type": "section", "text": TEXT, **more}


@pytest.mark.parametrize(
    ("block", "pointer"),
    [
        ({"type": "nothing"}, "/0/type"),
        (section(colour="red"), "/0"),
        (section(fields=[TEXT] * 11), "/0/fields"),
        (section(block_id="x" * 256), "/0/block_id"),
        (section(accessory={**BUTTON, "value": "x" * 2001}), "/0/accessory/value"),
        (section(accessory={**BUTTON, "url": "nowhere"}), "/0/accessory/url"),
        ({"type": "header", "text": TEXT}, "/0/text/type"),
        ({"type": "context", "elements": [TEXT] * 11}, "/0/elements"),
        ({"type": "actions", "elements": [BUTTON, BUTTON]}, "/0/elements/1/action_id"),
        ({"type": "actions", "elements": [{**BUTTON, "text": TEXT}]}, "/0/elements/0/text/type"),
        ({"type": "context_actions", "elements": [BUTTON]}, "/0/elements/0/type"),
        ({"type": "rich_text", "elements": [{"type": "text", "text": "x"}]}, "/0/elements/0/type"),
        ({"type": "table", "rows": [[{"type": "raw_text", "text": ""}]]}, "/0/rows/0/0/text"),
        ({"type": "markdown", "text": "x" * 12_001}, "/0/text"),
        (ASKS, "/0/type"),
    ],
)
def test_a_block_that_slack_refuses(block: Body, pointer: str) -> None:
    with pytest.raises(SlackError) as caught:
        message_blocks([block])
    assert caught.value.code == "invalid_blocks"
    assert [message.split("[")[1] for message in caught.value.messages] == [f"json-pointer:/blocks{pointer}]"]


def test_blocks_together() -> None:
    assert len(message_blocks(json.dumps([{"type": "divider"}] * 50))) == 50
    for blocks in ([{"type": "divider"}] * 51, [section(block_id="a"), section(block_id="a")]):
        with pytest.raises(SlackError, match="invalid_blocks"):
            message_blocks(blocks)
    with pytest.raises(SlackError, match="msg_blocks_too_long"):
        message_blocks([{"type": "markdown", "text": "x" * 6001}] * 2)
    with pytest.raises(SlackError, match="invalid_arguments"):
        checked_view({**FORM, "title": {"type": "plain_text", "text": "x" * 25}}, "modal")
    assert len(checked_view({**MODAL, "blocks": [{"type": "divider"}] * 100}, "modal")["blocks"]) == 100


def rich(*elements: Body) -> Body:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(elements)}]}


@pytest.mark.parametrize(
    ("message", "pinged"),
    [
        ({"text": "<@U1> <!here> <!subteam^S1|x> <!channel|c>"}, {"U1", "!here", "S1", "!channel"}),
        ({"text": "&lt;@U1&gt; &lt;!here&gt; @here"}, set()),
        ({"text": "@here", "link_names": True}, {"!here"}),
        ({"blocks": [section(fields=[{"type": "mrkdwn", "text": "<@U2>"}])]}, {"U2"}),
        ({"blocks": [{"type": "header", "text": {"type": "plain_text", "text": "<@U2>"}}]}, set()),
        ({"blocks": [{"type": "markdown", "text": "a <!everyone> &lt;@U3&gt;"}]}, {"!everyone"}),
        ({"blocks": [rich({"type": "user", "user_id": "U4"}, {"type": "text", "text": "<@U5>"})]}, {"U4"}),
        ({"blocks": [rich({"type": "broadcast", "range": "channel"})]}, {"!channel"}),
    ],
)
def test_whom_a_message_pings(message: Body, pinged: set[str]) -> None:
    assert notified(message) == pinged


def test_what_a_person_reads_and_clicks() -> None:
    linked = {"type": "mrkdwn", "text": "see <https://a.example/x?a=1&amp;b=2|page &lt;1&gt;> or https://b.example."}
    table = {"type": "table", "rows": [[{"type": "raw_text", "text": "a"}, rich({"type": "text", "text": "b"})]]}
    markdown = {"type": "markdown", "text": "[label](https://c.example) `[no](https://d.example)`"}
    blocks = [section(text=linked), table, markdown, {**ACTIONS, "elements": [{**BUTTON, "url": "https://e.example"}]}]
    message = {"text": "https://unseen.example", "blocks": message_blocks(blocks)}
    assert plain(message) == "see page <1> or https://b.example.\na | b\nlabel `no`\n[More]"
    assert links(message) == [
        ("https://a.example/x?a=1&b=2", "page <1>"),
        ("https://b.example", "https://b.example"),
        ("https://c.example", "label"),
        ("https://e.example", "More"),
    ]
