"""Masked outcomes as Slack messages. Pure: values in, Block Kit out.

Whoever sends them sets `parse` to none, and `link_names`, `unfurl_links` and `unfurl_media` to false.
"""

from collections.abc import Sequence

from bot.conversation.render_context import RenderContext
from bot.conversation.texts import not_found
from bot.slack.answer_footer import fits, footer
from bot.slack.block_kit import SlackMessage
from bot.slack.limits import SlackBlock
from bot.slack.markdown import literal_blocks, markdown_blocks
from bot.slack.mrkdwn import fallback
from domain.answers import Answer, Declined, Failed, NotFound, Outcome
from domain.masked_answer import MaskedAnswer


def messages(answer: MaskedAnswer, frame: RenderContext) -> list[SlackMessage]:
    """An outcome as the messages that show it, at least one; the last carries what stands below the reply.

    Only the addresses of the answer's citations, and what lies on their hosts, are links.
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
        found.append(SlackMessage(fallback("\n".join(filter(None, words))) or "Sources", tuple(page)))
    return found


def _body(outcome: Outcome) -> list[SlackBlock]:
    """The reply itself."""
    match outcome:
        case Answer():
            cited = {citation.n: citation.url for citation in outcome.citations}
            return markdown_blocks(outcome.text, cited)
        case NotFound():
            return literal_blocks(not_found(outcome))
        case Declined():
            return literal_blocks(outcome.reason)
        case Failed():
            return literal_blocks(outcome.words)


def _pages(blocks: Sequence[SlackBlock]) -> list[list[SlackBlock]]:
    """The blocks of each message, as many as fit."""
    pages: list[list[SlackBlock]] = [[]]
    for block in blocks or literal_blocks("(no text)"):
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
