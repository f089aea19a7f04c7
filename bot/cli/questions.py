"""`kb questions` and `kb feedback`: what was asked in chats, how it ended, and what readers thought of it."""

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import click

from bot.cli.gaps import KEPT, since_day, since_option
from bot.cli.options import FiniteRange, json_option, open_store, with_settings
from bot.markup.plain_text import counted, one_line
from bot.terminal.output import print_result
from config.settings import Settings

if TYPE_CHECKING:
    from domain.answer_ports import QuestionSummary, Vote

OUTCOMES = ("answered", "partly", "not_found", "declined", "failed", "busy", "late", "unreachable", "withdrawn")
PLATFORMS = ("slack", "teams", "terminal", "web")

VOTES: dict[str, Literal[-1, 0, 1]] = {"up": 1, "down": -1}

NOT_KEPT = "(its text is not kept)"

limit_option = click.option(
    "--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="The latest ones that are shown."
)


@click.command()
@since_option
@click.option("--outcome", type=click.Choice(OUTCOMES), help="Only those that ended so.")
@click.option("--platform", type=click.Choice(PLATFORMS), help="Only those that were asked there.")
@click.option("--rated", type=click.Choice(list(VOTES)), help="Only those with such a vote.")
@click.option("--slower-than", type=FiniteRange(0), metavar="SECONDS", default=0.0, help="Only slower ones.")
@limit_option
@json_option
@with_settings
async def questions(
    settings: Settings,
    since: str | None,
    outcome: str | None,
    platform: str | None,
    rated: str | None,
    slower_than: float,
    limit: int,
    *,
    as_json: bool,
) -> int:
    """List questions from chats that have ended, newest first: when, how long it took, how it ended.

    Texts are masked, and are kept as long as the memory of conversations. kb trace NUMBER shows how an answer came
    about.
    """
    from domain.answer_ports import QuestionFilter

    begin = since_day(since)
    wanted = QuestionFilter(begin, outcome or "", platform or "", VOTES.get(rated or "", 0), slower_than * 1000)
    async with open_store(settings) as storage:
        found = await storage.answer_records().questions(wanted, limit)
    lines = list(map(_question_line, found)) or [f"No such question has ended since {begin:%Y-%m-%d}.", KEPT]
    print_result({"since": begin, "questions": list(map(asdict, found))}, "\n".join(lines), as_json=as_json)
    return 0


def _question_line(asked: "QuestionSummary") -> str:
    votes = "".join([f" +{asked.up}" if asked.up else "", f" -{asked.down}" if asked.down else ""])
    where = f"{asked.platform}{', private' if asked.private else ''}"
    return (
        f"{asked.number:>7}  {_minute(asked.asked_at)}  {asked.wait_ms / 1000:>6.1f} s  {asked.result:<11}"
        f"{votes or '  ':<6}  {where:<15}  {one_line(asked.question) or NOT_KEPT}"
    )


@click.command()
@since_option
@click.option("--vote", type=click.Choice(list(VOTES)), help="Only such votes.")
@limit_option
@json_option
@with_settings
async def feedback(settings: Settings, since: str | None, vote: str | None, limit: int, *, as_json: bool) -> int:
    """List votes on replies, newest first, with what was said. Who voted is not told."""
    begin = since_day(since)
    async with open_store(settings) as storage:
        totals = await storage.feedback().totals(begin)
        found = await storage.answer_records().votes(begin, limit, VOTES.get(vote or "", 0))
    head = f"Since {begin:%Y-%m-%d}: {counted(totals[1], 'vote')} for replies, {totals[-1]} against"
    value = {"since": begin, "up": totals[1], "down": totals[-1], "votes": list(map(asdict, found))}
    print_result(value, "\n".join([head, *(map(_vote_line, found) if found else [KEPT])]), as_json=as_json)
    return 0


def _vote_line(given: "Vote") -> str:
    said = f"\n           said: {one_line(given.reason)}" if given.reason else ""
    up = "up  " if given.value > 0 else "down"
    question = one_line(given.question) or NOT_KEPT
    return f"{given.number:>7}  {_minute(given.at)}  {up}  {given.result:<11}  {question}{said}"


def _minute(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
