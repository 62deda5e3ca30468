"""`guandan rulesets`: lists, shows, checks and compares ruleset files."""

from __future__ import annotations

import argparse
import json
from dataclasses import fields
from typing import Any

from cli.cited import cited
from cli.main import Refused
from cli.words import help_of, language, say
from engine.errors import GuandanError
from engine.keys import SOURCES, Keys
from engine.rulesets import PROFILES, Ruleset, load, names

ACTIONS = ("list", "show", "check", "diff")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=ACTIONS, help=help_of("rulesets_action"))
    parser.add_argument("names", nargs="*", metavar="RULESET", help=help_of("rulesets_names"))
    parser.add_argument("--profile", choices=PROFILES, help=help_of("profile"))
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help=help_of("option"))
    parser.add_argument("--json", action="store_true", help=help_of("json"))


def run(args: argparse.Namespace) -> int:
    options = dict(_option(text) for text in args.option)
    if args.action == "list":
        return _list(args)
    if args.action == "check":
        return _check(args, options)
    wanted = 2 if args.action == "diff" else 1
    if len(args.names) != wanted:
        raise Refused(say("diff_usage" if wanted == 2 else "show_usage"))
    loaded = [load(name, args.profile, options) for name in args.names]
    return _diff(args, *loaded) if wanted == 2 else _show(args, loaded[0])


def _option(text: str) -> tuple[str, Any]:
    """``KEY=VALUE``; the value is JSON, or a bare word."""
    name, equals, value = text.partition("=")
    if not equals:
        raise Refused(say("option_usage", text=text))
    try:
        return name.strip(), json.loads(value)
    except ValueError:
        return name.strip(), value


def _list(args: argparse.Namespace) -> int:
    for name in names():
        ruleset = load(name)
        title = ruleset.name_zh if language() == "zh" else ruleset.name_en
        if args.json:
            about = {"id": name, "name": {"zh": ruleset.name_zh, "en": ruleset.name_en}, "source": ruleset.source}
            print(json.dumps(about, ensure_ascii=False))
        else:
            print(f"{name:<16}{title}  [{cited(ruleset.source, language())}]")
    return 0


def _check(args: argparse.Namespace, options: dict[str, Any]) -> int:
    """Every file that is named, or all that ship: each is told of, the first fault is refused last."""
    faults = []
    for name in args.names or names():
        try:
            ruleset = load(name, args.profile, options)
        except GuandanError as error:
            faults.append(error.in_language(language()))
        else:
            print(say("ruleset_fits", name=ruleset.id))
    if faults:
        raise Refused("; ".join(faults))
    return 0


def _show(args: argparse.Namespace, ruleset: Ruleset) -> int:
    if args.json:
        print(json.dumps(ruleset.to_dict(), ensure_ascii=False))
        return 0
    title = ruleset.name_zh if language() == "zh" else ruleset.name_en
    print(f"{ruleset.id}  {title}  [{cited(ruleset.source, language())}]")
    section = ""
    for entry in fields(Keys):
        if entry.metadata["section"] != section:
            section = entry.metadata["section"]
            print(f"\n[{section}]")
        value = getattr(ruleset, entry.name)
        meaning = f"{entry.metadata[language()]}  [{cited(SOURCES[entry.name], language())}]"
        if isinstance(value, dict):
            print(f"# {meaning}")
            for name, item in sorted(value.items()):
                print(f"{name} = {_shown(item)}")
        else:
            print(f"{f'{entry.name} = {_shown(value)}':<44}  # {meaning}")
    return 0


def _shown(value: Any) -> str:
    if isinstance(value, (bool, int, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        return json.dumps(list(value), ensure_ascii=False)
    other = "en" if language() == "zh" else "zh"
    told = {
        entry.name: getattr(value, entry.name)
        for entry in fields(value)
        if getattr(value, entry.name) != entry.default and entry.name != other
    }
    return "{ " + ", ".join(f"{name} = {json.dumps(item, ensure_ascii=False)}" for name, item in told.items()) + " }"


def _diff(args: argparse.Namespace, one: Ruleset, two: Ruleset) -> int:
    """The keys in which two rulesets differ; two of one id are told apart by the names they were asked for by."""
    ids = (one.id, two.id) if one.id != two.id else args.names
    for entry in fields(Keys):
        a, b = getattr(one, entry.name), getattr(two, entry.name)
        if isinstance(a, dict):
            pairs = [(f"{entry.name}.{name}", a.get(name), b.get(name)) for name in sorted({*a, *b})]
        else:
            pairs = [(entry.name, a, b)]
        for name, left, right in pairs:
            if left == right:
                continue
            if args.json:
                plain = [_plain(one, name), _plain(two, name)]
                print(json.dumps({"key": name, ids[0]: plain[0], ids[1]: plain[1]}, ensure_ascii=False))
            else:
                shown = ["-" if value is None else _shown(value) for value in (left, right)]
                print(f"{name}: {ids[0]} {shown[0]} | {ids[1]} {shown[1]}   # {entry.metadata[language()]}")
    return 0


def _plain(ruleset: Ruleset, name: str) -> Any:
    key, _, inner = name.partition(".")
    value = ruleset.to_dict()[key]
    return value.get(inner) if inner else value
