"""Finds the fields of issues by the names that operators use."""

from dataclasses import dataclass, field

from domain.errors import Misconfigured
from indexer.sources.jira.api import JiraApi, Row

_EPIC_LINK = "com.pyxis.greenhopper.jira:gh-epic-link"
_USUAL_EPIC_LINK = "customfield_10014"


@dataclass(slots=True)
class JiraFields:
    """Finds fields. configured: names or ids."""

    api: JiraApi
    configured: tuple[str, ...]
    _rows: list[Row] | None = field(default=None)

    async def extra(self) -> dict[str, str]:
        """The names of the configured fields by their ids. Raises Misconfigured when there is no such field."""
        found: dict[str, str] = {}
        for name in self.configured:
            fitting = [
                row
                for row in await self._every()
                if name.lower() in {str(row["id"]).lower(), str(row.get("name")).lower()}
            ]
            if not fitting:
                raise Misconfigured(
                    f"Jira has no field {name}",
                    why="No field that the account may see has this name or id.",
                    next_step="Correct the name, or take the field off the source.",
                )
            found |= {str(row["id"]): str(row.get("name") or row["id"]) for row in fitting}
        return found

    async def epic(self) -> str:
        """The field with the key of an issue's epic on Data Center; empty on Cloud, which has it as the parent."""
        if self.api.is_cloud:
            return ""
        kinds = {str((row.get("schema") or {}).get("custom")): str(row["id"]) for row in await self._every()}
        return kinds.get(_EPIC_LINK, _USUAL_EPIC_LINK)

    async def _every(self) -> list[Row]:
        if self._rows is None:
            self._rows = [row for row in await self.api.fields() if row.get("id")]
        return self._rows
