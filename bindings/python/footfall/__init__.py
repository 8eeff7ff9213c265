"""Footfall simulates robots whose feet meet the ground.

    import footfall as ff

    sim = ff.Simulation("scene.yaml")
    sim.run(1.0)
    print(sim.state.joint["l_knee"], sim.result.contacts.force_W)

Units are SI, quaternions are (x, y, z, w), velocities are in world axes. Bad input raises `footfall.Error`, a ValueError.
"""

import numpy  # noqa: F401  the extension needs it: here its absence gets a clear message

from ._core import (
    BlockInterface,
    Channel,
    ContactMode,
    ContactStepInputs,
    Diagram,
    DiagramBuilder,
    DiagramRun,
    Dynamics,
    Energy,
    Error,
    Evaluation,
    Frame,
    FreeStep,
    Input,
    Joint,
    JointValues,
    LinearSystem,
    Link,
    LogError,
    Model,
    RunFailed,
    SolveStatus,
    Springs,
    State,
    StepResult,
    TieImpact,
    _version,
)
from ._batch import BatchSimulation
from ._log import Log, read_log
from ._parts import Block, ContactModel, Integrator
from ._paths import cmake_dir, data_dir
from ._real_time import RealTimeClient, RobotSample
from ._simulation import Simulation
from ._workers import Workers

__version__ = _version()

__all__ = [
    "BatchSimulation",
    "Block",
    "BlockInterface",
    "Channel",
    "ContactMode",
    "ContactModel",
    "ContactStepInputs",
    "Diagram",
    "DiagramBuilder",
    "DiagramRun",
    "Dynamics",
    "Energy",
    "Error",
    "Evaluation",
    "Frame",
    "FreeStep",
    "Input",
    "Integrator",
    "Joint",
    "JointValues",
    "LinearSystem",
    "Link",
    "Log",
    "LogError",
    "Model",
    "RealTimeClient",
    "RobotSample",
    "RunFailed",
    "Simulation",
    "SolveStatus",
    "Springs",
    "State",
    "StepResult",
    "TieImpact",
    "Workers",
    "__version__",
    "cmake_dir",
    "data_dir",
    "read_log",
]
