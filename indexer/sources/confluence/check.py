"""How an account stands with a Confluence, for operators."""

import asyncio
from collections.abc import Iterable, Sequence

from domain.errors import KbError
from indexer.sources.atlassian.token_expiry import expiry
from indexer.sources.confluence.options import ConfluenceOptions
from indexer.sources.confluence.people import ConfluencePeople, read_people
from indexer.sources.confluence.records import ConfluenceApi, ConfluenceHolder, ConfluenceSpace
from indexer.sources.confluence.v1_rows import RESTRICTIONS, search
from indexer.sources.connector import CheckFinding

ALMOST_EVERYBODY = 0.9


async def findings(wiki: ConfluenceApi, options: ConfluenceOptions) -> list[CheckFinding]:
    """See indexer.sources.connector.CheckableSource."""
    try:
        found = [await _account(wiki)]
        spaces = await wiki.spaces()
    except KbError as error:
        return [CheckFinding.of(error)]
    chosen = [each for each in spaces if not options.spaces or each.key in options.spaces]
    found += _spaces(spaces, options.spaces)
    read = [each for each in chosen if options.archived or not each.archived]
    found += await _viewers(wiki, read, open_to_all=options.open_to_all)
    found.append(await _restrictions(wiki))
    found += await _listings(wiki, options)
    if not options.access_groups:
        what = "Confluence does not tell which groups may use it: every account of the site counts"
        why = "Somebody without access to Confluence would find what a space gives to a group that they are in."
        found.append(CheckFinding("warning", what, why, "Name the groups with --access-group."))
    try:
        found += _people(await read_people(wiki), options)
    except KbError as error:
        found.append(CheckFinding.of(error))
    return [*found, await expiry(wiki.client, "Confluence")]


async def _account(wiki: ConfluenceApi) -> CheckFinding:
    row = await wiki.client.get(wiki.client.site.own_account)
    name = row.get("displayName") if isinstance(row, dict) else None
    if not name or row.get("type") == "anonymous":
        return CheckFinding(
            "error", "Confluence takes us for somebody who is not logged in", next_step="Check the token."
        )
    return CheckFinding("ok", f"Confluence answers; the account is {name}", "What it may not view is not indexed.")


def _spaces(spaces: Sequence[ConfluenceSpace], wanted: Iterable[str]) -> list[CheckFinding]:
    missing = sorted(set(wanted) - {each.key for each in spaces})
    step = "Give the account the right to view it, or correct --space."
    found = [
        CheckFinding("error", f"There is no space {key} that the account may view", next_step=step) for key in missing
    ]
    put_away = sum(each.archived for each in spaces)
    seen = f"The account views {len(spaces)} spaces, of which {put_away} are archived"
    return [*found, CheckFinding("ok" if spaces else "error", seen)]


async def _viewers(wiki: ConfluenceApi, spaces: Sequence[ConfluenceSpace], *, open_to_all: bool) -> list[CheckFinding]:
    """Of which spaces it can be told who may view them."""
    viewers = await asyncio.gather(*(_viewers_of(wiki, each) for each in spaces))
    found = [each for each in viewers if isinstance(each, CheckFinding)]
    found = found or [CheckFinding("ok", f"Who may view a space can be read of all {len(spaces)}")]
    anonymous = [
        each for each in viewers if not isinstance(each, CheckFinding) and ConfluenceHolder("anonymous") in each
    ]
    if anonymous and not open_to_all:
        what = f"Of {len(anonymous)} spaces it is said that people who are not logged in may view them"
        why = "Whether the site lets such people in cannot be read; so that this admits nobody."
        found.append(CheckFinding("warning", what, why, "If it does, say so with --open-to-all."))
    return found


async def _viewers_of(wiki: ConfluenceApi, space: ConfluenceSpace) -> list[ConfluenceHolder] | CheckFinding:
    try:
        viewers = await wiki.viewers(space)
    except KbError as error:
        what = f"Who may view the space {space.key} cannot be read, so that it admits nobody"
        return CheckFinding("error", what, error.what, "Make the account an administrator of the space.")
    return viewers or CheckFinding("warning", f"Nobody is said to view the space {space.key}")


async def _listings(wiki: ConfluenceApi, options: ConfluenceOptions) -> list[CheckFinding]:
    """Whether all can be listed that a run lists: each may take a scope of its own."""
    found: list[CheckFinding] = []
    for what, (path, params) in wiki.listings().items():
        if what == "attachments" and not options.attachments:
            continue
        try:
            await wiki.client.get(path, params)
        except KbError as error:
            found.append(CheckFinding("error", f"The {what} cannot be listed", error.what, error.next_step))
    return found or [CheckFinding("ok", "Pages, comments and attachments can be listed")]


async def _restrictions(wiki: ConfluenceApi) -> CheckFinding:
    """Whether the restrictions of pages can be read, by the example of one page."""
    try:
        async for row in search(wiki.client, "type = page", RESTRICTIONS):
            await wiki.client.get(f"/rest/api/content/{row['id']}/restriction/byOperation/read")
            return CheckFinding("ok", "Restrictions of pages can be read")
    except KbError as error:
        return CheckFinding("error", "Restrictions of pages cannot be read, so that pages admit nobody", error.what)
    return CheckFinding("warning", "There is no page to read restrictions of")


def _people(people: ConfluencePeople, options: ConfluenceOptions) -> list[CheckFinding]:
    active = [each for each in people.everyone if each.active]
    hidden = sum(not each.email for each in active)
    found = [CheckFinding("warning", f"It cannot be read: {what}", why) for what, why in people.unread]
    if people.unread:
        why = "An account that is not read may have the same address as another one."
        step = "Let the account read all of the above; until then only people are who were known before."
        found.append(CheckFinding("error", "Nobody can be recognised by an e-mail address for sure", why, step))
    told = f"{len(people.groups)} groups with {len(active)} accounts; of {hidden} the e-mail address is hidden"
    why = "Whoever hides it is admitted only by what admits everybody." if hidden else ""
    found.append(CheckFinding("error" if len(active) == hidden else "ok", told, why))
    names = {each.name for each in people.groups}
    step = "Correct --organisation-group or --access-group."
    unknown = sorted((options.organisation_groups | options.access_groups) - names)
    found += [CheckFinding("warning", f"There is no group {name}", next_step=step) for name in unknown]
    # groups of almost everybody may stand for the organisation
    why = "People whose address is hidden, or who have no account, do not read what admits this group."
    step = "If it stands for the organisation, name it with --organisation-group."
    ids = {each.id for each in active}
    sizes = {each.name: len(people.members.get(each.id, frozenset()) & ids) for each in people.groups}
    found += [
        CheckFinding("warning", f"The group {name} holds {size} of {len(active)} accounts", why, step)
        for name, size in sizes.items()
        if name not in options.organisation_groups and size >= ALMOST_EVERYBODY * len(active) > 0
    ]
    return found
