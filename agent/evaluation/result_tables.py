"""Tables of kept results: each setting on each data set, against the default, with intervals. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agent.evaluation.comparison import interval

Measures = Mapping[str, Mapping[str, float]]
"""The measures of each question, by its id."""

IN_POINTS = 100
"""Shares are shown in points of 100; measures that end with `ms` as they are."""


@dataclass(frozen=True, slots=True)
class SettingCell:
    """A setting on a data set: the mean, and the difference to the default with the bounds in which it lies in 95 % of
    the paired bootstrap samples; None of the default itself."""

    mean: float
    questions: int
    against: tuple[float, float, float] | None = None

    def shown(self, scale: float) -> str:
        """As a cell of the table."""
        mean = f"{scale * self.mean:.1f}"
        if self.against is None:
            return f"**{mean}**"
        difference, low, high = (scale * each for each in self.against)
        return f"{mean}, {difference:+.1f} ({low:+.1f} to {high:+.1f})"


def setting_cell(found: Measures, default: Measures | None, measure: str, seed: int = 0) -> SettingCell | None:
    """The cell of one setting, over the questions of which both have the measure; None where there is none.

    default: the same of the default; None for the default itself. seed: of the bootstrap samples.
    """
    have = [name for name, row in found.items() if measure in row]
    if default is not None:
        have = [name for name in have if measure in default.get(name, {})]
    if not have:
        return None
    values = np.array([found[name][measure] for name in have])
    if default is None:
        return SettingCell(float(values.mean()), len(have))
    differences = values - np.array([default[name][measure] for name in have])
    low, high, _ = interval(differences, seed)
    return SettingCell(float(values.mean()), len(have), (float(differences.mean()), low, high))


def result_table(sets: Mapping[str, Mapping[str, Measures]], default: str, measure: str, seed: int = 0) -> str:
    """Markdown: a row for each setting, the default first, a column for each data set.

    sets: by the name of the data set, the measures of each setting. A data set without the default is left out, and so
    is a setting that has the measure nowhere.
    """
    known = {name: settings for name, settings in sets.items() if default in settings}
    rows: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    names = dict.fromkeys([default, *(setting for settings in known.values() for setting in settings)])
    scale = 1 if measure.endswith("ms") else IN_POINTS
    for setting in names:
        cells = []
        for name, settings in known.items():
            against = None if setting == default else settings[default]
            cell = setting_cell(settings.get(setting, {}), against, measure, seed)
            cells.append(cell.shown(scale) if cell else "")
            if cell and setting == default:
                counts[name] = cell.questions
        if any(cells):
            rows[setting] = cells
    columns = [f"{name}, {counts.get(name, 0)} questions" for name in known]
    return "\n".join(_lines(f"{measure}, and the difference to the default (95 %)", columns, rows))


def _lines(head: str, columns: Sequence[str], rows: Mapping[str, Sequence[str]]) -> list[str]:
    lines = [f"| {head} | {' | '.join(columns)} |", "|---" * (1 + len(columns)) + "|"]
    return lines + [f"| {name} | {' | '.join(cells)} |" for name, cells in rows.items()]


def with_table(page: str, name: str, table: str) -> str | None:
    """The page with the table between its marks `<!-- table NAME -->` and `<!-- end of table NAME -->`, in the place
    of what stands there; None where the marks are missing."""
    begin, end = f"<!-- table {name} -->", f"<!-- end of table {name} -->"
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    return f"{before}{begin}\n\n{table}\n\n{end}{after}" if found and closed else None
