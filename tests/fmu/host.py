"""An FMU in FMPy, by names instead of value references."""

import pathlib
import shutil
import tempfile

from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave


class Robot:
    def __init__(self, path, resources_changed=None, parameters=None, initialize=True, start_time=0.0):
        self.description = read_model_description(str(path), validate=True)
        self.two = self.description.fmiVersion.startswith("2")
        self.folder = extract(str(path), tempfile.mkdtemp())
        if resources_changed:
            resources_changed(pathlib.Path(self.folder) / "resources")
        self.variables = {v.name: v for v in self.description.modelVariables}
        token = self.description.guid if self.two else self.description.instantiationToken
        self.slave = (FMU2Slave if self.two else FMU3Slave)(
            guid=token,
            unzipDirectory=self.folder,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="robot",
        )
        self.slave.instantiate()
        for name, value in (parameters or {}).items():
            self.set(name, value)
        if initialize:
            self.initialize(start_time)
        self.time = start_time

    def initialize(self, start_time=0.0):
        if self.two:
            self.slave.setupExperiment(startTime=start_time)
            self.slave.enterInitializationMode()
        else:
            self.slave.enterInitializationMode(startTime=start_time)
        self.slave.exitInitializationMode()

    def reference(self, name):
        return [self.variables[name].valueReference]

    def set(self, name, *values):
        (self.slave.setReal if self.two else self.slave.setFloat64)(self.reference(name), list(values))

    def get(self, name):
        """A number; of an array in FMI 3, the component that the name ends with."""
        if self.two:
            return self.slave.getReal(self.reference(name))[0]
        if name in self.variables:
            return self.slave.getFloat64(self.reference(name))[0]
        array, component = name.rsplit(".", 1)
        variable = self.variables[array]
        parts = variable.description[variable.description.rindex("(") + 1 : -1].split(", ")
        return self.slave.getFloat64([variable.valueReference], len(parts))[parts.index(component)]

    def step(self, size=1e-3):
        self.slave.doStep(currentCommunicationPoint=self.time, communicationStepSize=size)
        self.time += size

    def run(self, steps, size=1e-3):
        for _ in range(steps):
            self.step(size)

    def state(self):
        return self.slave.getFMUstate() if self.two else self.slave.getFMUState()

    def restore(self, state):
        (self.slave.setFMUstate if self.two else self.slave.setFMUState)(state)

    def serialize(self, state):
        return self.slave.serializeFMUstate(state) if self.two else self.slave.serializeFMUState(state)

    def deserialize(self, data):
        return self.slave.deSerializeFMUstate(data) if self.two else self.slave.deserializeFMUState(data)

    def close(self):
        self.slave.terminate()
        self.slave.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)
