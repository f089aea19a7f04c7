"""`kb tokens`: tokens with which programs ask over HTTP."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, get_args

import click

from bot.app.scopes import address_of
from bot.cli.options import json_option, open_store, with_settings
from bot.markup.plain_text import one_line
from bot.terminal.output import print_json, print_result, say, show_secret
from config.settings import Settings
from domain.errors import Refused
from domain.web_access import TokenScope

if TYPE_CHECKING:
    from domain.web_access import ApiToken


@click.group()
def tokens() -> None:
    """Make, list and revoke tokens, with which programs ask over HTTP; see docs/http-api.md."""


@tokens.command()
@click.argument("name")
@click.option("--as", "email", required=True, metavar="EMAIL", help="Whom the program asks as.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(get_args(TokenScope)),
    default=("ask", "search"),
    show_default=True,
    help="What it is good for.",
)
@click.option("--days", type=click.IntRange(1, 3660), default=90, show_default=True, help="Days until it expires.")
@json_option
@with_settings
async def create(
    settings: Settings, name: str, email: str, scopes: tuple[TokenScope, ...], days: int, *, as_json: bool
) -> int:
    """Make a token. It is shown once: only a digest of it is kept."""
    from bot.web.callers import SHOWN_PREFIX, digest, new_token

    address = address_of(email)
    if not 1 <= len(name) <= 100:
        raise Refused("A name has 1 to 100 characters", next_step="Name the program that will use the token.")
    token, expires = new_token(), datetime.now(UTC) + timedelta(days=days)
    async with open_store(settings) as storage:
        kept = await storage.api_tokens().add(
            name, address, frozenset(scopes), token[:SHOWN_PREFIX], digest(token), expires
        )
    if as_json:
        print_json(_token_json(kept), own=True, made={"token": token})
    else:
        say(f"Token {kept.number}, for {one_line(name)}, until {expires:%Y-%m-%d}. It is not shown again:", err=True)
        show_secret(token)
    return 0


@tokens.command(name="list")
@json_option
@with_settings
async def list_tokens(settings: Settings, *, as_json: bool) -> int:
    """List the tokens, also those that open nothing any more."""
    async with open_store(settings) as storage:
        found = await storage.api_tokens().all()
    lines = [_line(each) for each in found] or ["There is no token. Make one: kb tokens create NAME --as EMAIL"]
    print_result({"tokens": list(map(_token_json, found))}, "\n".join(lines), as_json=as_json, own=True)
    return 0


@tokens.command()
@click.argument("number", type=click.IntRange(1, 2**63 - 1))
@with_settings
async def revoke(settings: Settings, number: int) -> int:
    """Revoke the token NUMBER: it opens nothing from now on."""
    async with open_store(settings) as storage:
        done = await storage.api_tokens().revoke(number)
    if not done:
        raise Refused(f"There is no valid token with the number {number}", next_step="kb tokens list shows them.")
    say(f"Token {number} is revoked.")
    return 0


def _token_json(token: "ApiToken") -> dict[str, object]:
    return {**asdict(token), "scopes": sorted(token.scopes), "valid": token.is_valid(datetime.now(UTC))}


def _line(token: "ApiToken") -> str:
    state = "revoked" if token.revoked_at else "valid" if token.is_valid(datetime.now(UTC)) else "expired"
    used = f"used {token.used_at:%Y-%m-%d %H:%M}" if token.used_at else "never used"
    return (
        f"{token.number:>5}  {token.prefix}…  {state:<8} until {token.expires_at:%Y-%m-%d}  {used:<21}"
        f"  {token.email}  {', '.join(sorted(token.scopes))}  {one_line(token.name)}"
    )
