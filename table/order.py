"""Whose turn it is, from presses and plays that do not come in their order: what explains them, and when nothing does.

Facts are put in the order in which they happened, not in which the table learned of them: reading a play takes a
second, and a quick player presses before it is read. What cannot be explained accuses nobody: the order goes on from
what is seen next.
"""

from __future__ import annotations

from engine.turns import AFTER
from table.desk import Desk
from table.effects import Light
from table.turns import report, start_turn, stop_turn

HAND_S = 4.0
"""Seconds for which a hand that came to a seat's cards may be laying a play that is not read yet."""


# -- presses ------------------------------------------------------------------------------------------------------


def press(desk: Desk, t: float, seat: str) -> None:
    """*seat* pressed pass: in its turn that is a pass, else it waits for what explains it."""
    deal = desk.match.deal
    if deal is None or deal.over or desk.score_only:
        return
    if desk.match.ruleset.implied_passes:
        if deal.turn != seat and not _hand_at(desk, deal.turn, t):
            imply_passes(desk, seat, t)
        if deal.turn == seat:
            _pass(desk, t, seat)
        elif _hand_at(desk, deal.turn, t):
            desk.early[seat] = t
        return
    if deal.turn == seat and deal.holder is not None:
        _pass(desk, t, seat)
        return
    desk.early[seat] = t
    between = _until(desk, seat)
    if between and all(each in desk.early for each in between):
        for each in (*between, seat):  # each of them has said so, if not in this order
            _pass(desk, t, each)
    elif deal.turn != seat and desk.turn_clock.running:
        stop_turn(desk, t)  # somebody took the turn for over: nobody's time is measured against that


def catch_up(desk: Desk) -> None:
    """A play was read, or put right: presses that came after it, and in their turn, are passes."""
    deal = desk.match.deal
    if deal is None:
        return
    for seat, t in sorted(desk.early.items(), key=lambda pair: pair[1]):
        deal = desk.match.deal
        if desk.early.get(seat) != t or deal is None:
            continue
        if desk.match.ruleset.implied_passes:
            del desk.early[seat]
            press(desk, t, seat)
        elif deal.turn == seat and deal.holder is not None:
            _pass(desk, t, seat)


def waited(desk: Desk, t: float) -> None:
    """Time goes on: where passes are silent, a press waits no longer for a hand than a hand takes."""
    deal = desk.match.deal
    if not desk.early or deal is None or not desk.match.ruleset.implied_passes or _hand_at(desk, deal.turn, t):
        return
    if deal.turn is not None:
        desk.read_at[deal.turn] = t  # that hand laid nothing
    catch_up(desk)


def _pass(desk: Desk, t: float, seat: str, by: str = "pressed") -> bool:
    deal = desk.match.deal
    desk.early.pop(seat, None)
    if deal is None or deal.turn != seat or deal.holder is None:
        return False
    desk.out_question = None
    if not desk.attempt(t, "pass", {"seat": seat, "by": by}):
        return False
    deal = desk.match.deal
    if deal is not None and deal.holder is None:
        laid(desk, t)  # the trick is over, and what was pressed in it is spent
    start_turn(desk, t)
    if deal is not None and deal.turn and by == "pressed":
        desk.effects.append(Light(deal.turn, "turn"))
    return True


def _until(desk: Desk, seat: str) -> list[str]:
    """The seats from the turn on and before *seat* that may still act, as far as the trick goes."""
    deal, found = desk.match.deal, list[str]()
    if deal is None or deal.turn is None or deal.holder is None:
        return found
    at = deal.turn
    for _ in range(4):
        if at in (seat, deal.holder):
            break
        if deal.active(at):
            found.append(at)
        at = AFTER[at]
    return found


def _hand_at(desk: Desk, seat: str | None, t: float) -> bool:
    """Whether a hand has come to *seat*'s cards and what it did is not read yet."""
    came = desk.touched.get(seat or "")
    return came is not None and came > desk.read_at.get(seat or "", -1e9) and t - came <= HAND_S


# -- plays --------------------------------------------------------------------------------------------------------


def explain(desk: Desk, seat: str, t: float) -> None:
    """*seat* has laid cards at *t*: the presses before that say who of those before it has passed.

    Whoever was skipped by one who passed has passed as well, though nobody pressed for it.
    """
    if desk.match.ruleset.implied_passes:
        return
    between = _until(desk, seat)
    if desk.unread in between:
        return  # that seat has played what nobody could read: it has not passed, whoever came after it
    said = [at for at, each in enumerate(between) if desk.early.get(each, t) < t]
    for each in between[: said[-1] + 1] if said else ():
        at = desk.early.get(each, t)
        _pass(desk, at, each, "pressed" if at < t else "implied")


def unclear(desk: Desk, seat: str, t: float, known: bool, legal: bool) -> bool:
    """Whether nobody can say that the play which *seat* laid at *t* was not in its turn; *known*: it is a play of its
    own, and its cards are sure; *legal*: it may follow what stands."""
    deal = desk.match.deal
    if deal is None or desk.match.ruleset.implied_passes or (legal and deal.turn in (seat, None)):
        return False
    if astray(desk) or any(each != seat and at < t for each, at in desk.early.items()):
        return True
    if deal.turn in (seat, None):
        return False
    open_questions = any(not ask.margin for ask in desk.asks.values())
    # A hand that came to the cards in its turn may have laid some that the eye has not found.
    hand = max(desk.turn_began, desk.read_at.get(deal.turn, -1e9)) < desk.touched.get(deal.turn, -1e9) < t
    return not known or desk.blurred or desk.unread is not None or open_questions or hand


def astray(desk: Desk) -> bool:
    """Whether the table has lost track of this deal: a play was not seen, or a referee waived what it told."""
    deal = desk.match.deal
    if deal is None or desk.astray or not deal.counted:
        return deal is not None
    return any(
        alert.kind == "out_of_turn" and alert.state == "waived" and alert.deal == deal.n for alert in desk.match.alerts
    )


def laid(desk: Desk, t: float) -> None:
    """A play laid at *t* is in: presses before it are spent."""
    desk.early = {seat: at for seat, at in desk.early.items() if at > t}
    for seat, at in list(desk.reported.items()):
        # Said once it is said, whether its play was being read or cards were lost that it had counted.
        del desk.reported[seat]
        report(desk, max(t, at), seat)


def waits(desk: Desk, seat: str, touched_at: float, t: float) -> bool:
    """Whether a play of *seat* must wait: the hand of one before it came first, and what that did is not read yet."""
    deal = desk.match.deal
    if deal is None or deal.over or deal.phase != "play" or deal.turn in (seat, None):
        return False
    before = _until(desk, seat) or [str(deal.turn)]
    return any(_hand_at(desk, each, t) and desk.touched[each] < touched_at for each in before if each != seat)


def all_passed(desk: Desk, t: float) -> None:
    """The trick is over: everybody after the standing play has passed."""
    for _ in range(4):
        deal = desk.match.deal
        if deal is None or deal.over or deal.turn is None or deal.holder is None:
            return
        seat = deal.turn
        pressed = seat in desk.early
        # One who pressed although the trick was all but its own lets a play go by that nobody saw.
        desk.astray |= not pressed and deal.holder in desk.early
        if not _pass(desk, desk.early.get(seat, t), seat, "pressed" if pressed else "implied"):
            return


def imply_passes(desk: Desk, seat: str, t: float, by: str = "implied") -> bool:
    """Those between the turn and *seat* have passed; whether it is now *seat*'s turn."""
    for _ in range(3):
        deal = desk.match.deal
        if deal is None or deal.over or deal.turn in (seat, None) or deal.holder is None:
            break
        if not desk.attempt(t, "pass", {"seat": deal.turn, "by": by}):
            break
    return desk.match.deal is not None and desk.match.deal.turn == seat
