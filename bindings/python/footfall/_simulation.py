"""The simulation, as Python people want it."""

from __future__ import annotations

import os
import reprlib
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from . import _core, _scene
from ._parts import ContactModel, Integrator
from ._scene import Scene

ForceField = Callable[[float, Any, Any], Any]


class Simulation(_core._Simulation):
    """A robot on the ground, with what the scene says.

        sim = footfall.Simulation("scene.yaml")
        while sim.time < 1.0:
            sim.step()

    `scene` is the path of a scene file, its text, or a dict of the same shape. `set` changes keys as the command's --set does:
    `set={"physics.step": "2 ms"}`. A contact model or an integrator of your own takes the place of the scene's.

    One thread steps a simulation at a time; different simulations run in parallel, because stepping releases the GIL.
    """

    __slots__ = ("_made_of", "_field")  # what else is set, a misspelt name or `gravity`, would change nothing

    def __init__(
        self,
        scene: Scene,
        *,
        set: Mapping[str, object] | None = None,
        contact_model: ContactModel | None = None,
        integrator: Integrator | None = None,
    ) -> None:
        source, is_text = _scene.source(scene)
        _require_part(contact_model, "contact_model", "solve", ContactModel)
        _require_part(integrator, "integrator", "advance", Integrator)
        overrides = _scene.overrides(set)
        super().__init__(source, is_text, overrides, contact_model, integrator)
        if not is_text and os.path.exists(source):
            source = os.path.abspath(source)  # a pickle may be opened in another folder
        self._made_of = (source, is_text, overrides, contact_model, integrator)
        self._field: ForceField | None = None
        for text in self.warnings:
            warnings.warn(text, UserWarning, stacklevel=2)

    @property
    def model(self) -> _core.Model:
        """The robot."""
        model = self._model
        setattr(model, "_made_of", ("scene", self._made_of))  # for its pickle
        return model

    def run(
        self,
        seconds: float | None = None,
        controller: Callable[[Simulation], None] | None = None,
        log: str | os.PathLike[str] | None = None,
    ) -> _core.StepResult:
        """Steps for this long, rounded up to whole steps (default: until the end that the scene names) and returns the last result.

        `controller(sim)` is called before each step, and may change inputs, targets of springs and the like; it returns nothing. `log` is the path of a .mcap, .csv or .mat file. Raises RunFailed when a solve fails;
        the state is then that before the failed step.
        """
        if seconds is None:
            seconds = max(0.0, self.duration - self.time)
        self._run(
            seconds,
            None if log is None else os.fspath(log),
            None if controller is None else lambda: _require_nothing(controller(self)),
        )
        return self.result

    def set_force_field(self, field: ForceField | None) -> None:
        if field is not None and not callable(field):
            raise TypeError(f"the force field is {field!r}, expected a function f(time, q, nu), or None")
        super().set_force_field(field)
        self._field = field

    set_force_field.__doc__ = _core._Simulation.set_force_field.__doc__

    def copy(self) -> Simulation:
        """Another simulation that goes on from here bit for bit, with the same inputs and springs."""
        return _restored(*self._packed())

    def __copy__(self) -> Simulation:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, self._packed()

    def _packed(self) -> tuple[Any, ...]:
        springs = self.springs
        held = None if springs is None else tuple(x.copy() for x in (springs.target, springs.stiffness, springs.damping))
        motion = (self.input.position.copy(), self.input.velocity.copy())
        acting = (self.input.tau.copy(), self.input._get_wrenches(), *motion)
        return type(self), self._made_of, self.snapshot(), acting, held, self._field

    def __repr__(self) -> str:
        return f"<footfall.Simulation of '{self.model.name}' at t = {self.time:.6g} s>"


def _require_nothing(returned: object) -> None:
    """Torques that a controller returns would act on nothing, and nobody would know."""
    if returned is not None:
        raise TypeError(f"the controller returns {reprlib.repr(returned)}, expected None: what it commands is written, sim.input.tau[:] = … or sim.springs.target[:] = …")


def _require_part(part: object, argument: str, method: str, base: type) -> None:
    """What is no part is told now, not in the middle of the first step that needs it."""
    if part is not None and (isinstance(part, type) or not callable(getattr(part, method, None))):
        raise TypeError(f"{argument} is {part!r}, expected an object of a class that derives from footfall.{base.__name__}")


def _restored(
    kind: type[Simulation], made_of: tuple[Any, ...], snapshot: bytes, acting: Any, held: Any, field: ForceField | None
) -> Simulation:
    simulation = kind.__new__(kind)
    _core._Simulation.__init__(simulation, *made_of)
    simulation._made_of = made_of
    simulation._field = None
    simulation.restore(snapshot)
    torque, wrenches, *motion = acting
    simulation.input.tau = torque
    simulation.input._set_wrenches(wrenches)
    if motion:  # not in pickles of before
        simulation.input.position, simulation.input.velocity = motion
    if held is not None and simulation.springs is not None:
        simulation.springs.target, simulation.springs.stiffness, simulation.springs.damping = held
    if field is not None:
        simulation.set_force_field(field)
    return simulation


def _model_again(kind: str, *made_of: Any) -> _core.Model:
    """A model out of its pickle."""
    if kind == "urdf":
        source, floating_base, joints, positions = made_of
        return _core.Model(source, floating_base=floating_base, joints=joints, positions=positions)
    (scene,) = made_of
    simulation = Simulation.__new__(Simulation)
    _core._Simulation.__init__(simulation, *scene)
    simulation._made_of = scene
    return simulation.model
