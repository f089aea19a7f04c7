"""What Teams is sent, as files: `python -m tests.golden.teams --write` writes them anew after a wanted change."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.conversation.actions import ShownPassage
from bot.conversation.render_context import RenderContext
from bot.teams import card_templates, render, status_messages
from bot.teams.markdown import pages
from bot.teams.outgoing_activities import card_message, text_message
from domain.answers import (
    Answer,
    Citation,
    NearestDocument,
    NearQuote,
    Outcome,
    Progress,
    ToolCall,
    Trace,
)
from domain.masked_answer import masked_answer
from tests.golden.chats import CHANNEL, FILE, INDEX, MASKER, NOW, PRIVATE, outcomes, write
from tests.golden.slack import LINKED, MARKDOWN

FOLDER = Path(__file__).with_name("files") / "teams"

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
    cited = [LEAVE.url, FILE.url, *LINKED]
    return {
        **{f"markdown_{name}": [page.split("\n") for page in pages(text, cited)] for name, text in _TEXTS.items()},
        **_outcomes(),
        **_notices(),
        **_cards(),
    }


def _outcomes() -> Mapping[str, Any]:
    answer = Answer(
        "Thirty days. [1] See the runbook. [2]", (LEAVE, FILE), 0.8, "A notice.", follow_ups=("And now?", "And then?")
    )
    again = Trace(tool_calls=(ToolCall("index_command", {"command": "reindex", "source": "wiki"}, 1.0, 0, note="x"),))
    shown: Mapping[str, tuple[Outcome, RenderContext]] = {
        **outcomes(answer, _NEAREST),
        "answer_long": (Answer("\n\n".join(["A paragraph of words. [1] " * 50] * 10), (LEAVE,), 0.5), CHANNEL),
        "answer_about_reindexing": (Answer("Confirm it.", (), 1.0, trace=again), PRIVATE),
        "greeting": (Answer("Hello! Ask me something.", (), 1.0, follow_ups=("What is indexed?",)), PRIVATE),
    }
    return {
        f"outcome_{name}": [each.serialize() for each in render.messages(masked_answer(outcome, MASKER), frame)]
        for name, (outcome, frame) in shown.items()
    }


def _notices() -> Mapping[str, Any]:
    doing = Progress(MASKER.mask("looking for <at>Ada</at> and “leave”"), 40, iteration=2)
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
    asked = render.with_question(text_message(status_messages.waiting()), MASKER.mask("Who is <at>Ada</at>?"))
    return {
        **{f"notice_{name}": [text_message(text).serialize()] for name, text in texts.items()},
        "notice_with_question": [asked.serialize()],
    }


def _cards() -> Mapping[str, Any]:
    text = "# Days\n\n**Thirty** days, `x`.\n\n- a year\n\n> so\n\n---"
    found = ShownPassage(LEAVE.title, LEAVE.url, LEAVE.section, LEAVE.place, text, LEAVE.updated_at)
    cards = {
        "passage": card_templates.passage_card(found),
        "unavailable": card_templates.unavailable_card(),
        "help": card_templates.help_card(),
        "sources": card_templates.sources_card(INDEX, NOW),
        "no_sources": card_templates.sources_card([], NOW),
        "status": card_templates.status_card([("Documents", "1,234"), ("Model", "<none>")]),
        "reindex": card_templates.confirm_reindex("wiki"),
        "reindex_all": card_templates.confirm_reindex(None),
        "share": card_templates.confirm_share(7, MASKER.mask("How many days of leave?")),
        "told": card_templates.sentence_card("Started. I write to you when it is done."),
    }
    bodies = {f"card_{name}": [card_message(each, "kb").serialize()] for name, each in cards.items()}
    return {
        **bodies,
        "invoke_dialog": card_templates.dialog_response("Source", cards["told"]),
        "invoke_replaced": card_templates.replace_card_response(cards["told"]),
    }


if __name__ == "__main__":
    raise SystemExit(write(__doc__, FOLDER, files()))
