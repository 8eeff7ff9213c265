"""Makes the source distribution, a wheel from it, tags it, installs it into a fresh virtual environment, and uses it with an empty
environment: in Python, as a command with all its parts, and from a C++ project that finds it by CMake."""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tools"))
from make_wheel import repair  # noqa: E402

USE = """
import pickle, footfall as ff, numpy as np
sim = ff.Simulation(ff.data_dir() / "scenes" / "falling_box.yaml")
sim.run(0.2)
assert pickle.loads(pickle.dumps(sim.state)) == sim.state
sim.state.save("wheel.state")
assert (ff.cmake_dir() / "footfallConfig.cmake").exists()
print("used", ff.__version__)
"""


def run(*command, **options):
    print("+", *command, flush=True)
    return subprocess.run([str(word) for word in command], check=True, **options)


def make_sdist(work, page):
    run(sys.executable, "-c", "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])", work,
        cwd=SOURCE, env=dict(os.environ, CMAKE_ARGS=f"-DFOOTFALL_BUILT_PAGE={page}"))
    (archive,) = work.glob("footfall-*.tar.gz")
    with tarfile.open(archive) as file:
        names = file.getnames()
        assert not [name for name in names if "/.venv/" in name or "/build/" in name]
        assert [name for name in names if name.endswith("studio/page/built/studio.html")]
        file.extractall(work)
    return work / archive.name.removesuffix(".tar.gz")


def make_wheel(source, work, arguments):
    """Without isolation: the build requirements are those of the project's own environment, which lies in the source's folder as in a clone, so
    that the compiler's cache knows all of it."""
    (source / ".venv").symlink_to(Path(sys.prefix))
    environment = dict(
        os.environ,
        CMAKE_CXX_COMPILER_LAUNCHER="ccache" if shutil.which("ccache") else "",
        CCACHE_BASEDIR=str(source),
        CCACHE_NOHASHDIR="1",
        CXX=arguments.compiler,
        CMAKE_ARGS=f"-DFOOTFALL_THIRD_PARTY={arguments.third_party} -DFMI_HEADERS={arguments.fmi_headers}",
    )
    run(source / ".venv" / "bin" / "python", "-c",
        "import sys; from scikit_build_core.build import build_wheel; build_wheel(sys.argv[1])", work, cwd=source, env=environment)
    (wheel,) = work.glob("footfall-*.whl")
    repair(wheel, work / "tagged")
    (tagged,) = (work / "tagged").glob("footfall-*.whl")
    print("wheel:", tagged.name, tagged.stat().st_size // 1024, "KiB")
    assert "manylinux" in tagged.name, tagged.name
    return tagged


def fresh_environment(wheel, work):
    """Python, numpy and the wheel; nothing else."""
    folder = work / "venv"
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python3*/site-packages")
    import numpy

    for part in Path(numpy.__file__).parents[1].glob("numpy*"):
        (site / part.name).symlink_to(part)
    run(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", folder / "bin" / "python", "install", "--no-deps",
        "--no-index", "--quiet", wheel)
    return folder


# What somebody who installs the wheel may count on.
PARTS = """bin/footfall lib/libfootfall.so lib/footfall/fmu/footfall.so lib/footfall/plugins/libfootfall_block_fmu.so
  lib/cmake/footfall/footfallConfig.cmake lib/cmake/footfall/FootfallAddPlugin.cmake include/footfall/run/simulation.hpp
  study/__main__.py share/footfall/scenes/studies/friction.yaml
  share/footfall/scene.schema.json share/footfall/scenes/demo.yaml share/footfall/models/quadruped.urdf
  share/footfall/licenses/LICENSE share/footfall/licenses/fmt.txt _core.pyi py.typed""".split()


def check_parts(folder):
    """All that was promised, and nothing that asks for more than the C and C++ run-time libraries of the system, or looks for them in folders
    of the machine that made it."""
    (package,) = folder.glob("lib/python3*/site-packages/footfall")
    assert not [part for part in PARTS if not (package / part).exists()]
    licenses = {path.name for path in package.parent.glob("footfall-*.dist-info/licenses/**/*.txt")}
    assert licenses >= {path.name for path in (SOURCE / "tools" / "licenses").glob("*.txt")}
    allowed = ("libfootfall.so", "libstdc++.so", "libgcc_s.so", "libc.so", "libm.so", "ld-linux", "libdl.so", "libpthread.so")
    for library in [*package.glob("_core*.so"), *package.glob("lib/**/*.so"), package / "bin" / "footfall"]:
        output = run("readelf", "-d", library, stdout=subprocess.PIPE, text=True).stdout
        needed = [line.split("[")[1].rstrip("]") for line in output.splitlines() if "(NEEDED)" in line]
        assert needed and all(name.startswith(allowed) for name in needed), (library, needed)
        paths = [path for line in output.splitlines() if "PATH)" in line for path in line.split("[")[1].rstrip("]").split(":")]
        assert all(path.startswith("$ORIGIN") for path in paths), (library, paths)
    return package


def check_verbs(folder, work):
    """Each part of the command does something."""
    scene = next(folder.glob("lib/python3*/site-packages/footfall/share/footfall/scenes/falling_box.yaml"))

    def footfall(*arguments):
        return run(folder / "bin" / "footfall", *arguments, cwd=work, env={"PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE,
                   text=True).stdout

    footfall("demo", "--duration", "1.5", "--log", "demo.mcap")
    footfall("convert", "demo.mcap", "demo.mat")
    footfall("plot", "demo.mcap", "base.position", "-o", "demo.png")
    footfall("report", "demo.mcap", "-o", "demo.html")
    assert "three.js" in (work / "demo.html").read_text(), "the page is in the report"
    footfall("export", "fmu", scene, "-o", "box.fmu")
    with zipfile.ZipFile(work / "box.fmu") as fmu:
        assert [name for name in fmu.namelist() if name.startswith("binaries/")]
    assert "Fmu" in footfall("blocks")
    study = scene.parent / "studies" / "friction.yaml"
    assert "no Parquet" in footfall("sweep", study, "--output", "study") and (work / "study" / "report.html").exists()
    assert "three.js" in footfall("--licenses")


def use(folder, work, command):
    bare = {"PATH": "/usr/bin:/bin"}
    run(folder / "bin" / "python", "-I", "-c", USE, cwd=work, env={})
    (package,) = folder.glob("lib/python3*/site-packages/footfall")
    scene = package / "share" / "footfall" / "scenes" / "falling_box.yaml"
    for program, state in ((folder / "bin" / "footfall", "command.state"), (command, "build.state")):
        run(program, "run", scene, "--duration", "0.2", "--save-state", state, "--quiet", cwd=work, env=bare)
    states = {(work / name).read_bytes() for name in ("wheel.state", "command.state", "build.state")}
    assert len(states) == 1, "Python, the wheel's command and the build's command must give the same bits"


def build_consumer(package, work):
    run("cmake", "-S", SOURCE / "examples" / "consumer", "-B", work / "consumer", "-DCMAKE_BUILD_TYPE=Release",
        f"-Dfootfall_DIR={package}/lib/cmake/footfall")
    run("cmake", "--build", work / "consumer")
    run(work / "consumer" / "consumer", package / "share" / "footfall" / "scenes" / "falling_box.yaml")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--third-party", type=Path, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--command", type=Path, required=True)
    parser.add_argument("--page", type=Path, required=True)
    parser.add_argument("--fmi-headers", type=Path, required=True)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    source = make_sdist(arguments.work, arguments.page)
    wheel = make_wheel(source, arguments.work, arguments)
    folder = fresh_environment(wheel, arguments.work)
    package = check_parts(folder)
    check_verbs(folder, arguments.work)
    use(folder, arguments.work, arguments.command)
    build_consumer(package, arguments.work)


main()
