"""What changed is written once for everybody of a role, and says what each of them would have been told alone."""

import json
import random

from venue.hall import Hall
from venue.store.log import VENUE, Entry
from venue.store.people import Person
from venue.web import view

ROLES = ("chief", "referee", "desk", "announcer", "spectator")
MATCH = {"do": "match", "ruleset": "national", "profile": "championship", "names": {"N": "甲"}}


class Log:
    """A hall that hears things happen."""

    def __init__(self):
        self.hall, self.lines = Hall(), {}

    def says(self, kind, place=None, person=None, **data):
        position = self.hall.position + 1
        event = {"do": kind, **data}
        self.hall.apply(
            Entry(position, VENUE, "1", position, kind, place, None, None, event, None, 1e9 + position, False, person)
        )

    def plays(self, place, event):
        position, line = self.hall.position + 1, self.lines.get(place, 0) + 1
        self.lines[place] = line
        self.hall.apply(
            Entry(position, f"d{place}", "e", position, event["do"], place, f"m{place}", line, event, None,
                  1e9 + position, False, None)
        )  # fmt: skip


def test_everybody_is_told_what_they_would_be_told_alone():
    rng, log, written = random.Random(3), Log(), view.Written()
    for place in "1234":
        log.says("place", place, zone="A")
        log.plays(place, MATCH)
    people = [Person(role, role, role, (), "") for role in ROLES]
    seen = dict.fromkeys(ROLES, 0)
    for step in range(300):
        place = rng.choice("1234")
        match rng.randrange(6):
            case 0:
                log.plays(place, {"do": "call", "seat": rng.choice("NESW")})
            case 1:
                log.plays(place, {"do": "finish", "order": ["N", "S", "E", "W"]})
            case 2 if log.hall.cases:
                case = rng.choice(list(log.hall.cases))
                log.says("case", place, "p", case=case, step=rng.choice(["take", "resolve", "defer"]))
            case 3:
                log.says("hide", hidden=rng.random() < 0.5)
            case 4:
                log.says("notice", text=f"n{step}")
            case 5:
                log.says("clock", zone="A", action="start", seconds=60)
        for person in rng.sample(people, 3):  # pages follow at their own pace
            expected = view.since(log.hall, seen[person.role], person)
            position, items = written.since(log.hall, seen[person.role], person)
            assert (position, [json.loads(item) for item in items]) == (expected["position"], expected["items"])
            seen[person.role] = position
    assert len(log.hall.cases) > 10
