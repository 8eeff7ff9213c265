"""Runs every command that the README shows, in its order and in one folder, as somebody would who copies them."""

import os
import re
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["FOOTFALL_SOURCE_DIR"])
README = (SOURCE / "README.md").read_text()

# Commands that cannot be run inside of a test run, and the file with the test that runs them.
ELSEWHERE = {
    "./dev demo": ".ci/run",
    "./dev test": ".ci/run",
    "pip install .": "tests/python/check_wheel.py",
}


def blocks():
    """Indented blocks of the README, each as a list of lines."""
    found, block = [], []
    for line in README.splitlines() + ["end"]:
        if line.startswith("    ") or (block and not line.strip()):
            block.append(line[4:])
        elif block:
            found.append(block)
            block = []
    return found


def commands():
    """In blocks, without their comments, and in the text between backquotes."""
    shown = [line.split(" #")[0].strip() for block in blocks() for line in block if re.match(r"(\./dev|footfall|pip) ", line)]
    text = re.sub(r"(?m)^    .*$", "", README)
    return shown + re.findall(r"`((?:\./dev|footfall|pip) [^`]+)`", text)


def scene():
    (text,) = ["\n".join(block) for block in blocks() if block[0] == "robot:"]
    return text


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="footfall-readme-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        (cls.folder / "scenes").symlink_to(SOURCE / "scenes")
        (cls.folder / "bin").mkdir()
        (cls.folder / "bin" / "footfall").symlink_to(os.environ["FOOTFALL_COMMAND"])
        cls.environment = dict(os.environ, PATH=f"{cls.folder / 'bin'}:{os.environ['PATH']}", DISPLAY="")

    def shell(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}{done.stderr}")

    def view(self, command):
        """Prints where the page is, and serves it until Ctrl-C."""
        server = subprocess.Popen(["bash", "-c", f"exec {command} --no-browser --port 0"], cwd=self.folder, env=self.environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        address = server.stdout.readline()
        server.send_signal(signal.SIGINT)
        _, problem = server.communicate(timeout=60)
        self.assertIn("http://127.0.0.1", address, f"{command}\n{problem}")

    def install(self, command):
        """Into a home of its own, and only in a folder that ./dev has built: elsewhere it would build anew."""
        build = Path(os.environ["FOOTFALL_BUILD_DIR"])
        if build != SOURCE / "build" / "release" or not (build / "dev-stamp").exists():
            return
        home = self.folder / "home"
        done = subprocess.run([SOURCE / "dev", *command.split()[1:]], env=dict(os.environ, HOME=str(home)), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        subprocess.run([home / ".local" / "bin" / "footfall", "--version"], check=True, capture_output=True)

    def test_all(self):
        shown = commands()
        self.assertGreater(len(shown), 10, shown)
        for command in shown:
            with self.subTest(command):
                if command in ELSEWHERE:
                    self.assertTrue((SOURCE / ELSEWHERE[command]).exists())
                elif command.startswith("./dev install"):
                    self.install(command)
                elif command.startswith("footfall view "):
                    self.view(command)
                else:
                    self.shell(command)

    def test_the_blank_machine_runs_the_first_two(self):
        script = (SOURCE / ".ci" / "run").read_text()
        for command in ["./dev demo", "./dev test"]:
            self.assertIn(f"'{command}'", script)
            self.assertIn(f"    {command} ", README)

    def test_the_scene(self):
        (self.folder / "scene.yaml").write_text(scene())
        self.shell("footfall run scene.yaml")
        self.assertTrue((self.folder / "out.csv").exists())


if __name__ == "__main__":
    unittest.main()
