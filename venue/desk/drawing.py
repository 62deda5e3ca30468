"""What comes next of an event, by a seed: partners, groups, the next round's games. Nothing here changes the event."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from venue.desk import draw, swiss
from venue.desk.competition import Competition
from venue.desk.plans import Plan
from venue.desk.rounds import Drawn
from venue.desk.stages import Stage
from venue.sentences import Impossible


def next_partners(event: Competition, seed: str) -> list[dict[str, Any]]:
    """Pairs of the singles by *seed*, as ``partners`` takes them; with tags: tables in order, orange first.

    :raises Impossible: when partners are not drawn here, or the number does not work out.
    """
    if event.entry not in ("drawn_partners", "tags") or event.partners_seed:
        raise Impossible("partners_once")
    if event.entry == "drawn_partners":
        pairs = draw.partners(seed, event.playing)
        return [{"number": place, "singles": list(pair)} for place, pair in enumerate(pairs, 1)]
    letters = event.options.get("letters") or ["A", "B"]
    tables = len(event.playing) // 4
    given = draw.tags(seed, event.playing, letters if tables % len(letters) == 0 else letters[:1])
    held: dict[tuple[str, str], list[int]] = {}
    for who, tag in given.items():
        held.setdefault(tag, []).append(who)
    return [
        {"number": place, "singles": singles, "tag": tag, "colour": colour}
        for place, ((tag, colour), singles) in enumerate(held.items(), 1)
    ]


def next_round(event: Competition, seed: str) -> dict[str, Any]:
    """The next round by *seed*, as the act ``draw`` takes it, without places and matches.

    :raises Impossible: when there is nothing to draw: a result is missing, or all rounds are over.
    """
    check_may_draw(event)
    number, stage = len(event.stages) - 1, event.stage
    if stage.finished:
        number, stage = number + 1, Stage(event.plans[len(event.stages)])
    if not stage.rounds:
        stage.entered = _entered(event, stage.plan, number, seed)
        stage.groups = stage.deal_groups(seed, stage.entered, event.entrants)
    joined = latecomers(event)
    if joined:
        stage = replace(stage, entered=[*stage.entered, *joined], groups=[[*stage.groups[0], *joined]])
    games = [_seated(event, stage, seed, game) for game in stage.games(seed, event.entrants, event.withdrawn)]
    if not games:
        raise Impossible("nobody_left")
    told: dict[str, Any] = {"round": len(event.rounds) + 1, "stage": number, "seed": seed}
    if not stage.rounds:
        told |= {"entered": stage.entered, "groups": stage.groups}
    if joined:
        told["joined"] = joined
    return told | {"games": [game.to_json() for game in games]}


def latecomers(event: Competition) -> list[int]:
    """Who plays from the next round on and did not before."""
    return [who for who in event.playing if who not in event.stage.entered] if event.takes_latecomers else []


def _entered(event: Competition, plan: Plan, number: int, seed: str) -> list[int]:
    if number:
        before = event.stage
        entered = [who for who in before.qualifiers() if who not in event.withdrawn]
        if len(before.groups) > 1 and plan.format == "knockout":
            return groups_apart(entered, before.groups)
        if plan.format == "knockout" and before.plan.take == "winners":
            return entered  # winners come in the order of their tables
        return entered if plan.format == "knockout" and plan.seeding == "bracket" else draw.order(seed, entered)
    if event.entry == "tags":
        return list(event.entrants)  # a pair that withdrew leaves its table's other pair without a game
    return draw.order(seed, event.playing) if plan.format == "knockout" else event.playing


def _seated(event: Competition, stage: Stage, seed: str, game: Drawn) -> Drawn:
    keeps = event.options.get("seats") == "order" or (event.entry == "tags" and not event.rounds)
    if game.other is None or game.mates or keeps:
        return game
    if event.options.get("seats") == "number":
        return replace(game, one=min(game.one, game.other), other=max(game.one, game.other))
    one, other = draw.north_south(seed, f"{game.one}-{game.other}", game.one, game.other)
    return replace(game, one=one, other=other)


def check_may_draw(event: Competition) -> None:
    """:raises Impossible: when there is no next round yet, or none any more."""
    if event.entry in ("drawn_partners", "tags") and not event.partners_seed:
        raise Impossible("partners_first")
    if len(event.playing) < 2 and not event.rounds:
        raise Impossible("two_entrants")
    if event.rounds and not event.rounds[-1].done:
        raise Impossible("results_missing", round=len(event.rounds))
    if event.finished:
        raise Impossible("all_over")


def players(event: Competition) -> dict[int, swiss.Player]:
    """Those who play on, as the next pairing sees them."""
    stage = event.stage
    if not stage.rounds:
        stage = Stage(event.plan, event.playing)
    elif joined := latecomers(event):
        stage = replace(stage, entered=[*stage.entered, *joined])
    return {who: each for who, each in stage.players(event.entrants).items() if who not in event.withdrawn}


def groups_apart(entered: list[int], groups: list[list[int]]) -> list[int]:
    """*entered* (first ones, then second ones, …) so that a bracket's first round brings no two of a group together."""
    of = {who: mark for mark, group in enumerate(groups) for who in group}
    size = 1 << max(0, (len(entered) - 1).bit_length())
    order = list(entered)
    for place in range(len(order)):
        against = size - 1 - place
        if place < against < len(order) and of[order[place]] == of[order[against]]:
            for other in range(len(order) - 1, size // 2 - 1, -1):
                mirrored = size - 1 - other
                if other != against and 0 <= mirrored < len(order) and of[order[other]] != of[order[place]] and (
                    of[order[against]] != of[order[mirrored]]
                ):  # fmt: skip
                    order[against], order[other] = order[other], order[against]
                    break
    return order
