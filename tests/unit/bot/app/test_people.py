"""Who somebody is on the platforms, and what `kb people erase` says that it does."""

from bot.app.people import PersonFinder
from bot.app.product import Product
from bot.cli.people import GOES
from domain.conversation import Participant
from storage.privacy.personal_data import Person
from tests.unit.storage.rows import count

ADDRESS = "ada@example.com"
NOT_COUNTED = {"question_jobs", "audit_entries"}
"""Of what an erasure does: jobs of questions count as jobs, entries of the audit log by themselves."""


async def test_somebody_who_only_signed_in_is_found_and_erased(product: Product) -> None:
    await product.storage.web_sessions().begin(b"1" * 32, ADDRESS, 60)
    found = await PersonFinder(product.settings, product.storage, product.masker).find(ADDRESS, [])
    assert found.person.ids == (Participant("web", ADDRESS),)
    data = product.storage.personal_data()
    assert len((await data.kept(found.person))["web_sessions"]) == 1
    await data.erase(found.person, Participant("terminal", "root"))
    assert await count(product.storage, "web_sessions") == 0


async def test_whatever_an_erasure_takes_away_is_counted_before(product: Product) -> None:
    _, done = await product.storage.personal_data().erase(Person(ADDRESS), Participant("terminal", "root"))
    assert set(done) - NOT_COUNTED <= set(GOES)
