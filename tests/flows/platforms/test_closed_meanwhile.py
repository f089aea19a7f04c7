"""On every platform: a page that is closed while the model writes of it is not in the answer, nor in a preview."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from tests.command import Kb, wait_for
from tests.fakes.atlassian import LocalAtlassian, Page, User, local_atlassian, storage
from tests.fakes.model_held import HeldModel
from tests.fakes.model_rules import Prompt
from tests.fakes.model_server import model_server
from tests.flows.atlassian.test_live import configured
from tests.flows.platforms.stages import SlackStage, Stage
from tests.flows.slack.talk import model_env
from tests.golden.rights import Transcript

QUESTION = "When does the ferry of the harbour leave, and who opens the gate of the harbour?"
LEAVES, OPENS, COSTS = "leaves at nine", "opened by Mira Holt", "costs five coins"
FERRY = "The ferry of the harbour leaves at nine. A ride with the ferry of the harbour costs five coins."
GATE = (
    "The gate of the harbour is opened by Mira Holt. The gate of the harbour is painted green."
    " The gate of the harbour is older than the town."
)


def parts(prompt: Prompt) -> tuple[Sequence[str], Sequence[str]]:
    """A sentence of each page; after the halt one more of the first."""
    ferry, gate = (
        next(each.number for each in prompt.passages if words in each.text) for words in ("leaves", "opened")
    )
    first, last = FERRY.split(". ")
    of_gate = [f"{sentence.removesuffix('.')} [{gate}].\n\n" for sentence in GATE.split(". ")]
    return (f"{first} [{ferry}].\n\n", *of_gate), (f"{last.removesuffix('.')} [{ferry}].",)


class Harbour:
    """A wiki of two pages, read once, and a model that halts. ann: may read both."""

    def __init__(self, local: LocalAtlassian) -> None:
        self.world = local.world
        self.ann: User = self.world.add_user("Ann Lee")
        everyone = [self.world.groups["confluence-users"]]
        space = self.world.add_space("HAR", "Harbour", view=everyone, by=self.ann)
        self.ferry: Page = self.world.add_page(space, "Ferry", storage(FERRY), by=self.ann)
        self.world.add_page(space, "Gate", storage(GATE), by=self.ann)
        self.other: User = self.world.add_user("Bob Ray")
        self.model = HeldModel(parts)

    def close(self) -> None:
        """The page about the ferry is somebody else's from now on."""
        self.world.restrict(self.ferry, self.other)


@contextmanager
def harbour(kb: Kb) -> Iterator[tuple[Harbour, Kb]]:
    """With the command that knows wiki and model."""
    with local_atlassian() as local:
        found = Harbour(local)
        kb = configured(kb, local, "cloud", "confluence")
        with model_server(rules=(found.model,)) as server:
            yield found, kb.having(**model_env(server))
            found.model.go.set()


@pytest.fixture
def opened(kb: Kb) -> Iterator[tuple[Harbour, Kb]]:
    """For one test."""
    with harbour(kb) as found:
        yield found


def test_a_page_that_is_closed_at_its_source_is_out_of_the_answer(opened: tuple[Harbour, Kb], stage: Stage) -> None:
    place, kb = opened
    with stage.serving(kb.having(**stage.settings())):
        here = stage.private(stage.person("ann", place.ann.email))
        place.model.pause = 0.8  # so that what a platform streams is to be seen
        asked = here.ask(QUESTION)
        wait_for(place.model.halted.is_set)
        wait_for(lambda: LEAVES in here.seen(asked))
        (begun,) = [line for line in here.seen(asked).splitlines() if LEAVES in line]
        place.close()
        place.model.go.set()
        told = here.outcome(asked, OPENS)
    assert LEAVES not in told
    assert "Ferry" not in told
    assert COSTS not in told
    seen = Transcript()
    seen.said("Ann", QUESTION)
    seen.said("kb (while it writes)", f"{begun} …")
    seen.happens("The page “Ferry” is restricted in Confluence: Ann may not read it any more.")
    seen.said("kb (the same message, at its end)", told)
    seen.is_held(f"closed_{stage.name}")


def test_a_page_that_the_index_closes_is_not_written_on_about(opened: tuple[Harbour, Kb], stage: Stage) -> None:
    place, kb = opened
    with stage.serving(kb.having(**stage.settings())):
        here = stage.private(stage.person("ann", place.ann.email))
        place.model.pause = 0.8  # so that what a platform streams is to be seen
        asked = here.ask(QUESTION)
        wait_for(place.model.halted.is_set)
        place.close()
        assert kb("reindex", "--source", "wiki", "--json").code == 0
        place.model.go.set()
        told = here.outcome(asked, "no longer available")
    assert OPENS in told
    assert LEAVES not in told
    if isinstance(stage, SlackStage):
        assert LEAVES in stage.everything(), "it was shown, and was edited"
    assert COSTS not in stage.everything(), "what was not is never shown"


def test_on_a_terminal_what_was_printed_is_followed_by_what_holds(opened: tuple[Harbour, Kb]) -> None:
    place, kb = opened
    process = kb.start("ask", QUESTION, "--as", place.ann.email)
    wait_for(place.model.halted.is_set)
    place.close()
    place.model.go.set()
    done = process.end()
    assert done.code == 0, done.err
    printed, _, holds = done.out.partition("does not hold any more")
    assert LEAVES in printed
    assert OPENS in holds
    assert "no longer available" in holds
    assert LEAVES not in holds
    assert "Ferry" not in holds
    seen = Transcript()
    seen.said("Ann", f"$ kb ask {QUESTION!r} --as {place.ann.email}")
    seen.said("kb", done.out)
    seen.is_held("closed_terminal")
