"""What administrators do over HTTP. The token's scope opens the door, the address's place among `admins` the room."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.web.administering_models import Queued, Runs, SourceBody, Sources
from bot.web.callers import Caller
from bot.web.dependencies import WebDependencies
from bot.web.models import Body, LimitQuery, NoQuery, ReindexBody, SinceQuery
from bot.web.operations import ApiCall
from bot.web.problems import ProblemError
from domain.errors import Refused


@dataclass(frozen=True)
class WebAdministering:
    """Operates for callers."""

    given: WebDependencies

    async def sources(self, call: ApiCall[NoQuery, NoQuery]) -> Body:
        """The sources that the caller may read something of; of anybody."""
        found = await self.given.actions.sources(call.caller.person)
        rows = (SourceBody(name=each.name, documents=each.documents, updated_at=each.updated_at) for each in found)
        return Sources(sources=tuple(rows))

    async def runs(self, call: ApiCall[LimitQuery, NoQuery]) -> Body:
        """The latest runs."""
        await self._check(call.caller)
        return Runs(runs=tuple(await self.given.operating.runs(call.query.limit)))

    async def reindex(self, call: ApiCall[NoQuery, ReindexBody]) -> Body:
        """Queues the reading of a source; how it went, `runs` says."""
        await self._check(call.caller)
        try:
            return Queued(queued=await self.given.actions.reindex(call.body.source, call.caller.person, ""))
        except Refused as error:
            raise ProblemError(404, "not_found", "There is no such source", f"{error.next_step}.") from None

    async def gaps(self, call: ApiCall[SinceQuery, NoQuery]) -> Body:
        """What has no whole answer."""
        await self._check(call.caller)
        scope = await self.given.actions.scope(call.caller.person)
        return await self.given.operating.gaps(_since(call.query), call.query.limit, scope)

    async def stats(self, call: ApiCall[SinceQuery, NoQuery]) -> Body:
        """How the service was used."""
        await self._check(call.caller)
        return await self.given.operating.stats(_since(call.query))

    async def _check(self, caller: Caller) -> None:
        """Raises ProblemError for who is no administrator."""
        if not await self.given.actions.administers(caller.person):
            raise ProblemError(403, "administrators", "Only an administrator may do that")


def _since(query: SinceQuery) -> datetime:
    return datetime.now(UTC) - timedelta(days=query.days)
