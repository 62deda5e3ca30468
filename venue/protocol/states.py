"""What each thing may become, and by what: tables that one can read on one screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LINK: Final[dict[str, dict[str, str]]] = {
    # a table's view of its venue; "silent" is SILENT_AFTER seconds without a reply
    "unpaired": {"paired": "syncing"},
    "syncing": {"all_acked": "online", "more": "syncing", "failed": "offline", "silent": "offline",
                "refused": "barred"},
    "online": {"appended": "syncing", "more": "syncing", "all_acked": "online", "failed": "offline",
               "silent": "offline", "refused": "barred"},
    "offline": {"all_acked": "online", "more": "syncing", "failed": "offline", "silent": "offline",
                "appended": "offline", "refused": "barred"},
    "barred": {"paired": "syncing", "appended": "barred"},  # a person must look; the log keeps growing
}  # fmt: skip

DIRECTIVE_STATES: Final[dict[str, dict[str, str]]] = {
    "queued": {"sent": "sent", "shown": "shown", "done": "done", "refused": "refused", "withdrawn": "withdrawn"},
    "sent": {"sent": "sent", "shown": "shown", "done": "done", "refused": "refused"},
    "shown": {"sent": "shown", "shown": "shown", "done": "done", "refused": "refused"},
    "done": {}, "refused": {}, "withdrawn": {},
}  # fmt: skip

CASE_STATES: Final[dict[str, dict[str, str]]] = {
    # a call or an alert on its way through the referees
    "launched": {"take": "in_progress", "defer": "deferred", "resolve": "resolved", "withdraw": "resolved"},
    "in_progress": {"take": "in_progress", "release": "launched", "defer": "deferred", "resolve": "resolved",
                    "withdraw": "resolved"},
    "deferred": {"take": "in_progress", "resolve": "resolved", "withdraw": "resolved"},
    "resolved": {"reopen": "in_progress"},
}  # fmt: skip


def step(table: Mapping[str, Mapping[str, str]], state: str, happening: str) -> str | None:
    """The state after *happening*, or None where the table has no such step: nothing changes then."""
    return table.get(state, {}).get(happening)
