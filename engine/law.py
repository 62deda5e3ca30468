"""The table's law: what a ruling does. Ladders are data of the ruleset; this applies their steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from engine import ending, phases
from engine.alerts import Alert, Penalty
from engine.cards import partner_of, shown, side_of
from engine.errors import Impossible, Sentence, Unreadable
from engine.findings import Finding
from engine.keys import EFFECTS, Ladder, is_effect
from engine.levels import other
from engine.result import AT_LIMIT, BY_PLAY

if TYPE_CHECKING:
    from engine.match import Match

_LOSES: Final = ("match_lost", "disqualified", "annulled")
_TOTAL: Final = "total."


class Law:
    """Rulings on the alerts of one match, and what they change."""

    def __init__(self, match: Match) -> None:
        self._match = match

    # --- rulings ---

    def rule(self, alert: Alert, data: Mapping[str, Any]) -> None:
        """A referee ruled on *alert*.

        :raises Impossible: when it was ruled on, or not by this referee, or not with this penalty.
        """
        verdict, by = data["verdict"], data.get("by")
        if verdict not in phases.ALERT[alert.state]:
            raise Impossible(f"ruled_{alert.state}", alert=alert.id, line=alert.ruled_at)
        ladder = self._ladder(alert)
        wanted = self._wanted(data)
        if verdict == "uphold" and wanted and ladder is not None and (ladder.steps or ladder.choices):
            allowed = {*ladder.choices, *(effect for step in ladder.steps for effect in step)}
            refused = [effect for effect in wanted if effect not in allowed]
            if refused:
                choices = sorted(allowed) or Sentence("none")
                raise Impossible("not_offered", alert=alert.id, effect=refused[0], choices=choices)
        if verdict != "waive" and by == "table" and self._for_chief(alert, ladder, verdict, wanted):
            raise Impossible("chief_only", alert=alert.id)
        alert.ruled_at = self._match.at
        alert.state = phases.ALERT[alert.state][verdict]
        if verdict == "other":
            self._apply(alert, wanted)
        elif verdict == "uphold":
            self.uphold(alert, wanted or None, by)

    def _for_chief(self, alert: Alert, ladder: Ladder | None, verdict: str, wanted: Sequence[str]) -> bool:
        """Whether the chief alone may rule so: what decides a match, and under such a ladder a choice as well."""
        chief = ladder is not None and ladder.ruled_by == "chief"
        effects = wanted or (self._step(alert, counted=False) if verdict == "uphold" else ())
        return (chief and bool(wanted)) or ((chief or verdict == "other") and any(word in _LOSES for word in effects))

    def _wanted(self, data: Mapping[str, Any]) -> list[str]:
        """The effects that a ruling names in ``penalty``: one or a list."""
        given = data.get("penalty")
        wanted = [given] if isinstance(given, str) else list(given) if isinstance(given, (list, tuple)) else []
        if given is not None and not wanted:
            raise Unreadable("penalty_form")
        for effect in wanted:
            if not is_effect(effect):
                raise Unreadable("no_effect", name="penalty", effect=shown(effect), effects=EFFECTS)
        return wanted

    def uphold(self, alert: Alert, wanted: Sequence[str] | None = None, by: str | None = "table") -> None:
        """The alert stands: the ladder's step takes effect. *by* whom, where that is known: ``table`` or ``chief``."""
        alert.state, alert.ruled_at = "upheld", self._match.at
        effects = self._step(alert) if wanted is None else wanted
        self._apply(alert, effects)
        self._totals(alert, by)

    def _ladder(self, alert: Alert) -> Ladder | None:
        return self.ladder_of(alert.of or alert.kind)

    def ladder_of(self, kind: str) -> Ladder | None:
        """The ladder of a kind of offence; a total that waits for the chief has one of a single step."""
        ruleset = self._match.ruleset
        if kind.startswith(_TOTAL) and (total := ruleset.total.get(kind.removeprefix(_TOTAL))) is not None:
            return Ladder(
                counts=total.counts, steps=(total.effects,), ruled_by="chief", source=total.source,
                zh=total.zh, en=total.en,
            )  # fmt: skip
        return ruleset.offence.get(kind)

    def _step(self, alert: Alert, *, counted: bool = True) -> Sequence[str]:
        """The effects of this time, by how often the ladder has counted; *counted*: whether *alert* is upheld yet."""
        ladder = self._ladder(alert)
        if ladder is None:
            return ()
        if ladder.before_play is not None and alert.before_play and not self._played_since(alert):
            return ladder.before_play
        if ladder.late is not None and self._acted_since(alert) >= ladder.late_after:
            return ladder.late
        if not ladder.steps:
            return ()
        times = sum(1 for other_ in self._match.alerts if self._counts_with(alert, other_, ladder)) + (not counted)
        at = (times - 1) % len(ladder.steps) if ladder.repeat else min(times, len(ladder.steps)) - 1
        return ladder.steps[at]

    def _counts_with(self, alert: Alert, earlier: Alert, ladder: Ladder) -> bool:
        """Whether *earlier* is counted together with *alert*, itself among them."""
        kind = earlier.of or earlier.kind
        if earlier.state != "upheld" or kind not in (alert.of or alert.kind, *ladder.together):
            return False
        if earlier.seat is None or alert.seat is None:
            return earlier is alert
        if ladder.counts == "player":
            if earlier.seat != alert.seat:
                return False
        elif side_of(earlier.seat) != side_of(alert.seat):
            return False
        if ladder.within == "match":
            return True
        same_deal = earlier.deal == alert.deal
        return same_deal and (ladder.within == "deal" or earlier.trick == alert.trick)

    def _played_since(self, alert: Alert) -> bool:
        deal = self._match.deal
        return alert.deal > 0 and (deal is None or deal.n != alert.deal or any(deal.played.values()))

    def _acted_since(self, alert: Alert) -> int:
        """How often the offender has acted since; a deal that is over counts as long ago."""
        deal = self._match.deal
        if deal is None or alert.seat is None or deal.n != alert.deal:
            return 99 if alert.deal else 0
        return deal.acted[alert.seat] - alert.acted

    def _totals(self, alert: Alert, by: str | None) -> None:
        """Offences that are counted together; where the chief rules on them, no table referee's word sets them off."""
        for name, total in self._match.ruleset.total.items():
            count = 0
            counted = False
            for each in self._match.alerts:
                if each.state != "upheld" or each.seat is None or alert.seat is None:
                    continue
                same = (
                    each.seat == alert.seat if total.counts == "player" else side_of(each.seat) == side_of(alert.seat)
                )
                if same and (
                    each.kind in total.kinds or each.of in total.kinds or set(each.penalty) & set(total.kinds)
                ):
                    count += 1
                    counted = counted or each is alert
            if not counted or count < total.at:
                continue
            if total.ruled_by == "chief" and by == "table":
                of = f"{_TOTAL}{name}"
                if not any(each.of == of and each.seat == alert.seat for each in self._match.alerts):
                    note = Sentence("note_total", count=count)
                    self._match.raise_alert(Finding("conduct", alert.seat, True, note, of=of))
            else:
                self._apply(alert, total.effects)

    # --- effects ---

    def _apply(self, alert: Alert, effects: Sequence[str]) -> None:
        for effect in effects:
            word, _, number = effect.partition(" ")
            alert.penalty.append(word)
            levels = int(number) if number else int(word in ("opponents_gain", "own_drop"))
            self._one(alert, word, levels)

    def _one(self, alert: Alert, effect: str, levels: int) -> None:
        match, seat = self._match, alert.seat
        side = side_of(seat) if seat else None
        moved = 0
        if side is not None and effect == "opponents_gain":
            side = other(side)
            moved = self.shift(side, levels)
        elif side is not None and effect == "own_drop":
            moved = self.shift(side, -levels)
        match.penalties.append(Penalty(alert.id, seat, side, effect, moved))
        if seat is None or side is None:
            return
        if effect in _LOSES:
            ending.end(match, other(side), effect)
            return
        if effect == "hand_void":
            self._void(alert, seat)
            return
        deal = match.deal
        if deal is None or deal.n != alert.deal or deal.over or match.phase != "deal":
            return
        if effect == "miss_round":
            deal.miss_round(seat)
        elif effect == "lose_trick" and len(deal.tricks) == alert.trick:
            deal.lose_trick(seat)
        elif effect == "bar_kind":
            entry = deal.laid.get(alert.event)
            if entry is not None and entry.reading is not None:
                deal.barred_lead[partner_of(seat)] = entry.reading.type

    # --- levels that a ruling moves ---

    def log(self, entry: tuple[str, Any]) -> None:
        """Keep what moved the levels, so that a deal scored anew can be folded into them."""
        self._match.moves.append(entry)

    def shift(self, side: str, by: int) -> int:
        """Move a side's level; the number of levels it moved."""
        match = self._match
        moved = match.race.shift(side, by)
        self.log(("shift", (side, by)))
        if match.result is not None and match.result.why in AT_LIMIT:
            ending.reopen(match)  # decided by the levels, which have moved
            ending.decide(match)
        return moved

    def _void(self, alert: Alert, seat: str) -> None:
        """The hand is void and counts as last: in the deal that is played, or in the one that was scored."""
        match = self._match
        deal = match.deal
        if deal is not None and deal.n == alert.deal and not deal.over:
            deal.make_void(seat)
            return
        record = next((each for each in match.deals if each.deal.n == alert.deal), None)
        if record is None or record.deal.order is None:
            return
        rest = [each for each in record.deal.order if each != seat]
        record.deal.order = (*rest, seat)
        self._race_again()

    def _race_again(self) -> None:
        """Run the levels of this game again after an order has changed."""
        match = self._match
        starts = [at for at, (what, _) in enumerate(match.moves) if what == "game"]
        moves = match.moves[starts[-1] + 1 if starts else 0 :]
        if match.result is not None and match.result.why in (*BY_PLAY, *AT_LIMIT):
            ending.reopen(match)
        race = match.race = match.fresh_race()
        won = None
        for what, about in moves:
            if what == "shift":
                race.shift(*about)
            else:
                about.step = race.finish(about.deal.order, about.stage)
                about.levels = dict(race.levels)
                won = about.step
        if won is not None and match.phase == "between":
            ending.look_for_winner(match, won.side, won.won)
