"""`kb eval compare`: whether one run is better than another, or only looks so."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.options import json_option
from bot.cli.run_files import read_run
from bot.terminal.output import print_result
from domain.errors import Refused

if TYPE_CHECKING:
    from agent.evaluation.comparison import Comparison


@click.command("compare")
@click.argument("first", type=click.Path(path_type=Path), metavar="A.jsonl")
@click.argument("second", type=click.Path(path_type=Path), metavar="B.jsonl")
@click.option("--variant-a", metavar="NAME", help="The method or mode in A, where it holds several.")
@click.option("--variant-b", metavar="NAME", help="The same in B.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Draws the samples.")
@json_option
def eval_compare(
    first: Path, second: Path, *, variant_a: str | None, variant_b: str | None, seed: int, as_json: bool
) -> int:
    """Compare two runs that --out of `kb eval retrieval`, `kb eval answers` or `kb eval agent` kept.

    For each measure: both means, the difference B - A with the interval of 95 % of 10,000 paired bootstrap samples, p,
    and the questions in which B is higher and lower. A difference whose interval holds 0 may be chance.
    """
    from agent.evaluation.comparison import compare

    one, other = _chosen(first, variant_a, "--variant-a"), _chosen(second, variant_b, "--variant-b")
    found = compare(one, other, seed)
    if not found:
        raise Refused(
            f"{first} and {second} have no question in common",
            next_step="Compare runs over the same questions: both with the same data, --limit and --seed.",
        )
    alone = {"a": len(one.keys() - other.keys()), "b": len(other.keys() - one.keys())}
    rows = [asdict(each) | {"difference": each.difference} for each in found]
    print_result({"only_in": alone, "measures": rows}, _table(found, alone), as_json=as_json)
    return 0


def _chosen(file: Path, variant: str | None, option: str) -> dict[str, dict[str, float]]:
    rows = read_run(file)
    if variant is None and len(rows) == 1:
        return next(iter(rows.values()))
    if variant in rows:
        return rows[variant]
    names = ", ".join(sorted(rows))
    raise Refused(
        f"{file} holds several variants" if variant is None else f"{file} holds no variant {variant}",
        why=f"There are: {names}.",
        next_step=f"Name one of them: {option} NAME.",
    )


def _table(found: "list[Comparison]", alone: dict[str, int]) -> str:
    head = (
        f"{'measure':<20}{'questions':>10}{'A':>10}{'B':>10}{'B - A':>10}{'95 %':>20}{'p':>8}{'higher':>8}{'lower':>8}"
    )
    lines = [head]
    for each in found:
        between = f"{each.low:+.3f} to {each.high:+.3f}"
        lines.append(
            f"{each.measure:<20}{each.questions:>10}{each.first:>10.3f}{each.second:>10.3f}{each.difference:>+10.3f}"
            f"{between:>20}{each.p:>8.3f}{each.higher:>8}{each.lower:>8}"
        )
    if any(alone.values()):
        lines += ["", f"Left out: {alone['a']} questions that only A has, {alone['b']} that only B has."]
    return "\n".join(lines)
