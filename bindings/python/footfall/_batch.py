"""Many copies of one world at once."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _core, _scene
from ._scene import Scene

Rows = npt.NDArray[np.float64]
_FAILED = 2  # SolveStatus.failed


class _Quantity:
    """An attribute that is the array of the same name; assigning to it writes into the array."""

    def __init__(self, meaning: str) -> None:
        self.__doc__ = meaning

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, batch: None, owner: type) -> _Quantity: ...
    @overload
    def __get__(self, batch: BatchSimulation, owner: type) -> Rows: ...
    def __get__(self, batch: BatchSimulation | None, owner: type) -> _Quantity | Rows:
        return self if batch is None else batch.values(self._name)

    def __set__(self, batch: BatchSimulation, value: npt.ArrayLike) -> None:
        batch[self._name] = value


class BatchSimulation(_core._BatchSimulation):
    """Many copies of the world of one scene, each with a state, inputs and parameters of its own, stepped on all cores.

        batch = footfall.BatchSimulation("scene.yaml", copies=4096)
        batch.friction[:] = rng.uniform(0.5, 1.2, size=(4096, 1))
        while training:
            batch.target[:] = policy(batch.q, batch.nu)
            batch.step(20)
            batch.reset(batch.q[:, 2] < 0.3)

    Every quantity is an array (copies, width) that lies where the simulation has it: read it and write into it, nothing is copied. `torch.from_dlpack(batch.q)`,
    `jax.dlpack.from_dlpack(batch.q)` share the same memory. `quantities` lists them; those that you never name cost nothing.

    Results do not depend on the number of copies or threads, to the bit. `threads=0` means one for each core.
    """

    __slots__ = ("_made_of", "_arrays")  # what else is set, a misspelt quantity, would change nothing

    def __init__(
        self,
        scene: Scene,
        *,
        copies: int,
        threads: int = 0,
        longest_delay: int = 0,
        auto_reset: bool = False,
        push_link: str = "",
        set: Mapping[str, object] | None = None,
    ) -> None:
        source, is_text = _scene.source(scene)
        overrides = _scene.overrides(set)
        self._make(source, is_text, overrides, copies, threads, longest_delay, auto_reset, push_link)
        for text in self.warnings:
            warnings.warn(text, UserWarning, stacklevel=2)

    def _make(self, source: str, is_text: bool, *settings: Any) -> None:
        super().__init__(source, is_text, *settings)
        if not is_text and os.path.exists(source):
            source = os.path.abspath(source)  # a pickle may be opened in another folder
        self._made_of = (source, is_text, *settings)
        self._arrays: dict[str, Rows] = {}

    def values(self, name: str) -> Rows:
        """The array of a quantity, (copies, width): a view. Results and the time are read-only."""
        array = self._arrays.get(name)
        if array is None:
            array = self._values(name)
            array.flags.writeable = name not in self._read_only
            self._arrays[name] = array
        return array

    def __getitem__(self, name: str) -> Rows:
        return self.values(name)

    def __setitem__(self, name: str, value: npt.ArrayLike) -> None:
        """Every world gets this: a number, a row, or a row for each world."""
        array = self.values(name)
        if not array.flags.writeable:
            raise AttributeError(f"{name} is what steps give: it is read-only")
        array[...] = value

    @property
    def _read_only(self) -> set[str]:
        return {"time"} | {name for name, is_result, *_ in self._quantities() if is_result}

    @property
    def quantities(self) -> dict[str, tuple[int, str, str]]:
        """What there is: name → (width, unit, meaning)."""
        return {name: (width, unit, meaning) for name, _, width, unit, meaning in self._quantities()}

    def reset(self, mask: npt.ArrayLike | None = None) -> None:
        """Starts worlds anew: all, or those where the mask is true.

        They start at `start_q` and `start_nu` where you have named these, else as the scene says; results of the last step are zero until the next one.
        """
        if mask is None:
            self._reset_all()
            return
        flags = np.asarray(mask)
        if flags.dtype != np.bool_ or flags.ndim != 1:
            # numbers of worlds would be taken for flags, and other worlds start anew
            raise TypeError(f"the mask is an array of {flags.dtype} with {flags.ndim} axes, expected true or false for each world")
        self._reset_where(np.ascontiguousarray(flags))

    def cast_rays(self, origins: npt.ArrayLike, directions: npt.ArrayLike = (0.0, 0.0, -1.0), *, reach: float = 100.0) -> Rows:
        """How far rays go until they enter the ground or a body beside the robot, (copies, rays); `reach` where they do not [m].

        Origins [m] and directions (of length one) are in world axes: (copies, rays, 3), or anything that numpy broadcasts to that. A ray that begins inside
        goes 0 m. The robot itself is not met.
        """
        origins = np.asarray(origins, dtype=np.float64)
        directions = np.asarray(directions, dtype=np.float64)
        shape = np.broadcast_shapes(origins.shape, directions.shape, (self.copies, 1, 3))
        rows = [np.ascontiguousarray(np.broadcast_to(a, shape)).reshape(-1, 3) for a in (origins, directions)]
        distance = np.empty(shape[:2])
        self._cast_rays(rows[0], rows[1], reach, distance)
        return distance

    def height_scan(self, points: npt.ArrayLike, *, above: float = 1.0, reach: float = 3.0, out: Rows | None = None) -> Rows:
        """The ground around each robot, and what lies on it: its height above the origin of the base, (copies, points) [m].

        Points (x forwards, y to the left) [m] turn with the heading of the base and do not tilt with it. Rays begin `above` the base and go `reach` down: `above - reach`
        is a place without ground, and NaN a robot that is nowhere. `out` is written to and returned where it is given.
        """
        places = np.ascontiguousarray(points, dtype=np.float64)
        if places.ndim < 1 or places.shape[-1] != 2:
            raise _core.Error(f"height scan: the points are an array of the shape {places.shape}, expected (points, 2): x and y of each")
        places = places.reshape(-1, 2)
        shape = (self.copies, len(places))
        if out is not None and not isinstance(out, np.ndarray):
            raise TypeError(f"height scan: out is a {type(out).__name__}, expected a numpy array of the shape {shape}, or None")
        heights = np.empty(shape) if out is None else out
        if heights.shape != shape:
            raise _core.Error(f"height scan: out is an array of the shape {heights.shape}, expected {shape}: the worlds and the points")
        if heights.dtype != np.float64 or not heights.flags.c_contiguous or not heights.flags.writeable:
            kind = f"{'' if heights.flags.writeable else 'read-only '}{heights.dtype}{'' if heights.flags.c_contiguous else ', not in C order'}"
            raise TypeError(f"height scan: out is an array of {kind}, expected one of float64 in C order that can be written to")
        self._scan_heights(places, above, reach, heights)
        return heights

    @property
    def status(self) -> npt.NDArray[np.int32]:
        """Of each world, the worst of the last call of step(): 0 converged, 1 inaccurate, 2 failed. A view."""
        return self._status()

    @property
    def failed(self) -> npt.NDArray[np.bool_]:
        """Worlds with a step that failed in the last call of step()."""
        failed: npt.NDArray[np.bool_] = self._status() == _FAILED
        return failed

    @property
    def auto_resets(self) -> npt.NDArray[np.int64]:
        """How often each world was started anew because it failed. A view."""
        return self._auto_resets()

    def __repr__(self) -> str:
        return f"<footfall.BatchSimulation of {self.copies} × '{self.model.name}' on {self.threads} threads>"

    def copy(self) -> BatchSimulation:
        """Another batch that goes on from here bit for bit, with the same inputs and parameters."""
        return _restored(type(self), self._made_of, self.snapshot())

    def __copy__(self) -> BatchSimulation:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> BatchSimulation:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._made_of, self.snapshot())

    def body(self, name: str) -> Rows:
        """Position [m] and quaternion (x, y, z, w) of a body beside the robot, (copies, 7): a view into `q`."""
        first = self._body_position(name)
        return self.q[:, first : first + 7]

    def body_velocity(self, name: str) -> Rows:
        """Velocity [m/s] and angular velocity [rad/s] of a body in world axes, (copies, 6): a view into `nu`."""
        first = self._body_velocity(name)
        return self.nu[:, first : first + 6]

    q = _Quantity("Base position [m], quaternion (x, y, z, w), joints [rad or m]; then those of bodies: see body().")
    nu = _Quantity("Base velocity in world axes [m/s, rad/s], joint velocities.")
    time = _Quantity("[s], read-only.")
    tau = _Quantity("Joint torques, added to those of the scene [N m or N].")
    generalized = _Quantity("Generalized forces in the order of nu [N, N m].")
    push = _Quantity("Force [N] and moment [N m] on the link `push_link` (default: the base, where it moves), world axes.")
    target = _Quantity("Where what holds the posture wants the joints [rad or m].")
    stiffness = _Quantity("Of what holds the posture [N m/rad or N/m].")
    damping = _Quantity("Of what holds the posture [N m s/rad or N s/m].")
    motor_strength = _Quantity("Share of commanded torques that reaches the joints [-].")
    friction = _Quantity("Of the ground, times that of the scene [-].")
    delay = _Quantity("By how many steps tau and target arrive late, up to `longest_delay`; the first ones of an episode count as those before it, too.")
    mass = _Quantity("Of each link, and its inertia, times those of the model [-]; in the order of `model.link_names`: see mass_of().")

    def mass_of(self, link: str) -> Rows:
        """The same of one link, (copies,): a view into `mass`."""
        return self.mass[:, self._link(link)]

    payload = _Quantity("Mass at the centre of mass of the base, without inertia of its own [kg]; below zero: the base is lighter.")
    com_shift = _Quantity("Of the centre of mass of the base, in its axes [m].")
    start_q = _Quantity("q after reset().")
    start_nu = _Quantity("nu after reset().")
    sole_wrench = _Quantity("Force [N] and moment [N m] of the ground on each sole, in its axes, mean of the last step; read-only. Zero before the first step of an episode; NaN where steps were made before it was named.")
    joint_torque = _Quantity("Of inputs, springs, damping and drives, mean of the last step [N m or N]; read-only. Zero and NaN as those of sole_wrench.")


def _restored(kind: type[BatchSimulation], made_of: tuple[Any, ...], snapshot: bytes) -> BatchSimulation:
    """A batch out of its pickle."""
    batch = kind.__new__(kind)
    batch._make(*made_of)
    batch.restore(snapshot)
    return batch
