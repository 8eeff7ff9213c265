"""Says how far a sweep is: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TextIO

_BETWEEN_DRAWINGS = 0.1  # [s]
_BETWEEN_LINES = 20.0  # [s]


def tell(text: str, out: TextIO | None = None) -> None:
    """To stderr, whether or not it arrives there: a sweep whose terminal is gone goes on."""
    out = out or sys.stderr  # None: it was closed from the start
    try:
        if out is not None:
            out.write(text)
            out.flush()
    except OSError:
        if out is sys.stderr:
            sys.stderr = None  # or Python tries it once more at the end, and exits with 120


class Progress:
    def __init__(self, total: int, done: int, quiet: bool, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr
        self._total, self._before, self._done, self._failed = total, done, done, 0
        self._quiet = quiet
        self._bar = self._out is not None and self._out.isatty()
        self._begin = self._last = time.monotonic()
        self._tenth = 10 * done // max(total, 1)

    def add(self, done: int, failed: int) -> None:
        self._done += done
        self._failed += failed
        now = time.monotonic()
        if self._quiet:
            return
        if self._bar and now - self._last >= _BETWEEN_DRAWINGS:
            self._last = now
            self._draw()
        elif not self._bar:
            self._line(now)

    def _line(self, now: float) -> None:
        tenth = 10 * self._done // max(self._total, 1)
        if now - self._last >= _BETWEEN_LINES or tenth > self._tenth and self._done < self._total:
            self._last, self._tenth = now, tenth
            tell(self.text() + "\n", self._out)

    def text(self) -> str:
        seconds = time.monotonic() - self._begin
        rate = (self._done - self._before) / max(seconds, 1e-9)
        text = f"{self._done:,} of {self._total:,} cases, {rate:.3g}/s"
        if 0 < rate and self._done < self._total:
            text += f", {_duration((self._total - self._done) / rate)} left"
        return text + (f", {self._failed:,} failed" if self._failed else "")

    def _draw(self) -> None:
        text = self.text()
        width = max(min(shutil.get_terminal_size().columns - len(text) - 5, 40), 4)
        full = width * self._done // max(self._total, 1)
        tell(f"\r\x1b[K[{'#' * full}{' ' * (width - full)}] {text}", self._out)

    def end(self) -> float:
        """Returns the seconds since the beginning."""
        if self._bar and not self._quiet:
            tell("\r\x1b[K", self._out)
        return time.monotonic() - self._begin


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
