import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evaluation.ablation import DEFAULT, AblationCase, ablation, ablation_plot, ablation_table
from agent.evaluation.comparison import compare, interval
from bot.cli.entry import run


def measured(*values: float) -> dict[str, dict[str, float]]:
    return {f"q{number}": {"ndcg@10": value} for number, value in enumerate(values)}


def test_a_clear_difference_has_an_interval_without_0() -> None:
    (found,) = compare(measured(*[0.2, 0.4] * 20), measured(*[0.5, 0.6] * 20))
    assert (found.measure, found.questions, found.higher, found.lower) == ("ndcg@10", 40, 40, 0)
    assert found.difference == pytest.approx(0.25)
    assert 0.2 < found.low < 0.25 < found.high < 0.3
    assert found.p == 0


def test_chance_has_an_interval_around_0_and_the_seed_decides_the_samples() -> None:
    values = [(7 * number % 41) / 41 for number in range(40)]
    first, second = measured(*values), measured(*reversed(values))
    (found,) = compare(first, second)
    assert found.low < 0 < found.high
    assert found.p > 0.5
    assert compare(first, second) == compare(first, second)
    assert compare(first, second, seed=1) != compare(first, second)


def test_questions_are_paired_by_id_and_measures_by_name() -> None:
    first = {"a": {"x": 1.0, "y": 0.0}, "b": {"x": 0.0}, "c": {"x": 5.0}}
    second = {"b": {"x": 1.0}, "a": {"x": 1.0, "z": 1.0}}
    (found,) = compare(first, second)
    assert (found.measure, found.questions, found.first, found.second) == ("x", 2, 0.5, 1.0)
    assert compare({"a": {"x": 1.0}}, {"b": {"x": 1.0}}) == []


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_the_mean_lies_in_its_interval(values: list[float]) -> None:
    low, high, p = interval(np.array(values))
    assert low - 1e-9 <= np.mean(values) <= high + 1e-9 or len(set(values)) > 1
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert 0 <= p <= 1


def a_case(gold: str) -> AblationCase:
    # a is found by words, b by meaning, c by the graph
    features = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
    return AblationCase(features, ["a", "b", "c"], {gold: 1}, ["a", "b", "c"], {"turned round": ["c", "b", "a"]})


def test_each_list_alone_finds_what_it_knows() -> None:
    rows = {row.name: row for row in ablation([a_case("a"), a_case("b")])}
    assert rows[DEFAULT].values["ndcg@10"] == pytest.approx((1 + 1 / np.log2(3)) / 2)
    assert rows["lexical"].values["all_gold@5"] == 0.5
    assert ablation([a_case("b")])[2].values["ndcg@10"] == 1, "dense"
    assert {row.name: row for row in ablation([a_case("c")])}["graph"].values["ndcg@10"] == 1
    assert rows["turned round"].values["ndcg@10"] == pytest.approx((1 / np.log2(3) + 1 / 2) / 2), "a is third"
    best = next(row for name, row in rows.items() if "best of the simplex" in name)
    assert best.values["ndcg@10"] >= max(rows[each].values["ndcg@10"] for each in ("lexical", "dense", "graph"))


def test_the_table_and_the_plot_have_every_setting() -> None:
    rows = ablation([a_case("a"), a_case("b")])
    table, plot = ablation_table("zoo", rows), ablation_plot("zoo", rows)
    assert len(table.splitlines()) == 2 + len(rows)
    assert plot.count("<circle") == len(rows) - 1
    assert all(row.name in plot for row in rows[1:])


def written(folder: Path, name: str, *rows: object) -> str:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_two_files_of_results_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = [{"id": f"q{n}", "answerable": n < 3, "verdict": "right", "measures": {"facts": 1.0}} for n in range(4)]
    worse = [row | {"verdict": "declined", "measures": {"facts": 0.0}} for row in facts]
    one, other = written(tmp_path, "a.jsonl", *facts), written(tmp_path, "b.jsonl", *worse)
    assert run(["eval", "compare", one, other, "--json"]) == 0
    found = {row["measure"]: row for row in json.loads(capsys.readouterr().out)["measures"]}
    assert (found["right"]["first"], found["right"]["second"], found["right"]["questions"]) == (1, 0, 3)
    assert found["rightly_declined"]["difference"] == 1
    assert found["facts"]["lower"] == 4
    assert run(["eval", "compare", one, other]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:2] == ["right", "3"]


def test_variants_are_named_where_a_file_holds_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        {"id": "q", "variant": name, "measures": {"ndcg@10": value}}
        for name, value in (("dense", 0.1), ("hybrid", 0.2))
    ]
    file = written(tmp_path, "run.jsonl", *rows)
    assert run(["eval", "compare", file, file]) == 2
    assert "holds several variants" in capsys.readouterr().err
    assert run(["eval", "compare", file, file, "--variant-a", "dense", "--variant-b", "hybrid", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["measures"]
    assert found["difference"] == pytest.approx(0.1)


def test_kept_results_become_a_table_in_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def results(variant: str, *values: float) -> list[object]:
        return [{"id": f"q{n}", "variant": variant, "measures": {"ndcg@10": each}} for n, each in enumerate(values)]

    one = written(tmp_path, "zoo.jsonl", *results("as shipped", 1.0, 0.5), *results("dense", 0.5, 0.0))
    more = written(tmp_path, "zoo2.jsonl", *results("reranked", 1.0))
    other = written(tmp_path, "sea.jsonl", *results("as shipped", 0.2))
    runs, page = [f"zoo={one}", f"zoo={more}", f"sea={other}"], tmp_path / "page.md"
    assert run(["eval", "table", *runs]) == 0
    table = capsys.readouterr().out.strip()
    assert table.splitlines() == [
        "| ndcg@10, and the difference to the default (95 %) | zoo, 2 questions | sea, 1 questions |",
        "|---|---|---|",
        "| as shipped | **75.0** | **20.0** |",
        "| dense | 25.0, -50.0 (-50.0 to -50.0) |  |",
        "| reranked | 100.0, +0.0 (+0.0 to +0.0) |  |",
    ]
    page.write_text("# A page\n<!-- table t -->\nold\n<!-- end of table t -->\nrest\n")
    assert run(["eval", "table", *runs, "--into", str(page), "--name", "t"]) == 0
    assert page.read_text() == f"# A page\n<!-- table t -->\n\n{table}\n\n<!-- end of table t -->\nrest\n"
    assert run(["eval", "table", *runs, "--into", str(page), "--name", "gone"]) == 2
    assert "no place for the table" in capsys.readouterr().err
    assert run(["eval", "table", *runs, "--default", "gone"]) == 2
    assert "The variants are: as shipped, dense, reranked" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "expected"),
    [("", "holds no result"), ("no json\n", "Line 1 of"), ('{"id": "q"}\n', "is not a result"), ("[1]\n", "Line 1 of")],
)
def test_what_is_no_run_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, expected: str
) -> None:
    (tmp_path / "a.jsonl").write_text(content)
    assert run(["eval", "compare", str(tmp_path / "a.jsonl"), str(tmp_path / "gone.jsonl")]) == 2
    assert expected in capsys.readouterr().err


def test_runs_without_a_common_question_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = written(tmp_path, "a.jsonl", {"id": "1", "measures": {"x": 1}})
    other = written(tmp_path, "b.jsonl", {"id": "2", "measures": {"x": 1}})
    assert run(["eval", "compare", one, other]) == 2
    assert "have no question in common" in capsys.readouterr().err
