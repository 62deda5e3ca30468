"""What the screen knows beside the game: what somebody is tapping in, what is shown for a moment, how it is set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.cards import SEATS
from table.settings import Settings
from table.view import Banner, Bundle, Calibration, Fact, Learning
from vision.observations import SeenCard

REMEMBERED = 12
"""Cards of a seat whose candidates are kept for a correction."""
WRONG_CODES = 3
"""Wrong codes in a row before the next may be tried only after a wait, which doubles each time."""
WAIT = 15.0


@dataclass
class Glass:
    """Nothing here is an event; after a restart it is empty but for the settings."""

    settings: Settings = field(default_factory=Settings)
    code: str | None = None
    """The hash of the code, None where the installation made none."""
    entered: str = ""
    chosen: str = ""
    """A new code, tapped in once."""
    choosing: str = "new"
    """What is said while one is made: ``new again differs code_digits code_easy``."""
    wrong: int = 0
    locked_until: float = -1e9
    admitted: bool = False
    """The right code was entered; leaving the settings ends that."""
    seen: dict[str, list[SeenCard]] = field(default_factory=lambda: {seat: [] for seat in SEATS})
    """What the eye thought of the cards before each seat, latest last: candidates for a correction."""
    seat: str | None = None
    """The seat whose sheet or cards are open."""
    card: int | None = None
    """The card of that seat's play that is being put right; -1 for one that is missing."""
    banner: Banner | None = None
    checked_in: set[str] = field(default_factory=set)
    reminded: float = 1e12
    """The least of the match clock's reminders that has been told."""
    settling: float = -1e9
    """Until when somebody may still be putting right a play: what half a correction looks like accuses nobody."""
    waiting: bool = False
    """The match's clock stands because a referee is awaited."""
    blind: bool = False
    """The clocks stand because the camera is covered."""
    beat: float = -1e9
    """The turn, by when it began, whose time has been told to the fold."""
    reorder: int = 0
    """The event of a finished deal whose order is being tapped in anew."""
    facts: tuple[Fact, ...] = ()
    learns: str = ""
    """When a deck can be learned here: ``between`` matches, at ``any`` time, empty for never."""
    learning: Learning | None = None
    bundles: bool = False
    """Whether the file that helps from afar can be written here."""
    bundle: Bundle | None = None
    calibrates: bool = False
    """Whether there is a camera whose place can be judged."""
    calibration: Calibration | None = None
    opened: float = -1e9
    """When the page that lies there was opened."""
    facing: str = "S"
    """On a flat screen: whom a page faces."""
    opener: str | None = None
    """Who opened the page that lies there, where that is known: it faces that player."""

    def see(self, seat: str, cards: tuple[SeenCard, ...]) -> None:
        self.seen[seat] = [*self.seen[seat], *cards][-REMEMBERED:]

    def tell(self, key: str, until: float, **values: Any) -> None:
        """Show a line for a moment."""
        self.banner = Banner(key, tuple(sorted(values.items())), until)

    def fresh(self) -> Glass:
        """For the next match: set as this one is, and nothing more."""
        return Glass(settings=self.settings, code=self.code, facts=self.facts, facing=self.facing, learns=self.learns,
                     calibrates=self.calibrates, bundles=self.bundles)  # fmt: skip

    def leave(self) -> None:
        """An overlay was closed."""
        self.chosen, self.choosing = "", "new"
        self.entered, self.admitted, self.seat, self.card, self.reorder = "", False, None, None, 0
        self.opener = None
        if self.bundle is not None and self.bundle.state != "making":
            self.bundle = None


def as_values(pairs: tuple[tuple[str, Any], ...]) -> Mapping[str, Any]:
    return dict(pairs)
