"""Who somebody with an e-mail address is on the chat platforms: by what is kept of posted answers, by what the
platforms say, and by what an operator knows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from bot.app.configured_platforms import configured_platforms
from config.settings import Settings
from domain.conversation import Participant, Platform
from domain.errors import KbError
from domain.masking import Masker
from storage.open import Storage
from storage.privacy.personal_data import Person

CHATS: tuple[Platform, ...] = ("slack", "teams")
"""Platforms on which an id is a person's. Over HTTP it is the address; at a terminal, the machine's account."""


@dataclass(frozen=True, slots=True)
class FoundPerson:
    """Somebody, as far as they could be found."""

    person: Person
    open_ends: tuple[str, ...] = ()
    """Why there may be more of them, one sentence a platform."""


@dataclass(frozen=True, slots=True)
class PersonFinder:
    """Finds out who somebody is on each platform. masker: as the platforms are opened with."""

    settings: Settings
    storage: Storage
    masker: Masker
    open_ends: list[str] = field(default_factory=list)

    async def find(self, address: str, given: Sequence[Participant]) -> FoundPerson:
        """Somebody by their address, in lower case. given: who they are on some platforms, as the operator knows: these
        platforms are not asked."""
        ids = await self.storage.personal_data().askers_with(address)
        told = {each.platform for each in given}
        for platform in CHATS:
            if platform not in told:
                known = {person for there, person in ids if there == platform}
                ids |= {(platform, each) for each in await self._looked_up(platform, address, known)}
        ids |= {(each.platform, each.id) for each in given}
        ids.add(("web", address))  # also of somebody who only signed in, or whom a token names, and never asked
        people = tuple(Participant(*each) for each in sorted(ids))
        return FoundPerson(Person(address, people), tuple(self.open_ends))

    async def _looked_up(self, platform: Platform, address: str, known: Collection[str]) -> frozenset[str]:
        """The ids that a platform says, or none, and an open end, where it does not say. known: found already."""
        people = await self.storage.personal_data().people(platform)
        why = f"these settings do not serve {platform.title()}"
        if platform in configured_platforms(self.settings):
            try:
                return await self._asked(platform, address, people)
            except KbError as error:
                why = f"it could not be asked ({error.what})"
        elif known or not people:
            return frozenset()
        which = "Whether another" if known else "Which"
        self.open_ends.append(
            f"{which} account of {platform.title()} has this address is not known: {why}."
            f" Where you know it, add --id {platform}:ID"
        )
        return frozenset()

    async def _asked(self, platform: Platform, address: str, people: dict[str, Mapping[str, str]]) -> frozenset[str]:
        from bot.app.serving import open_chat

        opened = await open_chat(platform, self.settings, self.masker)
        try:
            return await opened.ids_with(address, people)
        finally:
            await opened.close()
