"""docs/slack-conversation.md shows a conversation as it really goes."""

from pathlib import Path
from uuid import uuid4

import pytest

from tests.command import Kb, own_database
from tests.slack_transcript import PAGE, in_page, transcript


@pytest.mark.model
@pytest.mark.slow
def test_the_page_shows_the_conversation_as_it_goes(data_dir: Path, tmp_path: Path) -> None:
    with own_database(data_dir, f"transcript_{uuid4().hex}") as url:
        kb = Kb({"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url}, tmp_path)
        text = transcript(kb, tmp_path / "people")
    assert in_page(text) in PAGE.read_text(), "python -m tests.slack_transcript --write writes it anew"
