"""Templates: the events of the field's documents as data, one TOML file each under ``assets/events``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from engine.errors import GuandanError
from venue.desk.plans import check_options
from venue.sentences import Unreadable

FOLDER: Final = Path(__file__).resolve().parent.parent.parent / "assets" / "events"
LANGUAGES: Final = ("zh", "en")


@dataclass(frozen=True)
class Template:
    """An event that an organiser can start from. *options* are what :func:`venue.desk.plans.check_options` knows, with
    names in one language; *after* are the templates whose winners come into this one (weeks into a month).
    """

    id: str
    order: int
    name: Mapping[str, str]
    text: Mapping[str, str]
    source: str
    entrants: tuple[int, ...]
    """How many the document speaks of; empty when any number will do."""
    after: tuple[str, ...]
    _source: Mapping[str, Any]

    @property
    def format(self) -> str:
        return str(self._source["stage"][0]["format"])

    def options(self, lang: str) -> dict[str, Any]:
        """The event's options with the prizes' and stages' words in *lang*."""
        made: dict[str, Any] = {"template": self.id}
        for name in ("ruleset", "profile", "entry", "seats", "letters"):
            if name in self._source:
                made[name] = self._source[name]
        made["stages"] = [dict(stage) for stage in self._source["stage"]]
        made["prizes"] = [{"name": each[lang], "count": each["count"]} for each in self._source.get("prize", [])]
        if "consolation" in self._source:
            made["consolation"] = self._source["consolation"][lang]
        return made

    def to_json(self, lang: str) -> dict[str, Any]:
        return {
            "id": self.id, "name": self.name[lang], "text": self.text[lang], "source": self.source,
            "entrants": list(self.entrants), "after": list(self.after), "format": self.format,
            "options": self.options(lang),
        }  # fmt: skip


@cache
def templates() -> Mapping[str, Template]:
    """Every template by its id, as an organiser should see them listed."""
    found = [read(path) for path in FOLDER.glob("*.toml")]
    return {each.id: each for each in sorted(found, key=lambda each: (each.order, each.id))}


def read(path: Path) -> Template:
    """The template in *path*.

    :raises Unreadable: naming the file and what is wrong with it.
    """
    try:
        source = tomllib.loads(path.read_text("utf-8"))
        made = Template(
            path.stem, int(source["order"]), source["name"], source["text"], source["source"],
            tuple(source.get("entrants", ())), tuple(source.get("after", ())), source,
        )  # fmt: skip
        for lang in LANGUAGES:
            made.to_json(lang)
            check_options(made.format, made.options(lang))
    except (KeyError, TypeError, ValueError) as error:
        why = error if isinstance(error, GuandanError) else str(error)
        raise Unreadable("template_wrong", file=path.name, why=why) from None
    return made
