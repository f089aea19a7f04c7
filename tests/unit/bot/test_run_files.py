"""Files of results: written whole or not at all, and read back line by line."""

import stat
from pathlib import Path

import pytest

from bot.cli.run_files import check_writable, write_text
from domain.errors import Misconfigured


def test_an_earlier_result_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text("earlier")
    file.chmod(0o600)
    check_writable(file)
    assert file.read_text() == "earlier"
    with pytest.raises(Misconfigured):
        write_text(file, "half a character: \ud800")
    assert file.read_text() == "earlier"
    write_text(file, "later")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("later", 0o600)
    assert list(tmp_path.iterdir()) == [file], "nothing is left beside it"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    link, file = tmp_path / "latest", tmp_path / "run.jsonl"
    link.symlink_to(file)
    write_text(link, "text")
    assert (link.is_symlink(), file.read_text()) == (True, "text")


def test_what_cannot_be_written_is_said_before_anything_is_measured(tmp_path: Path) -> None:
    for each in (tmp_path, tmp_path / "missing" / "run.jsonl"):
        with pytest.raises(Misconfigured, match="cannot be written"):
            check_writable(each)
