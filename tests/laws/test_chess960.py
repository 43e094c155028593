"""Chess960 by the Laws (Appendix F, from 2018 Guidelines II): the scenarios of ``chess960.toml``.

They were written from the Laws and the contract by somebody who had not read the code. How stands in their first lines
and in those of ``run.py`` beside the shared ones: actions in, events that must appear in this order, and such as must
not.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from controller.cli.replay import judge

SCENARIOS = tomllib.loads(Path(__file__).with_name("chess960.toml").read_text("utf-8"))["scenario"]
EDITIONS = ["fide-2005", "fide-2009", "fide-2014", "fide-2018", "fide-2023"]
SESSION = ("play", "supervised", "fen", "senses", "clock", "variant", "settings", "announced")
WORDS = {"choose": "piece", "claim": "of", "draw": "act"}
"""What the second word of an action says, of those of a player."""


def cases() -> list[Any]:
    every = [(one, laws) for one in SCENARIOS for laws in (EDITIONS if one["laws"] == "all" else one["laws"])]
    return [pytest.param(one, laws, id=f"{one['id']}@{laws}") for one, laws in every]


def in_edition(value: Any, laws: str) -> Any:
    """The value in that edition: ``{old=X, new=Y}`` is X up to 2014."""
    if isinstance(value, dict):
        if set(value) == {"old", "new"}:
            return value["new" if laws >= "fide-2018" else "old"]
        return {key: in_edition(each, laws) for key, each in value.items()}
    return [in_edition(each, laws) for each in value] if isinstance(value, list) else value


def action(line: str) -> dict[str, Any]:
    ms, kind, *words = line.split()
    plain = [word for word in words if "=" not in word]
    said: dict[str, Any] = {"ms": int(ms), "type": kind} | dict(word.split("=") for word in words if "=" in word)
    if kind in ("lift", "place", "contact"):
        return said | dict(zip(("square", "piece"), plain, strict=False))
    if kind == "arbiter":
        return said | {"do": plain[0]}
    return said | dict(zip(("side", WORDS.get(kind, "")), plain, strict=False))


def log(one: dict[str, Any], laws: str) -> list[bytes]:
    session = {"type": "session", "version": 1, "laws": laws} | {key: one[key] for key in SESSION if key in one}
    lines = [line.split("#")[0].strip() for line in one["do"].splitlines()]
    return [json.dumps(each).encode() for each in [session, *(action(line) for line in lines if line)]]


def covers(event: dict[str, Any], want: dict[str, Any]) -> bool:
    return all(key in event and event[key] == value for key, value in want.items())


@pytest.mark.parametrize(("one", "laws"), cases())
def test_scenario(one: dict[str, Any], laws: str) -> None:
    told = b"".join(judge(log(one, laws), one["id"])).splitlines()
    events = [json.loads(line) for line in told]
    rest = iter(events)
    for want in in_edition(one["expect"], laws):
        assert any(covers(event, want) for event in rest), f"{one['about']} Not found, in this order: {want}"
    for bad in one.get("forbid", []):
        want = {"type": bad} if isinstance(bad, str) else in_edition(bad, laws)
        assert not [event for event in events if covers(event, want)], one["about"]
    end = in_edition(one.get("end", {}), laws)
    if "fen" in end:
        assert [event["fen"] for event in events if event["type"] in ("move", "retract")][-1].split()[:3] == (
            end["fen"].split()[:3]
        )
    if "obligation" in end:
        want = end["obligation"]
        if want is True:
            want = [each for each in in_edition(one["expect"], laws) if each["type"] == "obligation"][-1]
        assert covers([event for event in events if event["type"] == "obligation"][-1], want), one["about"]
