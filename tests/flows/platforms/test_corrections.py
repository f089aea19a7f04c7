"""On every platform: an answer that was posted is corrected, once, when a source of it is gone or closed."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.command import Kb, rows, wait_for, write
from tests.fakes.atlassian import local_atlassian, storage
from tests.fakes.atlassian.wiki import readers
from tests.fakes.model_held import HeldModel
from tests.fakes.model_server import model_server
from tests.flows.atlassian.test_live import configured
from tests.flows.platforms.stages import SlackStage, Stage
from tests.flows.platforms.test_closed_meanwhile import FERRY, GATE, LEAVES, OPENS, QUESTION, parts
from tests.flows.slack.talk import model_env
from tests.golden.rights import Transcript

CORRECTED = "no longer available"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents."""
    return write(tmp_path / "harbour", ferry=f"# Ferry\n\n{FERRY}\n", gate=f"# Gate\n\n{GATE}\n")


@pytest.fixture
def answering(stage: Stage) -> Iterator[Mapping[str, str]]:
    """Settings of a model that answers the question, and of the platform."""
    model = HeldModel(parts)
    model.go.set()
    with model_server(rules=(model,)) as server:
        yield {**stage.settings(), **model_env(server)}


@pytest.fixture
def known(kb: Kb, folder: Path, answering: Mapping[str, str]) -> Kb:
    """The command, with the documents for everyone."""
    for each in folder.iterdir():
        assert kb("index", str(each), "--source", each.stem, "--audience", "everyone").code == 0
    return kb.having(**answering)


@pytest.fixture
def served(known: Kb, stage: Stage) -> Iterator[Kb]:
    """The same while it serves."""
    with stage.serving(known):
        yield known


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


def test_a_page_that_is_deleted_a_day_later_goes_out_of_the_answer(known: Kb, folder: Path, stage: Stage) -> None:
    with stage.serving(known):
        here = stage.private(stage.person("ann"))
        asked = here.ask(QUESTION)
        before = here.outcome(asked, OPENS)
        assert LEAVES in before
        wait_for(lambda: bool(posted(known)))
    a_day_passes(known)
    (folder / "ferry.md").unlink()
    assert known("sources", "remove", "ferry", "--yes").code == 0
    with stage.serving(known):  # another process, which has met nobody yet
        told = here.outcome(asked, CORRECTED)
        wait_for(lambda: [row[1:] for row in posted(known)] == [(1, True)])
    assert OPENS in told
    assert LEAVES not in told
    assert "Ferry" not in told
    assert LEAVES not in str(posted(known))
    seen = Transcript()
    seen.said("Ann", QUESTION)
    seen.said("kb", before)
    seen.happens("A day later, the document “Ferry” is deleted.")
    seen.said("kb (the same message, edited)", told)
    seen.is_held(f"deleted_{stage.name}")


def test_a_new_version_that_contradicts_an_answer_is_noted_at_it(served: Kb, folder: Path, stage: Stage) -> None:
    here = stage.private(stage.person("ivo"))
    asked = here.ask(QUESTION)
    assert LEAVES in here.outcome(asked, OPENS)
    (folder / "ferry.md").write_text(f"# Ferry\n\n{FERRY.replace('leaves', 'never leaves')}\n")
    assert served("index", str(folder / "ferry.md"), "--source", "ferry", "--audience", "everyone").code == 0
    told = here.outcome(asked, "Changed since: [1] now says something else than this answer.")
    assert LEAVES in told
    assert OPENS in told


def test_who_joins_a_channel_reads_no_earlier_answer_that_is_not_for_them(served: Kb, stage: Stage) -> None:
    here = stage.room("pier", stage.person("rita"), stage.person("mona"))
    asked = here.ask(QUESTION)
    assert LEAVES in here.outcome(asked, OPENS)
    wait_for(lambda: bool(posted(served)))
    here.joined(stage.person("nora"), told=True)
    here.joined(stage.person("gus", guest=True), told=True)
    told = here.outcome(asked, "This answer was removed")
    assert LEAVES not in told
    assert OPENS not in told


@pytest.mark.parametrize("how", ["leaves the group", "the space is tightened"])
def test_who_may_not_enter_a_space_any_more_reads_no_earlier_answer_from_it(
    kb: Kb, answering: Mapping[str, str], stage: Stage, how: str
) -> None:
    with local_atlassian() as local:
        world = local.world
        ann, mate = world.add_user("Ann Lee"), world.add_user("Mate Berg")
        everyone, crew = world.groups["confluence-users"], world.add_group("crew", [ann, mate, local.bot])
        pier = world.add_space("PIE", "Pier", view=[crew], by=mate)
        world.add_page(pier, "Ferry", storage(FERRY), by=mate)
        world.add_page(world.add_space("HAR", "Harbour", view=[everyone], by=mate), "Gate", storage(GATE), by=mate)
        kb = configured(kb, local, "cloud", "confluence").having(**answering)
        with stage.serving(kb):
            here = stage.private(stage.person("ann", ann.email))
            asked = here.ask(QUESTION)
            assert LEAVES in here.outcome(asked, OPENS)
            wait_for(lambda: bool(posted(kb)))
            if how == "leaves the group":
                world.leave(ann, "crew")
            else:
                pier.view = readers([mate, local.bot])
            assert kb("reindex", "--source", "wiki", "--json").code == 0
            told = here.outcome(asked, CORRECTED)
    assert OPENS in told
    assert LEAVES not in told
    assert "Ferry" not in told


def test_what_one_of_several_readers_may_not_read_any_more_goes_too(served: Kb, folder: Path, stage: Stage) -> None:
    here = stage.room("harbour", stage.person("rita"), stage.person("mona"))
    asked = here.ask(QUESTION)
    assert LEAVES in here.outcome(asked, OPENS)
    wait_for(lambda: bool(posted(served)))
    before = stage.everything().count(CORRECTED)
    assert served("index", str(folder / "ferry.md"), "--source", "ferry", "--audience", "rita@example.com").code == 0
    told = here.outcome(asked, CORRECTED)
    assert OPENS in told
    assert LEAVES not in told
    if isinstance(stage, SlackStage):
        assert stage.everything().count(CORRECTED) <= before + 2, "it is said once: as text and in a block"
