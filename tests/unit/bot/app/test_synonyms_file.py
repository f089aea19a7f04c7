from pathlib import Path

import pytest

from bot.app.searching import synonyms_of
from config.load import load
from domain.errors import Misconfigured


def test_the_file_that_the_settings_name_is_read(tmp_path: Path) -> None:
    file = tmp_path / "words.yaml"
    file.write_text("- [PTO, annual leave]\n", encoding="utf-8")
    assert synonyms_of(load({"KB_AGENT_SYNONYMS": str(file)}, tmp_path)).groups == (("PTO", "annual leave"),)
    assert synonyms_of(load({}, tmp_path)).groups == ()


def test_a_file_that_is_not_there_is_named_with_its_setting(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured) as refused:
        synonyms_of(load({"KB_AGENT_SYNONYMS": str(tmp_path / "gone.yaml")}, tmp_path))
    assert "gone.yaml" in refused.value.what
    assert "KB_AGENT_SYNONYMS" in refused.value.next_step
