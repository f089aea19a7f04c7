"""Masked outcomes as Slack messages. Pure: values in, Block Kit out.

Whoever sends them sets `parse` to none, and `link_names`, `unfurl_links` and `unfurl_media` to false.
"""

from collections.abc import Sequence

from bot.conversation.frame import Frame
from bot.conversation.words import not_found
from bot.slack.kit import Message
from bot.slack.limits import Block
from bot.slack.mrkdwn import fallback, streamable
from bot.slack.notices import busy, progress, task, timed_out, waiting, with_question
from bot.slack.rich_text import literal, rich_text
from bot.slack.tail import fits, tail
from domain.answers import Answer, Declined, Failed, NotFound, Outcome
from domain.masking.shown import MaskedAnswer

__all__ = [
    "Block",
    "Frame",
    "Message",
    "busy",
    "messages",
    "progress",
    "streamable",
    "tail",
    "task",
    "timed_out",
    "waiting",
    "with_question",
]


def messages(answer: MaskedAnswer, frame: Frame) -> list[Message]:
    """An outcome as the messages that show it, at least one; the last carries what stands below the reply.

    Only the addresses of the answer's citations, and what lies on their hosts, are links.
    """
    below = tail(answer, frame)
    pages = _pages(_body(answer.outcome))
    if fits([*pages[-1], *below]):
        pages[-1] += below
    else:
        pages.append(below)
    return [Message(fallback(_said(page)) or "Sources", tuple(page)) for page in pages]


def _body(outcome: Outcome) -> list[Block]:
    """The reply itself."""
    match outcome:
        case Answer():
            cited = {citation.n: citation.url for citation in outcome.citations}
            return rich_text(outcome.text, cited)
        case NotFound():
            return literal(not_found(outcome))
        case Declined():
            return literal(outcome.reason)
        case Failed():
            return literal(outcome.words)


def _pages(blocks: Sequence[Block]) -> list[list[Block]]:
    """The blocks of each message, as many as fit."""
    pages: list[list[Block]] = [[]]
    for block in blocks or literal("(no text)"):
        if pages[-1] and not fits([*pages[-1], block]):
            pages.append([])
        pages[-1].append(block)
    return pages


def _said(blocks: Sequence[Block]) -> str:
    """The words of the blocks that show the reply."""
    return "\n".join(
        filter(None, (_words(block).strip() for block in blocks if block["type"] in ("header", "rich_text")))
    )


def _words(block: Block) -> str:
    """The text of a block or an element, a line for each paragraph."""
    if "elements" not in block:
        text = block.get("text", "")
        return str(text["text"] if isinstance(text, dict) else text)
    between = "" if all("elements" not in each for each in block["elements"]) else "\n"
    return between.join(_words(each) for each in block["elements"])
