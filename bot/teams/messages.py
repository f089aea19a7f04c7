"""Messages that are no replies to questions: greetings, replies to commands, forms. Pure: values in, activities out."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from bot.conversation.desk import EVERYTHING, ShownPassage, SourceRow
from bot.teams.reference import Kind

CARD = "application/vnd.microsoft.card.adaptive"

Body = dict[str, Any]


def note(text: str) -> Body:
    """A message of our own words, with nothing live in it."""
    return {"type": "message", "textFormat": "plain", "text": text}


def greeting(kind: Kind) -> Body:
    """Says who we are, where we were added."""
    how = "Ask me here" if kind == "personal" else "Mention me with a question"
    return note(f"Hello. I answer questions from your company's documents. {how}; help says what else I can do.")


def first_greeting() -> Body:
    """The same before the first answer in a personal chat."""
    return note("Hello. I answer from your company's documents, with numbered sources. Type help to see what I can do.")


def help_message() -> Body:
    """How to use the bot."""
    return note(
        "Ask a question. Commands: status, sources, share, feedback good|bad WHY, reindex SOURCE, forget, help."
    )


def share_how() -> Body:
    """How an answer is shared."""
    return note("What I answer here is for you alone. To ask for all, mention me in a channel or group chat.")


def did_you_mean(command: str, text: str) -> Body:
    """Asks whether a command was meant."""
    return note(f"Did you mean {command}? To ask it anyway: ask {text[:200]}")


def status(rows: Sequence[SourceRow], now: datetime) -> Body:  # noqa: ARG001 - called like `sources`
    """How the index is doing."""
    dated = [row.updated_at for row in rows if row.updated_at]
    newest = f"{max(dated):%Y-%m-%d %H:%M} UTC" if dated else "never"
    return note(f"Documents: {sum(row.documents for row in rows):,}; sources: {len(rows)}; last read: {newest}")


def sources(rows: Sequence[SourceRow], now: datetime) -> Body:  # noqa: ARG001 - an age may be told
    """What is indexed."""
    lines = [f"{row.name}: {row.documents:,} documents" for row in rows]
    return note("\n".join(lines) or "There is nothing here that you may see.")


def confirm_reindex(source: str) -> Body:
    """Asks an administrator to confirm that a source is read again."""
    what = "all sources" if source == EVERYTHING else f"the source {source}"
    body = [{"type": "TextBlock", "wrap": True, "text": f"Read {what} again?"}]
    buttons = [_button("Confirm", "reindex", {"text": source}), _button("Cancel", "cancel", {})]
    return _card({"body": body, "actions": buttons})


def confirm_share(number: int, question: str) -> Body:
    """Asks whether a question is to be asked again for all to read."""
    text = f"Ask this again for everybody in the conversation to read? {question}"
    body = [{"type": "TextBlock", "wrap": True, "text": text}]
    buttons = [_button("Share", "share_now", {"number": str(number)}), _button("Cancel", "cancel", {})]
    return _card({"body": body, "actions": buttons})


def passage(found: ShownPassage | None) -> Body:
    """The passage behind a reference, as a card."""
    if found is None:
        return {"body": [{"type": "TextBlock", "wrap": True, "text": "This passage cannot be shown."}]}
    texts = (found.title, " · ".join(filter(None, (found.section, found.place))), found.text)
    return {"body": [{"type": "TextBlock", "wrap": True, "text": each} for each in texts if each]}


def reason_form(number: int) -> Body:
    """A card that asks why a reply was bad."""
    field = {"type": "Input.Text", "id": "kb_reason", "isMultiline": True, "maxLength": 500, "label": "What was wrong?"}
    return {"body": [field], "actions": [_button("Send", "reason", {"number": str(number)})]}


def card(content: Mapping[str, Any]) -> Body:
    """A card as an attachment."""
    return {"contentType": CARD, "content": {"type": "AdaptiveCard", "version": "1.5", **content}}


def _card(content: Mapping[str, Any]) -> Body:
    return {"type": "message", "attachments": [card(content)]}


def _button(title: str, action: str, data: Mapping[str, str]) -> Body:
    return {"type": "Action.Submit", "title": title, "data": {"kb": action, **data}}
