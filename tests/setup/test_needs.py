"""What ./dev installs for each verb."""

import os
import re
import subprocess
import unittest
from pathlib import Path

SOURCE = Path(os.environ["FOOTFALL_SOURCE_DIR"])
VERBS = ["demo", "install", "build", "test", "bench", "format", "lint", "fuzz"]


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
    def test_every_verb_needs_what_those_below_it_need(self):
        for less, more in [("demo", "install"), ("install", "test"), ("install", "bench"), ("test", "lint")]:
            for kind in ["apt", "wheel"]:
                self.assertLessEqual(set(needs(less)[kind]), set(needs(more)[kind]), f"{less}, {more}")

    def test_only_the_tests_need_browser_octave_and_doxygen(self):
        for verb in ["demo", "install", "bench", "format"]:
            self.assertFalse({"chromium", "octave", "octave-dev", "doxygen", "libgtest-dev"} & set(needs(verb)["apt"]), verb)

    def test_only_benchmarks_need_googles_library_and_only_lint_clang(self):
        self.assertEqual([verb for verb in VERBS if "libbenchmark-dev" in needs(verb)["apt"]], ["bench"])
        self.assertEqual([verb for verb in VERBS if "clang-tidy" in needs(verb)["apt"]], ["lint"])
        self.assertEqual(needs("format"), {"apt": ["clang-format"], "wheel": []})

    def test_verbs_that_only_say_something_need_nothing(self):
        for verb in ["help", "clean", "needs"]:
            self.assertEqual(needs(verb), {"apt": [], "wheel": []})

    def test_everything_that_is_listed_is_needed_by_some_verb_and_listed_once(self):
        for kind, path in [("apt", "tools/apt-packages.txt"), ("wheel", "requirements.txt")]:
            names = listed(path)
            self.assertEqual(len(names), len(set(names)), path)
            self.assertEqual(set(names), set().union(*(needs(verb)[kind] for verb in VERBS)), path)


if __name__ == "__main__":
    unittest.main()
