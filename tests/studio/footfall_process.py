"""Starts the real command for the tests of the studio."""

import os
import pathlib
import re
import subprocess
import tempfile

COMMAND = os.environ["FOOTFALL_COMMAND"]
SOURCE = pathlib.Path(os.environ["FOOTFALL_SOURCE_DIR"])
ICUB = str(SOURCE / "scenes" / "icub.yaml")
BALANCING = str(SOURCE / "scenes" / "icub_balancing.yaml")
BOX = str(SOURCE / "scenes" / "falling_box.yaml")


class View:
    """`footfall view` in a process of its own."""

    def __init__(self, *arguments, port=0, browser=None):
        """@param browser a program that is started in place of the desktop's; none: no browser is opened"""
        self.said = tempfile.TemporaryFile("a+")  # not a pipe: nobody reads it while the server talks
        opened = [] if browser else ["--no-browser"]
        desktop = {"DISPLAY": ":0", "PATH": f"{pathlib.Path(browser).parent}:{os.environ['PATH']}"} if browser else {}
        self.process = subprocess.Popen(
            [COMMAND, "view", *opened, "--port", str(port), *arguments],
            stdout=subprocess.PIPE, stderr=self.said, text=True, env={**os.environ, **desktop})
        line = self.process.stdout.readline()
        found = re.match(r"(http://([^:/]+|\[.*\]):(\d+)/\S*)", line)
        if not found:
            raise RuntimeError(f"no address but '{line}': {self.terminal()}")
        self.url = found.group(1)
        self.port = int(found.group(3))
        self.token = self.url.split("?token=")[1]

    def terminal(self):
        """What it has said beside its address."""
        self.said.seek(0)
        return self.said.read()

    def alive(self):
        return self.process.poll() is None

    def stop(self):
        """Ctrl-C; returns the exit code."""
        if self.alive():
            self.process.terminate()
        code = self.process.wait(timeout=20)
        self.process.stdout.close()
        self.said.close()
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def run(*arguments):
    """Calls the command and waits; raises when it fails."""
    return subprocess.run([COMMAND, *arguments], check=True, capture_output=True, text=True).stdout


def write_log(folder, name, scene=ICUB, *arguments):
    path = str(pathlib.Path(folder) / name)
    run("run", scene, "--quiet", "--log", path, *arguments)
    return path


def temporary_folder():
    return tempfile.TemporaryDirectory(prefix="footfall-studio-")
