"""The protocol's page names everything that the protocol has, and its examples are real messages."""

import json
import re
from pathlib import Path

import pytest

from venue import protocol
from venue.hall import cases
from venue.web import stream

PAGE = (Path(__file__).parents[2] / "docs" / "protocol-sync.md").read_text("utf-8")


@pytest.mark.parametrize("code", protocol.ERRORS)
def test_every_refusal_is_told_with_its_status(code):
    status, again, _ = protocol.ERRORS[code]
    assert f"| `{code}` | {status} | {'yes' if again else 'no'} |" in PAGE


@pytest.mark.parametrize("name", [*protocol.DIRECTIVES, *protocol.TABLE_EVENTS, *protocol.LEASES])
def test_every_word_is_told(name):
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("word", [*protocol.STATUS, *protocol.LIGHTS])
def test_every_word_of_a_status_is_told(word):
    assert f"`{word}`" in PAGE


@pytest.mark.parametrize("table", [protocol.LINK, protocol.DIRECTIVE_STATES, protocol.CASE_STATES])
def test_every_state_is_told(table):
    assert all(state in PAGE for state in table)


def test_the_numbers_are_the_codes():
    assert f"at most {protocol.MAX_EVENTS}, seqs without holes, {protocol.MAX_EVENT // 1024} KiB each" in PAGE
    assert f"{protocol.MAX_BODY // 1024} KiB together" in PAGE
    assert f"{cases.ESCALATE_TO_ALL:g} seconds rings" in PAGE
    assert f"`beat` every {stream.HEARTBEAT:g} seconds" in PAGE
    assert f"{protocol.TableSide.FIRST_DELAY:g} to {protocol.TableSide.LONGEST_DELAY:g} seconds" in PAGE


def test_the_examples_are_messages():
    examples = re.findall(r"POST /v1/sync\n((?:    .*\n)+)\n    200 ((?:.*\n)(?:     .*\n)*)", PAGE)
    ((batch, reply),) = examples
    assert protocol.Batch.from_json(json.loads(batch)).events[0].do == "play"
    assert protocol.Reply.from_json(json.loads(reply)).directives[0].do == "blink"
