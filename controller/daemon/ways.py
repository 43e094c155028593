"""The ways out of a game and of a match: which topics are published, and in which form the score is written."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from controller.config import DoubleConfig, Setup
from controller.contract import BoardId
from controller.journal import Journal, Opening
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
    return PgnOutlet(config.pgn, config.numbers, journal, notices, replace(PGN, begin=_held(config)))


def _held(config: Setup) -> Callable[[Opening], Scoresheet]:
    """A game of which the less certain moves are held back from the public."""
    return partial(Scoresheet, hold_below=config.hold_below)


def public_feeds(config: Setup) -> list[Feed[Any]]:
    """The same for everybody."""
    told = [*feeds(config).values()]
    return told if isinstance(config, DoubleConfig) else [replace(feed, begin=_held(config)) for feed in told]


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
