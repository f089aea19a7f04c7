"""What administrators work with over HTTP; the composition root implements it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from bot.web.administering_models import Gaps, RunBody, Stats
from bot.web.operating_models import (
    DocumentChoice,
    Overview,
    RightsCard,
    RunNote,
    SettingCard,
    ThingCard,
)
from domain.access import Scope
from domain.conversation import Participant


class OperatorPort(Protocol):
    """What administrators see and do. Whether somebody is one is checked before. All methods raise Transient when the
    database is away."""

    async def runs(self, limit: int) -> Sequence[RunBody]:
        """The latest runs."""

    async def gaps(self, since: datetime, limit: int, scope: Scope) -> Gaps:
        """The largest gaps since then, with documents of the scope."""

    async def stats(self, since: datetime) -> Stats:
        """How the service was used since then."""

    async def overview(self, runs: int) -> Overview:
        """The index, its sources, and its latest runs, so many; no document is named."""

    async def run(self, number: int) -> RunNote:
        """One run. Raises Refused when there is none of that number."""

    async def queue(self, job: str, person: Participant) -> Sequence[str]:
        """Leaves a job of the schedule to whoever works; gives the sources that it reads. Raises Refused for another
        job, or where there is nothing to read."""

    async def put_to_use(self, version: int, person: Participant) -> None:
        """Makes the copy that was held back live; nothing more where it is. Raises Refused where it is not there, or
        documents would be missing."""

    async def discard(self, version: int, person: Participant) -> None:
        """Removes that copy; nothing more where that was done. Raises Refused where there is another one, or none."""

    async def roll_back(self, version: int, person: Participant) -> None:
        """Makes the previous version live again, which has that number; nothing more where it is. Raises Refused where
        another one is the previous one."""

    async def documents(self, name: str, scope: Scope) -> Sequence[DocumentChoice]:
        """Documents within a scope that a name fits, best first; one alone where it is the very name of one."""

    async def rights(self, document: DocumentChoice, person: str) -> RightsCard:
        """What somebody with an address may see of a document, and why. Raises Refused where it is no address."""

    async def around(self, name: str, scope: Scope) -> Sequence[ThingCard]:
        """The things of the knowledge graph that a name stands for, as a reader sees them. Raises Misconfigured where
        nothing is indexed."""

    def settings(self) -> Sequence[SettingCard]:
        """All settings in force, without secrets."""
