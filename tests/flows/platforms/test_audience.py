"""On every platform: one's own rights in private, elsewhere what all readers may read, for guests what is public."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import Kb, write
from tests.flows.platforms.stages import Stage

QUESTION = "How many days of vacation does everybody have?"
VAULT = "What does the vault code of the treasury begin with?"
SECRET, KNOWN, NOTHING = "begins with a seven", "thirty days", "so I use only what is public. Nothing that is indexed"


@pytest.fixture(scope="session")
def treasury(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one document."""
    text = "# Treasury\n\nThe vault code of the treasury begins with a seven.\n"
    return write(tmp_path_factory.mktemp("own") / "treasury", treasury=text)


@pytest.fixture(scope="module", autouse=True)
def serve(indexed: Kb, stage: Stage, treasury: Path) -> Iterator[Kb]:
    """The command while it serves: a handbook for the organisation, and a document for one address alone."""
    assert indexed("index", str(treasury), "--audience", "rita@example.com").code == 0
    kb = indexed.having(**stage.settings(), EMAIL_DOMAINS="example.com")
    with stage.serving(kb):
        yield kb


def test_in_private_the_askers_own_rights_hold(stage: Stage) -> None:
    here = stage.private(stage.person("rita"))
    assert SECRET in here.outcome(here.ask(VAULT), SECRET)
    assert KNOWN in here.outcome(here.ask(QUESTION), KNOWN)


def test_another_member_reads_what_is_for_the_organisation_alone(stage: Stage) -> None:
    here = stage.private(stage.person("max"))
    assert KNOWN in here.outcome(here.ask(QUESTION), KNOWN)
    assert (
        "treasury"
        not in here.outcome(here.ask("Where is the vault code of the treasury?")).lower().partition("searched")[0]
    )


def test_where_others_read_nobodys_own_rights_count(stage: Stage) -> None:
    here = stage.room("all", stage.person("rita"), stage.person("mona"))
    assert KNOWN in here.outcome(here.ask(QUESTION), KNOWN)
    told = here.outcome(here.ask(VAULT))
    assert SECRET not in told
    assert "treasury.md" not in told


def test_a_guest_reads_what_is_public(stage: Stage) -> None:
    here = stage.private(stage.person("eve", "eve@example.com", guest=True))
    assert NOTHING in here.outcome(here.ask(QUESTION), NOTHING)


def test_where_a_guest_reads_along_only_what_is_public_is_used(stage: Stage) -> None:
    guest = stage.person("gus", "gus@example.com", guest=True)
    here = stage.room("guests", stage.person("nora"), guest)
    assert NOTHING in here.outcome(here.ask(QUESTION), NOTHING)


def test_an_address_elsewhere_is_nobodys(stage: Stage) -> None:
    here = stage.private(stage.person("eva", "rita@example.com.evil.example"))
    assert NOTHING in here.outcome(here.ask(VAULT), NOTHING)
