"""Scenes as Python has them: paths, texts, dicts, and changes of their keys."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _core

Scene = str | os.PathLike[str] | Mapping[str, Any]


def source(scene: Scene) -> tuple[str, bool]:
    """What the reader gets: (path, False) or (text, True)."""
    if isinstance(scene, Mapping):
        return text_of(scene), True
    if isinstance(scene, os.PathLike):
        return os.fspath(scene), False
    if not isinstance(scene, str):
        raise TypeError(f"a scene is a path, a text or a dict, not {type(scene).__name__}")
    is_text = "\n" in scene or scene.lstrip().startswith("{") or (": " in scene and not os.path.exists(scene))
    return scene, is_text


def overrides(changes: Mapping[str, object] | None) -> dict[str, str]:
    """Changes of keys, as the command's --set has them."""
    if changes is None:
        return {}
    if not isinstance(changes, Mapping):
        raise TypeError(f"set is a dict of keys and values, not {type(changes).__name__}")
    return {key: value if isinstance(value, str) else text_of(value, key) for key, value in changes.items()}


def text_of(value: object, name: str = "") -> str:
    """As YAML: JSON is YAML. `name` is what errors call the value."""
    try:
        return json.dumps(value, default=_plain, allow_nan=False)
    except ValueError:
        found = _not_finite(json.loads(json.dumps(value, default=_plain)), name)
        raise _core.Error(f"scene: {found}, expected a finite number") from None


def _not_finite(value: object, where: str) -> str:
    """The first number that is none, with its key; empty: there are none."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"{where} is {value}"
    entries: Iterable[tuple[object, object]] = ()
    if isinstance(value, dict):
        entries = value.items()
    elif isinstance(value, list):
        entries = enumerate(value)
    found = (_not_finite(entry, f"{where}.{key}" if where else str(key)) for key, entry in entries)
    return next(filter(None, found), "")


def _plain(value: Any) -> object:
    """Paths, and numbers and arrays of numpy, as JSON has them."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a scene has numbers, texts, lists and dicts, and no {type(value).__name__}")
