"""The notebooks of examples/python run from top to bottom, and are kept without outputs."""

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "examples" / "python").glob("*.ipynb"))


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, monkeypatch, tmp_path):
    cells = json.loads(path.read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    monkeypatch.chdir(tmp_path)
    names = {}
    for number, cell in enumerate(code):
        exec(compile("".join(cell["source"]), f"{path.name}[{number}]", "exec"), names)
