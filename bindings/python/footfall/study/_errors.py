"""What goes wrong with a study: where, what, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable

from .. import _core


class StudyError(ValueError):
    """The study cannot be run as it is written."""

    def __init__(self, where: str, what: str, hint: str = "") -> None:
        self.where, self.what, self.hint = where, what, hint
        super().__init__((f"{where}: " if where else "") + what + (f"\n  hint: {hint}" if hint else ""))

    def __reduce__(self) -> tuple[type[StudyError], tuple[str, str, str]]:
        return StudyError, (self.where, self.what, self.hint)


class CannotWrite(RuntimeError):
    """The disk takes no more; what was written before is kept."""


def nearest(name: str, known: Iterable[str]) -> str:
    """'did you mean …?', or the list of what is known."""
    return _core._suggest(name, list(known))


def split_error(error: Exception) -> tuple[str, str]:
    """What a footfall.Error says, and its hint."""
    what, _, hint = str(error).partition("\n  hint: ")
    return what, hint
