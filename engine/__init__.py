"""The rules of Guandan (掼蛋): pure, standard library only, no clock, no threads, no logging."""

from typing import Final

ENGINE_VERSION: Final = "1"
"""Written into every match: a record is folded by the rules of its time."""
