"""The product through PgBouncer in transaction mode, with few connections to the server."""

from tests.command import Kb, write
from tests.counterparts.databases.servers import Pooler, Server


def test_old(kb: Kb, server: Server, pooler: Pooler, name: str, tmp_path) -> None:
    kb = kb.having(DATABASE_URL=pooler.url(name))
    print(kb("db", "upgrade"))
    print(kb("index", str(write(tmp_path / "docs", page="# Page\n\nThe walrus of the wiki is fed at noon.\n"))))
    print(kb("ask", "When is the walrus fed?"))
    print(kb("doctor"))
    print(kb("reindex"))
    assert 0
