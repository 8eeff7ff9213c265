"""The licences of everything that is compiled in or shipped travel along: tools/licenses has the text of each, and command, FMU and page
hold them."""

import ast
import json
import os
import re
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

SOURCE = Path(os.environ["FOOTFALL_SOURCE_DIR"])
COMMAND = os.environ["FOOTFALL_COMMAND"]
ARCHIVES = Path(os.environ["FOOTFALL_ARCHIVES"])
PAGE = Path(os.environ.get("FOOTFALL_STUDIO_PAGE", "/nowhere"))


def read_notice(path):
    head, text = path.read_text().split("\n\n", 1)
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert list(fields) == ["Name", "Inside", "From", "Home"], path
    return {**fields, "Text": text}


NOTICES = {path.stem: read_notice(path) for path in sorted((SOURCE / "tools" / "licenses").glob("*.txt"))}


def words(text):
    """What a text says, without how it is laid out."""
    return " ".join(re.sub(r"^[ *]*", "", line) for line in text.splitlines()).split()


def named_in_the_build():
    """Packages whose contents end up in something that is shipped, wherever the build names them."""
    for name in ("sources.txt", "headers.txt"):
        for line in (SOURCE / "tools" / "third_party" / name).read_text().splitlines():
            if line and not line.startswith("#"):
                yield line.split("==")[0]
    yield from json.loads((SOURCE / "studio" / "page" / "package.json").read_text())["dependencies"]
    tools = {"scikit-build-core", "numpy", "pip"}  # work at build time, or are installed beside
    project = (SOURCE / "pyproject.toml").read_text()
    for requirement in ast.literal_eval(re.search(r"^requires = (\[.*?\])", project, re.MULTILINE)[1]):
        package = re.match(r"[\w-]+", requirement)[0]
        if package not in tools:
            yield package


@pytest.mark.parametrize("package", sorted(set(named_in_the_build())))
def test_every_package_of_the_build_has_its_text(package):
    assert any(notice["From"] == package and notice["Text"].strip() for notice in NOTICES.values()), (
        f"{package} goes into what we ship: put its licence into tools/licenses, with `From: {package}`")


def test_every_text_belongs_to_something_of_the_build():
    packages = set(named_in_the_build())
    for name, notice in NOTICES.items():
        assert notice["From"] in packages or (SOURCE / notice["From"]).exists(), name
        assert notice["Inside"] in ("library", "command", "page", "python"), name


# Where the archives hold the text themselves, ours is that one.
TEXTS = {
    "fmt": ("cmeel_fmt-*.tar.gz", "/fmt/LICENSE"),
    "tinyxml2": ("cmeel_tinyxml2-*.tar.gz", "/tinyxml2/LICENSE.txt"),
    "yaml-cpp": ("cmeel_yaml_cpp-*.tar.gz", "/yaml-cpp/LICENSE"),
    "zlib": ("blosc-*.tar.gz", "/LICENSES/ZLIB.txt"),
    "cli11": ("goofit-*.tar.gz", "/extern/CLI11/LICENSE"),
    "nlohmann-json": ("nlohmann_json-*.whl", "/licenses/LICENSE"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_text_is_that_of_the_archive(name):
    pattern, ending = TEXTS[name]
    archive = next(ARCHIVES.glob(pattern), None)
    if archive is None:
        pytest.skip("the system's own is used")
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as file:
            (member,) = [member for member in file.namelist() if member.endswith(ending)]
            text = file.read(member).decode()
    else:
        with tarfile.open(archive) as file:
            members = [m for m in file if m.name.endswith(ending) and m.name.count("/") == min(
                n.count("/") for n in file.getnames() if n.endswith(ending))]
            text = file.extractfile(members[0]).read().decode()
    assert words(NOTICES[name]["Text"]) == words(text)


def assert_holds(text, names):
    said = " ".join(words(text))
    assert " ".join(words((SOURCE / "LICENSE").read_text())) in said
    for name in names:
        assert " ".join(words(NOTICES[name]["Text"])) in said, name


def test_the_command_prints_all_of_them():
    assert_holds(subprocess.run([COMMAND, "--licenses"], check=True, capture_output=True, text=True).stdout, NOTICES)


def test_an_fmu_holds_those_of_the_library(tmp_path):
    fmu = tmp_path / "box.fmu"
    export = subprocess.run([COMMAND, "export", "fmu", SOURCE / "scenes" / "falling_box.yaml", "-o", fmu],
                            capture_output=True, text=True)
    if "no export of FMUs in this build" in export.stderr:
        pytest.skip("this build has no FMUs")
    assert export.returncode == 0, export.stderr
    with zipfile.ZipFile(fmu) as file:
        text = file.read("documentation/licenses/license.txt").decode()
    assert_holds(text, [name for name, notice in NOTICES.items() if notice["Inside"] == "library"])
    assert NOTICES["three"]["Text"] not in text


def test_the_page_holds_those_of_its_packages():
    if not PAGE.exists() or "built without npm" in PAGE.read_text():
        pytest.skip("this build has no page")
    page = PAGE.read_text()
    comment = page[page.index("<!--"):page.index("-->")]
    assert_holds(comment, [name for name, notice in NOTICES.items() if notice["Inside"] == "page"])
