"""An FMU of FMI 3.0 that is not ours, made by PythonFMU3: pulls what it is told the position of back to the z axis. Ports are arrays."""

import numpy as np
from pythonfmu3 import Dimension, Float64, Fmi3Causality, Fmi3Slave, Fmi3Variability

STIFFNESS = 200.0  # [N/m]


class PullBack(Fmi3Slave):
    def __init__(self, **options):
        super().__init__(**options)
        self.time = 0.0
        self.position = [0.0, 0.0, 0.0]
        self.wrench = np.zeros(6)
        self.register_variable(Float64("time", causality=Fmi3Causality.independent, variability=Fmi3Variability.continuous))
        # Getter and setter of our own: those of PythonFMU3 0.3.4 for arrays call NumPy in a way that NumPy 2.4 does not know.
        self.register_variable(Float64("position", causality=Fmi3Causality.input, variability=Fmi3Variability.continuous,
                                       start=[0.0, 0.0, 0.0], dimensions=[Dimension(start="3")],
                                       getter=lambda: self.position, setter=lambda values: setattr(self, "position", list(values))))
        self.register_variable(Float64("wrench", causality=Fmi3Causality.output, variability=Fmi3Variability.continuous,
                                       dimensions=[Dimension(start="6")]))

    def do_step(self, current_time, step_size):
        x, y, _ = self.position
        self.wrench = np.array([-STIFFNESS * x, -STIFFNESS * y, 0.0, 0.0, 0.0, 0.0])
        return True
