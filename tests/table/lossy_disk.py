"""A disk that can be cut off at any instant: everything a journal writes is noted below SQLite's and the log's file
calls.

:class:`Recorder` puts itself into SQLite's own table of file calls (its VFS) and into the log's, so that the journal
under test is the product's, unchanged. :func:`after_a_cut` then builds the files as a disk may show them when the power
fails after any of those calls: what was synced is there; what was not is dropped, kept, or torn at a sector, as chance
will.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from table import journal_log

SECTOR = 512
_P, _I, _L, _S = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_char_p
_OPEN = ctypes.CFUNCTYPE(_I, _P, _S, _P, _I, _P)
_DELETE = ctypes.CFUNCTYPE(_I, _P, _S, _I)
_WRITE = ctypes.CFUNCTYPE(_I, _P, _P, _I, _L)
_TRUNCATE = ctypes.CFUNCTYPE(_I, _P, _L)
_SYNC = ctypes.CFUNCTYPE(_I, _P, _I)


class _Vfs(ctypes.Structure):
    _fields_ = [
        ("version", _I), ("file_size", _I), ("longest", _I), ("next", _P), ("name", _S), ("data", _P),
        ("open", _P), ("delete", _P), ("rest", _P * 16),
    ]  # fmt: skip


class _Methods(ctypes.Structure):
    _fields_ = [
        ("version", _I), ("close", _P), ("read", _P), ("write", _P), ("truncate", _P), ("sync", _P), ("rest", _P * 13),
    ]  # fmt: skip


@dataclass(frozen=True)
class Call:
    """One call on one file: ``create write truncate sync delete``; or ``shown``, when that many events were final."""

    what: str
    name: str = ""
    at: int = 0
    data: bytes = b""


@dataclass
class Recorder:
    """Everything written while it is :meth:`recording`."""

    calls: list[Call] = field(default_factory=list)
    _kept: list[Any] = field(default_factory=list)
    """Callbacks and tables that C points to."""

    def shown(self, events: int) -> None:
        self.calls.append(Call("shown", at=events))

    @contextmanager
    def recording(self) -> Iterator[Recorder]:
        library = _library()
        library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
        usual = library.sqlite3_vfs_find(None)
        ours = _Vfs.from_buffer_copy(usual.contents)
        self._kept += [ours]
        ours.name, ours.next = b"lossy", None
        ours.open = self._callback(_OPEN, self._opened(usual))
        ours.delete = self._callback(_DELETE, self._deleted(usual))
        library.sqlite3_vfs_register(ctypes.byref(ours), 1)
        real = journal_log.os
        journal_log.os = self._log_calls(real)  # type: ignore[assignment]
        try:
            yield self
        finally:
            journal_log.os = real
            library.sqlite3_vfs_unregister(ctypes.byref(ours))
            library.sqlite3_vfs_register(usual, 1)

    # -- below SQLite ---------------------------------------------------------------------------------------------

    def _callback(self, kind: Any, work: Any) -> int:
        made = kind(work)
        self._kept.append(made)
        return int(ctypes.cast(made, _P).value or 0)

    def _opened(self, usual: Any) -> Any:
        through = _OPEN(usual.contents.open)

        def opened(_: Any, name: bytes | None, file: int, flags: int, out: Any) -> int:
            there = name is None or Path(os.fsdecode(name)).exists()
            result = int(through(ctypes.addressof(usual.contents), name, file, flags, out))
            if result == 0 and name is not None:
                short = Path(os.fsdecode(name)).name
                if not there:
                    self.calls.append(Call("create", short))
                self._watch(file, short)
            return result

        return opened

    def _deleted(self, usual: Any) -> Any:
        through = _DELETE(usual.contents.delete)

        def deleted(_: Any, name: bytes, synced: int) -> int:
            self.calls.append(Call("delete", Path(os.fsdecode(name)).name))
            return int(through(ctypes.addressof(usual.contents), name, synced))

        return deleted

    def _watch(self, file: int, name: str) -> None:
        """Put our calls before the file's own."""
        place = ctypes.cast(file, ctypes.POINTER(_P))
        usual = ctypes.cast(place[0], ctypes.POINTER(_Methods)).contents
        write, cut, sync = _WRITE(usual.write), _TRUNCATE(usual.truncate), _SYNC(usual.sync)

        def written(it: int, data: int, size: int, at: int) -> int:
            self.calls.append(Call("write", name, at, ctypes.string_at(data, size)))
            return int(write(it, data, size, at))

        def truncated(it: int, size: int) -> int:
            self.calls.append(Call("truncate", name, size))
            return int(cut(it, size))

        def synced(it: int, flags: int) -> int:
            result = int(sync(it, flags))
            self.calls.append(Call("sync", name))
            return result

        ours = _Methods.from_buffer_copy(usual)
        ours.write = self._callback(_WRITE, written)
        ours.truncate = self._callback(_TRUNCATE, truncated)
        ours.sync = self._callback(_SYNC, synced)
        self._kept.append(ours)
        place[0] = ctypes.addressof(ours)

    # -- the log's own calls --------------------------------------------------------------------------------------

    def _log_calls(self, real: Any) -> Any:
        names: dict[int, str] = {}

        def opened(path: Any, flags: int, mode: int = 0o777) -> int:
            there = Path(path).exists()
            handle = int(real.open(path, flags, mode))
            names[handle] = Path(path).name
            if not there:
                self.calls.append(Call("create", Path(path).name))
            return handle

        def write(handle: int, data: Any) -> int:
            at = real.fstat(handle).st_size
            count = int(real.write(handle, data))
            self.calls.append(Call("write", names[handle], at, bytes(data[:count])))
            return count

        def sync(handle: int) -> None:
            real.fdatasync(handle)
            self.calls.append(Call("sync", names[handle]))

        changed = {"open": opened, "write": write, "fdatasync": sync, "fsync": sync}
        return SimpleNamespace(**{**{name: getattr(real, name) for name in dir(real)}, **changed})


def _library() -> ctypes.CDLL:
    """The very SQLite that Python's module uses."""
    return ctypes.CDLL(_sqlite3.__file__)


def usable() -> bool:
    """Whether this Python's SQLite can be reached."""
    try:
        return _library().sqlite3_vfs_find is not None
    except (OSError, AttributeError):
        return False


def after_a_cut(calls: Sequence[Call], folder: Path, rng: Random) -> int:
    """The files in *folder* as they may be when the power failed after *calls*; how many events had been shown."""
    disk: dict[str, bytearray] = {}
    safe: dict[str, bytes] = {}
    waiting: dict[str, list[Call]] = {}
    shown = 0
    for call in calls:
        if call.what == "shown":
            shown = call.at
        elif call.what == "sync":
            if call.name in disk:
                safe[call.name], waiting[call.name] = bytes(disk[call.name]), []
        elif call.what == "delete":
            disk.pop(call.name, None)
            waiting[call.name] = [*waiting.get(call.name, []), call]
        else:
            _apply(disk.setdefault(call.name, bytearray()), call)
            waiting.setdefault(call.name, []).append(call)
    mood = rng.random()
    for name in set(safe) | set(waiting):
        content = bytearray(safe.get(name, b""))
        there = name in safe or rng.random() < 0.5
        for call in waiting.get(name, []):
            if mood < 0.4 or (mood < 0.9 and rng.random() < 0.5):
                continue  # lost
            if call.what == "delete":
                there = False
                continue
            if call.what == "write" and rng.random() < 0.3:  # torn at a sector
                call = Call("write", name, call.at, call.data[: rng.randrange(len(call.data) + 1) // SECTOR * SECTOR])
            _apply(content, call)
            there = True
        if there:
            (folder / name).write_bytes(content)
    return shown


def _apply(content: bytearray, call: Call) -> None:
    if call.what == "truncate":
        del content[call.at :]
    elif call.what == "write":
        if len(content) < call.at:
            content.extend(bytes(call.at - len(content)))
        content[call.at : call.at + len(call.data)] = call.data
