"""What is done already: a file that only grows, and survives a kill.

The first line says which study it belongs to; every other one is a finished case. A line is whole when its checksum
fits: a process that is killed in the middle of a line leaves one that does not, and that case is run again.
"""

from __future__ import annotations

import fcntl
import json
import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ._case import Record
from ._errors import CannotWrite, StudyError
from ._parameters import Setting

_FORMAT = "footfall study 1"
Settings = tuple[Setting, ...]


def _line(content: dict[str, Any]) -> bytes:
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True)
    return f"{zlib.crc32(text.encode()):08x} {text}\n".encode()


def _content(line: bytes) -> dict[str, Any] | None:
    """None: the line is torn."""
    checksum, _, text = line.rstrip(b"\n").partition(b" ")
    if not line.endswith(b"\n") or checksum != f"{zlib.crc32(text):08x}".encode():
        return None
    content = json.loads(text)
    return content if isinstance(content, dict) else None


class Journal:
    """Opens the journal of a study, or begins it. `records` are the cases that are done."""

    def __init__(self, path: Path, digest: str) -> None:
        self._path = path
        self.records: dict[int, Record] = {}
        self.settings: dict[int, Settings] = {}  # of cases that a search chose
        self._file = self._open()
        try:
            self._size = self._read(digest)
            if self._size == 0:
                self._append(_line({"format": _FORMAT, "study": digest}))
        except BaseException:
            os.close(self._file)
            raise

        self._digest = digest

    def refresh(self) -> None:
        """Takes the cases from the disk: Ctrl-C may have come between writing them and keeping them here."""
        self.records.clear()
        self.settings.clear()
        self._size = self._read(self._digest)

    def _open(self) -> int:
        try:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as problem:
            raise CannotWrite(f"{self._path}: cannot be opened: {problem.strerror}") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            hint = "wait until it ends, or choose another folder: --output FOLDER"
            raise StudyError(str(self._path), "another sweep is writing here", hint) from None
        return file

    def _read(self, digest: str) -> int:
        """Reads what is whole, cuts off what is torn, and returns the size."""
        size = 0
        with open(self._path, "rb") as file:
            for number, line in enumerate(file, 1):
                content = _content(line)
                if content is None:
                    if file.read(1):
                        hint = "--restart begins the study again"
                        raise StudyError(f"{self._path}:{number}", "this line of the journal is damaged", hint)
                    os.ftruncate(self._file, size)
                    break
                if number == 1:
                    self._check_header(content, digest)
                else:
                    self._keep(content)
                size += len(line)
        return size

    def _check_header(self, content: dict[str, Any], digest: str) -> None:
        if content.get("format") != _FORMAT:
            raise StudyError(str(self._path), "this is no journal of a study", "choose another folder: --output FOLDER")
        if content.get("study") != digest:
            what = "the cases here belong to another study: it, its scene or the version of footfall has changed since"
            raise StudyError(str(self._path), what, "--restart throws them away; --output FOLDER keeps them")

    def _keep(self, content: dict[str, Any]) -> None:
        number = int(content["case"])
        self.records[number] = Record(number, tuple(content["outcomes"]), content["failure"], content["seconds"])
        if "settings" in content:
            self.settings[number] = tuple(content["settings"])

    def add(self, records: Iterable[Record], settings: dict[int, Settings] | None = None) -> None:
        """They are on the disk when it returns. Raises CannotWrite; what was there before stays whole."""
        contents = []
        for record in records:
            content: dict[str, Any] = {"case": record.number, "outcomes": record.outcomes, "failure": record.failure}
            content["seconds"] = round(record.seconds, 6)
            if settings is not None:
                content["settings"] = settings[record.number]
            contents.append(content)
        self._append(b"".join(_line(content) for content in contents))
        for content in contents:
            self._keep(content)

    def _append(self, lines: bytes) -> None:
        written = 0
        try:
            while written < len(lines):
                written += os.write(self._file, lines[written:])
            os.fsync(self._file)
        except OSError as problem:
            os.ftruncate(self._file, self._size)
            raise CannotWrite(f"{self._path}: cannot be written: {problem.strerror}") from None
        self._size += len(lines)

    def close(self) -> None:
        os.close(self._file)
