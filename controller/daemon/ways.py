"""The ways out of a game and of a match: which topics are published, and in which form the score is written."""

from functools import partial
from typing import Any

from controller.config import DoubleConfig, Setup
from controller.contract import BoardId
from controller.journal import Journal
from controller.outlets.bpgn import BPGN
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.mqtt import Feed
from controller.outlets.notices import Notices, at
from controller.outlets.pgn import PGN, PgnOutlet
from controller.outlets.scoresheet import Scoresheet


def score(config: Setup, journal: Journal, notices: Notices) -> PgnOutlet[Any]:
    """What writes the score: PGN, or BPGN of a match."""
    if isinstance(config, DoubleConfig):
        return PgnOutlet(config.pgn, config.numbers, journal, notices, BPGN)
    return PgnOutlet(config.pgn, config.numbers, journal, notices, PGN)


def feeds(config: Setup) -> dict[BoardId | None, Feed[Any]]:
    """What is published: the only board; or the match as a whole, and each of its boards as if it were one of its own.

    A command that comes in there is for the board named, or for one that it names itself.
    """
    if not isinstance(config, DoubleConfig):
        return {None: Feed(f"board/{config.numbers}", config.numbers, Scoresheet)}
    ways: dict[BoardId | None, Feed[Any]] = {None: Feed(f"match/{config.event.match}", config.numbers, Matchsheet)}
    for seat, place in config.places.items():
        begin = partial(Scoresheet, seat=seat)
        ways[seat] = Feed(f"board/{place.number}", config.numbers, begin, at("mqtt", seat))
    return ways
