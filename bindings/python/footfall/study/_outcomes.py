"""What is kept of a case: formulas of the channels that its log would have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._errors import StudyError, nearest
from ._formula import Formula
from ._functions import NotASignal
from ._parameters import Setting
from ._study import Outcome

Kept = float | bool | None  # None: there is no such number, for instance an instant that never came


class Outcomes:
    """The outcomes of a study, bound to the columns of its runs."""

    def __init__(self, outcomes: Sequence[Outcome], parameters: Sequence[str], columns: Sequence[str]) -> None:
        self._formulas = [
            (outcome.name, Formula(outcome.formula, outcome.where, over_time=True)) for outcome in outcomes
        ]
        self._vectors = _vectors(columns)
        self._signals: dict[str, list[int]] = {}  # of each name, places in `columns`
        self.columns = ["time"]  # that a run has to keep
        before = set(parameters)
        for name, formula in self._formulas:
            for used in formula.names:
                if used not in before:
                    self._add_signal(used, formula, before, columns)
            before.add(name)
        self._try(parameters)

    def _add_signal(self, name: str, formula: Formula, others: set[str], columns: Sequence[str]) -> None:
        wanted = [name] if name in columns else self._vectors.get(name)
        if wanted is None:
            known = [*others, *self._vectors, *columns]
            raise StudyError(formula.where, f"'{formula.text}': there is no channel '{name}'", nearest(name, known))
        for column in wanted:
            if column not in self.columns:
                self.columns.append(column)
        self._signals[name] = [self.columns.index(column) for column in wanted]

    def evaluate(self, table: np.ndarray, settings: Mapping[str, Setting]) -> list[Kept]:
        """Of a run (rows × columns)."""
        environment: dict[str, Any] = {"time": table[:, 0], **settings}
        for name, places in self._signals.items():
            environment[name] = table[:, places[0]] if len(places) == 1 else table[:, places]
        values: list[Kept] = []
        for name, formula in self._formulas:
            value = formula.evaluate(environment)
            environment[name] = value
            values.append(_kept(value))
        return values

    def _try(self, parameters: Sequence[str]) -> None:
        """A formula that is no single number is found before the first case runs."""
        table = np.ones((2, len(self.columns)))
        environment: dict[str, Any] = {"time": table[:, 0], **dict.fromkeys(parameters, 1.0)}
        for name, places in self._signals.items():
            environment[name] = table[:, places[0]] if len(places) == 1 else table[:, places]
        for name, formula in self._formulas:
            try:
                environment[name] = formula.evaluate(environment)
            except NotASignal as problem:
                raise StudyError(formula.where, f"'{formula.text}': {problem}") from None
            except (TypeError, ValueError) as problem:
                raise StudyError(formula.where, f"'{formula.text}' cannot be computed: {problem}") from None
            if np.ndim(environment[name]) > 0:
                hint = f"final({formula.text}), max({formula.text}), mean({formula.text}) … are single numbers"
                raise StudyError(
                    formula.where, f"'{formula.text}' has a value for every instant, expected a single one", hint
                )


def _vectors(columns: Sequence[str]) -> dict[str, list[str]]:
    """`base.position` is base.position.x, .y and .z."""
    vectors: dict[str, list[str]] = {}
    for column in columns:
        stem, dot, _ = column.rpartition(".")
        if dot:
            vectors.setdefault(stem, []).append(column)
    return {stem: parts for stem, parts in vectors.items() if len(parts) > 1}


def _kept(value: Any) -> Kept:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    number = float(value)
    return None if np.isnan(number) else number
