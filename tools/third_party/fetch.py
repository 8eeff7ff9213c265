"""fetch.py FOLDER [PACKAGE…]: puts the archives of sources.txt and headers.txt there (or those named), by pip, so that its settings
(mirrors, proxies) count."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent

# The machine and Python of the wheels in headers.txt, whatever this one is.
ONE_PLATFORM = ["--platform", "manylinux_2_28_x86_64", "--implementation", "cp", "--python-version", "3.12", "--abi", "cp312"]
KINDS = {
    "sources.txt": ["--no-binary", ":all:", "--no-build-isolation"],
    "headers.txt": ["--only-binary", ":all:", *ONE_PLATFORM],
}


def requirements(name, packages):
    """The lines of a list that are wanted."""
    lines = [line for line in (here / name).read_text().splitlines() if line and not line.startswith("#")]
    return [line for line in lines if not packages or line.split("==")[0] in packages]


def download(folder, lines, options):
    with tempfile.TemporaryDirectory() as temporary:
        wanted = Path(temporary, "wanted.txt")
        wanted.write_text("\n".join(lines))
        command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--quiet", "--no-deps"]
        command += ["--require-hashes", "--requirement", wanted, "--dest", folder, *options]
        path = os.pathsep.join(filter(None, [str(here / "backend"), os.environ.get("PYTHONPATH")]))
        subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": path})


def fetch(folder, packages=()):
    for name, options in KINDS.items():
        lines = requirements(name, packages)
        if lines:
            download(folder, lines, options)


if __name__ == "__main__":
    fetch(sys.argv[1], sys.argv[2:])
