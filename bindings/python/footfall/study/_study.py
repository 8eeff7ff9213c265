"""A study as its file says it."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path

from .. import _core
from ._errors import StudyError, nearest
from ._formula import Formula
from ._parameters import Parameter, Setting, read_parameter
from ._samples import METHODS, case_seed, grid_points, most_dimensions, unit_points
from ._yaml import Value, read_yaml

MOST_CASES = 1_000_000
SEARCH_METHODS = ("bayesian", "evolution", "genetic")
SEED_KEY = "run.seed"
RESERVED = ("case", "repeat", "seed", "status", "failure")  # columns of the table
PERIOD_KEY = "run.log_period"


@lru_cache(maxsize=10_000)
def _formula(text: str, where: str) -> Formula | None:
    """None: the text is no formula."""
    try:
        return Formula(text, where, over_time=False)
    except StudyError:
        return None


@dataclass(frozen=True)
class Change:
    """A key of the scene that the section `set` gives: a text, a formula, or a list of them."""

    key: str
    where: str
    parts: tuple[str, ...]
    is_list: bool

    def text(self, settings: Mapping[str, Setting]) -> str:
        """What the scene is told when the parameters are these (in SI units)."""
        parts = [self._part(part, settings) for part in self.parts]
        return f"[{', '.join(parts)}]" if self.is_list else parts[0]

    def formulas(self, names: Iterable[str]) -> list[Formula]:
        """A text that uses a parameter is a formula of it."""
        found = [_formula(part, self.where) for part in self.parts]
        return [formula for formula in found if formula and any(name in formula.names for name in names)]

    def _part(self, part: str, settings: Mapping[str, Setting]) -> str:
        formula = _formula(part, self.where)
        if formula is None or not any(name in settings for name in formula.names):
            return part
        for name in formula.names:
            if isinstance(text := settings.get(name), str):
                if part.strip() == name:
                    return text
                raise StudyError(self.where, f"'{part}' cannot be computed: {name} is the text '{text}'")
        try:
            return repr(float(formula.evaluate(settings)))
        except (TypeError, ValueError) as problem:
            raise StudyError(self.where, f"'{part}' cannot be computed: {problem}") from None


@dataclass(frozen=True)
class Outcome:
    name: str
    where: str
    formula: str


@dataclass(frozen=True)
class Search:
    where: str
    outcome: str
    maximize: bool
    method: str
    trials: int
    batch: int  # cases that are chosen before their outcomes are known


@dataclass(frozen=True)
class Case:
    """One run: its number, and what the parameters are in it."""

    number: int
    settings: tuple[Setting, ...]
    seed: int
    repeat: int = 0


@dataclass(frozen=True)
class Study:
    path: str
    title: str
    scene: str
    parameters: tuple[Parameter, ...]
    changes: tuple[Change, ...]
    outcomes: tuple[Outcome, ...]
    method: str  # one of METHODS, or "search"
    count: int  # of points; 0 for a grid
    repeat: int
    seed: int
    every: str  # time between the rows that outcomes see; empty: as the scene says
    search: Search | None = None
    every_where: str = field(default="", compare=False)
    digest: str = field(default="", compare=False)  # of all that decides the results

    def __getstate__(self) -> dict[str, object]:
        """What other processes get: the fields, without lists of cases that were made from them."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    @cached_property
    def names(self) -> list[str]:
        return [parameter.name for parameter in self.parameters]

    @cached_property
    def keys(self) -> list[Parameter]:
        """Parameters that are keys of the scene; the others are names that formulas use."""
        return [parameter for parameter in self.parameters if "." in parameter.name]

    @cached_property
    def _points(self) -> list[tuple[Setting, ...]]:
        if self.method == "grid":
            sizes = [len(parameter.values) for parameter in self.parameters]
            return [tuple(p.values[i] for p, i in zip(self.parameters, places)) for places in grid_points(sizes)]
        cube = unit_points(self.method, self.count, len(self.parameters), self.seed)
        return [tuple(p.at(float(u)) for p, u in zip(self.parameters, row)) for row in cube]

    @property
    def case_count(self) -> int:
        if self.search:
            return self.search.trials * self.repeat
        points = self.count
        if self.method == "grid":
            points = 1
            for parameter in self.parameters:
                points *= len(parameter.values)
        return points * self.repeat

    def case(self, number: int) -> Case:
        point, repeat = divmod(number, self.repeat)
        return Case(number, self._points[point], case_seed(self.seed, number), repeat)

    def case_of(self, number: int, settings: tuple[Setting, ...]) -> Case:
        """Of a search, which chooses as it goes."""
        return Case(number, settings, case_seed(self.seed, number), number % self.repeat)

    def changes_of(self, case: Case) -> list[tuple[str, str]]:
        """What the scene is told, as `footfall run --set` would be."""
        settings = self.in_si_units(case)
        changes = [(PERIOD_KEY, self.every)] if self.every else []
        changes += [(change.key, change.text(settings)) for change in self.changes]
        changes += [(p.name, p.text(value)) for p, value in zip(self.parameters, case.settings) if "." in p.name]
        if not any(key == SEED_KEY for key, _ in changes):
            changes.append((SEED_KEY, str(case.seed)))
        return changes

    def in_si_units(self, case: Case) -> dict[str, Setting]:
        return {p.name: p.si(value) for p, value in zip(self.parameters, case.settings)}


def _read_change(key: str, value: Value) -> Change:
    if value.is_list:
        return Change(key, value.where, tuple(item.text() for item in value.items()), True)
    return Change(key, value.where, (value.text(),), False)


def _read_sample(value: Value | None) -> tuple[str, int]:
    if value is None:
        return "grid", 0
    if value.is_text:
        method = value.choice(METHODS)
        if method != "grid":
            raise value.error(
                f"is {method}, and does not say how many cases", f"sample: {{method: {method}, count: 100}}"
            )
        return "grid", 0
    fields = value.fields(("method", "count"))
    if "method" not in fields:
        raise value.error("has no method", f"one of {', '.join(METHODS)}")
    method = fields["method"].choice(METHODS)
    if method == "grid":
        if "count" in fields:
            raise fields["count"].error("has no meaning for a grid", "each parameter of a grid has its own count")
        return "grid", 0
    if "count" not in fields:
        raise value.error("does not say how many cases: count is missing")
    return method, fields["count"].count()


def _read_search(value: Value, outcomes: Sequence[Outcome]) -> Search:
    fields = value.fields(("minimize", "maximize", "method", "trials", "batch"))
    goals = [key for key in ("minimize", "maximize") if key in fields]
    if len(goals) != 1:
        raise value.error("needs one of minimize and maximize", "search: {maximize: distance, trials: 100}")
    goal = fields[goals[0]].choice([outcome.name for outcome in outcomes])
    if "trials" not in fields:
        raise value.error("does not say how many cases: trials is missing")
    method = fields["method"].choice(SEARCH_METHODS) if "method" in fields else "bayesian"
    batch = fields["batch"].count() if "batch" in fields else 8
    return Search(value.where, goal, goals[0] == "maximize", method, fields["trials"].count(), batch)


def _check_points(study: Study) -> None:
    for parameter in study.parameters:
        if study.search and parameter.kind == "normal":
            raise StudyError(
                parameter.where, f"{parameter.name} is a distribution, and a search needs a range", "{from: …, to: …}"
            )
        if study.method == "grid" and not parameter.values:
            hint = "{from: 0, to: 1, count: 5}, or a list; sample: {method: sobol, count: 100} needs no count here"
            raise StudyError(parameter.where, f"{parameter.name} does not say how many values it has in a grid", hint)
    if len(study.parameters) > most_dimensions(study.method):
        hint = "latin_hypercube takes any number"
        raise StudyError(
            study.path, f"sobol takes {most_dimensions('sobol')} parameters at most, not {len(study.parameters)}", hint
        )
    if study.case_count > MOST_CASES:
        raise StudyError(study.path, f"the study has {study.case_count:,} cases, expected {MOST_CASES:,} at most")


def _check_names(study: Study) -> None:
    """A parameter that nobody uses is a slip of the pen."""
    used: set[str] = set()
    for change in study.changes:
        for formula in change.formulas(study.names):
            used.update(formula.names)
            for name in formula.names:
                if name not in study.names:
                    raise StudyError(
                        change.where, f"'{formula.text}': there is no parameter '{name}'", nearest(name, study.names)
                    )
    for parameter in study.parameters:
        if "." not in parameter.name and parameter.name not in used:
            hint = "keys of the scene have dots, such as ground.friction; other names are for formulas in `set`"
            raise StudyError(
                parameter.where,
                f"the parameter '{parameter.name}' is no key of the scene, and no formula of `set` uses it",
                hint,
            )
    both = {change.key for change in study.changes} & set(study.names)
    for key in both:
        raise StudyError(study.path, f"{key} is both a parameter and in `set`", "remove one of them")
    for outcome in study.outcomes:
        if not outcome.name.strip() or any(ord(letter) < 32 for letter in outcome.name):
            raise StudyError(outcome.where, f"the outcome {outcome.name!r} has no name for a column of the table")
        if outcome.name in (*study.names, *(p.label for p in study.parameters), *RESERVED):
            raise StudyError(outcome.where, f"the outcome '{outcome.name}' has the name of another column of the table")


def _digest(study: Study, scene: Path) -> str:
    """Of everything that decides the results, except for the files that the scene names."""
    what = [_core._version(), study.parameters, study.changes, study.outcomes, study.method, study.count, study.repeat]
    what += [study.seed, study.every, study.search]
    # In another folder, and with lines that moved, it is the same study.
    text = re.sub(r"where=':\d+'", "", repr(what).replace(study.path, ""))
    return hashlib.sha256(text.encode() + scene.read_bytes()).hexdigest()[:16]


def _scene_path(value: Value, beside: Path) -> Path:
    path = Path(value.text()).expanduser()
    path = path if path.is_absolute() else beside / path
    if not path.is_file():
        raise value.error(f"is '{value.text()}', and there is no such file", f"looked for {path}")
    return path


def read_study(path: str | Path) -> Study:
    """Raises StudyError or footfall.Error, with file and line."""
    path = Path(path)
    root = read_yaml(path)
    keys = ("study", "scene", "seed", "sample", "repeat", "parameters", "set", "every", "outcomes", "search")
    fields = root.fields(keys)
    for key in ("scene", "parameters", "outcomes"):
        if key not in fields:
            raise root.error(f"the study has no {key}", "docs/studies.md shows a whole one")
    parameters = tuple(read_parameter(name, value) for name, value in fields["parameters"].entries().items())
    if not parameters:
        raise fields["parameters"].error("names none: the study has no cases")
    outcomes = tuple(Outcome(name, value.where, value.text()) for name, value in fields["outcomes"].entries().items())
    if not outcomes:
        raise fields["outcomes"].error("names none: nothing would be left of a case")
    search = _read_search(fields["search"], outcomes) if "search" in fields else None
    if search and "sample" in fields:
        raise fields["sample"].error("does not go together with `search`, which chooses its own cases")
    method, count = ("search", 0) if search else _read_sample(fields.get("sample"))
    scene = _scene_path(fields["scene"], path.parent)
    study = Study(
        path=str(path),
        title=" ".join(fields["study"].text().split()) if "study" in fields else path.stem,
        scene=str(scene),
        parameters=parameters,
        changes=tuple(_read_change(k, v) for k, v in fields["set"].entries().items()) if "set" in fields else (),
        outcomes=outcomes,
        method=method,
        count=count,
        repeat=fields["repeat"].count() if "repeat" in fields else 1,
        seed=fields["seed"].count(0) if "seed" in fields else 0,
        every=fields["every"].text() if "every" in fields else "",
        search=search,
        every_where=fields["every"].where if "every" in fields else "",
    )
    _check_points(study)
    _check_names(study)
    return replace(study, digest=_digest(study, scene))
