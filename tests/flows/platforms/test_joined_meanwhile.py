"""On every platform: who comes into a channel while the model writes reads the answer, and therefore counts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import Kb, wait_for, write
from tests.fakes.model_held import HeldModel
from tests.fakes.model_server import model_server
from tests.flows.platforms.stages import Stage
from tests.flows.platforms.test_closed_meanwhile import COSTS, FERRY, GATE, LEAVES, OPENS, QUESTION, parts
from tests.flows.slack.talk import model_env

PUBLIC_ALONE = "so I use only what is public"


@pytest.fixture
def model(kb: Kb, tmp_path: Path, stage: Stage) -> Iterator[HeldModel]:
    """What writes, and halts, while the product serves two documents for everyone."""
    folder = write(tmp_path / "harbour", ferry=f"# Ferry\n\n{FERRY}\n", gate=f"# Gate\n\n{GATE}\n")
    assert kb("index", str(folder), "--audience", "everyone").code == 0
    held = HeldModel(parts)
    with model_server(rules=(held,)) as server, stage.serving(kb.having(**stage.settings(), **model_env(server))):
        yield held
        held.go.set()


def test_a_guest_who_joins_while_the_model_writes_reads_nothing_of_the_organisation(
    model: HeldModel, stage: Stage
) -> None:
    here = stage.room("harbour", stage.person("rita"), stage.person("mona"))
    asked = here.ask(QUESTION)
    wait_for(model.halted.is_set)
    here.joined(stage.person("gus", guest=True), told=False)
    model.go.set()
    told = here.outcome(asked, PUBLIC_ALONE)
    for words in (LEAVES, OPENS, COSTS, "Ferry", "Gate"):
        assert words not in told
    assert COSTS not in stage.everything(), "what was not shown before is never shown"


def test_a_colleague_who_joins_changes_nothing(model: HeldModel, stage: Stage) -> None:
    here = stage.room("pier", stage.person("rita"), stage.person("mona"))
    asked = here.ask(QUESTION)
    wait_for(model.halted.is_set)
    here.joined(stage.person("nora"), told=False)
    model.go.set()
    assert LEAVES in here.outcome(asked, COSTS)
