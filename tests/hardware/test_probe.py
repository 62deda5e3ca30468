"""The probes on trees of files as a Pi, a laptop and a bare server show them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardware import probe


def put(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """A Raspberry Pi 5 with ribbon camera, touch display and button pins."""
    return put(
        tmp_path,
        {
            "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
            "proc/meminfo": "MemTotal:        4137956 kB\nMemFree:  100 kB\n",
            "sys/class/video4linux/video0/name": "rp1-cfe-csi2_ch0\n",
            "sys/class/video4linux/video20/name": "pispbe-input\n",
            "dev/video0": "",
            "dev/video20": "",
            "dev/dri/card1": "",
            "sys/class/drm/card1-DSI-1/status": "connected\n",
            "sys/class/drm/card1-HDMI-A-1/status": "disconnected\n",
            "proc/bus/input/devices": (
                'I: Bus=0018\nN: Name="Goodix Capacitive TouchScreen"\nB: ABS=265800000000003\n\n'
                'I: Bus=0019\nN: Name="pwr_button"\nB: KEY=10000000000000 0\n'
            ),
            "proc/asound/cards": " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n                      vc4-hdmi-0\n",
            "dev/gpiochip0": "",
            "dev/serial/by-id/usb-Arduino_Box-if00": "",
            "dev/rtc0": "",
            "sys/class/hwmon/hwmon1/name": "rpi_volt\n",
            "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
            "sys/class/thermal/thermal_zone0/temp": "52300\n",
        },
    )


def test_a_pi_with_everything(pi: Path) -> None:
    found = {
        one.topic: one
        for one in (
            probe.machine(pi), probe.camera(pi), probe.display(pi, {}), probe.touch(pi), probe.sound(pi),
            probe.pins(pi), probe.serial(pi), probe.clock(pi, 1.8e9), probe.power(pi), probe.heat(pi),
        )
    }  # fmt: skip
    assert {one.state for one in found.values()} == {"ok"}
    assert found["machine"].values["model"] == "Raspberry Pi 5 Model B Rev 1.0"
    assert found["machine"].values["memory"] == "3.9"
    assert found["camera"].values["names"] == "video0 (rp1-cfe-csi2_ch0)"  # the image processor is no camera
    assert found["display"].values["names"] == "DSI-1"
    assert found["touch"].values["names"] == "Goodix Capacitive TouchScreen"
    assert found["sound"].values["names"] == "vc4-hdmi-0"
    assert found["clock"].key == "clock_kept"
    assert found["heat"].values["degrees"] == "52"


def test_a_bare_machine_lacks_only_what_it_can_do_without(tmp_path: Path) -> None:
    found = [
        probe.camera(tmp_path), probe.display(tmp_path, {}), probe.touch(tmp_path), probe.sound(tmp_path),
        probe.pins(tmp_path), probe.serial(tmp_path), probe.clock(tmp_path, 1.8e9), probe.power(tmp_path),
        probe.heat(tmp_path),
    ]  # fmt: skip
    assert "bad" not in {one.state for one in found}
    assert [one.topic for one in found if one.state == "warn"] == ["camera", "display"]


def test_devices_that_this_user_may_not_use(pi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    found = [probe.camera(pi), probe.display(pi, {}), probe.pins(pi), probe.serial(pi), probe.disk(pi)]
    assert [one.state for one in found] == ["bad"] * 5
    assert [one.key for one in found] == [
        "camera_denied", "display_denied", "pins_denied", "serial_denied", "disk_denied",
    ]  # fmt: skip


def test_trouble_is_told(pi: Path) -> None:
    put(
        pi,
        {
            "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n",
            "sys/class/thermal/thermal_zone0/temp": "81000\n",
            "sys/class/drm/card1-DSI-1/status": "disconnected\n",
        },
    )
    assert (probe.power(pi).state, probe.power(pi).key) == ("bad", "power_low")
    assert (probe.heat(pi).state, probe.heat(pi).key) == ("bad", "heat_high")
    assert probe.display(pi, {}).key == "display_unplugged"
    assert probe.clock(pi, 0.0).state == "bad"  # a Pi without a battery wakes up in 1970


def test_a_desktop_is_preferred_to_the_bare_screen(pi: Path) -> None:
    assert probe.display(pi, {"DISPLAY": ":0"}).values["kind"] == "X11"
    assert probe.display(pi, {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}).values["kind"] == "Wayland"


def test_the_disk_of_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    found = probe.disk(tmp_path / "not" / "yet")
    assert found.values["folder"] == tmp_path
    assert float(str(found.values["free"])) >= 0
