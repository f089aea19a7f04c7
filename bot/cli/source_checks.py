"""What can be said of a source before it is read: for `kb sources check` and `kb sources add`."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from bot.markup.plain_text import counted, plain
from config.settings import Settings
from domain.errors import KbError

if TYPE_CHECKING:
    from indexer.sources.connector import CheckFinding, Connector
    from storage.index.sources import Source

_MARKS = {"ok": "ok    ", "warning": "note  ", "error": "FAILED"}


async def findings(source: "Source", settings: Settings) -> "list[CheckFinding]":
    """What can be said of a source, by itself or by reading its first document."""
    from bot.app.connectors import open_connector
    from indexer.sources.connector import CheckableSource, CheckFinding

    try:
        async with open_connector(source, settings) as connector:
            if isinstance(connector, CheckableSource):
                return await connector.check()
            return [await _listed(connector)]
    except KbError as error:
        return [CheckFinding.of(error)]


async def _listed(connector: "Connector") -> "CheckFinding":
    from indexer.sources.connector import CheckFinding, ListedDocument

    listed: list[ListedDocument] = []
    passed = 0
    async for item in connector.listing():
        if isinstance(item, ListedDocument):
            listed.append(item)
        else:
            passed += 1
    if listed:
        await connector.fetch(listed[0])
    detail = f"{counted(len(listed), 'document')} listed" + (f", {passed:,} passed over" if passed else "")
    return CheckFinding("ok", detail)


def accounts(sources: "Iterable[Source]") -> list[str]:
    """As whom the sources are read, as the operator configured it."""
    return [str(each.options["email"]) for each in sources if each.options.get("email")]


def good(found: "list[CheckFinding]") -> bool:
    """Whether nothing is an error."""
    return all(each.level != "error" for each in found)


def text(name: str, found: "list[CheckFinding]") -> str:
    """The findings of a source, a line each, with what to do below those that are not well."""
    lines = [] if len(found) == 1 else [plain(name)]
    for each in found:
        before = f"{plain(name)}: " if len(found) == 1 else ""
        lines.append(f"{'  ' if lines else ''}{_MARKS[each.level]} {before}{plain(each.what)}")
        lines += [f"          {plain(more)}" for more in (each.why, each.next_step) if more]
    return "\n".join(lines)


def as_json(name: str, found: "list[CheckFinding]") -> dict[str, Any]:
    """The same as values."""
    detail = "; ".join(each.what for each in found if good(found) or each.level == "error")
    return {"name": name, "ok": good(found), "detail": detail, "findings": list(map(asdict, found))}
