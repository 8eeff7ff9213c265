"""A ground of tiles, harder from row to row, and which robot stands on which."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._checks import check_count, check_number

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Tiles:
    """How the ground is made. Columns are kinds of ground, rows are levels: the last is the hardest."""

    levels: int = 8
    columns: int = 10  # the kinds in turn: slope, rough slope, stairs up, stairs down, blocks
    size: float = 8.0  # of a tile [m]
    cell: float = 0.1  # distance of the nodes [m]
    border: float = 4.0  # flat ground around all [m]
    steepest: float = 0.4  # slope of the hardest level [-]
    highest_step: float = 0.18  # of stairs and blocks there [m]
    roughest: float = 0.06  # height of bumps there [m]
    seed: int = 1

    def __post_init__(self) -> None:
        check_count("Tiles", "levels", self.levels, 1)
        check_count("Tiles", "columns", self.columns, 1)
        check_count("Tiles", "seed", self.seed, 0)
        check_number("Tiles", "cell", self.cell, 0.0, above=True)
        check_number("Tiles", "size", self.size, 2.0 * self.cell, above=True)
        for name in ("border", "steepest", "highest_step", "roughest"):
            check_number("Tiles", name, getattr(self, name), 0.0)


class TileGround:
    """Heights of all tiles, and where robots start on them."""

    KINDS = ("slope", "rough", "stairs_up", "stairs_down", "blocks")

    def __init__(self, tiles: Tiles) -> None:
        self.tiles = tiles
        self.nodes = round(tiles.size / tiles.cell)
        self._border = round(tiles.border / tiles.cell)
        rng = np.random.default_rng(tiles.seed)
        rows = [[self._tile(self.KINDS[c % len(self.KINDS)], (r + 1) / tiles.levels, rng) for c in range(tiles.columns)]
                for r in range(tiles.levels)]
        self._tops = np.array([[self._top(tile) for tile in row] for row in rows])  # over which robots start [m]
        inner = np.block([[tile for tile in row] for row in rows])
        self.heights: Floats = np.pad(inner, self._border)  # row 0 is level 0, at -x

    def scene(self, file: Path, friction: float) -> dict[str, Any]:
        """Writes the heights and returns the `ground` of a scene. Levels go along x, columns along y."""
        # A file shows the ground from above: its columns are x, its first row is the far side (+y).
        np.savetxt(file, self.heights.T[::-1], fmt="%.5g", delimiter=",")
        return {"shape": "height_field", "file": str(file), "cell": self.tiles.cell, "interpolation": "bilinear", "friction": friction}

    def origins(self, level: npt.NDArray[np.intp], column: npt.NDArray[np.intp]) -> Floats:
        """The middle of tiles, at the height over which a robot starts, (n, 3) [m]."""
        middle = 0.5 * (self.nodes - 1)
        place = [self._border + self.nodes * index + middle for index in (level, column)]
        nodes = [0.5 * (n - 1) for n in self.heights.shape]
        cell = self.tiles.cell
        return np.stack([(place[0] - nodes[0]) * cell, (place[1] - nodes[1]) * cell, self._tops[level, column]], axis=1)

    def _tile(self, kind: str, hardness: float, rng: np.random.Generator) -> Floats:
        n, t = self.nodes, self.tiles
        along = (np.arange(n) - 0.5 * (n - 1)) * t.cell
        x, y = np.meshgrid(along, along, indexing="ij")
        flat, edge = 1.0, 0.5 * t.size  # robots start on a flat metre, and tiles meet at height 0 [m]
        ring = np.maximum(np.abs(x), np.abs(y))  # distance from the middle, by squares
        slope: Floats = np.clip(edge - ring, 0.0, edge - flat) * t.steepest * hardness
        if kind == "slope":
            return slope
        if kind == "rough":
            bumps = rng.uniform(-1.0, 1.0, (n, n)) * t.roughest * hardness
            rough: Floats = 0.5 * slope + np.where(ring < edge - t.cell, bumps, 0.0)
            return rough
        if kind == "blocks":
            side = max(1, round(0.5 / t.cell))
            coarse = rng.choice([-1.0, -0.5, 0.0, 0.5, 1.0], size=(n // side + 1, n // side + 1))
            blocks = np.kron(coarse, np.ones((side, side)))[:n, :n] * t.highest_step * hardness
            return np.where((ring > flat) & (ring < edge - side * t.cell), blocks, 0.0)
        run = 0.4  # of a step [m]
        steps: Floats = np.floor(np.clip(edge - ring, 0.0, edge - flat) / run) * t.highest_step * hardness
        return steps if kind == "stairs_down" else -steps  # from the middle outwards

    def _top(self, tile: Floats) -> float:
        middle, half = self.nodes // 2, max(1, round(0.5 / self.tiles.cell))
        return float(tile[middle - half : middle + half, middle - half : middle + half].max())


class Curriculum:
    """Who has walked far goes to a harder tile, who has not to an easier one; who has done the hardest starts anywhere."""

    def __init__(self, ground: TileGround, worlds: int) -> None:
        self.ground = ground
        self.level = np.zeros(worlds, dtype=np.intp)
        self.column = np.zeros(worlds, dtype=np.intp)

    def start(self, worlds: npt.NDArray[np.intp], unit: Floats) -> None:
        """Anywhere on the easier half. @param unit two numbers in [0, 1) for each world"""
        self.level[worlds] = (unit[:, 0] * max(1, self.ground.tiles.levels // 2)).astype(np.intp)
        self.column[worlds] = (unit[:, 1] * self.ground.tiles.columns).astype(np.intp)

    def update(self, worlds: npt.NDArray[np.intp], walked: Floats, wanted: Floats, unit: Floats) -> None:
        """After an episode. @param walked, wanted distances [m]"""
        harder = walked > 0.5 * self.ground.tiles.size
        easier = ~harder & (walked < 0.5 * wanted)
        level = self.level[worlds] + harder - easier
        anywhere = (unit * self.ground.tiles.levels).astype(np.intp)
        done = level >= self.ground.tiles.levels
        self.level[worlds] = np.where(done, anywhere, np.maximum(level, 0))

    def origins(self, worlds: npt.NDArray[np.intp]) -> Floats:
        return self.ground.origins(self.level[worlds], self.column[worlds])
