"""Ctrl-C in the middle of a run that would take hours."""

import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = """
addpath('{toolbox}');
{make}
disp('it runs'); fflush(stdout);
it.run(1e7);
"""
SCENES = os.environ["FOOTFALL_SOURCE_DIR"] + "/scenes"
SIMULATION = f"it = footfall.Simulation('{SCENES}/falling_box.yaml');"
DIAGRAM = f"it = footfall.Diagram('{SCENES}/falling_box.yaml');"


class CtrlC(unittest.TestCase):
    def test_it_ends_a_run_between_two_steps(self):
        for make in SIMULATION, DIAGRAM:
            with self.subTest(make), tempfile.TemporaryDirectory() as folder:
                program = Path(folder, "program.m")
                program.write_text(PROGRAM.format(toolbox=os.environ["FOOTFALL_TOOLBOX"], make=make))
                octave = [os.environ["OCTAVE"], "--no-gui", "--norc", "--quiet", str(program)]
                process = subprocess.Popen(octave, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                try:
                    self.assertEqual(process.stdout.readline(), "it runs\n")
                    time.sleep(1)  # before it has begun, anybody would hear it
                    process.send_signal(signal.SIGINT)
                    process.communicate(timeout=60)
                finally:
                    process.kill()
                    process.wait()
                    process.stdout.close()


if __name__ == "__main__":
    unittest.main()
