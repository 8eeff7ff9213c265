"""Runs cases, one after the other, in the process that calls it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from .. import _core
from ._errors import StudyError, split_error
from ._outcomes import Kept, Outcomes
from ._study import PERIOD_KEY, Case, Study


@dataclass(frozen=True)
class Record:
    """What is kept of a case."""

    number: int
    outcomes: tuple[Kept, ...] = ()  # none: it failed
    failure: str = ""
    seconds: float = 0.0  # that it took

    @property
    def failed(self) -> bool:
        return bool(self.failure)


class CaseWorker:
    """Reads the scene and its robot once, and then runs case after case. `columns`: all that the log of a run has."""

    def __init__(self, study: Study, columns: Sequence[str]) -> None:
        self._study = study
        self._runner = _core._CaseRunner(study.scene)
        self._outcomes = Outcomes(study.outcomes, study.names, columns)

    def run(self, case: Case) -> Record:
        begin = time.perf_counter()
        values: tuple[Kept, ...] = ()
        try:
            table, failure = self._runner.run(self._study.changes_of(case), self._outcomes.columns)
            if not failure:
                values = tuple(self._outcomes.evaluate(table, self._study.in_si_units(case)))
        except (StudyError, _core.Error) as problem:
            failure = _one_line(problem)
        except Exception as problem:  # of a block of the user's, say: the other cases go on
            failure = f"{type(problem).__name__}: {_one_line(problem)}"
        return Record(case.number, values, failure, time.perf_counter() - begin)


def _one_line(problem: Exception) -> str:
    return " ".join(str(problem).split())


def check_study(study: Study, samples: Sequence[Case]) -> list[str]:
    """The columns of its runs. Raises StudyError at the line of the study that the scene does not understand.

    A case that cannot be made is no mistake of the study while another one of the samples can.
    """
    runner = _core._CaseRunner(study.scene)
    lines = {PERIOD_KEY: study.every_where} if study.every else {}
    lines |= {change.key: change.where for change in study.changes} | {p.name: p.where for p in study.keys}
    runner.check([])  # mistakes of the scene are told as such
    changes = study.changes_of(samples[0])
    for k, (key, text) in enumerate(changes):
        try:
            runner.check(changes[: k + 1])
        except _core.Error as problem:
            what, hint = split_error(problem)
            what = what.removeprefix(f"set {key}={text}: ")
            raise StudyError(lines.get(key, study.path), _as_written(what, study), hint) from None
    columns = _columns(runner, study, samples, lines)
    Outcomes(study.outcomes, study.names, columns)
    return columns


def _columns(runner: _core._CaseRunner, study: Study, samples: Sequence[Case], lines: dict[str, str]) -> list[str]:
    first_problem: _core.Error | None = None
    for case in samples:
        try:
            return [name for name, _ in runner.columns(study.changes_of(case))]
        except _core.Error as problem:
            first_problem = first_problem or problem
    what, hint = split_error(first_problem or ValueError())
    raise StudyError(_culprit(runner, study, samples[0], lines), f"the first cases cannot be made: {_as_written(what, study)}", hint)


def _as_written(what: str, study: Study) -> str:
    """A study says `every` for a key of the scene."""
    return what.replace(PERIOD_KEY, "every") if study.every else what


def _culprit(runner: _core._CaseRunner, study: Study, case: Case, lines: dict[str, str]) -> str:
    """The line of the study without which the case could be made; its path where there is none."""
    changes = study.changes_of(case)
    for left_out in changes:
        try:
            runner.columns([change for change in changes if change is not left_out])
        except _core.Error:
            continue
        return lines.get(left_out[0], study.path)
    return study.path
