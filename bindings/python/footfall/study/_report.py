"""The results as one html file that anyone can open: it loads nothing, and runs no script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from . import _svg
from ._goal import best_case, goals
from ._parameters import Parameter
from ._study import Outcome
from ._table import Table, write_safely

_MOST_DOTS = 2000  # of a plot
_MOST_ROWS = 1000  # of the table of cases
_MOST_CELLS = 2500  # of a heat map

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --grid: #ddd; --dot: #3b528b; --mark: #d1495b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #161616; --grid: #3a3a3a; --dot: #7f9be0; --mark: #ff8a8a; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
body { max-width: 1080px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 2em; } code { font-size: 0.95em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 2px 10px; border-bottom: 1px solid var(--grid); }
th:first-child, td:first-child { text-align: left; }
.wide { overflow: auto; max-height: 30em; }
.plots { display: flex; flex-wrap: wrap; gap: 12px; } figure { margin: 0; width: 340px; }
figcaption { font-size: 0.85em; opacity: 0.8; } svg { display: block; }
svg text { font: 10px system-ui, sans-serif; fill: var(--ink); } svg text.l { font-size: 11px; font-weight: 600; }
.g { stroke: var(--grid); } .d { fill: var(--dot); fill-opacity: 0.5; } .b { fill: var(--dot); }
.m { fill: none; stroke: var(--mark); stroke-width: 1.5; } .k { fill: var(--mark); } .bad { color: var(--mark); }
"""


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else escape(str(value))


def _html_table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    lines = ["<tr>" + "".join(f"<th>{escape(name)}</th>" for name in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>" for row in rows]
    return f"<div class=wide><table>{''.join(lines)}</table></div>"


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def _ranks(values: Sequence[float]) -> np.ndarray:
    """Places in the order; equal values share the mean of theirs."""
    numbers = np.asarray(values, float)
    _, inverse, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2.0)[inverse]


def rank_correlation(a: Sequence[float], b: Sequence[float]) -> float:
    """Spearman's: 1 where one only rises with the other; 0 where one of them does not change."""
    x, y = _ranks(a), _ranks(b)
    x, y = x - x.mean(), y - y.mean()
    size = math.sqrt(float(x @ x) * float(y @ y))
    return float(x @ y) / size if size > 0.0 else 0.0


def wilson(successes: int, count: int) -> tuple[float, float]:
    """Where the true share lies, in 95 of 100 studies."""
    z, share = 1.959964, successes / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)


class _Report:
    def __init__(self, table: Table) -> None:
        self._table, self._study = table, table.study
        self._independent = self._study.method in ("random", "monte_carlo")  # what errors of means are about

    def text(self) -> str:
        study = self._study
        parts = [f"<h1>{escape(study.title)}</h1>", self._summary()]
        if study.search:
            parts.append(self._found())
        parts += [self._outcome(outcome) for outcome in study.outcomes]
        parts += [self._failures(), self._cases()]
        head = "<meta charset=utf-8><meta name=viewport content='width=device-width'>"
        head += f"<title>{escape(study.title)}</title><style>{_STYLE}</style>"
        return f"<!doctype html><html lang=en><head>{head}</head><body>{''.join(parts)}</body></html>\n"

    def _summary(self) -> str:
        study, rows = self._study, self._table.rows
        how = f"search, {study.search.method}" if study.search else study.method.replace("_", " ")
        text = f"{len(rows):,} of {study.case_count:,} cases ({how}, seed {study.seed})"
        text += f" of <code>{escape(Path(study.scene).name)}</code>"
        failed = len(self._table.failures)
        return f"<p>{text}" + (f", <span class=bad>{failed:,} failed</span>" if failed else "") + "</p>"

    def _found(self) -> str:
        study, search = self._study, self._study.search
        assert search is not None
        best = best_case(study, self._table.records)
        if best is None:
            return "<h2>Found</h2><p>nothing yet</p>"
        row = next(row for row in self._table.rows if row[0] == best)
        names = [*(p.label for p in study.parameters), *(o.name for o in study.outcomes)]
        values = [[row[self._table.columns.index(name)] for name in names]]
        pick, best_so_far, curve = (max if search.maximize else min), None, []
        for case, goal in sorted(goals(study, self._table.records).items()):
            best_so_far = goal if best_so_far is None else pick(best_so_far, goal)
            curve.append((float(case), best_so_far))
        plot = _figure(_svg.line("case", f"best {search.outcome}", curve), "the best until then")
        return f"<h2>Found: case {best}</h2>{_html_table(names, values)}<div class=plots>{plot}</div>"

    def _outcome(self, outcome: Outcome) -> str:
        found = [(row, row[self._table.columns.index(outcome.name)]) for row in self._table.done]
        found = [(row, value) for row, value in found if value is not None and math.isfinite(value)]
        head = f"<h2>{escape(outcome.name)}</h2><p><code>{escape(outcome.formula)}</code></p>"
        if not found:
            return head + "<p>no case has a number for it</p>"
        values = [value for _, value in found]
        plots = self._plots(outcome, [row for row, _ in found], [float(value) for value in values])
        return head + self._statistics(values) + f"<div class=plots>{plots}</div>"

    def _statistics(self, values: Sequence[Any]) -> str:
        count, missing = len(values), len(self._table.done) - len(values)
        note = f"<p>{missing:,} cases have no number for it</p>" if missing else ""
        if all(isinstance(value, bool) for value in values):
            low, high = wilson(sum(values), count)
            share = f"<p>true in {sum(values):,} of {count:,} cases: {100 * sum(values) / count:.3g} %"
            interval = f" (95 % confidence: {100 * low:.3g} % to {100 * high:.3g} %)" if self._independent else ""
            return share + interval + "</p>" + note
        numbers = np.asarray(values, float)
        percentiles = [float(np.percentile(numbers, p)) for p in (5, 50, 95)]
        head = ["cases", "least", "5 %", "median", "95 %", "most", "mean", "deviation"]
        deviation = float(np.std(numbers, ddof=1)) if count > 1 else 0.0
        row = [count, float(numbers.min()), *percentiles, float(numbers.max()), float(numbers.mean()), deviation]
        if self._independent:
            head, row = [*head, "error of the mean"], [*row, deviation / math.sqrt(count)]
        return _html_table(head, [row]) + note

    def _plots(self, outcome: Outcome, rows: Sequence[Sequence[Any]], values: Sequence[float]) -> str:
        step = -(-len(rows) // _MOST_DOTS)
        shown = f"every {step}th case" if step > 1 else ""
        figures = []
        if self._is_map():
            figures.append(self._map(rows, values))
        for parameter in self._study.parameters:
            settings = self._settings(parameter, rows)
            points = list(zip(settings, values))[::step]
            caption = [shown] if shown else []
            if parameter.is_number and len(set(settings)) > 1 and len(set(values)) > 1:
                caption.insert(0, f"rank correlation {rank_correlation([float(s) for s in settings], values):+.2f}")
            figures.append(_figure(_svg.scatter(parameter.label, outcome.name, points), ", ".join(caption)))
        if len(set(values)) > 2:
            figures.append(_figure(_svg.histogram(outcome.name, values), "how often it was what"))
        return "".join(figures)

    def _settings(self, parameter: Parameter, rows: Sequence[Sequence[Any]]) -> list[Any]:
        place = self._table.columns.index(parameter.label)
        return [row[place] for row in rows]

    def _is_map(self) -> bool:
        if self._study.method != "grid" or len(self._study.parameters) != 2:
            return False
        sizes = [len(parameter.values) for parameter in self._study.parameters]
        return min(sizes) > 1 and sizes[0] * sizes[1] <= _MOST_CELLS

    def _map(self, rows: Sequence[Sequence[Any]], values: Sequence[float]) -> str:
        x, y = self._study.parameters
        points = list(zip(self._settings(x, rows), self._settings(y, rows), values))
        return _figure(_svg.heat_map(x.label, y.label, points), "colour: the outcome")

    def _failures(self) -> str:
        rows = self._table.failures
        if not rows:
            return ""
        shown = [[row[0], row[-1]] for row in rows[:_MOST_ROWS]]
        return f"<h2 class=bad>Failed cases</h2>{_html_table(['case', 'why'], shown)}"

    def _cases(self) -> str:
        rows = self._table.rows
        more = f"<p>the first {_MOST_ROWS:,}; results.csv has all</p>" if len(rows) > _MOST_ROWS else ""
        return f"<h2>Cases</h2>{more}{_html_table(self._table.columns[:-1], [row[:-1] for row in rows[:_MOST_ROWS]])}"


def write_report(table: Table, path: Path) -> None:
    """Raises CannotWrite."""
    text = _Report(table).text().encode("utf-8", "replace")

    def write(to: Path) -> None:
        to.write_bytes(text)

    write_safely(path, write)
