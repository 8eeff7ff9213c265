"""Options that would be taken and do something else than they say are refused where they are given."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

from .. import _core

MOST_SEED = 2**63 - 1


def suggestion(name: str, known: Iterable[str]) -> str:
    """The nearest known name, or all of them."""
    return _core._suggest(name, list(known))


def check_number(owner: str, name: str, value: Any, least: float = -math.inf, *, above: bool = False) -> None:
    """A finite number, not less than `least`, or above it."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{owner}: {name} is {value!r}, expected a number")
    if not math.isfinite(value) or value < least or (above and value == least):
        bound = "" if least == -math.inf else f" above {least:g}" if above else f", {least:g} or more"
        raise ValueError(f"{owner}: {name} is {value}, expected a finite number{bound}")


def check_seed(owner: str, seed: Any, most: int) -> int:
    """A whole number of any kind, numpy's included."""
    if isinstance(seed, bool) or not isinstance(seed, Integral):
        raise TypeError(f"{owner}: the seed is {seed!r}, expected a whole number")
    number = int(seed)
    if not 0 <= number <= most:
        raise ValueError(f"{owner}: the seed is {number}, expected 0 to {most}")
    return number


def check_count(owner: str, name: str, value: Any, least: int) -> None:
    """A whole number, not less than `least`."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{owner}: {name} is {value!r}, expected a whole number")
    if value < least:
        raise ValueError(f"{owner}: {name} is {value}, expected {least} or more")


def check_range(owner: str, name: str, value: Any, least: float = -math.inf, *, above: bool = False) -> None:
    """Two of them, (low, high)."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise TypeError(f"{owner}: {name} is {value!r}, expected two numbers: (low, high)")
    for bound in value:
        check_number(owner, name, bound, least, above=above)
    if value[0] > value[1]:
        raise ValueError(f"{owner}: {name} is {value}, expected (low, high): were they swapped?")


def check_kind(owner: str, name: str, value: Any, kind: type) -> None:
    """An object of a class of ours, not a dict that looks like it."""
    if not isinstance(value, kind):
        raise TypeError(f"{owner}: {name} is {value!r}, expected a footfall.rl.{kind.__name__}")
