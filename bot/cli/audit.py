"""`kb audit`: what administrators did, what was shared in chats, and who was exported or erased."""

from typing import TYPE_CHECKING, get_args

import click

from bot.cli.gaps import DAYS, since_day
from bot.cli.options import json_option, open_store, with_settings
from bot.markup.plain_text import one_line
from bot.terminal.output import print_result
from config.settings import Settings
from domain.access import email_of
from domain.audit import AuditAction, AuditFilter

if TYPE_CHECKING:
    from domain.audit import AuditRecord
    from storage.open import Storage


UNKNOWN_ACCOUNTS = (
    "Which chat accounts that address belongs to is not known: they are looked for in posted answers, which are kept"
    " for a time. An account is found by its id: --actor slack:U123 or teams:ID."
)
"""Said of an address under which nothing is found."""


@click.command()
@click.option("--since", metavar="DATE", help=f"Entries since this day. [default: {DAYS} days ago]")
@click.option("--actor", metavar="ID", help="Only who is named so: an account, slack:U123, teams:ID, or an address.")
@click.option("--action", type=click.Choice(get_args(AuditAction)), help="Only such acts.")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=200, show_default=True, help="The latest ones that are shown."
)
@json_option
@with_settings
async def audit(
    settings: Settings, since: str | None, actor: str | None, action: AuditAction | None, limit: int, *, as_json: bool
) -> int:
    """List what administrators did, newest first: by command or in a chat; and what was shared, exported and erased.

    An address stands for the accounts that asked with it in chats, and for who signed in with it. With --json,
    accounts_known says whether such accounts in chats are known; it is null without an address.
    """
    begin = since_day(since)
    async with open_store(settings) as storage:
        actors = await _actors(storage, actor) if actor else ()
        wanted = AuditFilter(begin, action, actors)
        found = await storage.audit_log().entries(wanted, limit) if actors or not actor else []
    lines = list(map(_line, found)) or [f"Nothing of that is noted since {begin:%Y-%m-%d}."]
    known = len(actors) > 1 if actor and email_of(actor) is not None else None
    if not found and known is False:
        lines.append(UNKNOWN_ACCOUNTS)
    value = {"since": begin, "accounts_known": known, "entries": list(map(as_json_entry, found))}
    print_result(value, "\n".join(lines), as_json=as_json, own=True)
    return 0


async def _actors(storage: "Storage", name: str) -> tuple[tuple[str, str], ...]:
    address = email_of(name)
    if address is not None:
        return (("web", address), *sorted(await storage.personal_data().askers_with(address)))
    platform, colon, actor = name.partition(":")
    return ((platform, actor),) if colon else (("terminal", name),)


def as_json_entry(record: "AuditRecord") -> dict[str, object]:
    """An entry as it is printed."""
    entry = record.entry
    return {
        "number": record.number,
        "at": record.at,
        "actor": f"{entry.actor.platform}:{entry.actor.id}",
        "action": entry.action,
        "subject": entry.subject,
        "detail": dict(entry.detail),
    }


def _line(record: "AuditRecord") -> str:
    entry = record.entry
    who = f"{entry.actor.platform}:{one_line(entry.actor.id) or '(erased)'}"
    what = entry.action.replace("_", " ")
    detail = ", ".join(f"{name.replace('_', ' ')}: {_value(value)}" for name, value in entry.detail.items())
    line = f"{record.number:>6}  {record.at:%Y-%m-%d %H:%M}  {who:<24}  {what:<17}  {one_line(entry.subject)}"
    return f"{line}  ({detail})" if detail else line.rstrip()


def _value(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return " ".join(map(_value, value))
        case dict():
            return " ".join(f"{name} {_value(each)}" for name, each in value.items())
        case _:
            return one_line(str(value))
