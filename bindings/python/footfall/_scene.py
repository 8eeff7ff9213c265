"""Scenes as Python has them: paths, texts, dicts, and changes of their keys."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

Scene = str | os.PathLike[str] | Mapping[str, Any]


def source(scene: Scene) -> tuple[str, bool]:
    """What the reader gets: (path, False) or (text, True)."""
    if isinstance(scene, Mapping):
        return text_of(scene), True
    if isinstance(scene, os.PathLike):
        return os.fspath(scene), False
    if not isinstance(scene, str):
        raise TypeError(f"a scene is a path, a text or a dict, not {type(scene).__name__}")
    return scene, "\n" in scene or scene.lstrip().startswith("{")


def overrides(changes: Mapping[str, object] | None) -> dict[str, str]:
    """Changes of keys, as the command's --set has them."""
    if changes is None:
        return {}
    if not isinstance(changes, Mapping):
        raise TypeError(f"set is a dict of keys and values, not {type(changes).__name__}")
    return {key: value if isinstance(value, str) else text_of(value) for key, value in changes.items()}


def text_of(value: object) -> str:
    """As YAML: JSON is YAML."""
    try:
        return json.dumps(value, default=_plain, allow_nan=False)
    except ValueError as error:
        raise ValueError("a scene has finite numbers only, and this one has not") from error


def _plain(value: Any) -> object:
    """Paths, and numbers and arrays of numpy, as JSON has them."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a scene has numbers, texts, lists and dicts, and no {type(value).__name__}")
