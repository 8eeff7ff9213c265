"""Cases on processes of this machine."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any

from ._case import CaseWorker, Record
from ._errors import StudyError
from ._executor import Chunk, Queue
from ._study import Case, Study

_AHEAD = 2  # chunks that a process has: it goes on while this one writes the journal
_FAILED_STARTS = 3  # processes that may end before they begin


def _end_with_parent() -> None:
    """A sweep that is killed leaves nobody behind, not even in the middle of a long case."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)


def _work(connection: Connection, study: Study, columns: Sequence[str]) -> None:
    """What a process does: chunks in, records out."""
    for ignored in (signal.SIGINT, signal.SIGHUP):  # Ctrl-C and closed terminals are for the one who watches
        signal.signal(ignored, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        worker = CaseWorker(study, columns)
        connection.send("")
        while True:
            chunk: Chunk = connection.recv()
            connection.send([worker.run(case) for case in chunk])
    except (EOFError, BrokenPipeError):
        pass
    except Exception as problem:
        connection.send(str(problem))


class _Worker:
    def __init__(self, context: Any, study: Study, columns: Sequence[str]) -> None:
        self.connection, theirs = multiprocessing.Pipe()
        self.process = context.Process(target=_work, args=(theirs, study, columns), daemon=True)
        self.process.start()
        theirs.close()
        self.chunks: deque[Chunk] = deque()  # that it has, the first one running
        self.is_ready = False

    def give(self, chunk: Chunk) -> None:
        self.chunks.append(chunk)
        try:
            self.connection.send(chunk)
        except OSError:
            pass  # it has ended, and take() says so

    def take(self) -> list[Record] | None:
        """Records of its first chunk; None: it has ended."""
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            return None
        if isinstance(message, str):
            if message:
                raise StudyError("", f"a process could not begin: {message}")
            self.is_ready = True
            return []
        self.chunks.popleft()
        return list(message)

    def how_it_ended(self) -> str:
        self.process.join(5)
        code = self.process.exitcode
        if code is None or code >= 0:
            return f"exit code {code}"
        return f"signal {signal.Signals(-code).name}"

    def end(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()


class LocalExecutor:
    def __init__(self, study: Study, columns: Sequence[str], jobs: int) -> None:
        self._study, self._columns, self._jobs = study, columns, jobs
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []
        self._failed_starts = 0

    def __enter__(self) -> LocalExecutor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.end()
        self._workers = []

    def run(self, cases: Sequence[Case]) -> Iterator[list[Record]]:
        queue = Queue(cases, self._jobs)
        while len(self._workers) < min(self._jobs, len(cases)):
            self._start()
        while queue or any(worker.chunks for worker in self._workers):
            for worker in self._workers:
                while queue and len(worker.chunks) < (_AHEAD if worker.is_ready else 1):
                    worker.give(queue.next())
            yield from self._wait(queue)

    def _start(self) -> None:
        self._workers.append(_Worker(self._context, self._study, self._columns))

    def _wait(self, queue: Queue) -> Iterator[list[Record]]:
        ready = multiprocessing.connection.wait([worker.connection for worker in self._workers])
        for worker in [worker for worker in self._workers if worker.connection in ready]:
            records = worker.take()
            if records is None:
                records = self._replace(worker, queue)
            queue.finished(records)
            if records:
                yield records

    def _replace(self, worker: _Worker, queue: Queue) -> list[Record]:
        """A process has ended: its cases go to another one."""
        how = worker.how_it_ended()
        self._workers.remove(worker)
        worker.end()
        self._failed_starts += not worker.is_ready
        if self._failed_starts >= _FAILED_STARTS:
            raise StudyError(
                "", f"a process ended before it could begin: {how}", "is there enough memory? --jobs 1 needs less"
            )
        running, *waiting = worker.chunks or [()]
        for chunk in reversed(waiting):
            queue.put_back(chunk)
        self._start()
        return queue.ended(running, how) if running else []
