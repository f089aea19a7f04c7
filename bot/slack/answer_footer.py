"""What stands below a reply: sources, notice, confidence, further questions, feedback. Pure."""

from collections.abc import Sequence

from bot.conversation.render_context import RenderContext, proposed_reindexes
from bot.conversation.texts import confidence, instead, updated
from bot.markup.text_length import units
from bot.slack.block_kit import button, button_row, context, document, name, section
from bot.slack.limits import BUTTON_VALUE, MESSAGE_BLOCKS, MESSAGE_COST, SlackBlock, json_length
from bot.slack.mrkdwn import escaped, plain_text
from domain.answers import Answer, Citation, Declined, Failed, NearestDocument, NotFound, Trace
from domain.masked_answer import MaskedAnswer
from domain.scope_reason import ScopeReason

SPARE_BLOCKS = 2
SPARE_COST = 1_000
"""What a message leaves free for a caller that puts something above it, such as the question."""

_QUESTIONS = 5
"""Further questions that are offered; each is a button of its own row on a narrow screen."""
_QUESTIONS_COST = 4_500
_NOTICE = 1_500


def footer(answer: MaskedAnswer, frame: RenderContext) -> list[SlackBlock]:
    """The blocks below a reply, fit for one message: for an outcome without a text of its own, its buttons alone."""
    outcome = answer.outcome
    match outcome:
        case Answer():
            return _below_answer(outcome, frame)
        case NotFound():
            near, notice = _near(outcome.nearest, frame), _notice(outcome.notice)
            advice = context(escaped(instead(outcome.scope_reason), _NOTICE))
            again, ask = _read_again(outcome.trace, frame), _privately(outcome.scope_reason, frame)
            return [*near, *notice, *again, advice, *ask]
        case Failed():
            return [context(f"Reference: Q{frame.number}")]
        case Declined():
            return _privately(outcome.scope_reason, frame)


def fits(blocks: Sequence[SlackBlock]) -> bool:
    """Whether one message takes these blocks and leaves room for a caller's."""
    within = sum(map(json_length, blocks)) <= MESSAGE_COST - SPARE_COST
    return within and len(blocks) <= MESSAGE_BLOCKS - SPARE_BLOCKS


def _below_answer(answer: Answer, frame: RenderContext) -> list[SlackBlock]:
    after = [*_notice(answer.notice)]
    if answer.citations:
        after.append(context(f"Confidence: {confidence(answer.confidence)}"))
    after += _read_again(answer.trace, frame)
    if frame.buttons:
        after += _questions(answer.follow_ups)
        after += _feedback(frame) if answer.citations else []
        after += _share(frame) if answer.citations else []
    return [*_sources(answer.citations, frame, after), *after]


def _sources(citations: Sequence[Citation], frame: RenderContext, after: Sequence[SlackBlock]) -> list[SlackBlock]:
    """The sources, as many as one message holds together with what comes after them."""
    if not citations:
        return []
    blocks = [{"type": "divider"}, section("*Sources*")]
    for place, citation in enumerate(citations):
        source = _source(citation, frame)
        left = len(citations) - place - 1
        if not fits([*blocks, source, *([_more(left)] if left else []), *after]):
            return [*blocks, _more(left + 1)]
        blocks.append(source)
    return blocks


def _more(count: int) -> SlackBlock:
    return context(f"… and {count} more source{'' if count == 1 else 's'}")


def _source(citation: Citation, frame: RenderContext) -> SlackBlock:
    where = ", ".join(name(each) for each in (citation.section, citation.place) if each)
    dated = updated(citation.updated_at, frame.now)
    text = f"*[{citation.n}]* {document(citation.title, citation.url, citation.path)}"
    text += (f" — {where}" if where else "") + dated
    preview = button("Preview", f"kb_preview:{citation.n}", f"{frame.number}:{citation.n}")
    return section(text, preview if frame.buttons else None)


def _notice(notice: str) -> list[SlackBlock]:
    return [context(escaped(notice, _NOTICE))] if notice.strip() else []


def _questions(questions: Sequence[str]) -> list[SlackBlock]:
    """Questions that may come next. One that does not fit into a button whole would be asked otherwise: left out."""
    asked = [each for each in questions if each.strip() and units(each) <= BUTTON_VALUE]
    row: list[SlackBlock] = []
    for each in asked[:_QUESTIONS]:
        offered = button(each, f"kb_ask:{len(row)}", each)
        row += [offered] if sum(map(json_length, [*row, offered])) <= _QUESTIONS_COST else []
    return button_row(row)


def _feedback(frame: RenderContext) -> list[SlackBlock]:
    def half(label: str, value: int) -> SlackBlock:
        return {"text": plain_text(label, 75), "value": f"{frame.number}:{value}", "accessibility_label": label}

    buttons = {
        "type": "feedback_buttons",
        "action_id": "kb_feedback",
        "positive_button": half("Helpful", 1),
        "negative_button": half("Not helpful", -1),
    }
    return [{"type": "context_actions", "elements": [buttons]}]


def _read_again(trace: Trace, frame: RenderContext) -> list[SlackBlock]:
    """A button for each source that an administrator was told how to have read again. It starts nothing either: it
    asks whether that is meant."""
    row = [
        button("Read all again" if each == "*" else f"Read {each} again", "kb_again", each)
        for each in proposed_reindexes(trace)
    ]
    return button_row(row) if frame.buttons else []


def _share(frame: RenderContext) -> list[SlackBlock]:
    if not frame.share:
        return []
    words = "I ask again for everybody here, and show your question with what all of them may read."
    ask = {
        "title": plain_text("Share in channel?", 100),
        "text": plain_text(words, 300),
        "confirm": plain_text("Share", 30),
        "deny": plain_text("Cancel", 30),
    }
    return button_row([button("Share in channel", "kb_share", str(frame.number)) | {"confirm": ask}])


def _near(documents: Sequence[NearestDocument], frame: RenderContext) -> list[SlackBlock]:
    """Documents that come near, as many as one message holds."""
    blocks = [section("Closest documents (they do not answer it):")] if documents else []
    for each in documents:
        owner = f" — {name(each.owner)}" if each.owner else ""
        block = section(f"• {document(each.title, each.url, each.path)}{owner}{updated(each.updated_at, frame.now)}")
        if len(blocks) < MESSAGE_BLOCKS // 2 and sum(map(json_length, [*blocks, block])) < MESSAGE_COST // 2:
            blocks.append(block)
    return blocks


def _privately(reason: ScopeReason, frame: RenderContext) -> list[SlackBlock]:
    """A private answer may hold more: it is made from what its asker may read."""
    ask = [button("Ask privately", "kb_private", str(frame.number))]
    return button_row(ask) if reason.private_helps and frame.buttons and not frame.private else []
