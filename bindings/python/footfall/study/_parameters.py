"""What is varied: numbers of a range, of a distribution, or entries of a list."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from statistics import NormalDist

from .. import _core
from ._yaml import Value

Setting = float | int | str  # what a parameter has in a case, in the unit of the study file

_NUMBER = re.compile(r"^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*?)\s*$")

FARTHEST = 8.0  # deviations: less than one number in 10^15 of a normal distribution is beyond


@dataclass(frozen=True)
class Parameter:
    """A key of the scene, or a name that formulas of the study use."""

    name: str
    where: str
    kind: str  # list, range or normal
    unit: str = ""  # of the study file; empty: SI, or no number
    factor: float = 1.0  # of this unit, in SI units
    values: tuple[Setting, ...] = ()  # a list, or the places of a grid
    low: float = 0.0
    high: float = 1.0
    logarithmic: bool = False
    whole: bool = False  # numbers without fraction
    mean: float = math.nan  # of a normal distribution
    deviation: float = math.nan

    @property
    def is_number(self) -> bool:
        return not any(isinstance(value, str) for value in self.values)

    @property
    def label(self) -> str:
        return f"{self.name} [{self.unit}]" if self.unit else self.name

    def at(self, unit: float) -> Setting:
        """The value for a number of [0, 1): the inverse of its distribution."""
        if self.kind == "list":
            return self.values[min(int(unit * len(self.values)), len(self.values) - 1)]
        if self.kind == "normal":
            return self._normal(unit)
        if self.whole:
            return int(min(self.low + math.floor(unit * (self.high - self.low + 1)), self.high))
        if self.logarithmic:
            return float(math.exp(math.log(self.low) + unit * (math.log(self.high) - math.log(self.low))))
        return self.low + unit * (self.high - self.low)

    def _normal(self, unit: float) -> float:
        bell = NormalDist(self.mean, self.deviation)
        least, most = bell.cdf(self.low), bell.cdf(self.high)  # 0 and 1 where nothing is cut off
        place = min(max(least + unit * (most - least), 1e-16), 1 - 1e-16)
        return min(max(bell.inv_cdf(place), self.low), self.high)

    def text(self, setting: Setting) -> str:
        """As the scene reads it."""
        return f"{setting!r} {self.unit}" if self.unit else str(setting)

    def si(self, setting: Setting) -> Setting:
        """As formulas see it."""
        return setting if isinstance(setting, str) else setting * self.factor


def _number_and_unit(value: Value) -> tuple[float, str]:
    match = _NUMBER.match(value.text())
    if not match or not math.isfinite(float(match[1])):
        raise value.error(f"is {value.found()}, expected a number")
    return float(match[1]), match[2]


def _factor(unit: str, value: Value) -> float:
    if not unit:
        return 1.0
    try:
        return _core._in_si_units(f"1 {unit}")
    except ValueError:
        raise value.error(f"has the unit '{unit}', which is not known") from None


def _same_unit(name: str, fields: dict[str, Value], keys: tuple[str, ...]) -> tuple[dict[str, float], str]:
    """Numbers of these keys, which must all have the same unit (or none)."""
    numbers: dict[str, float] = {}
    units: dict[str, str] = {}
    for key in keys:
        if key in fields:
            numbers[key], units[key] = _number_and_unit(fields[key])
    if len(set(units.values())) > 1:
        listed = " and ".join(f"{key} in '{unit or 'SI'}'" for key, unit in units.items())
        raise fields[keys[0] if keys[0] in fields else next(iter(units))].error(
            f"has another unit than the rest: {listed}"
        )
    return numbers, next(iter(units.values()), "")


def _setting(value: Value) -> Setting:
    text = value.text()
    if value.quoted:
        return text
    try:
        return int(text) if re.fullmatch(r"[-+]?\d{1,15}", text) else float(text)
    except ValueError:
        return text


def _list(name: str, value: Value) -> Parameter:
    items = value.items()
    if not items:
        raise value.error("has no values, expected at least one")
    for item in items:
        if item.is_list or item.is_map:
            hint = "vary its entries by their numbers, or give it formulas of a parameter in `set`"
            raise item.error(f"is {item.found()}, expected a number or a text", hint)
    settings = [_setting(item) for item in items]
    if all(isinstance(setting, str) for setting in settings):
        matches = [_NUMBER.match(item.text()) for item in items]
        units = {match[2] if match else "" for match in matches}
        if len(units) == 1 and (unit := units.pop()) and all(matches):
            numbers = tuple(float(match[1]) for match in matches if match)
            return Parameter(name, value.where, "list", unit, _factor(unit, value), numbers)
    for item in items:
        if item.text().lower().strip("+-.") in ("nan", "inf", "infinity") and not item.quoted:
            raise item.error(f"is {item.found()}, expected a finite number, or a text in quotes")
    if len({isinstance(setting, str) for setting in settings}) > 1:
        raise value.error("mixes numbers and texts (or numbers with and without units)")
    return Parameter(name, value.where, "list", values=tuple(settings))


def _normal(name: str, value: Value, fields: dict[str, Value]) -> Parameter:
    for key in ("mean", "deviation"):
        if key not in fields:
            raise value.error(f"has no {key}", "a normal distribution has both: {mean: 0.6, deviation: 0.05}")
    numbers, unit = _same_unit(name, fields, ("mean", "deviation", "from", "to"))
    if numbers["deviation"] <= 0.0:
        raise fields["deviation"].error(f"is {fields['deviation'].found()}, expected more than 0")
    low, high = numbers.get("from", -math.inf), numbers.get("to", math.inf)
    if not low < high:
        raise value.error("leaves nothing of the distribution: from is not below to")
    if max(low - numbers["mean"], numbers["mean"] - high) > FARTHEST * numbers["deviation"]:
        raise value.error(
            f"leaves nothing of the distribution: all of it is more than {FARTHEST:g} deviations from its mean",
            "`from` and `to` bound what a normal distribution with this mean gives",
        )
    factor = _factor(unit, value)
    return Parameter(
        name, value.where, "normal", unit, factor, (), low, high, mean=numbers["mean"], deviation=numbers["deviation"]
    )


def _grid(parameter: Parameter, count: int) -> tuple[Setting, ...]:
    if parameter.whole:
        values = {
            int(round(parameter.low + k * (parameter.high - parameter.low) / max(count - 1, 1))) for k in range(count)
        }
        return tuple(sorted(values))
    if count == 1:
        return (parameter.low,)
    if parameter.logarithmic:
        ratio = parameter.high / parameter.low
        return (
            parameter.low,
            *(parameter.low * ratio ** (k / (count - 1)) for k in range(1, count - 1)),
            parameter.high,
        )
    span = parameter.high - parameter.low
    return (*(parameter.low + span * k / (count - 1) for k in range(count - 1)), parameter.high)


def _range(name: str, value: Value, fields: dict[str, Value]) -> Parameter:
    for key in ("from", "to"):
        if key not in fields:
            raise value.error(f"has no {key}", "a range has both: {from: 0.1, to: 0.9, count: 5}")
    numbers, unit = _same_unit(name, fields, ("from", "to"))
    low, high = numbers["from"], numbers["to"]
    if not low < high:
        raise value.error(f"goes from {low:g} to {high:g}: from must be below to")
    logarithmic = "scale" in fields and fields["scale"].choice(("linear", "log")) == "log"
    if logarithmic and low <= 0.0:
        raise value.error(f"goes from {low:g} on a logarithmic scale, expected more than 0")
    whole = "whole" in fields and fields["whole"].choice(("true", "false")) == "true"
    if whole and not (low.is_integer() and high.is_integer()):
        raise value.error("is whole, and its ends are not")
    parameter = Parameter(name, value.where, "range", unit, _factor(unit, value), (), low, high, logarithmic, whole)
    if "count" not in fields:
        return parameter
    if fields["count"].count() == 1:
        raise fields["count"].error("is 1, and a range has two ends", f"a single value is a list: [{low:g}{unit and ' '}{unit}]")
    return replace(parameter, values=_grid(parameter, fields["count"].count()))


def read_parameter(name: str, value: Value) -> Parameter:
    """`[0.2, 0.4]`, `{from: 0, to: 1, count: 5}` or `{mean: 0.6, deviation: 0.1}`."""
    if value.is_list:
        return _list(name, value)
    if not value.is_map:
        raise value.error(
            f"is {value.found()}, expected a list or a range", "a fixed value belongs into the section `set`"
        )
    fields = value.fields(("from", "to", "count", "scale", "whole", "mean", "deviation"))
    if "mean" in fields or "deviation" in fields:
        for key in ("count", "scale", "whole"):
            if key in fields:
                raise fields[key].error("has no meaning for a normal distribution")
        return _normal(name, value, fields)
    return _range(name, value, fields)
