"""What is recorded of a game is what its outlet published, with all left open that is of one board alone."""

import json
from contextlib import closing
from pathlib import Path

from controller.journal import Journal
from controller.outlets.follow import Follower
from controller.outlets.mqtt import topics
from controller.outlets.scoresheet import Scoresheet
from load.generator import read
from load.outbox import Segment


def test_filled_in_with_what_was_its_own_it_is_as_the_journal_tells_it(games: Path) -> None:
    for stream in read(games):
        names = tuple(json.dumps(each).encode() for each in (stream.board, stream.game, stream.origin))
        segment = Segment(stream, 0, names)  # type: ignore[arg-type]
        with closing(Journal(games.parent / f"{stream.board}.sqlite")) as journal:
            now: Follower[Scoresheet] = Follower(journal, stream.board, 0, Scoresheet)
            told = [each.payload for each in topics.tell(now.read(10**6)) if each.topic == "event"]
            (head,) = topics.retained(now, ["head"])
        assert [segment.text(message) for step in stream.steps for message, _ in step.events] == told
        latest = {message[0]: segment.text(message) for step in stream.steps for message in step.retained}
        assert json.loads(latest[b"head",]) == json.loads(head.payload)


def test_of_another_board_no_name_of_the_first_is_left_and_all_numbers_have_moved(games: Path) -> None:
    stream = read(games)[0]
    segment = Segment(stream, 1000, (b'"77"', b'"another"', b'"elsewhere"'))
    before = 1000
    for step in stream.steps:
        for message, seq in step.events:
            text = segment.text(message)
            event = json.loads(text)
            assert (event["seq"], event["after"]) == (seq + 1000, before)
            assert event["origin"] == "elsewhere" and event["game"] == "another"
            assert stream.origin.encode() not in text and stream.game.encode() not in text
            before = event["seq"]
