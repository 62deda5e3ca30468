"""The receipt printer: its bytes against python-escpos's, rendered back to the picture, and torn off in the middle."""

from __future__ import annotations

import os
import pty
import threading
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from hardware.paper import Bitmap, NotPrintable, escpos, printed
from hardware.printer import ReceiptPrinter


def picture(width: int = 384, height: int = 300) -> Bitmap:
    """A pattern in which no two rows and no two columns are alike."""
    rows = bytearray()
    for y in range(height):
        bits = [(x * x + 3 * y) % 97 < 29 and bool((x + y) % 5) for x in range(width)]
        rows += bytes(sum(bit << (7 - k) for k, bit in enumerate(bits[x : x + 8])) for x in range(0, width, 8))
    return Bitmap(width, bytes(rows))


def test_the_bytes_are_those_of_python_escpos() -> None:
    """Made once with python-escpos 3.1: ``hw("INIT")``, ``image(…, "bitImageRaster", fragment_height=128)``,
    ``print_and_feed(4)``, ``cut("PART", feed=False)``."""
    made = (Path(__file__).parent / "data" / "python-escpos-3.1.bin").read_bytes()
    assert escpos(picture()) == made
    assert printed(made) == [picture()]


@pytest.mark.parametrize(("width", "height"), [(384, 1), (384, 128), (384, 129), (576, 700)])
def test_bytes_come_back_as_the_picture(width: int, height: int) -> None:
    whole = picture(width, height)
    assert printed(escpos(whole) + escpos(whole, cut=False)) == [whole, whole]
    assert whole.height == height and whole.black(0, 0) == (0 % 97 < 29 and False)


def test_what_no_printer_understands_is_said() -> None:
    for data in (b"Hello", escpos(picture())[:500], escpos(picture())[2:]):
        with pytest.raises(NotPrintable):
            printed(data)


class Paper:
    """A printer on a pseudo-terminal: what it took."""

    def __init__(self, path: Path) -> None:
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        path.symlink_to(os.ttyname(self.slave))
        self.path, self.taken = path, b""

    def take(self, most: int = 4096) -> bytes:
        with suppress(OSError):
            self.taken += os.read(self.master, most)
        return self.taken

    def pull(self) -> None:
        self.path.unlink()
        os.close(self.slave)
        os.close(self.master)


def patiently(good: Callable[[], object], seconds: float = 20.0) -> bool:
    pause = threading.Event()
    for _ in range(int(seconds / 0.002)):
        if good():
            return True
        pause.wait(0.002)
    return False


def test_a_slip_waits_for_the_printer_and_is_printed_whole_after_being_torn_off(tmp_path: Path) -> None:
    path, whole = tmp_path / "printer", escpos(picture(384, 1500))
    printer = ReceiptPrinter(str(path), again=0.01, patience=0.5)
    printer.start()
    assert printer.state == "away"
    printer.print(picture(384, 1500))
    for _ in range(3):  # pulled in the middle of the slip
        paper = Paper(path)
        assert patiently(lambda: len(paper.take(512)) > 2000)  # noqa: B023
        paper.pull()
        assert printer.waiting == 1
    paper = Paper(path)
    assert patiently(lambda: paper.take() == whole)
    assert patiently(lambda: not printer.waiting) and printer.state == "ok"
    printer.print(picture(384, 50))
    assert patiently(lambda: len(printed_so_far(paper.take())) == 2)
    assert printed(paper.taken) == [picture(384, 1500), picture(384, 50)]
    printer.stop()
    paper.pull()


def printed_so_far(data: bytes) -> list[Bitmap]:
    with suppress(NotPrintable):
        return printed(data)
    return []


def test_a_printer_that_takes_nothing_is_tried_again_and_holds_up_nobody(tmp_path: Path) -> None:
    path = tmp_path / "printer"
    paper = Paper(path)
    printer = ReceiptPrinter(str(path), again=0.01, patience=0.05)
    printer.start()
    printer.print(picture(576, 2000))  # more than a terminal holds: out of paper
    assert patiently(lambda: printer.state == "away")
    printer.stop()
    assert printer.waiting == 1
    paper.pull()
