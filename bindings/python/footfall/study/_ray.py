"""Cases on a Ray cluster. Importing this imports ray."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any

import ray

from .. import __version__
from ._case import CaseWorker, Record
from ._errors import StudyError
from ._executor import Chunk, Queue
from ._study import Case, Study

_BETWEEN_COUNTS = 5.0  # of the machines of the cluster [s]
_ENDED = (  # a process or its machine
    ray.exceptions.WorkerCrashedError,
    ray.exceptions.NodeDiedError,
    ray.exceptions.OutOfMemoryError,
    ray.exceptions.ObjectLostError,
)

_workers: dict[str, CaseWorker] = {}  # of this process, by study: the scene and its robot are read once


def _run_chunk(study: Study, columns: Sequence[str], version: str, chunk: Chunk) -> list[Record]:
    """Runs on the cluster."""
    if version != __version__:
        raise StudyError(
            "", f"this machine of the cluster has footfall {__version__}, and the study comes from {version}"
        )
    known = f"{study.digest} {study.scene}"
    if known not in _workers:
        _workers.clear()
        _workers[known] = CaseWorker(study, columns)
    return [_workers[known].run(case) for case in chunk]


class RayExecutor:
    """`address`: "" for the cluster that this machine belongs to (a new one where there is none), or ray://…"""

    def __init__(self, study: Study, columns: Sequence[str], address: str, jobs: int | None) -> None:
        self._begun = not ray.is_initialized()
        if self._begun:
            _connect(address, jobs)
        # Ray itself repeats a chunk whose process or machine ended; a case that ends every process is found by Queue.
        self._run_chunk: Any = ray.remote(num_cpus=1, max_retries=2, retry_exceptions=False)(_run_chunk)
        self._study, self._columns = ray.put(study), ray.put(list(columns))
        self._processes, self._counted_at = 1, -math.inf

    def __enter__(self) -> RayExecutor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._begun:
            ray.shutdown()

    def processes(self) -> int:
        """That the cluster has now; 0: all its machines are gone."""
        if time.monotonic() - self._counted_at > _BETWEEN_COUNTS:
            resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call, unused-ignore]
            self._processes, self._counted_at = int(resources.get("CPU", 0)), time.monotonic()
        return self._processes

    def run(self, cases: Sequence[Case]) -> Iterator[list[Record]]:
        try:
            yield from self._run(cases)
        except ray.exceptions.RayError as problem:
            raise StudyError("--on", f"the cluster is gone: {_first_line(problem)}") from None

    def _run(self, cases: Sequence[Case]) -> Iterator[list[Record]]:
        queue = Queue(cases, max(1, self.processes()))
        running: dict[Any, Chunk] = {}
        while queue or running:
            while queue and len(running) < max(1, 2 * self.processes()):
                chunk = queue.next()
                running[self._run_chunk.remote(self._study, self._columns, __version__, chunk)] = chunk
            done, _ = ray.wait(list(running), num_returns=1, timeout=_BETWEEN_COUNTS)
            if not done and self.processes() == 0:
                raise StudyError("--on", "no machine of the cluster is left that could run a case")
            for reference in done:
                records = self._records(reference, running.pop(reference), queue)
                queue.finished(records)
                if records:
                    yield records

    def _records(self, reference: Any, chunk: Chunk, queue: Queue) -> list[Record]:
        try:
            records: list[Record] = ray.get(reference)
            return records
        except _ENDED as problem:
            return queue.ended(chunk, _first_line(problem))
        except ray.exceptions.RayTaskError as problem:
            hint = "the files of the study must lie there under the same paths"
            raise StudyError("--on", f"a process of the cluster could not begin: {problem.cause}", hint) from None


def _first_line(problem: BaseException) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0]


def _start(**options: Any) -> None:
    ray.init(log_to_driver=False, logging_level=logging.ERROR, **options)


def _connect(address: str, jobs: int | None) -> None:
    try:
        try:
            _start(address=address or "auto")
        except ConnectionError:
            if address:
                raise
            _start(num_cpus=jobs, include_dashboard=False)
    except Exception as problem:
        where = f"the cluster at {address}" if address else "a Ray cluster"
        hint = "`ray start --head` begins one on this machine"
        if isinstance(problem, ImportError) or "ray[client]" in str(problem):
            hint = "pip install 'footfall[ray]'"
        raise StudyError("--on", f"cannot connect to {where}: {_first_line(problem)}", hint) from None
