"""Which ACLs admit somebody, as the database works it out, against the definition in domain.access."""

import random

from domain.access import ORG, PUBLIC, Acl, Principal, Scope, SourceDirectory, account, group, permits, site, user
from storage.index.sources import Source
from storage.open import Storage
from storage.permissions import acls
from storage.search.snapshot import read_permitted_acls
from tests.contract.knowledge import HOUR
from tests.fakes.rights import expanded

PEOPLE = [f"{name}@example.com" for name in ("ada", "bob", "carl")]
SOURCES = ("wiki", "desk", "stale")
OWN = [each for source in SOURCES for each in (account(source, "1"), account(source, "2"), group(source, "leads"))]
SITES = [site(source) for source in SOURCES]
ANY: list[Principal] = [PUBLIC, ORG, *map(user, PEOPLE), *OWN, *SITES, Principal("space", "HR:1")]


def some(chance: random.Random, of: list[Principal], most: int) -> frozenset[Principal]:
    return frozenset(chance.sample(of, chance.randint(0, most)))


def an_acl(chance: random.Random) -> Acl:
    return Acl(frozenset(some(chance, ANY, 5) for _ in range(chance.randint(1, 3))))


def a_scope(chance: random.Random) -> Scope:
    asker = some(chance, ANY[:5], 3) | some(chance, ANY, 1)
    return Scope(asker, chance.choice([None, some(chance, ANY[:5], 3)]))


async def test_the_database_permits_what_the_definition_does(storage: Storage) -> None:
    chance = random.Random(7)
    directories = {}
    for source in SOURCES:
        await storage.sources.add(Source(source, "files", {}))
        people = {email: some(chance, [each for each in OWN if source in str(each)], 3) for email in PEOPLE[:2]}
        directories[source] = SourceDirectory(people)
        await storage.access_writer(HOUR).replace_directory(source, directories[source])
    now = await storage.access_writer(HOUR).now()
    for source in SOURCES[:2]:
        await storage.access_writer(HOUR).mark_fresh(source, now)
    del directories["stale"]
    stored = {}
    async with storage.engine.begin() as connection:
        for _ in range(300):
            acl = an_acl(chance)
            stored[await acls.intern(connection, acl)] = acl
    admitted = 0
    for _ in range(120):
        scope = a_scope(chance)
        whole = expanded(scope, directories)
        wanted = sorted(number for number, acl in stored.items() if permits(acl, whole))
        _, found = await storage.pool.run(lambda connection, scope=scope: read_permitted_acls(connection, scope))  # type: ignore[misc] # bound now
        assert found == wanted, scope
        admitted += len(found)
    assert admitted > 1_000
