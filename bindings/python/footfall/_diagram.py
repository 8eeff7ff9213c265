"""Diagrams out of their pickles."""

from __future__ import annotations

from typing import Any

from . import _core


def _diagram_again(kind: str, *made_of: Any) -> _core.Diagram:
    if kind == "file":
        path, changes = made_of
        return _core.Diagram.load(path, changes)
    scene, told, settings = made_of
    builder = _core.DiagramBuilder(*scene)
    for method, arguments, named in told:
        getattr(builder, method)(*arguments, **named)
    return builder.build(*settings)


def _run_again(diagram: _core.Diagram, snapshot: bytes) -> _core.DiagramRun:
    run = diagram.start()
    run.restore(snapshot)
    return run
