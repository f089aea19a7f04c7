"""What Slack is sent, as files: `python -m tests.golden.slack --write` writes them anew after a wanted change."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.conversation.actions import ShownPassage
from bot.conversation.render_context import RenderContext
from bot.slack import render, status_messages, views
from bot.slack.block_kit import SlackMessage
from bot.slack.markdown import markdown_blocks
from domain.answers import Answer, Citation, NearestDocument, NearQuote, Outcome, Progress
from domain.conversation import MessageKey, RememberedQuestion
from domain.masked_answer import masked_answer
from tests.golden.chats import CHANNEL, FILE, INDEX, MASKER, NOW, outcomes, write

FOLDER = Path(__file__).with_name("files") / "slack"

_LEAVE = Citation(
    n=1,
    title="Leave <policy> & more",
    url="https://wiki.example/leave?a=1&b=2",
    path="policies/leave.md",
    source="wiki",
    document_id="0f",
    section="Leave > Vacation",
    place="lines 3-4",
    quote="Thirty days.",
    updated_at=datetime(2026, 6, 1, 9, tzinfo=UTC),
)
_NEAREST = (
    NearestDocument(
        "VPN",
        "https://wiki.example/vpn",
        "vpn.md",
        "Ada <!here>",
        datetime(2025, 1, 2, tzinfo=UTC),
        quotes=(NearQuote("<!here> is *slow*", "c"),),
    ),
    NearestDocument("Old handbook", "file:///docs/old.md", "old.md", "", None),
)

MARKDOWN: Mapping[str, str] = {
    "paragraphs": "One line\nand the next.\n\nAnother paragraph.",
    "styles": "**bold**, *italic*, ~~gone~~, `code`, ***both***, **bold with *italic* and `code`**",
    "heading": "# A heading\n\nText.\n\n## Another one",
    "heading_long": "# " + "A heading that is too long for a header block " * 4,
    "heading_with_angles": "# List<String> & co",
    "bullets": "- one\n- two\n  - two a\n    - two a i\n- three",
    "numbers": "3. three\n4. four\n\n   more of four\n\n   ```\n   a command\n   ```\n5. five",
    "mixed_lists": "1. first\n   - detail\n   - detail\n2. second",
    "tasks": "- [ ] open\n- [x] done\n- [link] none",
    "quote": "> Said *so*.\n>\n> And so.\n\nAfter it.",
    "quote_with_list_and_code": "> - item\n>\n> ```\n> code\n> ```",
    "code": 'Run\n\n```sh\ncurl -s "https://host.example/x" | jq .\n\n<!channel>\n```\n\nand `<@U1>`',
    "code_indented": "Text:\n\n    first\n      second",
    "table": "| Tier | 価格 |\n|---|---:|\n| Basic | 10 € [1] |\n| 名前 | **20 €** |",
    "table_wide": f"| Name | Meaning |\n|---|---|\n| a | {'long ' * 20} [1] |\n| b | |",
    "table_with_link": "| Name | Page |\n|---|---|\n| a | [page](https://wiki.example/a) |",
    "rule": "Above\n\n---\n\nBelow",
    "hard_break": "one  \ntwo\\\nthree",
    "image": "![A diagram](https://evil.example/x.png) and ![ours](https://wiki.example/y.png)",
    "html": "<b>bold</b><br><script>alert(1)</script>\n\n<div>\nblock\n</div>",
    "links": "[page](https://wiki.example/a?x=1) [other](https://evil.example/?q=secret) <https://wiki.example/b#place>"
    " [another page](https://wiki.example/sign-in)",
    "link_pretending": "[www.bank.example](https://wiki.example/a) [https://bank.example](https://evil.example)",
    "link_definitions": "See [1] and [page].\n\n[1]: https://evil.example\n[page]: https://evil.example",
    "bare_addresses": "https://wiki.example/a. https://evil.example/?q=x (https://wiki.example/b), www.evil.example",
    "markers": "Thirty days. [1][2] Not that. [3] `[1]` **so [1]**",
    "tokens": "<!channel> <!here> <@U1> <#C1|x> <!subteam^S1> <!date^1^{date}|x> &lt;!channel&gt; <http://evil.example|x>",
    "emoji": "Done :tada: 🎉 :+1:",
    "nested_too_deep": "> " * 60 + "deep",
    "long_paragraph": "A sentence of seven words stands here. " * 100,
    "long_code": "```\n" + ("one line of code; " * 20 + "\n") * 15 + "```",
    "long_quote": "> " + "quoted words " * 300,
}
"""A text for each construct of Markdown, by the name of its file."""

LINKED = [f"https://wiki.example/{page}" for page in ("a", "a?x=1", "b", "y.png")]
"""Cited as well, so that the texts have links."""
_CITED = {1: _LEAVE.url, 2: FILE.url, **dict(enumerate(LINKED, 11))}


def files() -> Mapping[str, Any]:
    """What each file holds."""
    constructs = {f"markdown_{name}": markdown_blocks(text, _CITED) for name, text in MARKDOWN.items()}
    return {**constructs, **_outcomes(), **_notices(), **_views()}


def _outcomes() -> Mapping[str, Any]:
    answer = Answer("Thirty days. [1] See the runbook. [2]", (_LEAVE, FILE), 0.8, "A notice.", follow_ups=("And now?",))
    shown: Mapping[str, tuple[Outcome, RenderContext]] = {
        **outcomes(answer, _NEAREST),
        "answer_long": (Answer("\n\n".join(["A paragraph of words. " * 180] * 5), (_LEAVE,), 0.5), CHANNEL),
        "greeting": (Answer("Hello! Ask me something.", (), 1.0, follow_ups=("What is indexed?",)), CHANNEL),
    }
    return {
        f"outcome_{name}": _written(render.messages(masked_answer(outcome, MASKER), frame))
        for name, (outcome, frame) in shown.items()
    }


def _notices() -> Mapping[str, Any]:
    progress = Progress(MASKER.mask("looking for <!here> and “leave”"), 40, iteration=2)
    return {
        "notice_waiting": _written([status_messages.waiting()]),
        "notice_progress": _written([status_messages.progress(progress)]),
        "notice_task": status_messages.task(progress),
        "notice_busy": _written([status_messages.busy("Too many questions at once: ask again in a minute.")]),
        "notice_with_question": _written(
            [status_messages.with_question(status_messages.waiting(), MASKER.mask("Who is <!here>?"))]
        ),
        "notice_timed_out": _written([status_messages.timed_out(7)]),
    }


def _views() -> Mapping[str, Any]:
    asked = {"How many <days>?": datetime(2026, 6, 3, tzinfo=UTC), "So?": NOW}
    recent = [RememberedQuestion(text, MessageKey("slack", "D1", "1.0"), at, 1) for text, at in asked.items()]
    passage = ShownPassage(
        _LEAVE.title, _LEAVE.url, _LEAVE.section, _LEAVE.place, "**Thirty** days.\n\n- a year", _LEAVE.updated_at
    )
    return {
        "view_passage": views.passage_view(passage),
        "view_loading": views.loading_view(),
        "view_unavailable": views.unavailable_view(),
        "view_reason": views.reason_view(7),
        "view_home": views.home_view(INDEX, recent, NOW, admin=False),
        "view_home_of_admin": views.home_view([], [], NOW, admin=True),
        "command_help": _written([views.help_message("/kb")]),
        "command_sources": _written([views.sources_message(INDEX, NOW)]),
        "command_status": _written([views.status_message([("Documents", "1,234"), ("Model", "<none>")])]),
        "command_reindex": _written([views.confirm_reindex("wiki"), views.confirm_reindex(None)]),
    }


def _written(messages: list[SlackMessage]) -> list[Mapping[str, Any]]:
    return [asdict(message) for message in messages]


if __name__ == "__main__":
    raise SystemExit(write(__doc__, FOLDER, files()))
