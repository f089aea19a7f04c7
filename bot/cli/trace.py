"""`kb trace`: how a chat answer came about."""

from typing import TYPE_CHECKING

import click

from bot.cli.options import json_option, open_store, with_settings
from bot.markup.plain_text import one_line
from bot.terminal.output import print_json, say
from config.settings import Settings
from domain.errors import Refused

if TYPE_CHECKING:
    from domain.answer_ports import KeptAnswer

_LARGEST = 2**63 - 1

OUTCOMES = {
    "answered": "answered",
    "partly": "answered in part",
    "not_found": "not found",
    "declined": "declined",
    "failed": "failed",
}


@click.command()
@click.argument("number")
@json_option
@with_settings
async def trace(settings: Settings, number: str, *, as_json: bool) -> int:
    """Show how the chat answer NUMBER came about; kb questions lists answers with their numbers.

    Texts are masked, and are kept as long as the memory of conversations.
    """
    from bot.terminal.trace_text import trace_text

    wanted = _number(number)
    async with open_store(settings) as storage:
        kept = await storage.answer_records().get(wanted)
    if kept is None:
        raise Refused(
            f"There is no answer with the number {number}",
            why="No question with this number was answered in a chat, or it is forgotten: records are kept for"
            f" {settings.conversation.question_days:g} days.",
            next_step="kb questions lists questions with their numbers.",
        )
    if as_json:
        print_json(_whole(kept))
    else:
        say("\n".join([*_head(kept), trace_text(kept.record.trace)]))
    return 0


def _number(said: str) -> int:
    """The number of a question. Raises click.BadParameter for what is none."""
    if said.isdecimal() and len(said) < 20 and 1 <= (number := int(said)) <= _LARGEST:
        return number
    what = f"{one_line(said)!r} is not the number of a question; kb questions lists them with their numbers"
    raise click.BadParameter(what, param_hint="NUMBER")


def _summary(kept: "KeptAnswer") -> dict[str, object]:
    quality = kept.quality
    return {
        "number": kept.number,
        "asked_at": kept.asked_at,
        "question": kept.record.question,
        "outcome": kept.record.outcome,
        "cause": kept.record.cause,
        "platform": kept.place.platform,
        "channel": kept.place.channel,
        "private": kept.in_private,
        "audience": kept.audience,
        "wait_ms": round(kept.wait_ms),
        "confidence": kept.record.confidence,
        "quality": quality and quality.score,
        "supported": quality and quality.supported,
        "relevance": quality and quality.relevance,
        "votes_up": kept.up,
        "votes_down": kept.down,
    }


def _whole(kept: "KeptAnswer") -> dict[str, object]:
    from domain.answer_records import trace_json

    record = kept.record
    more = {"reasons": list(kept.reasons), "nearest": list(record.nearest), "trace": trace_json(record.trace)}
    return _summary(kept) | more


def _head(kept: "KeptAnswer") -> list[str]:
    record, quality, place = kept.record, kept.quality, kept.place
    where = f"{place.platform}, in private" if kept.in_private else f"{place.platform}, {one_line(place.channel)}"
    cause = f" ({record.cause.replace('_', ' ')})" if record.cause else ""
    lines = [
        f"Question {kept.number}: {one_line(record.question) or '(its text is not kept)'}",
        f"Asked: {kept.asked_at:%Y-%m-%d %H:%M:%S} UTC, {where}; shown after {kept.wait_ms / 1000:.1f} s",
        f"Outcome: {OUTCOMES[record.outcome]}{cause}, confidence {record.confidence:.2f}",
    ]
    if quality:
        lines.append(
            f"Quality: {quality.score:.2f} (supported {quality.supported:.2f}, relevance {quality.relevance:.2f})"
        )
    if kept.up or kept.down:
        reasons = f": {'; '.join(map(one_line, kept.reasons))}" if kept.reasons else ""
        lines.append(f"Votes: {kept.up} for it, {kept.down} against it{reasons}")
    return lines
