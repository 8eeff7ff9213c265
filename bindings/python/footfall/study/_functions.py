"""What formulas may call.

A signal is an array with one number for each row of the run, a vector signal has a column for each component. Rows in
which nothing was written (forces in the last row, which no step follows) do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Signal = Any  # an array over time, or a number


class NotASignal(Exception):
    """A function over time got a number, or one of components a plain signal."""


@dataclass(frozen=True)
class Function:
    call: Callable[..., Any]  # of the environment and the arguments
    arguments: tuple[int, ...]  # how many there may be


def _plain(function: Callable[..., Any], count: int = 1) -> Function:
    return Function(lambda _, *values: function(*values), (count,))


def _written(signal: Signal, name: str) -> np.ndarray:
    """The rows that have a number."""
    values = np.asarray(signal)
    if values.ndim == 0:
        raise NotASignal(f"{name}() needs a signal, not a number")
    if values.ndim == 2:
        raise NotASignal(
            f"{name}() needs a single signal, not a vector: name a component, such as .x, or take norm() of it"
        )
    return values if values.dtype == bool else values[~np.isnan(values)]


def _over_time(name: str, reduce: Callable[[np.ndarray], Any]) -> Function:
    def call(_: Mapping[str, Any], signal: Signal) -> Any:
        values = _written(signal, name)
        return reduce(values) if len(values) else float("nan")

    return Function(call, (1,))


def _over_time_or_of_two(name: str, reduce: Callable[[np.ndarray], Any], join: Callable[[Any, Any], Any]) -> Function:
    """min(signal) is its least value, min(a, b) the lesser of two."""
    over_time = _over_time(name, reduce)
    return Function(lambda e, *values: join(*values) if len(values) == 2 else over_time.call(e, *values), (1, 2))


def _rows(e: Mapping[str, Any], signal: Signal, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Times and values of the rows that have a number."""
    values = np.asarray(signal)
    _written(values, name)
    rows = np.ones(len(values), bool) if values.dtype == bool else ~np.isnan(values)
    return np.asarray(e["time"])[rows], values[rows]


def _time_of(name: str, place: Callable[[np.ndarray], Any]) -> Function:
    def call(e: Mapping[str, Any], signal: Signal) -> float:
        times, values = _rows(e, signal, name)
        return float(times[place(values)]) if len(values) else float("nan")

    return Function(call, (1,))


def _time_when(e: Mapping[str, Any], condition: Signal) -> float:
    times, holds = _rows(e, condition, "time_when")
    places = np.flatnonzero(holds)
    return float(times[places[0]]) if len(places) else float("nan")


def _time_while(e: Mapping[str, Any], condition: Signal) -> float:
    times, holds = _rows(e, condition, "time_while")
    return float(np.sum(np.diff(times) * (np.asarray(holds[:-1]) != 0)))


def _integral(e: Mapping[str, Any], signal: Signal) -> float:
    times, values = _rows(e, signal, "integral")
    values = values.astype(float)
    return float(np.sum(np.diff(times) * (values[1:] + values[:-1]) / 2))


def _at(e: Mapping[str, Any], signal: Signal, time: float) -> float:
    times, values = _rows(e, signal, "at")
    if not len(times) or not times[0] <= time <= times[-1]:
        return float("nan")
    return float(np.interp(time, times, values.astype(float)))


def _norm(_: Mapping[str, Any], vector: Signal) -> Signal:
    values = np.asarray(vector)
    if values.ndim != 2:
        raise NotASignal("norm() needs a vector, such as base.velocity")
    return np.sqrt(np.sum(values * values, axis=1))


def _displacement(_: Mapping[str, Any], vector: Signal) -> Signal:
    values = np.asarray(vector)
    if values.ndim != 2:
        raise NotASignal("displacement() needs a vector, such as base.position")
    return np.sqrt(np.sum((values - values[0]) ** 2, axis=1))


_COMMON = {
    **{
        name: _plain(getattr(np, name))
        for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "abs", "floor", "ceil", "sign")
    },
    "asin": _plain(np.arcsin),
    "acos": _plain(np.arccos),
    "atan": _plain(np.arctan),
    "atan2": _plain(np.arctan2, 2),
    "pow": _plain(np.power, 2),
}

PLAIN_FUNCTIONS: dict[str, Function] = {**_COMMON, "min": _plain(np.minimum, 2), "max": _plain(np.maximum, 2)}

FUNCTIONS: dict[str, Function] = {
    **_COMMON,
    "min": _over_time_or_of_two("min", np.min, np.minimum),
    "max": _over_time_or_of_two("max", np.max, np.maximum),
    "initial": _over_time("initial", lambda v: v[0]),
    "final": _over_time("final", lambda v: v[-1]),
    "mean": _over_time("mean", np.mean),
    "std": _over_time("std", np.std),
    "rms": _over_time("rms", lambda v: np.sqrt(np.mean(np.square(v.astype(float))))),
    "range": _over_time("range", lambda v: np.max(v) - np.min(v)),
    "ever": _over_time("ever", lambda v: bool(np.any(v))),
    "always": _over_time("always", lambda v: bool(np.all(v))),
    "time_of_max": _time_of("time_of_max", np.argmax),
    "time_of_min": _time_of("time_of_min", np.argmin),
    "time_when": Function(_time_when, (1,)),
    "time_while": Function(_time_while, (1,)),
    "integral": Function(_integral, (1,)),
    "at": Function(_at, (2,)),
    "norm": Function(_norm, (1,)),
    "displacement": Function(_displacement, (1,)),
}
