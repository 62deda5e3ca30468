"""Rulesets: the TOML files that ship, what they inherit, profiles and options on top.

The one file of the engine that reads a disk.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Final

from engine.cards import shown
from engine.errors import Sentence, Unreadable
from engine.keys import BY_NAME, Keys, Ladder, Total
from engine.ruleset_values import ORDERS, checked, odd, refuse_contradictions

DIRECTORY: Final = Path(__file__).resolve().parent.parent / "assets" / "rulesets"
STRINGS: Final = DIRECTORY.parent / "strings"
PROFILES: Final = ("friendly", "championship")
DEFAULT_PROFILE: Final = "championship"
_HEAD: Final = ("id", "name", "source", "inherits", "abstract", "stage")
_SECTIONS: Final = {entry.metadata["section"] for entry in fields(Keys)}


@dataclass(frozen=True, kw_only=True)
class Ruleset(Keys):
    """One set of rules, every key present; read with :func:`load`."""

    id: str
    name_zh: str
    name_en: str
    source: str
    inherits: tuple[str, ...]
    """From the nearest parent to the farthest."""
    profile: str | None

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; :func:`from_dict` reads it back."""
        found: dict[str, Any] = {}
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, dict):
                value = {name: _plain(item) for name, item in value.items()}
            found[entry.name] = list(value) if isinstance(value, tuple) else value
        return found

    def gain(self, order: str) -> int:
        """Levels for ``"1-2"``, ``"1-3"`` or ``"1-4"``."""
        return self.gains[ORDERS.index(order)]


def _plain(item: Any) -> Any:
    if not isinstance(item, (Ladder, Total)):
        return item
    values = {entry.name: getattr(item, entry.name) for entry in fields(item)}
    return {
        name: [list(step) for step in value] if name == "steps" else list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value is not None
    }


@cache
def sentences(language: str) -> Mapping[str, str]:
    """What the engine says in ``zh`` or ``en``, by key; asked for through :class:`engine.errors.Sentence`."""
    text = (STRINGS / f"rules.{language}.toml").read_text("utf-8")
    return {key: pattern for section in tomllib.loads(text).values() for key, pattern in section.items()}


def names() -> list[str]:
    """The ids that ship, ``national`` first."""
    found = [path.stem for path in DIRECTORY.glob("*.toml") if not _read(path).get("abstract")]
    return sorted(found, key=lambda name: (name != "national", name))


def load(id_or_path: str | Path, profile: str | None = None, options: Mapping[str, Any] | None = None) -> Ruleset:
    """The ruleset of that id or file, with *profile* and then *options* (keys by name) on top.

    :raises Unreadable: naming file, key and reason.
    """
    name = str(id_or_path)
    path = _path_of(name)
    if _read(path).get("abstract"):
        raise Unreadable("abstract_ruleset", name=name, names=names())
    if path.parent == DIRECTORY and not options:
        return _shipped(name, profile)
    return _laid(_values(name, profile, options or {}), name, profile)  # a venue's own file may change meanwhile


@cache
def _shipped(name: str, profile: str | None) -> Ruleset:
    return _laid(_values(name, profile, {}), name, profile)


def from_dict(values: Mapping[str, Any]) -> Ruleset:
    """The ruleset that :meth:`Ruleset.to_dict` wrote: what a record carries.

    :raises Unreadable: naming the key and the reason.
    """
    inherits, profile = values.get("inherits") or [], values.get("profile")
    if not isinstance(inherits, (list, tuple)) or (profile is not None and profile not in PROFILES):
        raise Unreadable("odd_resolved")
    merged: dict[str, Any] = {
        **{name: str(values.get(name) or "") for name in ("id", "name_zh", "name_en", "source")},
        "inherits": tuple(map(str, inherits)),
        "profile": profile,
    }
    base = _shipped("base", None)  # keys that were not yet thought of when the record was written
    for name in BY_NAME:
        known = name in values
        merged[name] = checked(name, values[name], "resolved") if known else getattr(base, name)
    ruleset = Ruleset(**merged)
    refuse_contradictions(ruleset, "resolved")
    return ruleset


# --- reading files --------------------------------------------------------------------------------------------------


def _path_of(name: str) -> Path:
    shipped, path = DIRECTORY / f"{name}.toml", Path(name)
    try:
        if name and "/" not in name and shipped.is_file():
            return shipped
        if path.suffix == ".toml" and path.is_file():
            return path
    except OSError:  # a name that no file can have
        pass
    raise Unreadable("no_such_ruleset", name=shown(name), names=names())


def _read(path: Path) -> dict[str, Any]:
    try:
        return _parsed(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise Unreadable("file_unread", file=path.name, why=error.strerror) from None


@cache
def _parsed(path: Path, stamp: int) -> dict[str, Any]:
    """The file as it was at *stamp*; a match that is folded again does not read it again."""
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+), column (\d+)", str(error))
        where = Sentence("toml_at", line=place[1], column=place[2]) if place else Sentence("toml_unfinished")
        raise Unreadable("no_toml", file=path.name, why=where) from None
    except UnicodeDecodeError:
        raise Unreadable("no_toml", file=path.name, why=Sentence("toml_utf8")) from None
    except (ValueError, RecursionError):  # a number of more than 4,300 digits, brackets without end
        raise Unreadable("no_toml", file=path.name, why=Sentence("toml_beyond")) from None


def _chain(name: str) -> list[tuple[Path, dict[str, Any]]]:
    """The file and all that it inherits from, farthest parent first."""
    chain: list[tuple[Path, dict[str, Any]]] = []
    wanted: str | None = name
    while wanted is not None:
        try:
            path = _path_of(wanted)
        except Unreadable as error:
            if not chain:
                raise
            raise Unreadable("inherits_what", file=chain[0][0].name, error=error.sentence) from None
        if any(path == seen for seen, _ in chain):
            raise Unreadable("inherits_circle", file=path.name)
        table = _read(path)
        chain.insert(0, (path, table))
        wanted = table.get("inherits")
        if wanted is not None and not isinstance(wanted, str):
            raise Unreadable("inherits_one", file=path.name, value=shown(wanted))
        if wanted is not None and path.parent != DIRECTORY and (path.parent / f"{wanted}.toml").is_file():
            wanted = str(path.parent / f"{wanted}.toml")
    return chain


def _values(name: str, profile: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """Head and keys of *name* after inheritance, stage, profile and options; keys already checked."""
    if profile is not None and profile not in PROFILES:
        raise Unreadable("no_such_profile", name=shown(profile), names=PROFILES)
    layers = _chain(name)
    values: dict[str, Any] = {}
    stages: list[tuple[str, dict[str, Any]]] = []
    for path, table in layers:
        _lay(values, table, path.name)
        if "stage" in table:
            stages.append((path.name, _stages(table["stage"], path.name)))
    if profile is not None:
        path = DIRECTORY / "profiles" / f"{profile}.toml"
        _lay(values, _read(path), path.name)
    _options(values, {"stage": options["stage"]} if "stage" in options else {})
    for file, stage in stages:
        _lay(values, stage.get(str(values.get("stage", 1)), {}), f"{file} [stage.{values.get('stage', 1)}]", head=False)
    _options(values, options)
    path, table = layers[-1]
    names_ = table.get("name") or {}
    if not isinstance(names_, dict) or not all(isinstance(names_.get(language), str) for language in ("zh", "en")):
        raise Unreadable("name_in_both", file=path.name)
    values["id"] = table.get("id", path.stem)
    values["name_zh"], values["name_en"] = names_["zh"], names_["en"]
    values["source"] = table.get("source", "")
    for name in ("id", "source"):
        if not isinstance(values[name], str):
            raise odd(f"{path.name}: {name}", "", Sentence("a_text"), values[name])
    values["inherits"] = tuple(str(layer.get("id", file.stem)) for file, layer in layers[-2::-1])
    return values


def _stages(content: Any, file: str) -> dict[str, Any]:
    """The tables ``[stage.N]`` of a file, each checked whether it is the stage that is played or not."""
    if not isinstance(content, dict):
        raise Unreadable("a_table", where=f"{file}: stage")
    for number, table in content.items():
        where = f"{file} [stage.{number}]"
        if not number.isdecimal() or not isinstance(table, dict):
            raise Unreadable("no_stage", where=where)
        _lay({}, table, where, head=False)
    return content


def _lay(values: dict[str, Any], table: Mapping[str, Any], file: str, *, head: bool = True) -> None:
    """Lay one file's keys over *values*."""
    for section, content in table.items():
        if head and section in _HEAD:
            continue
        if section not in _SECTIONS or not isinstance(content, dict):
            raise Unreadable("no_section", file=file, section=section, sections=sorted(_SECTIONS))
        if section in ("route", "offence", "total"):
            values[section] = {**values.get(section, {}), **checked(section, content, file)}
            continue
        for name, value in content.items():
            entry = BY_NAME.get(name)
            if entry is None or entry.metadata["section"] != section:
                if entry:
                    raise Unreadable("key_elsewhere", file=file, name=name, section=entry.metadata["section"])
                raise Unreadable("no_key", file=file, section=section, name=name)
            values[name] = checked(name, value, file)


def _options(values: dict[str, Any], options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        if name not in BY_NAME:
            raise Unreadable("no_option", name=name)
        value = checked(name, value, "options")
        values[name] = {**values[name], **value} if isinstance(value, dict) else value


def _laid(values: dict[str, Any], name: str, profile: str | None) -> Ruleset:
    missing = [key for key in BY_NAME if key not in values]
    if missing:
        raise Unreadable("key_missing", file=Path(name).name, name=missing[0])
    ruleset = Ruleset(**values, profile=profile)
    refuse_contradictions(ruleset, Path(name).name)
    return ruleset
