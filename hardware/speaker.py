"""The loudspeaker, where there is a sound card; it may be missing, and then the buzzer speaks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hardware.tones import RATE, TONES, samples


def has_card(root: Path = Path("/")) -> bool:
    """Whether the kernel knows a sound card."""
    try:
        return " - " in (root / "proc/asound/cards").read_text("utf-8", "replace")
    except OSError:
        return False


class Speaker:
    """Plays the tones through SDL; :attr:`state` is ``away`` when no card would open."""

    name = "speaker"

    def __init__(self, volume: float = 0.5) -> None:
        self._volume = volume
        self._tones: dict[str, Any] = {}
        self.state = "away"

    def start(self) -> None:
        if not has_card():  # ALSA would tell of it on a dozen lines
            return
        import pygame

        # The window asks SDL for no sound; here it is wanted, and a card that will not open is no reason to stop.
        before = os.environ.get("SDL_AUDIODRIVER")
        if before == "dummy" and not os.environ.get("GUANDAN_SILENT"):
            del os.environ["SDL_AUDIODRIVER"]
        try:
            pygame.mixer.init(RATE, -16, 1, 512)
            self._tones = {name: pygame.mixer.Sound(buffer=samples(name, self._volume).tobytes()) for name in TONES}
            self.state = "ok"
        except pygame.error:
            self.state = "away"
        finally:
            if before is not None:
                os.environ["SDL_AUDIODRIVER"] = before

    def sound(self, name: str) -> None:
        if name in self._tones:
            self._tones[name].play()

    def stop(self) -> None:
        if self._tones:
            import pygame

            self._tones = {}
            pygame.mixer.quit()
