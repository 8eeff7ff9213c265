"""The package and a user's program, as mypy --strict sees them."""

import enum
import os
import subprocess
import sys
from pathlib import Path

import footfall

PACKAGE = Path(footfall.__file__).parent.parent


def mypy(*arguments, folder):
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder), *arguments]
    return subprocess.run(command, env={**os.environ, "MYPYPATH": str(PACKAGE)}, cwd=folder, capture_output=True, text=True)


def test_the_package_and_a_program_that_uses_every_class(tmp_path):
    # The same whether these are installed or not.
    others = "[mypy-pandas.*,ray.*,optuna.*,pyarrow.*,cmaes.*,torch.*,tensordict.*,rsl_rl.*]\nignore_missing_imports = True\nfollow_imports = skip\n"
    (tmp_path / "mypy.ini").write_text("[mypy]\n" + others)
    user = Path(__file__).with_name("typed_user.py")
    found = mypy("-p", "footfall", folder=tmp_path)
    assert found.returncode == 0, found.stdout
    found = mypy(str(user), folder=tmp_path)
    assert found.returncode == 0, found.stdout


def test_what_is_wrong_is_seen(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import footfall as ff\nff.Simulation('a').stp()\nff.DiagramBuilder().build(step='a')\n")
    found = mypy(str(wrong), folder=tmp_path).stdout
    assert "stp" in found and "incompatible type" in found, found


def test_everything_that_is_public_says_what_it_is():
    """help() has a word about each function and property, beside its signature."""
    silent = []
    for name in footfall.__all__:
        kind = getattr(footfall, name)
        if not isinstance(kind, type):
            continue
        assert kind.__doc__, name
        for member, value in vars(kind).items():
            if member.startswith("_") or issubclass(kind, enum.Enum):
                continue
            words = [line for line in (value.__doc__ or "").splitlines() if line.strip()]
            if len(words) < (2 if type(value).__name__ == "nb_func" or type(value).__name__ == "nb_method" else 1):
                silent.append(f"{name}.{member}")
    assert silent == []
