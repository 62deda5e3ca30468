"""The last door before a table: no release passes while an event is on, whenever it was given out."""

from __future__ import annotations

from collections.abc import Sequence

from venue.protocol import Acknowledgement, Directive
from venue.sentences import Sentence
from venue.store import devices
from venue.web.house import Venue


async def held_back(venue: Venue, place: str | None, told: Sequence[Directive]) -> Sequence[Directive]:
    """*told* without a release while an event is on: that one is refused here, in the table's stead."""
    if place is None or not any(each.do == "release" for each in told):
        return told
    if not (titles := venue.underway.titles(venue.now())):
        return told
    why = Sentence("event_on", event=titles[0]).in_language(venue.lang)[:200]
    acks = [Acknowledgement(id=each.id, state="refused", why=why) for each in told if each.do == "release"]
    now = venue.now()
    await venue.write(lambda connection: devices.answered(connection, place, acks, now))
    return [each for each in told if each.do != "release"]
