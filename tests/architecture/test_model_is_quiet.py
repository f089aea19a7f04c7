"""Libraries that run models like to report to their makers; ours must not, whatever the environment says."""

from pathlib import Path

import pytest

from tests.architecture.checkout import child

EMBED = """
import asyncio, sys
from pathlib import Path
from agent.providers.minilm import open_minilm
model = open_minilm(Path(sys.argv[1]), 1)
print(asyncio.run(model.embed(["Is anybody there?"])).shape)
"""


@pytest.mark.model
def test_the_local_model_leaves_nothing_behind_but_its_graph(tmp_path: Path) -> None:
    home, cache = tmp_path / "home", tmp_path / "models"
    home.mkdir()
    done = child("-c", EMBED, str(cache), folder=home)
    assert done.stdout == "(1, 384)\n", done.stderr
    assert [path.suffix for path in cache.iterdir()] == [".onnx"]
    assert list(home.rglob("*")) == []
