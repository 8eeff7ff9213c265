"""The call of `mex` that docs/matlab.md prints, made with Octave's compiler against an installation of this build."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["FOOTFALL_SOURCE_DIR"])
PREFIX = Path(os.environ["FOOTFALL_PREFIX"])


def printed_lines():
    """The block of the page that calls mex, with its continued lines joined."""
    page = (SOURCE / "docs" / "matlab.md").read_text()
    (block,) = re.findall(r"(?m)^    cd (.*)\n    (mex .*(?:\n        .*)*)", page)
    folder, call = block
    return folder, re.sub(r"\s*\.\.\.\n\s*", " ", call)


def for_octave(call):
    """`mkoctfile --mex` takes flags of the compiler as they are, and -o where MATLAB has -output."""
    words = shlex.split(call)
    flags = [word.split("$CXXFLAGS ", 1)[1] if word.startswith("CXXFLAGS=") else word for word in words[1:]]
    return ["mkoctfile", "--mex"] + ["-o" if flag == "-output" else flag for flag in flags]


class MexLine(unittest.TestCase):
    def test_it_compiles_as_printed_and_what_comes_out_passes_the_tests_of_the_toolbox(self):
        folder, call = printed_lines()
        self.assertEqual(len(re.findall(r" -l", call)), 1, "one library is enough")
        installed = Path(folder.replace("/opt/footfall", str(PREFIX)))
        with tempfile.TemporaryDirectory(prefix="footfall-mex-") as work:
            toolbox = Path(work)
            shutil.copytree(installed / "+footfall", toolbox / "+footfall")
            (toolbox / "source").symlink_to(installed / "source")
            done = subprocess.run(for_octave(call.replace("/opt/footfall", str(PREFIX))), cwd=toolbox, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            environment = dict(os.environ, FOOTFALL_TOOLBOX=str(toolbox))
            tests = [os.environ["OCTAVE"], "--no-gui", "--norc", "--quiet", SOURCE / "tests" / "matlab" / "run_tests.m"]
            done = subprocess.run(tests, env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
