"""How cases are handed out, wherever they run."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Protocol

from ._case import Record
from ._study import Case

Chunk = tuple[Case, ...]

_WANTED_SECONDS = 0.2  # of a chunk: long beside what it costs to send one, short beside the patience of those who watch
_LARGEST = 256
_TRIES = 3  # of a case whose process ends


class Executor(Protocol):
    """Something that runs cases, in any order."""

    def run(self, cases: Sequence[Case]) -> Iterator[list[Record]]:
        """Yields records as they come, each case once."""

    def __enter__(self) -> Executor: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Queue:
    """Cases that wait, in chunks that last a moment each.

    A chunk whose process ended is split, until it is known which case ends it.
    """

    def __init__(self, cases: Sequence[Case], workers: int) -> None:
        self._waiting = deque(cases)
        self._alone: deque[Case] = deque()  # that may have ended a process
        self._tries: dict[int, int] = {}
        self._workers = workers
        self._mean = 0.0  # seconds of a case; 0: not known yet

    def __bool__(self) -> bool:
        return bool(self._waiting or self._alone)

    def next(self) -> Chunk:
        if not self._waiting:
            return (self._alone.popleft(),)
        size = 1 if self._mean == 0.0 else int(_WANTED_SECONDS / self._mean)
        size = max(1, min(size, _LARGEST, len(self._waiting) // (2 * self._workers)))
        return tuple(self._waiting.popleft() for _ in range(min(size, len(self._waiting))))

    def finished(self, records: Sequence[Record]) -> None:
        for record in records:
            self._mean = max(record.seconds if self._mean == 0.0 else 0.9 * self._mean + 0.1 * record.seconds, 1e-6)

    def put_back(self, chunk: Chunk) -> None:
        """It was not begun."""
        self._waiting.extendleft(reversed(chunk))

    def ended(self, chunk: Chunk, how: str) -> list[Record]:
        """The process that ran it ended. Returns cases that have failed by that."""
        if len(chunk) > 1:
            self._alone.extend(chunk)
            return []
        case = chunk[0]
        self._tries[case.number] = self._tries.get(case.number, 0) + 1
        if self._tries[case.number] < _TRIES:
            self._alone.append(case)
            return []
        return [Record(case.number, (), f"the process that ran it ended {_TRIES} times: {how}")]
