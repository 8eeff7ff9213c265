"""Environments whose step is: set what the action says, let a simulation run for a while, look at it."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

import footfall

Answer = tuple[np.ndarray, float, bool, bool, dict[str, Any]]


class SimulationEnv(gymnasium.Env[np.ndarray, np.ndarray]):
    """Derive from it, give it a `simulation`, and write prepare() and observe(): step() is made of them.

    A ThreadedVectorEnv prepares all its environments, lets all their simulations run on threads, and observes them all: the same bits as
    step() after step().
    """

    simulation: footfall.Simulation
    _ran: bool | None = None  # somebody else has prepared it and let it run: whether it got there

    @property
    def action_duration(self) -> float:
        """For how long the simulation runs with one action [s]; a number of your class will do."""
        raise NotImplementedError

    def prepare(self, action: np.ndarray) -> None:
        """Sets targets, torques and pushes of the next action; leaves the simulation where it is."""
        raise NotImplementedError

    def observe(self, failed: bool) -> Answer:
        """What step() returns, after the simulation has run, or has failed on its way."""
        raise NotImplementedError

    def step(self, action: np.ndarray) -> Answer:
        ran, self._ran = self._ran, None
        if ran is None:
            self.prepare(action)
            ran = self._run()
        return self.observe(not ran)

    def _run(self) -> bool:
        try:
            self.simulation.run(self.action_duration)
        except footfall.RunFailed:
            return False
        return True
