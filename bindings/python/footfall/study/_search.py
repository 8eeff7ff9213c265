"""Cases that are chosen by what came out of those before. Importing this imports optuna.

Cases are chosen in batches of a fixed size and told in their order, so that the same study finds the same, on however
many processes; one that goes on after a kill asks for the same cases again, and takes the outcomes from its journal.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import optuna

from ._case import Record
from ._errors import StudyError
from ._goal import goal_of
from ._parameters import Parameter, Setting
from ._study import Case, Search, Study

RunBatch = Callable[[list[Case]], dict[int, Record]]


def _sampler(search: Search, seed: int) -> Any:
    if search.method == "bayesian":
        return optuna.samplers.TPESampler(seed=seed, multivariate=True, constant_liar=True)
    if search.method == "genetic":
        return optuna.samplers.NSGAIISampler(seed=seed, population_size=max(2 * search.batch, 10))
    try:
        import cmaes  # noqa: F401  optuna's own message comes later and says less
    except ImportError:
        raise StudyError(
            search.where, "evolution needs the package cmaes", "pip install cmaes, or method: genetic"
        ) from None
    return optuna.samplers.CmaEsSampler(seed=seed, popsize=max(search.batch, 4))


def _suggest(trial: Any, parameter: Parameter) -> Setting:
    name, low, high, log = parameter.name, parameter.low, parameter.high, parameter.logarithmic
    setting: Setting
    if parameter.kind == "list":
        setting = trial.suggest_categorical(name, list(parameter.values))
    elif parameter.whole:
        setting = trial.suggest_int(name, int(low), int(high), log=log)
    else:
        setting = trial.suggest_float(name, low, high, log=log)
    return setting


class Searcher:
    """Chooses the cases of a study."""

    def __init__(self, study: Study) -> None:
        assert study.search is not None
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._study, self._search = study, study.search
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = _sampler(self._search, study.seed)
        direction: Any = "maximize" if self._search.maximize else "minimize"
        self._optuna: Any = optuna.create_study(direction=direction, sampler=sampler)

    def batches(self, run: RunBatch) -> Iterator[list[Case]]:
        """Runs batch after batch; yields each when it is done."""
        for first in range(0, self._search.trials, self._search.batch):
            size = min(self._search.batch, self._search.trials - first)
            trials = [self._optuna.ask() for _ in range(size)]
            cases = [case for trial in trials for case in self._cases(trial)]
            records = run(cases)
            for trial in trials:
                self._tell(trial, [records[case.number] for case in self._cases(trial)])
            yield cases

    def _cases(self, trial: Any) -> list[Case]:
        settings = tuple(_suggest(trial, parameter) for parameter in self._study.parameters)
        first = trial.number * self._study.repeat
        return [self._study.case_of(number, settings) for number in range(first, first + self._study.repeat)]

    def _tell(self, trial: Any, records: list[Record]) -> None:
        goal = goal_of(self._study, records)
        self._optuna.tell(trial, goal, state=optuna.trial.TrialState.FAIL if goal is None else None)
