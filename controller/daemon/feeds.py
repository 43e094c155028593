"""The feeds of a game and of a match: which topics are published, and in which form the score is written."""

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from controller.config import DoubleConfig, TableSetup
from controller.contract import BoardId
from controller.journal import Journal, Opening
from controller.outlets.bpgn import BPGN
from controller.outlets.channel import Feed
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.notices import Notices, at
from controller.outlets.pgn import NAME, PGN, PgnOutlet
from controller.outlets.scoresheet import Scoresheet


def score(config: TableSetup, journal: Journal, notices: Notices, of_many: str | None) -> PgnOutlet[Any]:
    """What writes the score: PGN, or BPGN of a match."""
    form = BPGN if isinstance(config, DoubleConfig) else replace(PGN, begin=_held(config))
    return PgnOutlet(config.pgn, config.numbers, journal, notices, form, at(NAME, of_many))


def _held(config: TableSetup) -> Callable[[Opening], Scoresheet]:
    """A game of which the less certain moves are held back from the public."""
    return partial(Scoresheet, hold_below=config.hold_below)


def public_feeds(config: TableSetup, of_many: str | None) -> list[Feed[Any]]:
    """The same for everybody."""
    same = [*feeds(config, of_many).values()]
    return same if isinstance(config, DoubleConfig) else [replace(feed, begin=_held(config)) for feed in same]


def feeds(config: TableSetup, of_many: str | None) -> dict[BoardId | None, Feed[Any]]:
    """What is published: the only board; or the match as a whole, and each of its boards as if it were one of its own.
    ``of_many``: the board's number where it is one of a hall.

    A command that comes in there is for the board named, or for one that it names itself.
    """
    if not isinstance(config, DoubleConfig):
        return {None: Feed(f"board/{config.numbers}", config.numbers, Scoresheet, of_many=of_many)}
    told: dict[BoardId | None, Feed[Any]] = {None: Feed(f"match/{config.event.match}", config.numbers, Matchsheet)}
    for board_id, place in config.places.items():
        begin = partial(Scoresheet, board_id=board_id)
        told[board_id] = Feed(f"board/{place.number}", config.numbers, begin, at("mqtt", board_id))
    return told
