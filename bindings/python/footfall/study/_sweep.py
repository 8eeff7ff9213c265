"""Runs a study from its file to its results."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ._case import Record, check_study
from ._errors import CannotWrite, StudyError
from ._executor import Executor
from ._journal import Journal
from ._local import LocalExecutor
from ._progress import Progress
from ._report import write_report
from ._study import Case, Study, read_study
from ._table import Table, write_csv, write_parquet

JOURNAL = "journal.jsonl"
_SAMPLES = 10  # cases of which one must be possible


@dataclass(frozen=True)
class Options:
    output: Path | None = None  # folder of the results; None: beside the study
    jobs: int | None = None  # processes; None: one for each core
    on: str = "local"  # or ray, ray://…
    restart: bool = False  # throw away what is done
    quiet: bool = True

    def __post_init__(self) -> None:
        """Before anything is written."""
        if self.jobs is not None and (isinstance(self.jobs, bool) or not isinstance(self.jobs, int) or self.jobs < 1):
            raise StudyError("--jobs", f"is {self.jobs!r}, expected 1 or more")
        if self.on not in ("local", "ray") and not str(self.on).startswith("ray://"):
            raise StudyError("--on", f"is {self.on!r}", "expected local, ray or ray://HOST:PORT")


def folder_named(text: str | Path | None) -> Path | None:
    """A path makes `.` of an empty text, as that of a variable that is not set."""
    if text is not None and not str(text):
        raise StudyError("--output", "is empty, expected a folder")
    return None if text is None else Path(text)


@dataclass
class Results:
    """What a sweep leaves behind: `results.csv`, `results.parquet` and `report.html` in its folder."""

    study: Study
    folder: Path
    table: Table
    seconds: float = 0.0
    resumed: int = 0  # cases that were done before
    files: list[Path] = field(default_factory=list)
    has_parquet: bool = False

    @property
    def complete(self) -> bool:
        return len(self.table.rows) == self.study.case_count


def _samples(study: Study) -> list[Case]:
    if study.search:
        places = [0.5, 0.25, 0.75, 0.0, 0.999]
        return [study.case_of(0, tuple(p.at(place) for p in study.parameters)) for place in places]
    count = study.case_count
    return [study.case(number) for number in dict.fromkeys(k * (count - 1) // _SAMPLES for k in range(_SAMPLES + 1))]


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _executor(study: Study, columns: list[str], options: Options) -> Executor:
    if options.on == "local":
        return LocalExecutor(study, columns, options.jobs or cores())
    try:
        from ._ray import RayExecutor
    except ImportError as problem:
        raise StudyError("--on", f"Ray cannot be imported: {problem}", "pip install 'footfall[ray]'") from None
    return RayExecutor(study, columns, "" if options.on == "ray" else options.on, options.jobs)


class Sweep:
    """A study that is being run. Whatever ends it, what is done is kept, and run() goes on from there."""

    def __init__(self, path: str | Path, options: Options) -> None:
        self.study = read_study(path)
        self._options = options
        self._columns = check_study(self.study, _samples(self.study))
        self.folder = options.output or Path(path).with_suffix(".results")
        self._journal = self._open_journal()
        self.done_before = len(self._journal.records)
        self._seconds = 0.0
        self._was_interrupted = False

    def _open_journal(self) -> Journal:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self._options.restart:
                (self.folder / JOURNAL).unlink(missing_ok=True)
        except OSError as problem:
            raise CannotWrite(f"{self.folder}: cannot be made: {problem.strerror}") from None
        return Journal(self.folder / JOURNAL, self.study.digest)

    def run(self) -> Results:
        """All cases that are not done, then results(). Raises what ends it early; results() then has what is done."""
        progress = Progress(self.study.case_count, self.done_before, self._options.quiet)
        try:
            with _executor(self.study, self._columns, self._options) as executor:
                for records in self._search(executor) if self.study.search else self._sample(executor):
                    progress.add(len(records), sum(record.failed for record in records))
        except BaseException:
            self._was_interrupted = True
            raise
        finally:
            self._seconds = progress.end()
        return self.results()

    def _sample(self, executor: Executor) -> Iterator[list[Record]]:
        done = self._journal.records
        waiting = [self.study.case(number) for number in range(self.study.case_count) if number not in done]
        for records in executor.run(waiting):
            self._journal.add(records)
            yield records

    def _search(self, executor: Executor) -> Iterator[list[Record]]:
        try:
            from ._search import Searcher
        except ImportError as problem:
            where = self.study.search.where if self.study.search else ""
            raise StudyError(where, f"a search needs Optuna: {problem}", "pip install 'footfall[study]'") from None
        fresh: list[Record] = []

        def run(cases: list[Case]) -> dict[int, Record]:
            self._check_choice(cases)
            waiting = [case for case in cases if case.number not in self._journal.records]
            settings = {case.number: case.settings for case in cases}
            for records in executor.run(waiting) if waiting else ():
                self._journal.add(records, settings)
                fresh.extend(records)
            return self._journal.records

        for _ in Searcher(self.study).batches(run):
            yield list(fresh)
            fresh.clear()

    def _check_choice(self, cases: list[Case]) -> None:
        """Another version of Optuna may choose other cases: then the outcomes of the journal are not theirs."""
        for case in cases:
            known = self._journal.settings.get(case.number)
            if known is not None and known != case.settings:
                what = "the search does not choose the cases that are done: has Optuna changed since?"
                raise StudyError(str(self.folder / JOURNAL), what, "--restart begins the study again")

    def results(self) -> Results:
        """Writes what is done. Raises CannotWrite."""
        if self._was_interrupted:
            self._journal.refresh()
        table = Table(self.study, self._known_cases(), self._journal.records)
        results = Results(self.study, self.folder, table, self._seconds, self.done_before)
        names = [self.folder / name for name in ("results.csv", "results.parquet", "report.html")]
        write_csv(table, names[0])
        results.has_parquet = write_parquet(table, names[1])
        if not results.has_parquet:
            names[1].unlink(missing_ok=True)  # of an earlier sweep
        write_report(table, names[2])
        results.files = [name for name in names if name.exists()]
        return results

    def _known_cases(self) -> dict[int, Case]:
        done = self._journal.records
        if self.study.search:
            return {number: self.study.case_of(number, self._journal.settings[number]) for number in done}
        return {number: self.study.case(number) for number in done}

    def close(self) -> None:
        self._journal.close()


def sweep(
    study: str | Path,
    *,
    output: str | Path | None = None,
    jobs: int | None = None,
    on: str = "local",
    restart: bool = False,
    quiet: bool = True,
) -> Results:
    """Runs a study, or goes on with it.

    A script that calls it needs `if __name__ == "__main__":`, because its processes import it.
    """
    running = Sweep(study, Options(folder_named(output), jobs, on, restart, quiet))
    try:
        return running.run()
    finally:
        running.close()
