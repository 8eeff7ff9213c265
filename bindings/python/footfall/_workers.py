"""Many simulations at once."""

from __future__ import annotations

from collections.abc import Sequence

from . import _core
from ._simulation import Simulation


class Workers(_core._Workers):
    """Threads that advance simulations side by side, the caller's among them.

        workers = footfall.Workers(4)
        workers.run([first, second, third], 0.02)

    `threads` defaults to the cores of the machine. Each simulation gives the bits that its own run() gives. Many copies of one scene
    are faster as a BatchSimulation; these may be of any scenes, with parts of your own.
    """

    def __init__(self, threads: int | None = None) -> None:
        super().__init__(threads)

    def run(self, simulations: Sequence[Simulation], seconds: float | Sequence[float]) -> list[bool]:
        """Steps each for this long (one time for all, or one for each); returns which of them got there.

        One whose solve fails stays in the state before that step, and says why by `describe_failure()`; the others go on. What a part of
        yours raises is raised when all the others are done.
        """
        each = [float(seconds)] * len(simulations) if isinstance(seconds, (int, float)) else [float(s) for s in seconds]
        return self._run(list(simulations), each)

    def __repr__(self) -> str:
        return f"<footfall.Workers on {self.threads} threads>"
