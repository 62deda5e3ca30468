"""What the eye refuses: one clear sentence for a person, never a trace."""

from __future__ import annotations


class CannotSee(OSError):
    """There is no picture to look at: a camera that is not there, a video that is no video, a file that is no image."""
