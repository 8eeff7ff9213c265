"""Logs, as numpy and pandas want them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from . import _core

if TYPE_CHECKING:
    import pandas


class Log:
    """A log that has been written by a run: `read_log("run.mcap")`."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._reader = _core._open_log(os.fspath(path))

    @property
    def path(self) -> str:
        return self._reader.path

    @property
    def notes(self) -> dict[str, str]:
        """What the log says about itself: version, scene, physics …"""
        return self._reader.notes

    @property
    def channels(self) -> dict[str, _core.Channel]:
        """The quantities by name, with unit and components."""
        return {channel.name: channel for channel in self._reader.channels}

    @property
    def columns(self) -> list[str]:
        """Names of the columns: `l_sole.force.x`"""
        return self._reader.columns

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns."""
        return dict(zip(self._reader.columns, self._reader.units))

    @property
    def time(self) -> np.ndarray:
        """Of each row [s]."""
        return self._reader.time

    @property
    def damage(self) -> str:
        """Empty, or what is missing at the end of the file."""
        return self._reader.damage

    def __len__(self) -> int:
        return len(self._reader)

    def __getitem__(self, name: str) -> np.ndarray:
        """A channel, a column or a pattern such as `l_sole.*`: (rows) or (rows × columns)."""
        return self._reader[name]

    def to_pandas(self) -> pandas.DataFrame:
        """Everything as a table with the time as index; units are in `table.attrs["units"]`."""
        import pandas

        table = pandas.DataFrame(self._reader._table(), columns=self.columns)
        table = table.set_index(self.columns[0])
        table.attrs["units"] = self.units
        return table

    def __reduce__(self) -> tuple[type[Log], tuple[str]]:
        return Log, (os.path.abspath(self.path),)

    def __repr__(self) -> str:
        return f"<footfall.Log '{self.path}', {len(self)} rows, {len(self.columns)} columns>"


def read_log(path: str | os.PathLike[str]) -> Log:
    """Opens a .csv or .mcap log."""
    return Log(path)
