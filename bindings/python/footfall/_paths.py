"""Where the parts of the package lie that are not Python."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_package = Path(__file__).absolute().parent


def data_dir() -> Path:
    """The folder with our scenes/ and models/."""
    return _package / "share" / "footfall"


def cmake_dir() -> Path:
    """For find_package(footfall) in CMake: -Dfootfall_DIR=$(python -c 'import footfall; print(footfall.cmake_dir())')"""
    return _package / "lib" / "cmake" / "footfall"


def _command() -> None:
    """The `footfall` command: becomes the program inside of the package."""
    program = _package / "bin" / "footfall"
    os.environ.setdefault("FOOTFALL_PYTHON", sys.executable)  # for verbs that are written in Python
    os.execv(program, [str(program), *sys.argv[1:]])
