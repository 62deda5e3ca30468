"""What the screens may show, and nothing else: frozen snapshots that the controller makes.

What players must never see (earlier tricks, gone cards, unreported counts, confidence, suspicions) has no field here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.cards import SEATS, Card
from table.settings import Settings

Cards = tuple[Card, ...]


@dataclass(frozen=True)
class Ask:
    """An open question about one play: *options* are whole plays, the eye's first choice first."""

    id: int
    seat: str
    options: tuple[Cards, ...]
    margin: bool = False
    """True once its trick is over: the question stands in the margin and waits."""


@dataclass(frozen=True)
class SeatView:
    """One side of the table: what lies there and what was said aloud."""

    seat: str
    name: str = ""
    cards: Cards = ()
    combination: tuple[str, int, str | None] | None = None
    """Type, size and rank, where the reading is plain or was declared."""
    passed: bool = False
    turn: bool = False
    report: int | None = None
    """The count as it was reported, frozen."""
    count: int | None = None
    """The running count, only where the profile allows it."""
    place: int | None = None
    """1 to 4 once the seat is out."""
    ask: Ask | None = None
    laid_at: float = -1e9
    beaten: bool = False
    """True when a later play of the trick stands above this one."""


@dataclass(frozen=True)
class Clock:
    """A clock as a function of time: runs from *since* with *used* seconds behind it, unless stopped."""

    since: float = 0.0
    used: float = 0.0
    limit: float | None = None
    running: bool = False

    def elapsed(self, now: float) -> float:
        return self.used + (max(0.0, now - self.since) if self.running else 0.0)

    def left(self, now: float) -> float | None:
        """Seconds left, never below zero; None without a limit."""
        return None if self.limit is None else max(0.0, self.limit - self.elapsed(now))


@dataclass(frozen=True)
class DealResult:
    """A finished deal put before the sides; *after* is what the levels will be once confirmed."""

    number: int
    order: tuple[str, ...]
    winner: str
    gain: int
    before: dict[str, str]
    after: dict[str, str]
    confirmed: frozenset[str] = frozenset()
    confirms_at: float | None = None


@dataclass(frozen=True)
class VenueView:
    """How the line to the venue is, and what the venue says to the players. Times are the table's."""

    place: str = ""
    """The table's name in the hall; empty while it belongs to none."""
    state: str = "unpaired"
    """``unpaired syncing online offline barred``, or ``replaced`` when another device has the table."""
    unsent: int = 0
    contact: float | None = None
    """When the venue was last heard."""
    message: str | None = None
    message_until: float = -1e9
    referee: tuple[str, str] | None = None
    """``take`` or ``defer``, and the referee's name: how the players' call stands."""
    blink_until: float = -1e9
    """The table shows where it stands."""
    seated: tuple[tuple[str, str], ...] = ()
    """Who sits here next: seats and names."""

    @property
    def hears(self) -> bool:
        """Whether a referee's phone learns at once of what happens here; otherwise somebody has to call aloud."""
        return self.state in ("online", "syncing")


@dataclass(frozen=True)
class Banner:
    """A line that stands for a moment: the key of its words and their values."""

    key: str
    values: tuple[tuple[str, Any], ...] = ()
    until: float = -1e9


@dataclass(frozen=True)
class Bundle:
    """The one file that helps from afar: being written, written at *path*, or ``failed``."""

    state: str
    """``making``, ``made`` or ``failed``."""
    path: str = ""


@dataclass(frozen=True)
class Fact:
    """One thing that the diagnostics tell: *good* is None for what is neither well nor ill."""

    key: str
    value: str
    good: bool | None = None


@dataclass(frozen=True)
class Correction:
    """A play that somebody at the table puts right: its cards, the one that is meant, the eye's own thoughts on it."""

    seat: str
    cards: Cards
    at: int | None = None
    """Place of the card in question; -1 for one that the eye did not see."""
    candidates: Cards = ()


@dataclass(frozen=True)
class Lesson:
    """Training mode: what the last play was and what may follow. Keys of the catalogue, and readings."""

    seat: str
    verdict: str
    """``led beats short nothing``: it opened the trick, beats, does not beat, is no combination."""
    play: tuple[str, int, str | None] | None = None
    over: tuple[str, int, str | None] | None = None
    next: str | None = None
    wild: bool = False
    """Whether a wild has a part in it."""


@dataclass(frozen=True)
class Proven:
    """How well a shuffled spread of the deck that is being learned was read."""

    cards: int
    right: int
    asked: int
    wrong: Cards
    """Faces that were read surely once too often."""
    passed: bool


@dataclass(frozen=True)
class Learning:
    """A deck that is being learned from the camera, as its screen shows it."""

    step: str = "show"
    """``show jokers prove done``, and ``match`` where one is on: then nothing is learned."""
    busy: bool = False
    """A picture is being looked at."""
    seen: frozenset[Card] = frozenset()
    said: str = ""
    """What came of the last picture: a key of the section ``enrol``, with :attr:`count` new faces."""
    count: int = 0
    jokers: int = 3
    """In how many more pictures both jokers are wanted."""
    question: tuple[int, Cards] | None = None
    """Its number, and the likeliest cards."""
    crop: bytes = b""
    """The index that is asked about: 84 x 60 pixels, BGR."""
    proof: Proven | None = None
    saved: str = ""
    """Where the profile was kept."""


@dataclass(frozen=True)
class Remark:
    """One thing about the camera's place: a key of the eye's section ``placement``, ``ok warn bad``, its values."""

    key: str
    state: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Calibration:
    """How the camera hangs, as its page shows it."""

    remarks: tuple[Remark, ...] = ()
    picture: bytes = b""
    """BGR, :attr:`size` wide and high, with the mat drawn where it was found."""
    size: tuple[int, int] = (16, 9)
    held: int | None = None
    """Milliseconds at which exposure is held."""
    can_hold: bool = False
    busy: bool = False
    """A match is on: nothing is looked at."""


@dataclass(frozen=True)
class TableView:
    """Everything a screen draws from."""

    screen: str = "start"
    """A key of :data:`table.screens.SCREENS`."""
    profile: str = "friendly"
    ruleset: str = "national"
    seats: dict[str, SeatView] = field(default_factory=lambda: {seat: SeatView(seat) for seat in SEATS})
    levels: dict[str, str] = field(default_factory=lambda: {"NS": "2", "EW": "2"})
    on_stage: str | None = None
    level: str = "2"
    deal: int = 1
    attempts: dict[str, int] = field(default_factory=lambda: {"NS": 0, "EW": 0})
    turn: str | None = None
    turn_clock: Clock | None = None
    match_clock: Clock | None = None
    notice: str | None = None
    """Key of a neutral notice: ``stop look spread covered lost moved``."""
    notice_seat: str | None = None
    margin: tuple[Ask, ...] = ()
    out_question: str | None = None
    """The seat that is asked whether it has gone out."""
    offer_score_only: bool = False
    scoring: bool = False
    """This deal is scored by its order alone."""
    tributes: tuple[tuple[str, str, str], ...] = ()
    """Tributes and returns still due: (``tribute`` or ``return``, from, to); while the cards that lie do not tell who
    gets which, *to* is both seats, of a tribute the first place before the second."""
    paid: frozenset[str] = frozenset()
    """Seats of them whose card lies there already, while the other one's is waited for."""
    deal_result: DealResult | None = None
    match_result: dict[str, Any] | None = None
    signed: frozenset[str] = frozenset()
    halt: str | None = None
    """``called`` or ``paused`` while play is halted."""
    waits_for_hall: bool = False
    """The pause is the hall's, and nobody here ends it."""
    picked: tuple[str, ...] = ()
    """Score-only: the seats tapped so far, in finishing order."""
    four_colours: bool = False
    venue: VenueView = field(default_factory=VenueView)
    settings: Settings = field(default_factory=Settings)
    overlaid: bool = False
    """Somebody has opened a page over the game; closing it loses nothing."""
    banner: Banner | None = None
    first_lead: str | None = None
    """Before the first lead of a match: the ruleset's duty, ``turned_card`` or ``highest_draw``."""
    turned: tuple[str, Card] | None = None
    """The card that was turned in the deal, and whose it was."""
    closed_return: bool = False
    """Returns go over face down: none is asked for."""
    bell: bool = False
    """The match's time is over and a deal is still in play."""
    checked_in: frozenset[str] = frozenset()
    rulesets: tuple[tuple[str, str, str], ...] = ()
    """Where one may be chosen: id, Chinese and English name."""
    correction: Correction | None = None
    sheet: str | None = None
    """The seat whose sheet is open, and what it may do: ``pass report correct``."""
    may: frozenset[str] = frozenset()
    lesson: Lesson | None = None
    entered: int = 0
    """Digits of the code so far."""
    lock: str = "none"
    """``none`` (the installation made no code), ``choose`` (it can be made here), ``shut``, ``wrong``, ``wait`` or
    ``open``."""
    choosing: str = "new"
    """While one is made: ``new again differs code_digits code_easy``."""
    locked_until: float = -1e9
    facts: tuple[Fact, ...] = ()
    bundle: Bundle | None = None
    may_bundle: bool = False
    """Whether the file that helps from afar can be written from this page."""
    calibration: Calibration | None = None
    may_calibrate: bool = False
    """Whether this table has a camera whose place can be looked at."""
    learning: Learning | None = None
    may_learn: bool = False
    """Whether this table can learn a deck, and whoever looks may start that."""
    facing: str = "S"
