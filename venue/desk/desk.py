"""The desk: all competitions, folded from the venue's log; results come by themselves from the tables' records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from venue.desk.competition import Competition, Pairing


class Desk:
    """Every competition by id. Fed with the desk's acts and with the results that tables' matches come to."""

    def __init__(self) -> None:
        self.competitions: dict[str, Competition] = {}
        self._by_match: dict[str, tuple[Competition, int, int]] = {}
        self._told: dict[str, tuple[dict[str, Any], float]] = {}
        """By match: the result that its table's record comes to, and when it came."""

    def act(self, event: Mapping[str, Any], at: float, by: str) -> str | None:
        """Take an act; gives the competition it changed."""
        id = str(event.get("competition"))
        if event.get("act") == "create":
            if id in self.competitions:
                return None
            self.competitions[id] = Competition(id, event)
            return id
        competition = self.competitions.get(id)
        if competition is None or not competition.apply(event, at, by):
            return None
        if event.get("act") == "draw":
            for place, game in enumerate(competition.rounds[-1].games):
                self._by_match[game.match] = (competition, len(competition.rounds), place)
        if event.get("act") == "erase":  # what the table says of this game counts again
            game = competition.rounds[int(event["round"]) - 1].games[int(event["game"])]
            if (told := self._told.get(game.match)) is not None:
                competition.apply(*told, "")
        return id

    def match_over(
        self,
        match: str,
        levels: Mapping[str, str],
        winner: str | None,
        at: float,
        margin: int | None = None,
        won: tuple[int, int] | None = None,
    ) -> str | None:
        """A table's match has a result (or another one, after a ruling); gives the competition it changed. *margin* is
        north-south's level difference over all games of the match, *won* how many of several games each side won.
        """
        found = self._by_match.get(match)
        if found is None:
            return None
        competition, number, place = found
        result = {
            "act": "result", "round": number, "game": place, "levels": [levels["NS"], levels["EW"]], "source": "table",
            "margin": margin, "winner": {"NS": "one", "EW": "other"}.get(winner or ""),
            "won": list(won) if won else None,
        }  # fmt: skip
        self._told[match] = result, at
        return competition.id if competition.apply(result, at, "") else None

    def game(self, match: str) -> Pairing | None:
        """The game that the match *match* decides."""
        found = self._by_match.get(match)
        return found[0].rounds[found[1] - 1].games[found[2]] if found else None
