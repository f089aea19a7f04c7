"""The file of golden questions is read up to a size."""

from pathlib import Path

import pytest

from bot.app.golden_file import LARGEST, golden_of
from config.load import load
from domain.errors import Misconfigured

ONE = "- {question: a, facts: [b]}\n"


def test_a_file_that_is_too_large_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    file, settings = tmp_path / "golden.yaml", load({}, tmp_path)
    file.write_text(ONE)
    assert golden_of(settings, file, str)
    file.write_text(ONE + "#" * LARGEST)
    with pytest.raises(Misconfigured, match="too large") as refused:
        golden_of(settings, file, str)
    assert f"{LARGEST:,} characters" in refused.value.why
