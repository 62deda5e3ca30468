"""The Pi's header through gpiozero: one factory for all devices, and the traps of the field kept out.

Only lgpio drives a Pi 5, and gpiozero falls back in silence to libraries that crash there: the factory is named. lgpio
writes a pipe into the working directory, which a service may not: ``LG_WD`` names another. One process owns the pins,
and it does not fork afterwards.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import tempfile
from typing import Any, Final

from hardware.errors import HardwareRefused, NoPins

FACTORIES: Final = {
    "lgpio": "LGPIOFactory", "mock": "MockFactory", "native": "NativeFactory", "pigpio": "PiGPIOFactory",
    "rpigpio": "RPiGPIOFactory",
}  # fmt: skip
"""gpiozero's modules of pins and what each calls its factory, in every version since 1.6."""


def open_factory(kind: str | None = None) -> Any:
    """gpiozero's pin factory; *kind* is ``lgpio`` unless ``GPIOZERO_PIN_FACTORY`` says otherwise, ``mock`` in tests.

    :raises HardwareRefused: without gpiozero. :raises NoPins: where there are no pins for us.
    """
    if importlib.util.find_spec("gpiozero") is None:
        raise HardwareRefused("no_package", package="gpiozero")
    kind = kind or os.environ.get("GPIOZERO_PIN_FACTORY") or "lgpio"
    os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", tempfile.gettempdir()).split(":")[0])
    try:
        return getattr(importlib.import_module(f"gpiozero.pins.{kind}"), FACTORIES[kind])()
    except KeyError:
        raise NoPins("no_pins", why=f"GPIOZERO_PIN_FACTORY={kind}: {', '.join(FACTORIES)}") from None
    except Exception as error:  # a factory raises what its library raises
        raise NoPins("no_pins", why=" ".join(str(error).split())[:120] or type(error).__name__) from None


def busy(error: Exception) -> NoPins:
    """The sentence for a pin that could not be had."""
    return NoPins("pins_busy", why=" ".join(str(error).split())[:120])
