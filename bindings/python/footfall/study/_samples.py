"""Where cases lie: points of the unit cube, one row for each case, or all combinations of a grid."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence

import numpy as np

from ._sobol import MOST_DIMENSIONS, sobol

METHODS = ("grid", "random", "monte_carlo", "sobol", "latin_hypercube")


def case_seed(study_seed: int, case: int) -> int:
    """Of the random numbers of one case: the same whatever order cases run in. Fits into a double."""
    digest = hashlib.sha256(f"footfall study {study_seed} case {case}".encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 11


def _random(count: int, dimensions: int, seed: int) -> np.ndarray:
    """Each case has its own numbers, so that a longer study begins with the same cases."""
    rows = [np.random.Generator(np.random.Philox(key=[seed, case])).random(dimensions) for case in range(count)]
    return np.array(rows).reshape(count, dimensions)


def _latin_hypercube(count: int, dimensions: int, seed: int) -> np.ndarray:
    """In every dimension one point in each of `count` equal parts."""
    random = np.random.Generator(np.random.Philox(key=[seed, 0x1A71]))
    parts = np.column_stack([random.permutation(count) for _ in range(dimensions)])
    return (parts + random.random((count, dimensions))) / count


def unit_points(method: str, count: int, dimensions: int, seed: int) -> np.ndarray:
    """Points of the unit cube (count × dimensions)."""
    if method == "sobol":
        return sobol(count, dimensions, seed)
    return (_latin_hypercube if method == "latin_hypercube" else _random)(count, dimensions, seed)


def most_dimensions(method: str) -> int:
    return MOST_DIMENSIONS if method == "sobol" else 10**6


def grid_points(sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """All combinations of places on the axes; the last axis runs fastest."""
    return list(itertools.product(*(range(size) for size in sizes)))
