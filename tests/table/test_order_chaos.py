"""Whole deals with an eye that misses plays, mistrusts cards and sees ghosts: it may ask, it may accuse nobody."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.cards import SEATS, Card
from simulator.world import World
from table.headless import figures, play
from table.journal import Journal
from table.ledger import Ledger
from table.virtual import Studio, record_of
from tests.table.perfect_eye import NoCamera, PerfectEye
from vision.camera import Camera
from vision.observations import Hidden, Laid, Observation, Removed


class PoorEye(PerfectEye):
    """Of the plays it *misses* some, half of them without a word; to some it adds a *ghost* of one of their cards."""

    def __init__(self, world: World, misses: float, doubts: float, ghosts: float, seed: int) -> None:
        super().__init__(world, doubts, 0.3, seed)
        self.misses, self.ghosts = misses, ghosts
        self.chance = Random(seed)
        self._unseen: dict[str, list[Card]] = {seat: [] for seat in SEATS}

    def step(self, camera: Camera) -> list[Observation]:
        return [each for told in super().step(camera) for each in self._poorly(told)]

    def _poorly(self, told: Observation) -> list[Observation]:
        if isinstance(told, Laid):
            if self.chance.random() < self.misses:
                self._unseen[told.seat] += [card.card for card in told.cards]
                return [Hidden(told.t, told.seat, "stack")] if self.chance.random() < 0.5 else []
            if self.chance.random() < self.ghosts:
                real = self.chance.choice(told.cards)
                ghost = replace(real, sure=False, confidence=0.6, candidates=((real.card, 0.6),))
                return [replace(told, cards=(*told.cards, ghost))]
        if isinstance(told, Removed):
            left = list(told.cards)
            for card in list(self._unseen[told.seat]):
                known = next((each for each in left if each.card is card), None)
                if known is not None:
                    left.remove(known)
                    self._unseen[told.seat].remove(card)
            return [replace(told, cards=tuple(left))] if left else []
        return [told]


@pytest.mark.parametrize(("misses", "doubts", "ghosts"), [(0.05, 0.0, 0.0), (0.0, 0.1, 0.05), (0.02, 0.05, 0.03)])
def test_a_poor_eye_accuses_nobody(tmp_path: Path, misses: float, doubts: float, ghosts: float) -> None:
    missed = 0
    for deal in range(3):
        seed = 7_100_000 + deal
        record = record_of(seed, 1, "championship", 1)
        with contextlib.closing(Journal(tmp_path / f"{deal}.journal")) as journal:
            ledger = Ledger(journal, time.time, "poor")
            studio = Studio(NoCamera, lambda world, seed=deal: PoorEye(world, misses, doubts, ghosts, seed))
            play(record, seed, ledger, 1, "championship", studio)
            told = figures(record, ledger.match(1))
        assert told["offences"]["false"] == 0, told
        missed += told["silent"]
    assert bool(missed) == bool(misses), "what nobody saw is missing, and nothing else"
