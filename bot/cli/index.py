"""`kb index`."""

import re
import shlex
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.index_runs import note_reindex, print_reports, run_source
from bot.cli.options import json_option, operator, with_settings
from bot.markup.plain_text import one_line
from bot.terminal.output import say
from config.settings import Settings
from domain.access import email_of
from domain.errors import KbError, Refused
from indexer.sources.registry import source_kinds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.app.product import Product
    from indexer.run.report import RunReport
    from storage.index.sources import Source


@click.command()
@click.argument("place", metavar="PATH_OR_URL")
@click.option("--source", "name", metavar="NAME", help="Name of the source; by default made from the path or host.")
@click.option(
    "--audience",
    multiple=True,
    metavar="everyone|EMAIL",
    help="Who may read it; repeat for several addresses. By default what it was before, at first everyone.",
)
@json_option
@with_settings
async def index(settings: Settings, place: str, *, name: str | None, audience: tuple[str, ...], as_json: bool) -> int:
    """Read a folder, a file, a web page or a sitemap into the index.

    Run it again to take in what changed: unchanged documents are skipped, missing ones are hidden at once and removed
    when a second run misses them too.
    """
    from bot.app.product import open_product
    from indexer.run.dependencies import RunOptions
    from storage.index.sources import Source

    kind, source_options = options_of_place(place)
    source_options["audience"] = audience_of(audience)
    source = Source(default_name(place) if name is None else checked_name(name), kind, source_options)
    async with open_product(settings, actor=operator()) as product:
        source, new = await _stored(product, source, chosen=name is not None, audience_given=bool(audience))
        options = RunOptions(prune_max_share=settings.index.prune_max_share)
        await note_reindex(product, source.name, options)

        async def judge(report: "RunReport") -> None:
            if new and not report.failed and not await _holds_documents(product, source.name):
                raise _nothing_to_read(place, report)

        try:
            report = await run_source(product, source, product.writer, options, quiet=as_json, judge=judge)
        except Refused:
            if new:  # a mistyped URL must not stay, nor a place without a document
                with suppress(KbError):  # the first error is the one to show
                    if not await _holds_documents(product, source.name):
                        await product.storage.sources.remove(source.name)
            raise
    return print_reports([report], as_json=as_json)


def options_of_place(place: str) -> tuple[str, dict[str, object]]:
    """Kind and options of the source that a path or URL means.

    Raises Refused when the path leads nowhere, or the URL is none that can be fetched.
    """
    for kind in source_kinds().values():
        options = kind.of_place(place) if kind.of_place else None
        if options is not None:
            return kind.name, options
    raise Refused(f"No kind of source reads {place}", next_step="See: kb sources add --help")


def audience_of(given: tuple[str, ...]) -> object:
    """The `audience` option of a source. Raises click.BadParameter for what is neither `everyone` nor an address."""
    if not given or given == ("everyone",):
        return "everyone"
    if "everyone" in given:
        raise click.BadParameter("everyone includes everybody else: give it alone", param_hint="--audience")
    addresses = {each: email_of(each) for each in given}
    for each, address in addresses.items():
        if address is None:
            raise click.BadParameter(f"{each!r} is neither 'everyone' nor an e-mail address", param_hint="--audience")
    return sorted({str(address) for address in addresses.values()})


async def _holds_documents(product: "Product", name: str) -> bool:
    states = await product.storage.sources.states()
    return any(state.source.name == name and state.documents for state in states)


def _nothing_to_read(place: str, report: "RunReport") -> Refused:
    reasons = "; ".join(one_line(f"{path}: {reason}") for path, reason in report.skipped[:3])
    return Refused(
        f"Nothing in {one_line(place)} can be indexed",
        why=reasons or "it is empty",
        next_step="What is read: Markdown, reStructuredText, HTML, PDF, DOCX, CSV, JSON, YAML, TOML, plain text, code",
    )


MAX_NAME = 100
"""Characters of a source's name."""


def checked_name(name: str) -> str:
    """`name` for a source. Raises click.BadParameter when it would not fit in a line of output."""
    if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
        raise click.BadParameter(f"a name has 1 to {MAX_NAME} printable characters", param_hint="--source / --name")
    return name.strip()


def default_name(place: str) -> str:
    """A source's name from its path or URL: the last folder, or the host."""
    web = re.match(r"(?i)[a-z][a-z0-9+.-]*://([^/?#]+)", place)
    last = web.group(1) if web else Path(place).expanduser().resolve().name
    return re.sub(r"[^\w.-]+", "-", last).strip("-").lower()[:MAX_NAME] or "root"


async def _stored(product: "Product", wanted: "Source", *, chosen: bool, audience_given: bool) -> "tuple[Source, bool]":
    """The configured source of that place, and whether it was added just now, because there was none."""
    place = source_kinds()[wanted.kind].place_option
    states = await product.storage.sources.states()
    for found in (state.source for state in states):
        same_place = found.kind == wanted.kind and found.options.get(place) == wanted.options[place]
        if not same_place or (chosen and found.name != wanted.name):
            continue
        if audience_given and found.options.get("audience") != wanted.options["audience"]:
            changed = replace(found, options=wanted.options)
            await product.storage.sources.replace(changed)
            return changed, False
        return found, False
    if not chosen and (whole := _holding(wanted, [state.source for state in states])):
        raise Refused(
            f"{one_line(str(wanted.options[place]))} is a part of the source {whole.name}, which is indexed already",
            next_step=f"What changed is taken in by: kb reindex --source {whole.name};"
            " to index it once more, give it a name of its own: kb index … --source NAME",
        )
    if any(state.source.name == wanted.name for state in states):
        raise Refused(
            f"There is a source {wanted.name} already, of another place",
            next_step="Give this one a name of its own: kb index … --source NAME;"
            f" or, if it has moved, remove the old one first: kb sources remove {wanted.name}",
        )
    if whole := _holding(wanted, [state.source for state in states]):
        say(
            f"Warning: {one_line(str(wanted.options[place]))} is indexed already as the source {whole.name}, or as a"
            " part of it: answers will name its pages twice. To keep one of them, remove the other:"
            f" kb sources remove {shlex.quote(whole.name)}",
            err=True,
        )
    await product.storage.sources.add(wanted)
    return wanted, True


def _holding(wanted: "Source", sources: "Iterable[Source]") -> "Source | None":
    """The source that has the wanted one's place already, or a folder that this lies in."""
    option = source_kinds()[wanted.kind].place_option
    place = str(wanted.options[option])
    places = {place, *map(str, Path(place).parents)} if wanted.kind == "files" else {place}
    found = (each for each in sources if each.kind == wanted.kind and str(each.options.get(option)) in places)
    return next(found, None)
