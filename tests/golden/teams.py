"""What Teams is sent, as files: `python -m tests.golden.teams --write` writes them anew after a wanted change."""

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.conversation.actions import ShownPassage, SourceSummary
from bot.conversation.render_context import RenderContext
from bot.teams import card_templates, render, status_messages
from bot.teams.markdown import pages
from bot.teams.outgoing_activities import card_message, text_message
from domain.answers import (
    Answer,
    Citation,
    Declined,
    Failed,
    NearestDocument,
    NearQuote,
    NotFound,
    Outcome,
    Progress,
    ToolCall,
    Trace,
)
from domain.masked_answer import masked_answer
from domain.masking import Masker
from domain.scope_reason import ScopeReason
from tests.golden.slack import MARKDOWN

FOLDER = Path(__file__).with_name("files") / "teams"

_NOW = datetime(2026, 6, 4, 12, tzinfo=UTC)
_HELD = ScopeReason(readers="shared_channel", shared=True)
_MASKER = Masker()
LEAVE = Citation(
    n=1,
    title="Leave <policy> & more",
    url="https://wiki.example/leave?a=1&b=(2)",
    path="policies/leave.pdf",
    source="wiki",
    document_id="0f",
    section="Leave > Vacation",
    place="page 3",
    quote="Thirty days a year, <at>everybody</at>.",
    updated_at=datetime(2026, 6, 1, 9, tzinfo=UTC),
    chunk_id="c1",
)
_FILE = Citation(2, "Runbook", "file:///docs/runbook.md", "runbook.md", "docs", "1f", "", "", "", None)
_NEAREST = (
    NearestDocument(
        "VPN",
        "https://wiki.example/vpn",
        "vpn.md",
        "Ada <at>x</at>",
        datetime(2025, 1, 2, tzinfo=UTC),
        quotes=(NearQuote("<at>x</at> is *slow*", "c"),),
    ),
    NearestDocument("Old handbook", "file:///docs/old.md", "old.md", "", None),
)
_TEXTS: Mapping[str, str] = {
    **{name: text for name, text in MARKDOWN.items() if name != "nested_too_deep"},
    "mentions": "<at>Ada</at> `<at>Ada</at>` &lt;at&gt; **<at>Ada</at>**\n\n```\n<at>Ada</at>\n```",
    "forged_markers": "[1](https://evil.example) [1]: x [1][x] ![1](https://evil.example/x.png)\n\n[1]:\nhttps://evil.example",
    "escapes": "2 * 3 * 4, snake_case, _x_, a\\*b, ~5, #tag\n- item? no | yes\n\n\\- no item\n\n1\\. no item",
    "fences": "````\n```\n<a href=x>\n```\n````\n\n``a ` b``",
}


def files() -> Mapping[str, Any]:
    """What each file holds."""
    cited = [LEAVE.url, _FILE.url]
    return {
        **{f"markdown_{name}": [page.split("\n") for page in pages(text, cited)] for name, text in _TEXTS.items()},
        **_outcomes(),
        **_notices(),
        **_cards(),
    }


def _outcomes() -> Mapping[str, Any]:
    answer = Answer(
        "Thirty days. [1] See the runbook. [2]", (LEAVE, _FILE), 0.8, "A notice.", follow_ups=("And now?", "And then?")
    )
    channel, private = RenderContext(7, _NOW, private=False), RenderContext(7, _NOW, private=True, share=True)
    again = Trace(tool_calls=(ToolCall("index_command", {"command": "reindex", "source": "wiki"}, 1.0, 0, note="x"),))
    many = tuple(replace(LEAVE, n=n, url=f"https://wiki.example/{n}", quote="Said so. " * 80) for n in range(1, 31))
    shown: Mapping[str, tuple[Outcome, RenderContext]] = {
        "answer": (answer, channel),
        "answer_private": (answer, private),
        "answer_long": (Answer("\n\n".join(["A paragraph of words. [1] " * 50] * 10), (LEAVE,), 0.5), channel),
        "answer_of_many_sources": (Answer("".join(f"Said. [{n}] " for n in range(1, 31)), many, 0.5), channel),
        "answer_about_reindexing": (Answer("Confirm it.", (), 1.0, trace=again), private),
        "greeting": (Answer("Hello! Ask me something.", (), 1.0, follow_ups=("What is indexed?",)), private),
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
        f"outcome_{name}": [each.serialize() for each in render.messages(masked_answer(outcome, _MASKER), frame)]
        for name, (outcome, frame) in shown.items()
    }


def _notices() -> Mapping[str, Any]:
    doing = Progress(_MASKER.mask("looking for <at>Ada</at> and “leave”"), 40, iteration=2)
    texts = {
        "waiting": status_messages.waiting(),
        "progress": status_messages.progress(doing),
        "busy": status_messages.busy("user_minute"),
        "late": status_messages.late(7),
        "withdrawn": status_messages.withdrawn(),
        "refused": status_messages.refused("There is no source <x>. There are: wiki, docs"),
        "greeting": status_messages.greeting(private=False),
        "greeting_private": status_messages.greeting(private=True),
    }
    asked = render.with_question(text_message(status_messages.waiting()), _MASKER.mask("Who is <at>Ada</at>?"))
    return {
        **{f"notice_{name}": [text_message(text).serialize()] for name, text in texts.items()},
        "notice_with_question": [asked.serialize()],
    }


def _cards() -> Mapping[str, Any]:
    index = [SourceSummary("wiki", 1_234, datetime(2026, 6, 4, 11, tzinfo=UTC)), SourceSummary("docs", 1, None)]
    text = "# Days\n\n**Thirty** days, `x`.\n\n- a year\n\n> so\n\n---"
    found = ShownPassage(LEAVE.title, LEAVE.url, LEAVE.section, LEAVE.place, text, LEAVE.updated_at)
    passage = card_templates.passage_card(found)
    cards = {
        "passage": passage,
        "unavailable": card_templates.unavailable_card(),
        "help": card_templates.help_card(),
        "sources": card_templates.sources_card(index, _NOW),
        "no_sources": card_templates.sources_card([], _NOW),
        "status": card_templates.status_card([("Documents", "1,234"), ("Model", "<none>")]),
        "reindex": card_templates.confirm_reindex("wiki"),
        "reindex_all": card_templates.confirm_reindex(None),
        "share": card_templates.confirm_share(7, _MASKER.mask("How many days of leave?")),
        "told": card_templates.sentence_card("Started. I write to you when it is done."),
    }
    bodies = {f"card_{name}": [card_message(each, "kb").serialize()] for name, each in cards.items()}
    return {
        **bodies,
        "invoke_dialog": card_templates.dialog_response("Source", passage),
        "invoke_replaced": card_templates.replace_card_response(cards["told"]),
    }


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
