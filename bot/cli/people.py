"""`kb people`: all that is kept of one person, shown or erased."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from bot.cli.ask import NOT_FOUND
from bot.cli.options import json_option, open_store, operator, with_options, with_settings
from bot.markup.plain_text import counted, one_line
from bot.terminal.output import agreed, masker, print_json, say
from config.settings import Settings
from domain.access import email_of
from domain.audit import AuditEntry
from domain.errors import Refused

if TYPE_CHECKING:
    from bot.app.people import FoundPerson
    from domain.conversation import Participant
    from storage.open import Storage

Kept = Mapping[str, Sequence[Mapping[str, Any]]]

_PERSON = with_options(
    click.argument("email"),
    click.option(
        "--id",
        "ids",
        multiple=True,
        metavar="PLATFORM:ID",
        help="Who this is on a platform, such as slack:U0123ABCD; repeat for several. The platform is not asked then.",
    ),
)

GOES = {
    "questions": "questions, which stay as counts: when, in which channel, how long it took, how it ended",
    "turns": "turns of conversations",
    "posted_replies": "posted answers, which are not corrected any more when their sources change",
    "answer_records": "records of how an answer came about, of which figures stay",
    "owner_requests": "notes which question was sent to the owner of which document",
    "web_replies": "replies as they were shown over HTTP",
    "correction_queue": "notes that this person's groups in a source changed",
    "api_tokens": "API tokens: programs that ask as this person cannot any more",
    "web_sessions": "sign-ins to the pages, which end",
    "feedback": "votes, which stay as counts without words",
    "jobs": "jobs of the queue: of questions that wait or failed; readings of a source, whose result nobody is told",
    "model_replies": "replies of a model from while a question of this person was answered",
}
"""What an erasure does with rows of each table."""

ABOUT_SOMEBODY = frozenset({"person_exported", "token_made", "token_revoked"})
"""Acts that name whom they are about."""

STAYS = {
    "directory": "entries of sources that say who this is there; the next reading of the permissions would bring them"
    " back, and they go when the source no longer has the account",
    "acl_principals": "names of this person, or of their groups, in what sources say or once said of their readers",
    "sources": "sources for which you named this address, of a reader or of the account that reads them: kb index PATH"
    " --audience names other readers, kb sources add --replace another account",
}
"""What is left, and why."""

_OTHERS = (
    "Left, since it is not in this database: messages on Slack and in Teams, what you keep of logs, traces and backups."
)
_TERMINAL = (
    "Left, since nobody's name is on it: questions at a terminal, by session, and the file history in the data folder."
)
_DOCUMENTS = "Left, since it is a source's: what documents say of this person. It goes when it is changed there."
ELSEWHERE = (_OTHERS, _TERMINAL, _DOCUMENTS)


@click.group()
def people() -> None:
    """Show or erase what is kept of one person."""


@people.command()
@_PERSON
@with_settings
async def export(settings: Settings, email: str, ids: tuple[str, ...]) -> int:
    """Print as JSON all that is kept of the person with the address EMAIL. Only secrets are masked.

    Replies kept of a model are counted, not shown: who else they were made for is not known.
    """
    async with open_store(settings) as storage:
        found = await _found(settings, storage, email, ids)
        entry = AuditEntry(operator(), "person_exported", detail={"person": found.person.names})
        kept = await storage.personal_data().kept(found.person)
        await storage.audit_log().record(entry)
    print_json({**_who(found), "kept": kept, "elsewhere": ELSEWHERE}, own=True)
    return 0 if any(kept.values()) else NOT_FOUND


@people.command()
@_PERSON
@click.option("--yes", is_flag=True, help="Do not ask first.")
@click.option("--dry-run", is_flag=True, help="Say what would go and what would stay, and do nothing.")
@json_option
@with_settings
async def erase(
    settings: Settings, email: str, ids: tuple[str, ...], *, yes: bool, dry_run: bool, as_json: bool
) -> int:
    """Erase what is kept of the person with the address EMAIL, as far as it is theirs alone.

    The audit log keeps that somebody was erased, and not who. See kb people export first.
    """
    if as_json and not (yes or dry_run):
        raise Refused("Nothing was erased", why="With --json nobody is asked.", next_step="Add --yes or --dry-run.")
    async with open_store(settings) as storage:
        found = await _found(settings, storage, email, ids)
        kept = await storage.personal_data().kept(found.person)
        if not as_json:
            say("\n".join(_preview(found, kept)), own=True)
        goes = any(_goes(kept).values())
        if dry_run or not goes:
            if as_json:
                print_json({**_who(found), "erased": {}, "entry": None, **_summary(kept)}, own=True)
            return 0 if goes else NOT_FOUND
        if not yes and not agreed("\nErase what goes?", "Nothing was erased"):
            return 1
        number, done = await storage.personal_data().erase(found.person, operator())
    if as_json:
        print_json({**_who(found), "erased": done, "entry": number, **_summary(kept)}, own=True)
    else:
        say(f"\nErased. The audit log has it as entry {number}, without a name: note the number with the request.")
    return 1 if found.open_ends else 0


async def _found(settings: Settings, storage: "Storage", email: str, ids: tuple[str, ...]) -> "FoundPerson":
    from bot.app.people import PersonFinder

    address = email_of(email)
    if address is None:
        raise Refused(f"{email!r} is not an e-mail address", next_step="Type all of it, with the domain.")
    return await PersonFinder(settings, storage, masker()).find(address, list(map(_participant, ids)))


def _participant(text: str) -> "Participant":
    """Raises click.BadParameter for what names nobody."""
    from bot.app.people import CHATS
    from domain.conversation import Participant, Platform

    name, _, person = text.partition(":")
    platforms: tuple[Platform, ...] = (*CHATS, "terminal")
    for platform in platforms:
        if name == platform and person.strip():
            return Participant(platform, person.strip())
    raise click.BadParameter(f"{text!r} is not {' or '.join(f'{each}:ID' for each in platforms)}", param_hint="--id")


def _who(found: "FoundPerson") -> dict[str, object]:
    return {"address": found.person.address, "ids": _ids(found), "open_ends": list(found.open_ends)}


def _ids(found: "FoundPerson") -> list[str]:
    """Who somebody is on the platforms where that is not the address."""
    return [f"{each.platform}:{each.id}" for each in found.person.ids if each.platform != "web"]


def _goes(kept: Kept) -> dict[str, int]:
    """How many rows of each table an erasure takes away or takes the person off."""
    return {name: _count(kept[name]) for name in GOES} | {"audit_entries": len(_shares(kept))}


def _count(rows: Sequence[Mapping[str, Any]]) -> int:
    return sum(int(row.get("replies", 1)) for row in rows)


def _shares(kept: Kept) -> list[Mapping[str, Any]]:
    """Entries of the audit log that the person is taken off: who shared, was exported, or got a token."""
    return [
        row
        for row in kept["audit_entries"]
        if row["action"] == "answer_shared" or ("person" in row["detail"] and row["action"] in ABOUT_SOMEBODY)
    ]


def _acts(kept: Kept) -> int:
    """Entries of the audit log that stay, with who did it."""
    return len(kept["audit_entries"]) - len(_shares(kept))


def _summary(kept: Kept) -> dict[str, object]:
    stays = {name: len(kept[name]) for name in STAYS} | {"audit_entries": _acts(kept)}
    return {"goes": _goes(kept), "stays": stays, "elsewhere": ELSEWHERE}


def _preview(found: "FoundPerson", kept: Kept) -> list[str]:
    ids = ", ".join(_ids(found)) or "nobody on Slack or in Teams"
    lines = [f"{found.person.address} is {one_line(ids)}.", *found.open_ends, "", "Goes:"]
    goes = _goes(kept)
    lines += [f"  {goes[name]:>6,} {what}" for name, what in GOES.items() if goes[name]]
    if shares := goes["audit_entries"]:
        lines.append(
            f"  {shares:>6,} names in the audit log: who shared an answer, and of whom an export or token was made"
        )
    lines += ["       nothing"] if lines[-1] == "Goes:" else []
    lines += ["", "Stays:"]
    lines += [f"  {len(kept[name]):>6,} {what}" for name, what in STAYS.items() if kept[name]]
    if acts := _acts(kept):
        lines.append(f"  {counted(acts, 'act')} as an administrator, in the audit log, until KB_AGENT_AUDIT_DAYS")
    return [*lines, *(f"  {each}" for each in ELSEWHERE)]
