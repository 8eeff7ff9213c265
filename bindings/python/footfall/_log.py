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
        """The file that it was read from."""
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

    @property
    def lists(self) -> dict[str, list[_core.Channel]]:
        """Lists by name, with the channels of an entry: rows have any number of entries."""
        return self._reader.lists

    def entries(self, name: str) -> np.ndarray:
        """All entries of a list, such as `contact_points`, as a structured array: `row` and `time` say which row they
        belong to, the other fields are the channels of the list."""
        rows, numbers = self._reader._entries(name)
        fields: list[tuple[str, str] | tuple[str, str, tuple[int]]] = [("row", "i8"), ("time", "f8")]
        channels = self.lists[name]
        for channel in channels:
            width = len(channel.components)
            fields.append((channel.name, "f8", (width,)) if width else (channel.name, "f8"))
        entries = np.zeros(len(rows), dtype=fields)
        entries["row"] = rows
        entries["time"] = self.time[entries["row"]]
        column = 0
        for channel in channels:
            width = len(channel.components)
            entries[channel.name] = numbers[:, column : column + width] if width else numbers[:, column]
            column += width or 1
        return entries

    def state(self, row: int, model: _core.Model) -> _core.State:
        """The state of a row (-1: of the last one), the same bits as when it was logged: `sim.state = log.state(-1, sim.model)`.

        Logs that the command has written with --log-warm-start have the solver's memory, too: the run goes on to the same bits. From others it starts anew.
        """
        return self._reader._state(row, model)

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
