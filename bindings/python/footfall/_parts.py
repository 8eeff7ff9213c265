"""Parts of a step that you may write yourself."""

from __future__ import annotations

import numpy as np

from . import _core


class ContactModel:
    """A contact model in Python: derive from it, and give it to Simulation(contact_model=...).

    It must be a pure function of its inputs: all that a simulation remembers lives in its state.
    """

    has_impacts = True
    """Do velocities jump when a contact closes? A soft contact takes its time instead."""

    def solve(self, inputs: _core.ContactStepInputs) -> np.ndarray:
        """Impulses of the step in contact axes, z along the ground's normal: (contacts × 3) [N s]."""
        raise NotImplementedError(f"{type(self).__name__} has no solve()")


class Integrator:
    """An integrator in Python: derive from it, and give it to Simulation(integrator=...).

    It moves the robot while nothing touches; in contact, velocities come from the contact model.
    """

    def advance(self, step: _core.FreeStep) -> tuple[np.ndarray, np.ndarray]:
        """(q, nu) at the end of the step."""
        raise NotImplementedError(f"{type(self).__name__} has no advance()")


class Block:
    """A block of a diagram in Python: derive from it, and give it to DiagramBuilder.add().

        class Gain(footfall.Block):
            def declare(self, io):
                io.input("in")
                io.output("out")

            def outputs(self, e):
                e["out"] = 2.0 * e["in"]

    A block must not remember anything in itself: states live in the run, so that they can be saved and restored.
    """

    def declare(self, io: _core.BlockInterface) -> None:
        """Names inputs, outputs and numbers of states."""
        raise NotImplementedError(f"{type(self).__name__} has no declare()")

    def initialize(self, e: _core.Evaluation) -> None:
        """Sets states at the start; they are zero before."""

    def outputs(self, e: _core.Evaluation) -> None:
        """Computes the outputs from inputs and states."""

    def update(self, e: _core.Evaluation) -> None:
        """Sets the discrete states of the next instant."""

    def derivatives(self, e: _core.Evaluation) -> None:
        """Sets the rates of the continuous states."""
