"""Parts of a step that you may write yourself."""

from __future__ import annotations

import numpy as np

from . import _core


class ContactModel:
    """A contact model in Python: derive from it, and give it to Simulation(contact_model=...).

    It must be a pure function of the question: all that a simulation remembers lives in its state.
    """

    has_impacts = True
    """Do velocities jump when a contact closes? A soft contact takes its time instead."""

    def solve(self, question: _core.ContactQuestion) -> np.ndarray:
        """Impulses of the step in contact axes, z along the ground's normal: (contacts × 3) [N s]."""
        raise NotImplementedError


class Integrator:
    """An integrator in Python: derive from it, and give it to Simulation(integrator=...).

    It moves the robot while nothing touches; in contact, velocities come from the contact model.
    """

    def advance(self, step: _core.FreeStep) -> tuple[np.ndarray, np.ndarray]:
        """(q, nu) at the end of the step."""
        raise NotImplementedError
