"""`kb gaps` and `kb stats`: what has no answer, and how the service is used."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from bot.app.scopes import scope_of
from bot.cli.ask import PATIENCE
from bot.cli.options import as_option, json_option, moment, open_store, with_settings
from bot.markup.plain_text import counted, one_line
from bot.terminal.output import print_result
from config.settings import Settings

if TYPE_CHECKING:
    from bot.app.gap_register import Gap

DAYS = 30
"""Looked back without --since."""

KEPT = "Kept are questions from Slack, Teams, the web and kb ask --interactive; a single kb ask is not (docs/gaps.md)."
"""Said where no question is found: who has tried kb ask may think that it is broken."""

since_option = click.option("--since", metavar="DATE", help=f"Questions since this day. [default: {DAYS} days ago]")


def since_day(text: str | None) -> datetime:
    """What --since says: the day that was typed, or DAYS ago."""
    return moment(text, "--since") if text else datetime.now(UTC) - timedelta(days=DAYS)


@click.command()
@since_option
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="Gaps that are shown.")
@json_option
@as_option
@with_settings
async def gaps(settings: Settings, since: str | None, limit: int, *, as_json: bool, email: str | None) -> int:
    """Show questions from chats without a whole answer, or with more votes against the answer than for it.

    Questions that ask for the same thing are one gap, the largest first, with the documents that came nearest and
    their owners, as far as every member may read them: see --as.
    """
    from bot.app.gap_register import MAX_QUESTIONS, find_gaps, gap_json
    from bot.app.product import open_product

    begin = since_day(since)
    scope = scope_of(email, settings.access.email_domains)
    async with open_product(settings, patience=PATIENCE) as product:
        asked = await product.storage.answer_records().gaps(begin, MAX_QUESTIONS)
        found = await find_gaps(asked, product.embedder, product.storage.document_catalog(), scope, limit)
    value = {"since": begin, "questions": len(asked), "gaps": [gap_json(each) for each in found]}
    lines = [_gap_text(place, each) for place, each in enumerate(found, start=1)]
    head = f"{counted(len(asked), 'question')} without a whole or a liked answer since {begin:%Y-%m-%d}"
    lines = lines or [KEPT]
    print_result(value, "\n\n".join([head, *lines]), as_json=as_json)
    return 0


def _gap_text(place: int, gap: "Gap") -> str:
    counts = [(gap.unanswered, "unanswered"), (gap.partly, "answered in part"), (gap.badly_rated, "badly rated")]
    said = ", ".join(f"{count} {words}" for count, words in counts if count)
    lines = [
        f"{place}. {one_line(gap.example.record.question)}",
        f"   {said}; last asked {gap.answers[0].asked_at:%Y-%m-%d}; see: kb trace {gap.example.number}",
    ]
    for each in gap.nearest:
        owner = f", owner {one_line(each.author)}" if each.author else ""
        lines.append(f"   near: {one_line(each.title)} ({one_line(each.path)}{owner})")
    lines += [f"   said: {one_line(reason)}" for each in gap.answers for reason in each.reasons][:3]
    return "\n".join(lines)


@click.command()
@since_option
@json_option
@with_settings
async def stats(settings: Settings, since: str | None, *, as_json: bool) -> int:
    """Show how the chats are used: questions, outcomes, waiting times, cost, quality and votes. No text is read."""
    from bot.app.usage_figures import usage_figures

    begin = since_day(since)
    async with open_store(settings) as storage:
        rows = await storage.answer_records().usage(begin)
    value = usage_figures(rows)
    print_result({"since": begin, **value}, _stats_text(begin, value), as_json=as_json)
    return 0


def _stats_text(begin: datetime, value: "dict[str, Any]") -> str:
    waits, votes = value["wait_ms"], value["votes"]
    asked = counted(value["questions"], "question")
    lines = [f"Since {begin:%Y-%m-%d}: {asked}, {value['private']} in private; people: {value['people']}"]
    if not value["questions"]:
        return "\n".join([*lines, KEPT])
    lines += [f"  {name.replace('_', ' ')}: {count}" for name, count in value["outcomes"].items()]
    if waits["p50"] is not None:
        lines.append(f"Waiting: p50 {waits['p50'] / 1000:.1f} s, p95 {waits['p95'] / 1000:.1f} s")
    lines.append(f"Cost: {counted(value['requests'], 'request')} to a model, about {counted(value['tokens'], 'token')}")
    if value["quality"] is not None:
        lines.append(f"Quality: {value['quality']} on average over {counted(value['scored'], 'answer')}")
    lines.append(f"Votes: {votes['up']} for, {votes['down']} against")
    return "\n".join(lines)
