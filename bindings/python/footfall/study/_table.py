"""Results as a table: one row for each case that is done, in the order of their numbers."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ._case import Record
from ._errors import CannotWrite
from ._study import Case, Study


class Table:
    """`columns` are names with units, `rows` their values: numbers, texts, flags, None where there is nothing."""

    def __init__(self, study: Study, cases: dict[int, Case], records: dict[int, Record]) -> None:
        self.study, self.records = study, records
        repeats = study.repeat > 1
        self.columns = ["case", *(["repeat"] if repeats else []), "seed", *(p.label for p in study.parameters)]
        self.columns += [*(outcome.name for outcome in study.outcomes), "status", "failure"]
        self.rows: list[list[Any]] = []
        for number in sorted(records):
            case, record = cases[number], records[number]
            outcomes = record.outcomes or (None,) * len(study.outcomes)
            status = ["failed" if record.failed else "done", record.failure]
            self.rows.append(
                [number, *([case.repeat] if repeats else []), case.seed, *case.settings, *outcomes, *status]
            )

    @property
    def done(self) -> list[list[Any]]:
        """Rows of cases that did not fail."""
        return [row for row in self.rows if row[-2] == "done"]

    def column(self, name: str) -> list[Any]:
        """Of the cases that did not fail."""
        place = self.columns.index(name)
        return [row[place] for row in self.done]

    @property
    def failures(self) -> list[list[Any]]:
        return [row for row in self.rows if row[-2] == "failed"]


def write_safely(path: Path, write: Callable[[Path], None]) -> None:
    """A file is there whole, or as it was before. Raises CannotWrite."""
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        write(unfinished)
        with open(unfinished, "rb") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except OSError as problem:
        unfinished.unlink(missing_ok=True)
        raise CannotWrite(f"{path}: cannot be written: {problem.strerror or problem}") from None


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def write_csv(table: Table, path: Path) -> None:
    def write(to: Path) -> None:
        with open(to, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(table.columns)
            writer.writerows([_cell(value) for value in row] for row in table.rows)

    write_safely(path, write)


def write_parquet(table: Table, path: Path) -> bool:
    """False: the package pyarrow is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return False
    columns: dict[str, Any] = {}
    for place, name in enumerate(table.columns):
        values = [row[place] for row in table.rows]
        columns[name] = pyarrow.array(_alike(values))
    content = pyarrow.table(columns)
    write_safely(path, lambda to: pyarrow.parquet.write_table(content, str(to)))
    return True


def _alike(values: list[Any]) -> list[Any]:
    """Columns of a Parquet file have one type: whole numbers beside others are numbers."""
    if any(isinstance(value, float) for value in values):
        return [float(value) if isinstance(value, (int, float)) else value for value in values]
    return values
