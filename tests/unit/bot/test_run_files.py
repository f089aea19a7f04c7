"""Files of results: written whole or not at all, and read back line by line."""

import stat
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
