"""The C++ program of the README, pasted into an empty folder and compiled against an installation of this build."""

import os
import re
import shutil
import subprocess
import tempfile
import textwrap
import unittest
from pathlib import Path

SOURCE = Path(os.environ["FOOTFALL_SOURCE_DIR"])
PREFIX = Path(os.environ["FOOTFALL_PREFIX"])


def printed_program():
    readme = (SOURCE / "README.md").read_text()
    (block,) = re.findall(r"(?m)^    #include(?:.*\n(?:    .*\n|\n)*)", readme)
    return textwrap.dedent(block)


class Program(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        work = tempfile.TemporaryDirectory(prefix="footfall-readme-program-")
        cls.addClassCleanup(work.cleanup)
        cls.folder = Path(work.name)
        (cls.folder / "push.cpp").write_text(printed_program())
        prefix = cls.folder / "prefix"  # away from the folders of the project, above which robots would be found
        (prefix / "lib").mkdir(parents=True)
        for library in PREFIX.glob("lib/libfootfall.so*"):
            shutil.copy(library, prefix / "lib", follow_symlinks=False)
        shutil.copytree(PREFIX / "share" / "footfall" / "scenes", cls.folder / "scenes")
        compiler = os.environ["FOOTFALL_COMPILER"].split()
        subprocess.run([*compiler, "-std=c++20", "-O1", f"-I{PREFIX}/include", f"-I{os.environ['EIGEN_HEADERS']}", "push.cpp", "-o", "push",
                        "-Lprefix/lib", "-lfootfall", f"-Wl,-rpath,{prefix}/lib"], cwd=cls.folder, check=True)

    def run_program(self, **variables):
        environment = {"HOME": str(self.folder), "PATH": os.environ["PATH"], **variables}
        return subprocess.run([self.folder / "push"], cwd=self.folder, env=environment, capture_output=True, text=True)

    def test_without_robots_it_says_what_to_install(self):
        done = self.run_program()
        if done.returncode == 0:
            self.skipTest("robots are installed for the whole system")
        self.assertEqual(done.returncode, 1, done.stderr)  # an exception that nobody catches would be a signal
        self.assertRegex(done.stderr, r"demo\.yaml.*\n? *.*model '.*' is not found")
        self.assertIn("pip install icub-models", done.stderr)

    def test_with_robots_it_runs(self):
        shares = [str(path) for path in (SOURCE / ".venv").glob("share")]
        done = self.run_program(FOOTFALL_MODEL_PATH=":".join(shares))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"l_sole carries \d+\.\d+ N")


if __name__ == "__main__":
    unittest.main()
