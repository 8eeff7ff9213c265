"""The simulation, as Python people want it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

from . import _core
from ._parts import ContactModel, Integrator

Scene = str | os.PathLike[str] | Mapping[str, Any]


def _source(scene: Scene) -> tuple[str, bool]:
    """What the reader gets: (path, False) or (text, True)."""
    if isinstance(scene, Mapping):
        return json.dumps(scene), True  # JSON is YAML
    if isinstance(scene, os.PathLike):
        return os.fspath(scene), False
    if not isinstance(scene, str):
        raise TypeError(f"a scene is a path, a text or a dict, not {type(scene).__name__}")
    return scene, "\n" in scene or scene.lstrip().startswith("{")


class Simulation(_core._Simulation):
    """A robot on the ground, with what the scene says.

        sim = footfall.Simulation("scene.yaml")
        while sim.time < 1.0:
            sim.step()

    `scene` is the path of a scene file, its text, or a dict of the same shape. `set` changes keys as the command's --set does:
    `set={"physics.step": "2 ms"}`. A contact model or an integrator of your own takes the place of the scene's.

    One thread steps a simulation at a time; different simulations run in parallel, because stepping releases the GIL.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        set: Mapping[str, object] | None = None,
        contact_model: ContactModel | None = None,
        integrator: Integrator | None = None,
    ) -> None:
        source, is_text = _source(scene)
        overrides = {key: str(value) for key, value in (set or {}).items()}
        super().__init__(source, is_text, overrides, contact_model, integrator)

    def run(
        self,
        seconds: float | None = None,
        controller: Callable[[Simulation], object] | None = None,
        log: str | os.PathLike[str] | None = None,
    ) -> _core.StepResult:
        """Steps for this long (default: until the end that the scene names) and returns the last result.

        `controller(sim)` is called before each step, and may change inputs, targets of springs and the like. `log` is the path of a .csv or .mcap file. Raises RunFailed when a solve fails;
        the state is then that before the failed step.
        """
        if seconds is None:
            seconds = max(0.0, self.duration - self.time)
        self._run(
            seconds,
            None if log is None else os.fspath(log),
            None if controller is None else lambda: controller(self),
        )
        return self.result

    def __repr__(self) -> str:
        return f"<footfall.Simulation of '{self.model.name}' at t = {self.time:.6g} s>"
