"""The games of a board as they are asked for by MQTT: whole, in pieces, and no more than makes their scores."""

import json
from typing import Any

import msgspec
import pytest
from kit import Board

from controller.journal import Journal
from controller.journal.record import Opening
from controller.outlets.follow import Follower
from controller.outlets.mqtt import questions
from controller.outlets.mqtt.questions import Games, scores
from controller.outlets.pgn import pgn
from controller.outlets.scoresheet import Scoresheet
from controller.wire import decode_event


def told(journal: Journal, asked: Games) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """The games of board 7 by the pieces in which they come, and what is said at the end."""
    follower = Follower(journal, "7", 0, Scoresheet)
    while follower.read():
        pass
    *pieces, done = map(msgspec.json.decode, scores(journal, "7", asked, follower))
    found: dict[str, list[Any]] = {}
    for piece in pieces:
        assert piece["type"] == "score"
        assert ("opening" in piece) == (piece["game"] not in found)
        found.setdefault(piece["game"], []).append(piece)
    return found, done


def sheet_of(pieces: list[Any]) -> Scoresheet:
    sheet = Scoresheet(msgspec.convert(pieces[0]["opening"], Opening))
    for piece in pieces:
        for event in piece["events"]:
            sheet.apply(decode_event(json.dumps(event)))
    return sheet


def test_a_game_as_it_is_told_is_the_game_with_its_clocks_and_without_its_touches(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(questions, "PIECE", 5)
    Board(journal).play("e2e4", "e7e5", "g1f3", "b8c6", "f1b5").touch("a7").play("a7a6", "b5a4")
    Board(journal, "g2", number="8").play("e2e4")
    follower = Follower(journal, "7", 0, Scoresheet)
    while follower.read():
        pass
    found, done = told(journal, Games())
    assert found.keys() == {"g1"}
    assert len(found["g1"]) > 1, "it comes in pieces"
    assert follower.sheet is not None
    assert pgn(sheet_of(found["g1"])) == pgn(follower.sheet)
    assert "touch" not in {event["type"] for piece in found["g1"] for event in piece["events"]}
    assert (done["seq"], done["origin"]) == (follower.seq, journal.origin)
    assert told(journal, Games(done["seq"], done["origin"]))[0] == {}, "nothing is new"
    assert told(journal, Games(done["seq"], "another"))[0].keys() == {"g1"}, "it was another journal"
    Board(journal, "g3").play("d2d4")
    assert told(journal, Games(done["seq"], done["origin"]))[0].keys() == {"g3"}
