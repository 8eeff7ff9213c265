"""Random numbers of many worlds at once: those of a world depend on its seed and on how many it has drawn, and on no other world."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_U = np.uint64
_GOLDEN = _U(0x9E3779B97F4A7C15)


def _mixed(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of the result depends on every bit of x."""
    x = (x ^ (x >> _U(30))) * _U(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> _U(27))) * _U(0x94D049BB133111EB)
    return x ^ (x >> _U(31))


class WorldRandom:
    """A stream for each world: SplitMix64 from its seed."""

    def __init__(self, worlds: int) -> None:
        self._start = np.zeros(worlds, dtype=np.uint64)
        self._drawn = np.zeros(worlds, dtype=np.uint64)

    def seed(self, seeds: npt.ArrayLike, worlds: npt.NDArray[np.intp] | slice = slice(None)) -> None:
        """Starts the streams of these worlds anew."""
        with np.errstate(over="ignore"):
            self._start[worlds] = _mixed(np.asarray(seeds, dtype=np.int64).astype(np.uint64) + _GOLDEN)
        self._drawn[worlds] = 0

    def uniform(self, low: npt.ArrayLike, high: npt.ArrayLike, worlds: npt.NDArray[np.intp], count: int) -> npt.NDArray[np.float64]:
        """(worlds, count) numbers in [low, high)."""
        with np.errstate(over="ignore"):
            number: npt.NDArray[np.uint64] = np.add(self._drawn[worlds, None], np.arange(1, count + 1, dtype=np.uint64))
            bits = _mixed((self._start[worlds, None] + number * _GOLDEN).astype(np.uint64))
        self._drawn[worlds] += _U(count)
        unit = (bits >> _U(11)).astype(np.float64) * 2.0**-53
        low = np.asarray(low, dtype=np.float64)
        numbers: npt.NDArray[np.float64] = low + (np.asarray(high, dtype=np.float64) - low) * unit
        return numbers
