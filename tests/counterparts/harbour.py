"""Two documents and a model that halts in the middle of its answer from them: for what is closed meanwhile or later."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.command import Kb, write
from tests.fakes.model_held import HeldModel
from tests.fakes.model_server import model_server
from tests.flows.platforms.test_closed_meanwhile import FERRY, GATE, parts
from tests.flows.slack.talk import model_env


@dataclass
class Harbour:
    """The documents `ferry` and `gate`, each a source of its own, for everyone. settings: of the model."""

    kb: Kb
    folder: Path
    model: HeldModel
    settings: Mapping[str, str]

    def close_ferry(self) -> None:
        """It is for one person from now on, who is not there."""
        path = str(self.folder / "ferry.md")
        assert self.kb("index", path, "--source", "ferry", "--audience", "rita@example.com").code == 0

    def delete_ferry(self) -> None:
        """It is gone."""
        assert self.kb("sources", "remove", "ferry", "--yes").code == 0


@contextmanager
def harbour(kb: Kb, folder: Path) -> Iterator[Harbour]:
    """Inside, both are indexed, and the model answers."""
    write(folder, ferry=f"# Ferry\n\n{FERRY}\n", gate=f"# Gate\n\n{GATE}\n")
    for name in ("ferry", "gate"):
        assert kb("index", str(folder / f"{name}.md"), "--source", name, "--audience", "everyone").code == 0
    held = HeldModel(parts)
    with model_server(rules=(held,)) as server:
        yield Harbour(kb, folder, held, model_env(server))
        held.go.set()
    for name in ("ferry", "gate"):
        kb("sources", "remove", name, "--yes")  # one of them may be gone already
