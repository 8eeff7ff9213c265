"""fetch.py FOLDER: puts the source archives of sources.txt there, by pip, so that its settings (mirrors, proxies) count."""

import os
import subprocess
import sys
from pathlib import Path

here = Path(__file__).resolve().parent


def fetch(folder):
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--quiet"]
    command += ["--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--require-hashes"]
    command += ["--requirement", here / "sources.txt", "--dest", folder]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(here / "backend")})


if __name__ == "__main__":
    fetch(sys.argv[1])
