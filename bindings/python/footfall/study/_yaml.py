"""A study file as values that know their line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .. import _core
from .._paths import data_dir
from ._errors import StudyError, nearest


class Value:
    """A value of the file: a text, a list, a map, or nothing."""

    def __init__(self, data: dict[str, Any], file: str, path: str = "") -> None:
        self._data, self._file, self.path = data, file, path

    @property
    def where(self) -> str:
        return f"{self._file}:{self._data['line']}"

    @property
    def is_text(self) -> bool:
        return "text" in self._data

    @property
    def is_list(self) -> bool:
        return "list" in self._data

    @property
    def is_map(self) -> bool:
        return "map" in self._data

    @property
    def quoted(self) -> bool:
        return bool(self._data.get("quoted", False))

    def error(self, what: str, hint: str = "") -> StudyError:
        return StudyError(self.where, f"{self.path} {what}" if self.path else what, hint)

    def found(self) -> str:
        if self.is_text:
            return f"'{self._data['text']}'"
        return "a list" if self.is_list else "a map" if self.is_map else "nothing"

    def text(self) -> str:
        if not self.is_text or not self._data["text"]:
            raise self.error(f"is {self.found()}, expected a text")
        return str(self._data["text"])

    def number(self) -> float:
        try:
            return float(self.text())
        except ValueError:
            raise self.error(f"is {self.found()}, expected a number") from None

    def count(self, least: int = 1) -> int:
        try:
            number = int(self.text().replace("_", "x"))
        except ValueError:
            number = least - 1
        if not least <= number < 2**53:
            raise self.error(f"is {self.found()}, expected a whole number of {least} or more")
        return number

    def choice(self, known: Iterable[str]) -> str:
        known = list(known)
        if (text := self.text()) not in known:
            raise self.error(f"is '{text}', expected one of {', '.join(known)}", nearest(text, known))
        return text

    def items(self) -> list[Value]:
        if not self.is_list:
            raise self.error(f"is {self.found()}, expected a list: [a, b, …]")
        return [Value(item, self._file, f"{self.path}[{k}]") for k, item in enumerate(self._data["list"])]

    def entries(self) -> dict[str, Value]:
        if not self.is_map:
            raise self.error(f"is {self.found()}, expected a map: {{key: value, …}}")
        dot = f"{self.path}." if self.path else ""
        return {key: Value(value, self._file, dot + key) for key, value in self._data["map"]}

    def fields(self, known: Iterable[str]) -> dict[str, Value]:
        """The entries, all of which must be known."""
        known = list(known)
        entries = self.entries()
        for key, value in entries.items():
            if key not in known:
                raise value.error("is not a known key", nearest(key, known))
        return entries


def read_yaml(path: Path) -> Value:
    """Raises StudyError, or footfall.Error where the file is no YAML."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        own = data_dir() / "scenes" / "studies" / path.name
        hint = f"Footfall's own is {own}" if isinstance(problem, FileNotFoundError) and own.is_file() else ""
        raise StudyError(str(path), f"the study cannot be read: {problem.strerror}", hint) from None
    except UnicodeDecodeError:
        raise StudyError(str(path), "the study cannot be read: it is no text in UTF-8") from None
    return Value(json.loads(_core._yaml_with_lines(text, str(path))), str(path))
