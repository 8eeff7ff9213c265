"""The pages for authors of plug-ins: what they print is put into an empty folder, built against an installation, and used."""

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


def printed_files(page):
    """Indented blocks that begin with the name of a file, as a comment."""
    blocks = re.findall(r"(?m)(?:^    .*\n|^\n(?=    ))+", (SOURCE / "docs" / page).read_text())
    files = {}
    for block in blocks:
        for part in re.split(r"(?m)^    (?=(?:// \w+\.cpp|# CMakeLists\.txt)\n)", block)[1:]:
            name = re.match(r"(?://|#) (\S+)", part).group(1)
            files[name] = textwrap.dedent("    " + part)
    return files


class Page(unittest.TestCase):
    def build(self, page):
        folder = Path(tempfile.mkdtemp(prefix="footfall-page-"))
        self.addCleanup(shutil.rmtree, folder)
        files = printed_files(page)
        self.assertEqual(len(files), 2, files.keys())
        for name, text in files.items():
            (folder / name).write_text(text.split("\n\n")[0] + "\n" if name == "CMakeLists.txt" else text)
        self.folder = folder
        self.environment = dict(os.environ, FOOTFALL_PLUGIN_PATH=str(folder / "build"))
        self.call("cmake", "-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", f"-DCMAKE_PREFIX_PATH={PREFIX}", f"-DCMAKE_CXX_COMPILER={os.environ['FOOTFALL_CXX']}",
                  f"-DCMAKE_CXX_COMPILER_LAUNCHER={os.environ['FOOTFALL_LAUNCHER']}")
        self.call("cmake", "--build", "build")
        # Without a word about it, the compiler optimises: a plug-in without is four times as slow.
        self.assertRegex((folder / "build" / "compile_commands.json").read_text(), r" -O[23] ")

    def call(self, *command):
        done = subprocess.run(list(map(str, command)), cwd=self.folder, env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def footfall(self, *arguments):
        return self.call(os.environ["FOOTFALL_COMMAND"], *arguments)

    def last_row(self, log):
        lines = [line for line in (self.folder / log).read_text().splitlines() if not line.startswith("#")]
        return dict(zip([name.split(" [")[0] for name in lines[0].split(",")], map(float, [v or "nan" for v in lines[-1].split(",")])))

    def test_the_block(self):
        self.build("plugin_block.md")
        self.assertIn("frequency above which it damps", self.footfall("blocks", "LowPass"))
        (self.folder / "d.yaml").write_text("step: 1 ms\nblocks:\n  one: {block: Constant, value: 1}\n  low: {block: LowPass, cutoff: 2 Hz}\n"
                                            "connect: [one -> low.in]\nlog: [low.out]\n")
        self.footfall("run", "d.yaml", "--duration", "0.1", "--log", "d.csv", "--quiet")
        self.assertAlmostEqual(self.last_row("d.csv")["low.out"], 0.7154, places=4)  # 1 − exp(−2 π · 2 Hz · 0.1 s)

    def test_the_first_page(self):
        self.build("plugins.md")
        self.assertIn("how long it remembers", self.footfall("blocks", "LeakyIntegrator"))

    def test_the_solver(self):
        """To the motion that the built-in solver gives: both stop at 1e-10 m/s in each step. The box has landed twice by then; later a difference
        of 1e-8 decides which corners touch, and the two go different ways."""
        self.build("plugin_solver.md")
        self.footfall("run", SOURCE / "scenes" / "falling_box.yaml", "--set", "physics.solver=sweeping", "--duration", "1.5", "--quiet")
        for scene, duration in [("quadruped", 1.2), ("sliding_block", 1.2), ("falling_box", 0.63)]:
            rows = []
            for solver in ("sweeping", "native"):
                log = f"{scene}_{solver}.csv"
                self.footfall("run", SOURCE / "scenes" / f"{scene}.yaml", "--set", f"physics.solver={solver}", "--duration", duration,
                              "--log", log, "--quiet")
                rows.append(self.last_row(log))
            for name in ("base.position.x", "base.position.y", "base.position.z"):
                self.assertAlmostEqual(rows[0][name], rows[1][name], delta=1e-7, msg=f"{scene}: {name}")


if __name__ == "__main__":
    unittest.main()
