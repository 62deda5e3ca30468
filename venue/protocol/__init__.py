"""How a table and the venue speak: events up, directives down, over plain HTTP. Pure: no socket, no clock, no disk.

Each device is the only writer of its own append-only log; the venue appends what it gets. An event is named by
(device, epoch, seq): seq counts 1, 2, 3… within an epoch, and an epoch is a new random word whenever a device starts a
new log. A batch carries the events after the last acknowledged one; the reply acknowledges by number. Sending again is
always right: what is known is acknowledged, a hole is refused with the seq that is expected, and the same name with
other content is refused for good. Directives travel in the replies and have ids of their own.

``messages`` is what travels, ``states`` what each thing may become, ``ends`` the device's whole logic without its
socket; :func:`judge` is the venue's. ``docs/protocol-sync.md`` tells it to those who build a table or a scoreboard.
"""

from venue.protocol.ends import TableSide
from venue.protocol.messages import (
    DIRECTIVES,
    ERRORS,
    LEASES,
    LEISURELY,
    LIGHTS,
    MAX_BODY,
    MAX_EVENT,
    MAX_EVENTS,
    MAX_PACE,
    MAX_WAIT,
    RECORD_DIRECTIVES,
    SILENT_AFTER,
    STATUS,
    TABLE_EVENTS,
    UPDATES,
    VERSION,
    Acknowledgement,
    Batch,
    Directive,
    Reply,
    SyncError,
    SyncEvent,
    Verdict,
    canonical,
    check_directive,
    judge,
    line_of,
)
from venue.protocol.states import CASE_STATES, DIRECTIVE_STATES, LINK, step

__all__ = [
    "CASE_STATES",
    "DIRECTIVES",
    "DIRECTIVE_STATES",
    "ERRORS",
    "LEASES",
    "LEISURELY",
    "LIGHTS",
    "LINK",
    "MAX_BODY",
    "MAX_EVENT",
    "MAX_EVENTS",
    "MAX_PACE",
    "MAX_WAIT",
    "RECORD_DIRECTIVES",
    "SILENT_AFTER",
    "STATUS",
    "TABLE_EVENTS",
    "UPDATES",
    "VERSION",
    "Acknowledgement",
    "Batch",
    "Directive",
    "Reply",
    "SyncError",
    "SyncEvent",
    "TableSide",
    "Verdict",
    "canonical",
    "check_directive",
    "judge",
    "line_of",
    "step",
]
