"""What administrators do over HTTP. The token's scope opens the door, the address's place among `admins` the room."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.web.administering_models import Gaps, Queued, Runs, SourceBody, Sources, Stats
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
        return Sources(sources=tuple(map(SourceBody.of, found)))

    async def runs(self, call: ApiCall[LimitQuery, NoQuery]) -> Runs:
        """The latest runs."""
        await self.check(call.caller)
        return Runs(runs=tuple(await self.given.operator.runs(call.query.limit)))

    async def reindex(self, call: ApiCall[NoQuery, ReindexBody]) -> Body:
        """Queues the reading of a source; how it went, `runs` says."""
        await self.check(call.caller)
        return Queued(queued=await self.queued(call.caller, call.body.source))

    async def queued(self, caller: Caller, source: str, *, prune_confirmed: bool = False) -> bool:
        """Queues the reading of a source for who was checked; False where it waits already. Raises ProblemError where
        there is none."""
        try:
            return await self.given.actions.reindex(source, caller.person, "", prune_confirmed=prune_confirmed)
        except Refused as error:
            raise ProblemError(404, "not_found", "There is no such source", f"{error.next_step}.") from None

    async def gaps(self, call: ApiCall[SinceQuery, NoQuery]) -> Gaps:
        """What has no whole answer."""
        await self.check(call.caller)
        scope = await self.given.actions.scope(call.caller.person)
        return await self.given.operator.gaps(since_of(call.query), call.query.limit, scope)

    async def stats(self, call: ApiCall[SinceQuery, NoQuery]) -> Stats:
        """How the service was used."""
        await self.check(call.caller)
        return await self.given.operator.stats(since_of(call.query))

    async def check(self, caller: Caller) -> None:
        """Raises ProblemError for who is no administrator."""
        if not await self.given.actions.administers(caller.person):
            raise ProblemError(403, "administrators", "Only an administrator may do that")


def since_of(query: SinceQuery) -> datetime:
    """The moment from which on is looked."""
    return datetime.now(UTC) - timedelta(days=query.days)
