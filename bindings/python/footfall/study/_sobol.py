"""Sobol's sequence, of numbers by Joe and Kuo (SIAM J. Sci. Comput. 30, 2008; https://web.maths.unsw.edu.au/~fkuo/sobol)."""

from __future__ import annotations

import numpy as np

_BITS = 32

# Of each dimension after the first: its polynomial over GF(2), a bit for each coefficient, and its first numbers.
_JOE_KUO = (
    (3, (1,)),
    (7, (1, 3)),
    (11, (1, 3, 1)),
    (13, (1, 1, 1)),
    (19, (1, 1, 3, 3)),
    (25, (1, 3, 5, 13)),
    (37, (1, 1, 5, 5, 17)),
    (41, (1, 1, 5, 5, 5)),
    (47, (1, 1, 7, 11, 19)),
    (55, (1, 1, 5, 1, 1)),
    (59, (1, 1, 1, 3, 11)),
    (61, (1, 3, 5, 5, 31)),
    (67, (1, 3, 3, 9, 7, 49)),
    (91, (1, 1, 1, 15, 21, 21)),
    (97, (1, 3, 1, 13, 27, 49)),
    (103, (1, 1, 1, 15, 7, 5)),
    (109, (1, 3, 1, 15, 13, 25)),
    (115, (1, 1, 5, 5, 19, 61)),
    (131, (1, 3, 7, 11, 23, 15, 103)),
    (137, (1, 3, 7, 13, 13, 15, 69)),
    (143, (1, 1, 3, 13, 7, 35, 63)),
    (145, (1, 3, 5, 9, 1, 25, 53)),
    (157, (1, 3, 1, 13, 9, 35, 107)),
    (167, (1, 3, 1, 5, 27, 61, 31)),
    (171, (1, 1, 5, 11, 19, 41, 61)),
    (185, (1, 3, 5, 3, 3, 13, 69)),
    (191, (1, 1, 7, 13, 1, 19, 1)),
    (193, (1, 3, 7, 5, 13, 19, 59)),
    (203, (1, 1, 3, 9, 25, 29, 41)),
    (211, (1, 3, 5, 13, 23, 1, 55)),
    (213, (1, 3, 7, 3, 13, 59, 17)),
    (229, (1, 3, 1, 3, 5, 53, 69)),
    (239, (1, 1, 5, 5, 23, 33, 13)),
    (241, (1, 1, 7, 7, 1, 61, 123)),
    (247, (1, 1, 7, 9, 13, 61, 49)),
    (253, (1, 3, 3, 5, 3, 55, 33)),
    (285, (1, 3, 1, 15, 31, 13, 49, 245)),
    (299, (1, 3, 5, 15, 31, 59, 63, 97)),
    (301, (1, 3, 1, 11, 11, 11, 77, 249)),
)

MOST_DIMENSIONS = 1 + len(_JOE_KUO)


def _directions(dimension: int) -> np.ndarray:
    """The direction numbers of one dimension, with the first bit the most significant one."""
    if dimension == 0:
        return np.array([1 << (_BITS - 1 - k) for k in range(_BITS)], dtype=np.uint64)
    polynomial, first = _JOE_KUO[dimension - 1]
    degree = len(first)
    numbers = list(first)
    for k in range(degree, _BITS):
        number = numbers[k - degree] ^ (numbers[k - degree] << degree)
        for i in range(1, degree):
            if polynomial >> (degree - i) & 1:
                number ^= numbers[k - i] << i
        numbers.append(number)
    return np.array([number << (_BITS - 1 - k) for k, number in enumerate(numbers)], dtype=np.uint64)


def sobol(count: int, dimensions: int, seed: int) -> np.ndarray:
    """Points of the unit cube. The seed shifts their digits, which keeps them even and leaves none at a corner."""
    shift = np.random.default_rng(np.random.SeedSequence([seed, 0x50B01])).integers(
        0, 2**_BITS, dimensions, dtype=np.uint64
    )
    index = np.arange(count, dtype=np.uint64)
    gray = index ^ (index >> np.uint64(1))
    points = np.zeros((count, dimensions), dtype=np.uint64)
    for dimension in range(dimensions):
        for bit, direction in enumerate(_directions(dimension)):
            points[:, dimension] ^= np.where(gray >> np.uint64(bit) & np.uint64(1), direction, np.uint64(0))
    return ((points ^ shift) + 0.5) / 2.0**_BITS
