"""A controller of another process: the client of `footfall run SCENE --socket FILE`. It needs nothing of the simulator."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from types import TracebackType

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_MAGIC, _VERSION, _LARGEST = 0x54524646, 1, 1 << 16
_HELLO, _WELCOME, _STATE, _COMMAND, _TARGETS, _BYE, _REFUSED = range(1, 8)
_HEADER = struct.Struct("=IHHQ")
_ABOUT = struct.Struct("=IIIIIIdd")


@dataclass(frozen=True)
class RobotSample:
    """Where the robot is."""

    number: int
    time: float  # [s]
    q: Floats  # base position, quaternion (x, y, z, w), joints
    nu: Floats  # base velocity in world axes, joint velocities
    sole_wrench: Floats  # of the ground on each sole, in its axes, mean of the last step, (soles, 6)


class RealTimeClient:
    """Speaks to a run that was started with `--socket`; docs/real_time.md.

        with footfall.RealTimeClient("/tmp/robot.sock") as robot:
            for sample in robot:
                robot.command(20.0 * (wanted - sample.q[7:]) - 1.0 * sample.nu[6:])

    The loop ends with the run. A run that refuses what it was sent raises `ConnectionError` with the reason.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._connect(fspath(path))
            self._send(_HELLO, 0, b"")
            kind, _, body = self._receive()
            if kind != _WELCOME or len(body) < _ABOUT.size:
                raise ConnectionError(f"{fspath(path)}: {self._reason(kind, body)}")
        except BaseException:
            self._socket.close()
            raise
        nq, nv, joints, soles, lock_step, holds, self.step, self.period = _ABOUT.unpack_from(body)
        self.joint_names = [name.decode() for name in body[_ABOUT.size :].split(b"\0")[:joints]]
        self.lock_step, self.holds = bool(lock_step), bool(holds)
        self._parts = np.cumsum([1, nq, nv])
        self._size = 8 * (1 + nq + nv + 6 * soles)
        self._number = 0

    def _connect(self, path: str) -> None:
        try:
            self._socket.connect(path)
        except OSError as error:  # which does not say where
            raise type(error)(error.errno, f"{error.strerror or error}; `footfall run SCENE --socket FILE` makes the socket", path) from None

    def wait(self) -> RobotSample | None:
        """The next state; None when the run is over."""
        self._require_open()
        kind, number, body = self._receive()
        if kind == _REFUSED:
            raise ConnectionError(self._reason(kind, body))
        if kind != _STATE:
            return None
        if len(body) != self._size:
            raise ConnectionError(f"a state has {len(body)} bytes, expected {self._size}")
        self._number = number
        time, q, nu, soles = np.split(np.frombuffer(body), self._parts)
        return RobotSample(number, float(time[0]), q, nu, soles.reshape(-1, 6))

    def command(self, torque: npt.ArrayLike, targets: npt.ArrayLike | None = None) -> None:
        """Joint torques, added to those of the scene [N m or N], and where what holds the posture wants the joints; both stay until changed."""
        self._require_open()
        rows = [np.asarray(row, dtype=np.float64) for row in ([torque] if targets is None else [torque, targets])]
        for row in rows:
            if row.shape != (len(self.joint_names),):
                raise ValueError(f"there are {row.size} numbers, expected {len(self.joint_names)}: one for each joint")
        for what, row in zip(("torque", "target"), rows):
            if not np.isfinite(row).all():
                joint = int(np.flatnonzero(~np.isfinite(row))[0])
                raise ValueError(f"the {what} of the joint '{self.joint_names[joint]}' is {row[joint]}, expected a finite number")
        self._send(_COMMAND if targets is None else _TARGETS, self._number, np.concatenate(rows).tobytes())

    def close(self) -> None:
        """Says goodbye. A second time does nothing."""
        if self._socket.fileno() < 0:
            return
        self._send(_BYE, 0, b"")
        self._socket.close()

    def __iter__(self) -> Iterator[RobotSample]:
        while (sample := self.wait()) is not None:
            yield sample

    def __enter__(self) -> RealTimeClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _require_open(self) -> None:
        if self._socket.fileno() < 0:
            raise ConnectionError("this client is closed")

    def _send(self, kind: int, number: int, body: bytes) -> None:
        try:
            self._socket.send(_HEADER.pack(_MAGIC, _VERSION, kind, number) + body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # wait() notices that the run is over

    def _receive(self) -> tuple[int, int, bytes]:
        try:
            message = self._socket.recv(_LARGEST)
        except ConnectionResetError:
            message = b""
        if not message:
            return _BYE, 0, b""
        if len(message) < _HEADER.size:
            raise ConnectionError("a message is too short")
        magic, version, kind, number = _HEADER.unpack_from(message)
        if magic != _MAGIC or version != _VERSION:
            raise ConnectionError("the run speaks another version")
        return kind, number, message[_HEADER.size :]

    @staticmethod
    def _reason(kind: int, body: bytes) -> str:
        return body.decode(errors="replace") if kind == _REFUSED else "the run is over"
