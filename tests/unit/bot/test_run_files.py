"""Files of results: written whole or not at all, and read back line by line."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from agent.evaluation.judged_questions import JudgedQuestion
from bot.cli.run_files import check_writable, read_run, write_measures, write_text
from domain.errors import Misconfigured, Refused


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


@pytest.mark.parametrize("relative", [True, False])
def test_an_earlier_result_behind_links_stays_until_the_new_one_is_whole(tmp_path: Path, *, relative: bool) -> None:
    (tmp_path / "runs").mkdir()
    link, second, file = tmp_path / "latest", tmp_path / "runs" / "link", tmp_path / "runs" / "run.jsonl"
    link.symlink_to("runs/link" if relative else second)
    second.symlink_to("../runs/run.jsonl" if relative else file)
    file.write_text("earlier")
    file.chmod(0o600)
    with pytest.raises(Misconfigured):
        write_text(link, "half a character: \ud800")
    assert file.read_text() == "earlier"
    write_text(link, "later")
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("later", 0o600)
    assert (link.is_symlink(), second.is_symlink()) == (True, True)
    assert {each.name for each in tmp_path.rglob("*")} == {"latest", "runs", "link", "run.jsonl"}


def test_links_that_lead_to_themselves_are_said(tmp_path: Path) -> None:
    link = tmp_path / "latest"
    link.symlink_to(link)
    with pytest.raises(Misconfigured, match="cannot be written"):
        write_text(link, "text")


def test_others_never_read_the_new_text_of_a_private_file(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text("earlier")
    file.chmod(0o600)
    modes: set[int] = set()

    def look(*_: object) -> None:
        modes.update(stat.S_IMODE(os.lstat(each).st_mode) for each in os.scandir(tmp_path))

    sys.setprofile(look)  # at every call that the writing makes
    try:
        write_text(file, "later")
    finally:
        sys.setprofile(None)
    assert (file.read_text(), modes) == ("later", {0o600})


def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "run.jsonl", "text")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "run.jsonl").stat().st_mode) == 0o640


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_what_is_open_is_written_to(tmp_path: Path, name: str) -> None:
    (tmp_path / "link").symlink_to("/dev/stdout")
    code = "import sys; from pathlib import Path; from bot.cli.run_files import write_text; "
    code += "write_text(Path(sys.argv[1]), 'text')"
    command = [sys.executable, "-c", code, str(tmp_path / name)]
    assert subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout == b"text"
    with (tmp_path / "file").open("w+b") as opened:
        subprocess.run(command, stdout=opened, check=True)
        assert os.fstat(opened.fileno()).st_nlink == 1, "the file itself, not another in its place"
        assert opened.read() == b"text"


def test_a_device_stays_a_device() -> None:
    write_text(Path("/dev/null"), "text")
    assert Path("/dev/null").is_char_device()


def test_what_cannot_be_written_is_said_before_anything_is_measured(tmp_path: Path) -> None:
    for each in (tmp_path, tmp_path / "missing" / "run.jsonl"):
        with pytest.raises(Misconfigured, match="cannot be written"):
            check_writable(each)


def test_questions_with_any_character_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    texts = ["plain", *(f"What is{mark}this?" for mark in "\n\r\v\f\x1c\x85\u2028\u2029")]
    write_measures(file, list(map(JudgedQuestion, texts)), {"dense": [{"recall": 1.0}] * len(texts)})
    assert read_run(file) == {"dense": {text: {"recall": 1.0} for text in texts}}


def test_an_empty_file_holds_no_result(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").touch()
    with pytest.raises(Refused, match="holds no result"):
        read_run(tmp_path / "run.jsonl")


def test_a_question_that_a_data_set_asks_twice_keeps_both_results(tmp_path: Path) -> None:
    file, questions = tmp_path / "run.jsonl", [JudgedQuestion("Why?"), JudgedQuestion("Why?")]
    write_measures(file, questions, {"dense": [{"recall": 1.0}, {"recall": 0.0}]})
    assert read_run(file) == {"dense": {"Why?": {"recall": 1.0}, "Why? (2)": {"recall": 0.0}}}


def test_the_number_of_a_repeated_question_leads_to_no_other_question(tmp_path: Path) -> None:
    file, texts = tmp_path / "run.jsonl", ["q", "q", "q (2)", "q", "q (2)", "q (2) (2)"]
    write_measures(file, list(map(JudgedQuestion, texts)), {"dense": [{"recall": n / 10} for n in range(len(texts))]})
    names = ["q", "q (3)", "q (2)", "q (4)", "q (2) (3)", "q (2) (2)"]
    assert read_run(file) == {"dense": {name: {"recall": n / 10} for n, name in enumerate(names)}}


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_measure_that_cannot_be_read_is_not_written(tmp_path: Path, value: float) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text("earlier")
    with pytest.raises(Misconfigured, match="not a number"):
        write_measures(file, [JudgedQuestion("Why?")], {"dense": [{"recall": value}]})
    assert file.read_text() == "earlier"


def test_a_question_twice_in_an_earlier_run_is_to_be_measured_again(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text(f"{ROW}\n{ROW}\n")
    with pytest.raises(Misconfigured, match="earlier release") as refused:
        read_run(file)
    assert refused.value.next_step.startswith("Measure again")


ROW = '{"id": "a", "variant": "x", "measures": {"recall": 1}}'


@pytest.mark.parametrize(
    "line",
    [
        ROW,
        *(ROW.replace('"a"', '"b"').replace("1", value) for value in ("NaN", "-Infinity", "1e999", '"nan"', "9" * 400)),
        "[" * 100_000,
        "[]",
        "",
    ],
    ids=lambda line: line[-30:],
)
def test_a_line_that_is_no_result_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text(f"{ROW}\n{line}\n{ROW.replace('a', 'z', 1)}\n")
    with pytest.raises(Misconfigured, match=r"Line 2 of .*run\.jsonl"):
        read_run(file)


def test_variants_have_results_of_the_same_questions(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text(f"{ROW}\n{ROW.replace('x', 'y')}\n")
    assert read_run(file) == {"x": {"a": {"recall": 1.0}}, "y": {"a": {"recall": 1.0}}}
