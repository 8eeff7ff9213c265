"""Rotations of many bases at once. Quaternions are rows (x, y, z, w)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def into_base(quaternion: Floats, vector: Floats) -> Floats:
    """Vectors of the world in the axes of the bases."""
    x, y, z, w = quaternion.T
    a, b, c = vector.T
    # v' = v + 2 w (p × v) + 2 p × (p × v) with p = −(x, y, z)
    s, t, u = 2.0 * (z * b - y * c), 2.0 * (x * c - z * a), 2.0 * (y * a - x * b)
    return np.stack([a + w * s + z * t - y * u, b + w * t + x * u - z * s, c + w * u + y * s - x * t], axis=1)


def up_in_base(quaternion: Floats) -> Floats:
    """The direction up in the axes of the bases."""
    x, y, z, w = quaternion.T
    return np.stack([2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)], axis=1)


def from_yaw(yaw: Floats) -> Floats:
    """Turned about the vertical."""
    zero = np.zeros_like(yaw)
    return np.stack([zero, zero, np.sin(0.5 * yaw), np.cos(0.5 * yaw)], axis=1)


def random_attitudes(unit: Floats) -> Floats:
    """All attitudes are equally likely, from three numbers in [0, 1) for each (Shoemake 1992)."""
    u, v, w = unit.T
    a, b = np.sqrt(1.0 - u), np.sqrt(u)
    return np.stack([a * np.sin(2 * np.pi * v), a * np.cos(2 * np.pi * v), b * np.sin(2 * np.pi * w), b * np.cos(2 * np.pi * w)], axis=1)
