"""python -m footfall …: the command of the package, for those whose PATH does not have it."""

import sys

from ._paths import _command

if __name__ == "__main__":
    if sys.argv[1:2] == ["sweep"]:
        from .study.__main__ import main

        sys.exit(main(sys.argv[2:]))
    _command()
