"""The packaged MiniLM for tests, opened once a process."""

import functools
import tempfile
from pathlib import Path

from agent.providers.minilm import MiniLM, open_minilm


def model_cache() -> Path:
    """A cache that outlives the test run: its content is checked at each start, and building it takes seconds."""
    return Path(tempfile.gettempdir()) / "kb-agent-tests-minilm"


@functools.cache
def local_minilm() -> MiniLM:
    """The model on two threads; tests share one event loop, as its callers must."""
    return open_minilm(model_cache(), 2)
