"""What Slack is sent, as files: `python -m tests.golden.slack --write` writes them anew after a wanted change."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.conversation.actions import ShownPassage, SourceSummary
from bot.conversation.render_context import RenderContext
from bot.slack import render, status_messages, views
from bot.slack.block_kit import SlackMessage
from bot.slack.markdown import markdown_blocks
from domain.answers import Answer, Citation, Declined, Failed, NearestDocument, NearQuote, NotFound, Outcome, Progress
from domain.conversation import MessageKey, RememberedQuestion
from domain.masked_answer import masked_answer
from domain.masking import Masker
from domain.scope_reason import ScopeReason

FOLDER = Path(__file__).with_name("files") / "slack"

_NOW = datetime(2026, 6, 4, 12, tzinfo=UTC)
_HELD = ScopeReason(readers="shared_channel", shared=True)
_MASKER = Masker()
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
_FILE = Citation(2, "Runbook", "file:///docs/runbook.md", "runbook.md", "docs", "1f", "", "", "", None)
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
    "links": "[page](https://wiki.example/a?x=1) [other](https://evil.example/?q=secret) <https://wiki.example/b>",
    "link_pretending": "[www.bank.example](https://wiki.example/a) [https://bank.example](https://evil.example)",
    "link_definitions": "See [1] and [page].\n\n[1]: https://evil.example\n[page]: https://evil.example",
    "bare_addresses": "https://wiki.example/a. https://evil.example/?q=x (https://wiki.example/b), www.evil.example",
    "markers": "Thirty days. [1][2] Not that. [3] `[1]` **so [1]**",
    "tokens": "<!channel> <!here> <@U1> <#C1|x> <!subteam^S1> <!date^1^{date}|x> &lt;!channel&gt; <http://evil.example|x>",
    "emoji": "Done :tada: 🎉 :+1:",
    "nested_too_deep": "> " * 60 + "deep",
    "long_paragraph": "A sentence of seven words stands here. " * 100,
    "long_code": "```\n" + "one line of code\n" * 300 + "```",
    "long_quote": "> " + "quoted words " * 300,
}
"""A text for each construct of Markdown, by the name of its file."""

_CITED = {1: _LEAVE.url, 2: _FILE.url}


def files() -> Mapping[str, Any]:
    """What each file holds."""
    constructs = {f"markdown_{name}": markdown_blocks(text, _CITED) for name, text in MARKDOWN.items()}
    return {**constructs, **_outcomes(), **_notices(), **_views()}


def _outcomes() -> Mapping[str, Any]:
    answer = Answer(
        "Thirty days. [1] See the runbook. [2]", (_LEAVE, _FILE), 0.8, "A notice.", follow_ups=("And now?",)
    )
    channel, private = RenderContext(7, _NOW, private=False), RenderContext(7, _NOW, private=True, share=True)
    shown: Mapping[str, tuple[Outcome, RenderContext]] = {
        "answer": (answer, channel),
        "answer_private": (answer, private),
        "answer_long": (Answer("\n\n".join(["A paragraph of words. " * 60] * 15), (_LEAVE,), 0.5), channel),
        "greeting": (Answer("Hello! Ask me something.", (), 1.0, follow_ups=("What is indexed?",)), channel),
        "not_found": (
            NotFound(
                "50 documents", nearest=_NEAREST, notice="One source was down.", scope_reason=ScopeReason(shared=True)
            ),
            channel,
        ),
        "not_found_private": (NotFound("50 documents"), private),
        "declined": (Declined("That is no question for <documents>."), channel),
        "not_found_for_a_guest": (
            NotFound("5 documents", scope_reason=ScopeReason("guest", "guests", shared=True)),
            channel,
        ),
        "nothing_to_search": (Declined(_HELD.nothing, cause="nothing_to_search", scope_reason=_HELD), channel),
        "failed": (
            Failed("The model did not answer", advice="Ask again.", why="It is away", next_step="start it"),
            channel,
        ),
    }
    return {
        f"outcome_{name}": _written(render.messages(masked_answer(outcome, _MASKER), frame))
        for name, (outcome, frame) in shown.items()
    }


def _notices() -> Mapping[str, Any]:
    progress = Progress(_MASKER.mask("looking for <!here> and “leave”"), 40, iteration=2)
    return {
        "notice_waiting": _written([status_messages.waiting()]),
        "notice_progress": _written([status_messages.progress(progress)]),
        "notice_task": status_messages.task(progress),
        "notice_busy": _written([status_messages.busy("Too many questions at once: ask again in a minute.")]),
        "notice_with_question": _written(
            [status_messages.with_question(status_messages.waiting(), _MASKER.mask("Who is <!here>?"))]
        ),
        "notice_timed_out": _written([status_messages.timed_out(7)]),
    }


def _views() -> Mapping[str, Any]:
    index = [SourceSummary("wiki", 1_234, datetime(2026, 6, 4, 11, tzinfo=UTC)), SourceSummary("docs", 1, None)]
    asked = {"How many <days>?": datetime(2026, 6, 3, tzinfo=UTC), "So?": _NOW}
    recent = [RememberedQuestion(text, MessageKey("slack", "D1", "1.0"), at, 1) for text, at in asked.items()]
    passage = ShownPassage(
        _LEAVE.title, _LEAVE.url, _LEAVE.section, _LEAVE.place, "**Thirty** days.\n\n- a year", _LEAVE.updated_at
    )
    return {
        "view_passage": views.passage_view(passage),
        "view_loading": views.loading_view(),
        "view_unavailable": views.unavailable_view(),
        "view_reason": views.reason_view(7),
        "view_home": views.home_view(index, recent, _NOW, admin=False),
        "view_home_of_admin": views.home_view([], [], _NOW, admin=True),
        "command_help": _written([views.help_message("/kb")]),
        "command_sources": _written([views.sources_message(index, _NOW)]),
        "command_status": _written([views.status_message([("Documents", "1,234"), ("Model", "<none>")])]),
        "command_reindex": _written([views.confirm_reindex("wiki"), views.confirm_reindex(None)]),
    }


def _written(messages: list[SlackMessage]) -> list[Mapping[str, Any]]:
    return [asdict(message) for message in messages]


def shown(content: object) -> str:
    """What a file holds, as its text."""
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def main(arguments: list[str]) -> int:
    """Writes all files anew, and removes those that nothing fills any more."""
    if arguments != ["--write"]:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    for stale in FOLDER.glob("*.json"):
        stale.unlink()
    for name, content in files().items():
        (FOLDER / f"{name}.json").write_text(shown(content), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
