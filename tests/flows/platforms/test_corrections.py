"""On every platform: an answer that was posted is corrected, once, when a source of it is gone or closed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import Kb, rows, wait_for, write
from tests.fakes.model_held import HeldModel
from tests.fakes.model_server import model_server
from tests.flows.platforms.stages import SlackStage, Stage
from tests.flows.platforms.test_closed_meanwhile import FERRY, GATE, LEAVES, OPENS, QUESTION, parts
from tests.flows.slack.talk import model_env

CORRECTED = "no longer available"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents."""
    return write(tmp_path / "harbour", ferry=f"# Ferry\n\n{FERRY}\n", gate=f"# Gate\n\n{GATE}\n")


@pytest.fixture
def served(kb: Kb, folder: Path, stage: Stage) -> Iterator[Kb]:
    """The command while it serves, with the documents for everyone."""
    for each in folder.iterdir():
        assert kb("index", str(each), "--source", each.stem, "--audience", "everyone").code == 0
    model = HeldModel(parts)
    model.go.set()
    with model_server(rules=(model,)) as server:
        kb = kb.having(**stage.settings(), **model_env(server))
        with stage.serving(kb):
            yield kb


def posted(kb: Kb) -> list[tuple[object, ...]]:
    """What is kept of the posted answers that were looked at."""
    url = kb.env["KB_AGENT_DATABASE_URL"]
    settled = "SELECT reply, jsonb_array_length(citations), claimed_until IS NULL FROM posted_replies WHERE state <> ''"
    return rows(url, settled)


def a_day_passes(kb: Kb) -> None:
    """For what was posted."""
    rows(
        kb.env["KB_AGENT_DATABASE_URL"],
        "UPDATE posted_replies SET posted_at = posted_at - interval '1 day' RETURNING question_no",
    )


def test_a_page_that_is_deleted_a_day_later_goes_out_of_the_answer(served: Kb, folder: Path, stage: Stage) -> None:
    here = stage.private(stage.person("ann"))
    asked = here.ask(QUESTION)
    assert LEAVES in here.outcome(asked, OPENS)
    wait_for(lambda: bool(posted(served)))
    a_day_passes(served)
    (folder / "ferry.md").unlink()
    assert served("sources", "remove", "ferry", "--yes").code == 0
    told = here.outcome(asked, CORRECTED)
    assert OPENS in told
    assert LEAVES not in told
    assert "Ferry" not in told
    wait_for(lambda: [row[1:] for row in posted(served)] == [(1, True)])
    assert LEAVES not in str(posted(served))


def test_what_one_of_several_readers_may_not_read_any_more_goes_too(served: Kb, folder: Path, stage: Stage) -> None:
    here = stage.room("harbour", stage.person("rita"), stage.person("mona"))
    asked = here.ask(QUESTION)
    assert LEAVES in here.outcome(asked, OPENS)
    wait_for(lambda: bool(posted(served)))
    assert served("index", str(folder / "ferry.md"), "--source", "ferry", "--audience", "rita@example.com").code == 0
    told = here.outcome(asked, CORRECTED)
    assert OPENS in told
    assert LEAVES not in told
    if isinstance(stage, SlackStage):
        assert stage.everything().count(CORRECTED) <= 2, "it is said once: as text and in a block"
