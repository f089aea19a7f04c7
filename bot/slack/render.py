"""Masked outcomes as Slack messages, with what stands below a reply: sources, notice, confidence, further questions,
feedback. Pure: values in, Block Kit out.

Whoever sends them sets `parse` to none, and `link_names`, `unfurl_links` and `unfurl_media` to false.
"""

from collections.abc import Sequence

from bot.conversation.render_context import RenderContext, offers_owner, proposed_reindexes, whereabouts
from bot.conversation.texts import confidence, instead, not_found, updated
from bot.markup.text_length import units
from bot.slack.block_kit import SlackMessage, button, button_row, context, document, name, section
from bot.slack.limits import BUTTON_VALUE, MESSAGE_BLOCKS, MESSAGE_COST, PLAIN, SlackBlock, json_length
from bot.slack.markdown import literal_blocks, markdown_blocks
from bot.slack.mrkdwn import escaped, fallback, fallback_lines, plain_text, without_live_addresses
from domain.answers import Answer, Citation, Declined, Failed, NearestDocument, NotFound, Outcome, Trace
from domain.masked_answer import MaskedAnswer
from domain.scope_reason import ScopeReason
from domain.translation import translated

SPARE_BLOCKS = 2
SPARE_COST = 1_000
"""What a message leaves free for a caller that puts something above it, such as the question."""

EMPTY = "(no text)"

_QUESTIONS = 5
"""Further questions that are offered; each is a button of its own row on a narrow screen."""
_QUESTIONS_COST = 4_500
_NOTICE = 1_500
_QUOTE = 600
"""Of what is quoted of a near document."""


def messages(answer: MaskedAnswer, frame: RenderContext) -> list[SlackMessage]:
    """An outcome as the messages that show it, at least one; the last carries what stands below the reply.

    Only the addresses of the answer's citations, and places within the same pages, are links.
    """
    below = footer(answer, frame)
    pages = _pages(_body(answer.outcome))
    if fits([*pages[-1], *below]):
        pages[-1] += below
    else:
        pages.append(below)
    found: list[SlackMessage] = []
    for page in pages:
        words = (_words(block).strip() for block in page if block["type"] in ("header", "rich_text"))
        found.append(SlackMessage(fallback("\n".join(filter(None, words))) or translated("Sources"), tuple(page)))
    return found


def plain_messages(answer: MaskedAnswer, frame: RenderContext) -> list[SlackMessage]:
    """The same without blocks, for where Slack takes none: the whole text as it is written, and what can be read below
    it, but no buttons."""
    shown = (_words(block) for block in footer(answer, frame) if block["type"] in ("section", "context"))
    below = map(without_live_addresses, shown)
    texts = [""]
    said = fallback_lines(_text(answer.outcome).strip(), PLAIN)
    for line in [*(said if any(map(str.strip, said)) else [EMPTY]), "", *below]:
        longer = f"{texts[-1]}\n{line}"
        if units(longer) > PLAIN:
            texts.append(line)
        else:
            texts[-1] = longer
    return [SlackMessage(text.strip("\n"), ()) for text in texts if text.strip()]


def _body(outcome: Outcome) -> list[SlackBlock]:
    if isinstance(outcome, Answer):
        return markdown_blocks(outcome.text, {citation.n: citation.url for citation in outcome.citations})
    return literal_blocks(_text(outcome))


def _text(outcome: Outcome) -> str:
    match outcome:
        case Answer():
            return outcome.text
        case NotFound():
            return not_found(outcome)
        case Declined():
            return outcome.reason
        case Failed():
            return outcome.words


def _pages(blocks: Sequence[SlackBlock]) -> list[list[SlackBlock]]:
    """The blocks of each message, as many as fit."""
    pages: list[list[SlackBlock]] = [[]]
    for block in blocks or literal_blocks(EMPTY):
        if pages[-1] and not fits([*pages[-1], block]):
            pages.append([])
        pages[-1].append(block)
    return pages


def _words(block: SlackBlock) -> str:
    """The text of a block or an element, a line for each paragraph."""
    if "elements" not in block:
        text = block.get("text", "")
        return str(text["text"] if isinstance(text, dict) else text)
    between = "" if all("elements" not in each for each in block["elements"]) else "\n"
    return between.join(_words(each) for each in block["elements"])


def footer(answer: MaskedAnswer, frame: RenderContext) -> list[SlackBlock]:
    """The blocks below a reply, fit for one message: for an outcome without a text of its own, its buttons alone."""
    outcome = answer.outcome
    match outcome:
        case Answer():
            return _below_answer(outcome, frame)
        case NotFound():
            near, notice = _near(outcome.nearest, frame), _notice(outcome.notice)
            advice = context(escaped(instead(outcome.scope_reason), _NOTICE))
            return [
                *near,
                *notice,
                *_read_again(outcome.trace),
                advice,
                *_privately(outcome.scope_reason, frame),
                *_owner(outcome, frame),
            ]
        case Failed():
            return [context(translated("Reference: Q{number}", number=frame.number))]
        case Declined():
            return _privately(outcome.scope_reason, frame)


def fits(blocks: Sequence[SlackBlock]) -> bool:
    """Whether one message takes these blocks and leaves room for a caller's."""
    within = sum(map(json_length, blocks)) <= MESSAGE_COST - SPARE_COST
    return within and len(blocks) <= MESSAGE_BLOCKS - SPARE_BLOCKS


def _below_answer(answer: Answer, frame: RenderContext) -> list[SlackBlock]:
    after = [*_notice(answer.notice)]
    if answer.citations:
        after.append(context(translated("Confidence: {share}", share=confidence(answer.confidence))))
    after += [*_read_again(answer.trace), *_questions(answer.follow_ups)]
    if answer.citations:
        after += [*_feedback(frame), *_share(frame)]
    return [*_sources(answer.citations, frame, after), *after]


def _sources(citations: Sequence[Citation], frame: RenderContext, after: Sequence[SlackBlock]) -> list[SlackBlock]:
    """The sources, as many as one message holds together with what comes after them."""
    if not citations:
        return []
    blocks = [{"type": "divider"}, section(f"*{translated('Sources')}*")]
    for place, citation in enumerate(citations):
        source = _source(citation, frame)
        left = len(citations) - place - 1
        if not fits([*blocks, source, *([_more(left)] if left else []), *after]):
            return [*blocks, _more(left + 1)]
        blocks.append(source)
    return blocks


def _more(count: int) -> SlackBlock:
    return context(translated("… and 1 more source" if count == 1 else "… and {count} more sources", count=count))


def _source(citation: Citation, frame: RenderContext) -> SlackBlock:
    text = f"*[{citation.n}]* {document(citation.title, citation.url, citation.path)}"
    preview = button(translated("Preview"), f"kb_preview:{citation.n}", f"{frame.number}:{citation.n}")
    return section(text + whereabouts(citation, frame.now, name), preview)


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
        "positive_button": half(translated("Helpful"), 1),
        "negative_button": half(translated("Not helpful"), -1),
    }
    return [{"type": "context_actions", "elements": [buttons]}]


def _read_again(trace: Trace) -> list[SlackBlock]:
    return button_row([button(label, "kb_again", source) for label, source in proposed_reindexes(trace)])


def _share(frame: RenderContext) -> list[SlackBlock]:
    if not frame.share:
        return []
    words = translated("I ask again for everybody here, and show your question with what all of them may read.")
    ask = {
        "title": plain_text(translated("Share in channel?"), 100),
        "text": plain_text(words, 300),
        "confirm": plain_text(translated("Share"), 30),
        "deny": plain_text(translated("Cancel"), 30),
    }
    return button_row([button(translated("Share in channel"), "kb_share", str(frame.number)) | {"confirm": ask}])


def _near(documents: Sequence[NearestDocument], frame: RenderContext) -> list[SlackBlock]:
    """Documents that come near, as many as one message holds."""
    blocks = [section(f"{translated('Closest documents (they may not answer it)')}:")] if documents else []
    for each in documents:
        owner = f" — {name(each.owner)}" if each.owner else ""
        about = f"{owner}{updated(each.updated_at, frame.now)}"
        quotes = "\n".join(f"“{escaped(quote.words, _QUOTE)}”" for quote in each.quotes)
        both = [
            section(f"• {document(each.title, each.url, each.path)}{about}"),
            *([section(quotes)] if quotes else []),
        ]
        if len(blocks) < MESSAGE_BLOCKS // 2 and sum(map(json_length, [*blocks, *both])) < MESSAGE_COST // 2:
            blocks += both
    return blocks


def _owner(outcome: NotFound, frame: RenderContext) -> list[SlackBlock]:
    ask = [button(translated("Ask the owner"), "kb_owner", str(frame.number))]
    return button_row(ask) if offers_owner(outcome, frame) else []


def _privately(reason: ScopeReason, frame: RenderContext) -> list[SlackBlock]:
    """A private answer may hold more: it is made from what its asker may read."""
    ask = [button(translated("Ask privately"), "kb_private", str(frame.number))]
    return button_row(ask) if reason.private_helps and not frame.private else []
