"""Plans: what a stage of an event is, and everything that an organiser may set, checked before it is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.errors import GuandanError
from engine.rulesets import load
from venue.desk import standings
from venue.sentences import Unreadable

FORMATS: Final = ("knockout", "drawn_knockout", "round_robin", "swiss", "drawn_tables")
"""``drawn_tables``: single players, partners and opponents drawn afresh each round, each scores for himself."""
POINTS: Final = {"win": 2, "draw": 1, "loss": 0, "bye": 2, "absent": 0}
ENTRIES: Final = ("pairs", "drawn_partners", "tags", "singles")
"""How entrants come to be: pairs enter; singles enter and partners are drawn; the same with tags and colours; singles
stay singles."""
SEATS: Final = ("lot", "order", "number", "table_low")
"""Who sits north-south: the lower lot; as drawn (tags: orange); the lower number; whoever draws the lower card at the
table (the desk then notes it: the lot stands until somebody says otherwise)."""
SEEDINGS: Final = ("bracket", "tables")
"""``bracket``: byes spread over a power of two. ``tables``: everybody plays, then neighbouring tables' winners meet."""


@dataclass(frozen=True)
class Plan:
    """One stage. *take* is how many go on (of each group, where there are groups), "winners" for all who won the last
    round; *until* ends a knock-out when so few are left; *minutes* is the round's clock.
    """

    format: str
    rounds: int = 0
    groups: int = 1
    take: int | str = 0
    until: int = 1
    best_of: int = 1
    third_place: bool = False
    seeding: str = "bracket"
    score: str = "result"
    points: Mapping[str, int] = field(default_factory=lambda: dict(POINTS))
    chain: tuple[str, ...] = standings.DEFAULT_CHAIN
    minutes: int = 0
    name: Mapping[str, str] = field(default_factory=dict)
    ruleset_options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_knockout(self) -> bool:
        return self.format in ("knockout", "drawn_knockout")

    def limit_of(self, ruleset: str, profile: str) -> int | None:
        """Seconds of a match where this stage's minutes say another time than the ruleset, or None. A ruleset that
        limits no match is not given a limit, and of several games each has the ruleset's.
        """
        if not self.minutes or self.best_of > 1 or "match_seconds" in self.ruleset_options:
            return None
        usual = load(ruleset, profile, self.ruleset_options or None).match_seconds
        return self.minutes * 60 if usual and usual != self.minutes * 60 else None

    def round_minutes(self, ruleset: str, profile: str) -> int:
        """Minutes of a round where nobody says otherwise: this stage's, else the ruleset's for a match, else 60."""
        try:
            usual = load(ruleset, profile, self.ruleset_options or None).match_seconds
        except GuandanError:  # a file of the organiser's own that is gone: the event can still be shown
            usual = 0
        return self.minutes or usual // 60 or 60

    def at_limit(self, ruleset: str, profile: str) -> str:
        """What the bell does to a deal in progress, the ruleset's word: ``stop``, ``finish``, ``finish_if_drawn``."""
        try:
            return load(ruleset, profile, self.ruleset_options or None).deal_at_limit
        except GuandanError:
            return "stop"  # the gravest is said where nothing can be known

    @classmethod
    def of(cls, source: Mapping[str, Any]) -> Plan:
        """The plan that JSON or TOML describes; what it does not say is as above.

        :raises Unreadable: naming the first word that makes no sense.
        """
        check_plan(source)
        known = {name: source[name] for name in cls.__dataclass_fields__ if source.get(name) is not None}
        if "chain" in known:
            known["chain"] = tuple(known["chain"])
        known["points"] = POINTS | dict(known.get("points") or {})
        return cls(**known)

    def to_json(self) -> dict[str, Any]:
        return {
            name: list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value
            for name in self.__dataclass_fields__
            for value in [getattr(self, name)]
        }


def _whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


_WHOLE: Final = {
    # option: (least, most)
    "rounds": (1, 50), "groups": (1, 64), "until": (1, 64), "best_of": (1, 9), "minutes": (0, 600),
}  # fmt: skip
_WORDS: Final = {"seeding": SEEDINGS, "score": ("result", "margin")}


def check_plan(source: Mapping[str, Any]) -> None:
    """:raises Unreadable: for a stage that no event could have."""
    if source.get("format") not in FORMATS:
        raise Unreadable("no_format", name=source.get("format"), names=FORMATS)
    unknown = set(source) - set(Plan.__dataclass_fields__)
    if unknown:
        raise Unreadable("no_option", name=sorted(unknown)[0])
    for name, (least, most) in _WHOLE.items():
        if source.get(name) is not None and not _whole(source[name], least, most):
            raise Unreadable("whole_between", name=name, least=least, most=most)
    for name, words in _WORDS.items():
        if source.get(name) is not None and source[name] not in words:
            raise Unreadable("one_of", name=name, words=words)
    if source.get("best_of") is not None and source["best_of"] % 2 == 0:
        raise Unreadable("best_of_odd")
    if source.get("take") is not None and source["take"] != "winners" and not _whole(source["take"], 0, 4096):
        raise Unreadable("take_needs")
    if source.get("third_place") is not None and not isinstance(source["third_place"], bool):
        raise Unreadable("true_or_false", name="third_place")
    if source.get("chain") is not None:
        chain = source["chain"]
        if not isinstance(chain, (list, tuple)) or not all(isinstance(name, str) for name in chain):
            raise Unreadable("chain_list")
        standings.check_chain(chain)
    points = source.get("points") or {}
    if not isinstance(points, Mapping) or not all(
        key in POINTS and _whole(value, -99, 99) for key, value in points.items()
    ):
        raise Unreadable("points_whole", names=list(POINTS))
    for name in ("name", "ruleset_options"):
        if source.get(name) is not None and not isinstance(source[name], Mapping):
            raise Unreadable("a_table_of", name=name)


_EVENT: Final = {"stages", "prizes", "consolation", "ruleset", "profile", "entry", "seats", "template", "letters"}
_STAGE: Final = set(Plan.__dataclass_fields__) - {"format", "name"}


def check_options(format: str, options: Mapping[str, Any]) -> None:
    """Refuse options that no event could have. Without ``stages`` the event has one, of *format*.

    :raises Unreadable: naming the first that does not fit.
    """
    stages_of(format, options)
    unknown = set(options) - _EVENT - _STAGE
    if unknown:
        raise Unreadable("no_option", name=sorted(unknown)[0])
    prizes = options.get("prizes") or []
    if not isinstance(prizes, list) or len(prizes) > 50 or not all(
        isinstance(each, Mapping) and isinstance(each.get("name"), str) and 0 < len(each["name"]) <= 40
        and _whole(each.get("count"), 1, 10_000) for each in prizes
    ):  # fmt: skip
        raise Unreadable("prizes_list")
    for name in ("consolation", "ruleset", "profile", "template"):
        if options.get(name) is not None and (not isinstance(options[name], str) or len(options[name]) > 60):
            raise Unreadable("short_text", name=name)
    for name, words in (("entry", ENTRIES), ("seats", SEATS)):
        if options.get(name) is not None and options[name] not in words:
            raise Unreadable("one_of", name=name, words=words)
    letters = options.get("letters")
    if letters is not None and not (
        isinstance(letters, list) and 0 < len(letters) <= 26 and all(isinstance(each, str) for each in letters)
    ):
        raise Unreadable("letters_list")
    single = {stage.format == "drawn_tables" for stage in stages_of(format, options)}
    if len(single) > 1 or (single == {True}) != (options.get("entry") == "singles"):
        raise Unreadable("singles_need")


def stages_of(format: str, options: Mapping[str, Any]) -> list[Plan]:
    """The stages of an event, in order.

    :raises Unreadable: for one that makes no sense.
    """
    stages = options.get("stages")
    if stages is None:
        return [Plan.of({"format": format} | {name: options[name] for name in _STAGE if name in options})]
    if not isinstance(stages, list) or not 0 < len(stages) <= 12 or not all(isinstance(each, dict) for each in stages):
        raise Unreadable("stages_list")
    return [Plan.of(stage) for stage in stages]
