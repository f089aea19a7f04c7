"""`kb audit`: what is done by command has its entry; what was refused, or tried without effect, has none."""

from pathlib import Path

import pytest

from bot.cli.options import operator
from tests.command import Kb, connected, write

PAGE = "# Walrus\n\nThe walrus is fed at noon.\n"
ME = f"terminal:{operator().id}"


def acts(kb: Kb, *words: str) -> list[tuple[str, str]]:
    """What was done to what, oldest first."""
    entries = kb("audit", "--json", *words).json["entries"]
    assert {each["actor"] for each in entries} <= {ME}
    return [(each["action"], each["subject"]) for each in reversed(entries)]


def test_each_act_of_an_operator_has_its_entry(kb: Kb, docs: Path, tmp_path: Path) -> None:
    write(docs, page=PAGE)
    more = write(tmp_path / "more", other=PAGE)
    noted: list[tuple[str, str]] = []

    def done(words: str, *expected: tuple[str, str]) -> None:
        result = kb(*words.split())
        assert result.code == 0, result.err
        noted.extend(expected)
        assert acts(kb) == noted, words

    done(f"index {docs}", ("source_added", "docs"), ("reindex", "docs"))
    done(f"index {docs}", ("reindex", "docs"))
    done(f"index {docs} --audience ada@example.com", ("source_changed", "docs"), ("reindex", "docs"))
    done(f"sources add files --name more --path {more}", ("source_added", "more"))
    done("reindex", ("reindex", "*"))
    done("reindex --source docs --prune confirm", ("reindex", "docs"), ("prune_confirmed", "docs"))
    done("reindex --full", ("reindex", "*"), ("index_switched", "2"))
    done("reindex --rollback", ("index_rolled_back", "1"))
    done("schedule run content", ("schedule_run", "content"))
    done("schedule run prune --queue", ("schedule_run", "prune"))
    done("sources remove more --yes", ("source_removed", "more"))
    done("tokens create reports --as ada@example.com --scope search", ("token_made", "1"))
    done("tokens revoke 1", ("token_revoked", "1"))
    done("people export ada@example.com", ("person_exported", ""))
    done("people erase ada@example.com --yes", ("person_erased", ""))
    # nothing is done by these
    for words in (
        "tokens revoke 1",
        "reindex --dry-run",
        "people erase ada@example.com --dry-run",
        "search walrus",
        "sources list",
    ):
        kb(*words.split())
    assert acts(kb) == noted


@pytest.mark.parametrize(
    "words",
    [
        "sources remove nope --yes",
        "sources add files --name docs --path .",
        "index nowhere/at/all",
        "reindex --rollback",
        "reindex --source nope",
        "schedule run nope",
    ],
)
def test_what_is_refused_has_no_entry(kb: Kb, docs: Path, words: str) -> None:
    write(docs, page=PAGE)
    assert kb("index", str(docs)).code == 0
    before = acts(kb)
    assert kb(*words.split()).code == 2
    assert acts(kb) == before


def test_entries_are_listed_and_chosen(kb: Kb, docs: Path) -> None:
    assert kb("audit").out.startswith("Nothing of that is noted since ")
    write(docs, page=PAGE)
    assert kb("index", str(docs)).code == 0
    lines = kb("audit").out.splitlines()
    assert [[each.strip() for each in line.rsplit("  ", 2)[1:]] for line in lines] == [
        ["docs", "(full: no, one document: no)"],
        ["docs", "(kind: files)"],
    ]
    assert acts(kb, "--action", "reindex") == [("reindex", "docs")]
    assert acts(kb, "--actor", ME) == acts(kb, "--actor", ME.partition(":")[2]) == acts(kb)
    assert "--actor slack:U123" in kb("audit", "--actor", "ada@example.com").out
    assert "--actor" not in kb("audit", "--actor", "slack:U1").out
    for given, known in (("ada@example.com", False), ("slack:U1", None)):
        assert kb("audit", "--json", "--actor", given).json["accounts_known"] is known
    for nobody in ("slack:U1", "somebody-else", "ada@example.com"):
        assert acts(kb, "--actor", nobody) == []
    assert acts(kb, "--since", "2999-01-01") == []
    assert acts(kb, "--limit", "1") == [("reindex", "docs")]
    assert kb("audit", "--action", "nothing").code == 2
    assert kb("audit", "--since", "yesterday").code == 2


def test_a_removal_that_fails_half_way_leaves_neither(kb: Kb, url: str, docs: Path) -> None:
    """The entry is in the transaction of what it is about."""
    write(docs, page=PAGE)
    assert kb("index", str(docs)).code == 0
    before = acts(kb)
    with connected(url) as database:
        database.execute("ALTER TABLE audit_entries ADD CONSTRAINT broken CHECK (action <> 'source_removed')")
    assert kb("sources", "remove", "docs", "--yes").code == 1
    assert [each["name"] for each in kb("sources", "list", "--json").json["sources"]] == ["docs"]
    assert acts(kb) == before


def test_a_token_alone_is_something_to_erase_and_is_named_before(kb: Kb) -> None:
    kb("tokens", "create", "reports", "--as", "ada@example.com")
    planned = kb("people", "erase", "ada@example.com", "--dry-run")
    assert planned.code == 0
    assert "1 API tokens" in planned.out
    assert kb("people", "erase", "ada@example.com", "--yes").code == 0
    assert kb("tokens", "list", "--json").json["tokens"] == []
