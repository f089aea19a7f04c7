"""What administrators do and see over HTTP: the port filled with an open product."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.app.asked_runs import queue_run
from bot.app.gap_register import MAX_QUESTIONS, find_gaps, gap_json
from bot.app.graph_search import neighbourhoods
from bot.app.operating.index_state import overview, run_body, run_note
from bot.app.operating.rights import documents, rights
from bot.app.product import Product
from bot.app.usage_figures import usage_by_day, usage_figures
from bot.web.administering_models import GapBody, Gaps, RunBody, Stats
from bot.web.operating_models import (
    DocumentChoice,
    NeighbourCard,
    Overview,
    RightsCard,
    RunNote,
    SettingCard,
    ThingCard,
)
from config.load import PREFIX
from config.shown import shown_settings
from domain.access import Scope
from domain.audit import AuditFilter
from domain.conversation import Participant
from domain.errors import Refused
from domain.graph_search import EntityNeighbourhood, Neighbour
from storage.index.runs import KINDS
from storage.index.unpublished_copy import UnpublishedCopy

RELATIONS = 40
"""Of one thing, that are shown."""

PATIENCE = 4.0
"""Seconds for which a model's server that is away is tried again."""

DISCARDED = 100
"""Copies that were discarded last, of which is known that they were."""


@dataclass(frozen=True, slots=True)
class ProductOperator:
    """See bot.web.operator_port.OperatorPort."""

    product: Product

    @property
    def _held(self) -> UnpublishedCopy:
        return UnpublishedCopy(self.product.storage.engine, self.product.storage.owner)

    async def runs(self, limit: int) -> Sequence[RunBody]:
        """See OperatorPort. Without those of webhooks, and without names of documents: not every administrator may read
        them all."""
        found = await self.product.storage.runs.latest(limit, [kind for kind in KINDS if kind != "hint"])
        return list(map(run_body, found))

    async def gaps(self, since: datetime, limit: int, scope: Scope) -> Gaps:
        """See OperatorPort."""
        product = self.product
        asked = await product.storage.answer_records().gaps(since, MAX_QUESTIONS)
        found = await find_gaps(asked, product.embedder, product.storage.document_catalog(), scope, limit)
        rows = []
        for each in found:
            values = gap_json(each)
            near = [{"document_id" if k == "id" else k: v for k, v in info.items()} for info in values["nearest"]]
            rows.append(GapBody.model_validate({**{k: v for k, v in values.items() if k != "number"}, "nearest": near}))
        return Gaps(since=since, questions=len(asked), gaps=tuple(rows))

    async def stats(self, since: datetime) -> Stats:
        """See OperatorPort."""
        rows = await self.product.storage.answer_records().usage(since)
        now = await self.product.storage.scheduled_runs().now()
        return Stats.model_validate({"since": since, **usage_figures(rows), "days": usage_by_day(rows, since, now)})

    async def overview(self, runs: int) -> Overview:
        """See OperatorPort."""
        return await overview(self.product, await self.runs(runs))

    async def run(self, number: int) -> RunNote:
        """See OperatorPort."""
        return run_note(await self.product.storage.runs.get(number))

    async def queue(self, job: str, person: Participant) -> Sequence[str]:
        """See OperatorPort."""
        return (await queue_run(self.product.storage, job, person)).sources

    async def put_to_use(self, version: int, person: Participant) -> None:
        """See OperatorPort."""
        try:
            await self._held.check(version)
            await self.product.storage.acting(person).publish(checked=version)
        except Refused:
            if not await self._is_live(version):
                raise

    async def discard(self, version: int, person: Participant) -> None:
        """See OperatorPort."""
        try:
            await self._held.discard(version, person)
        except Refused:
            wanted = AuditFilter(datetime.min.replace(tzinfo=UTC), "index_discarded")
            discarded = await self.product.storage.audit_log().entries(wanted, DISCARDED)
            if str(version) not in {each.entry.subject for each in discarded}:
                raise

    async def roll_back(self, version: int, person: Participant) -> None:
        """See OperatorPort."""
        try:
            await self.product.storage.acting(person).roll_back(checked=version)
        except Refused:
            if not await self._is_live(version):
                raise

    async def _is_live(self, version: int) -> bool:
        """Whether a version answers: what was to be done was done before, by the same form, as a rule."""
        live = await self.product.storage.version("live")
        return live is not None and live.version_id == version

    async def documents(self, name: str, scope: Scope) -> Sequence[DocumentChoice]:
        """See OperatorPort."""
        return await documents(self.product, name, scope)

    async def rights(self, document: DocumentChoice, person: str) -> RightsCard:
        """See OperatorPort."""
        return await rights(self.product, document, person)

    async def around(self, name: str, scope: Scope) -> Sequence[ThingCard]:
        """See OperatorPort."""
        settings, storage = self.product.settings, self.product.storage
        found = await neighbourhoods(settings, storage, name, scope, limit=RELATIONS, patience=PATIENCE)
        return [_thing(each) for each in found]

    def settings(self) -> Sequence[SettingCard]:
        """See OperatorPort."""
        shown = shown_settings(self.product.settings)
        return [SettingCard.of(each, variable=PREFIX + each.key.upper()) for each in shown]


def _thing(found: EntityNeighbourhood) -> ThingCard:
    return ThingCard.of(found, kind=found.kind.value, neighbours=tuple(map(_neighbour, found.neighbours)))


def _neighbour(found: Neighbour) -> NeighbourCard:
    leads_to = found.direction == "out"
    return NeighbourCard.of(found, kind=found.kind.value, leads_to=leads_to, passages=found.sources)
