"""The hall as it stands: a pure fold over the log. Tables with their levels, calls and alerts, clocks, announcements.

Nothing here reads a clock or a disk: the same log always gives the same hall, on every worker and after every restart.
"""

from venue.hall.hall import Hall

__all__ = ["Hall"]
