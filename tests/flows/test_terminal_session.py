"""README.md shows a session in the terminal as it really goes."""

from pathlib import Path
from uuid import uuid4

import pytest

from tests.command import ROOT, Kb, own_database
from tests.terminal_session import PAGE, in_page, session


@pytest.mark.model
@pytest.mark.slow
def test_the_page_shows_the_session_as_it_goes(data_dir: Path) -> None:
    with own_database(data_dir, f"session_{uuid4().hex}") as url:
        kb = Kb({"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url}, ROOT)
        text = session(kb)
    assert in_page(text) in PAGE.read_text(encoding="utf-8"), "python -m tests.terminal_session --write writes it anew"
