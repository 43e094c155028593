"""The feeds of a game and of a match: which topics are published, to the hall and to the public, and in which form the
score is written. Where the event has a delay, all who tell the public anything read one past of the journal.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from controller.config import DoubleConfig, TableSetup
from controller.contract import BoardId
from controller.journal import Journal, Opening
from controller.outlets.bpgn import BPGN
from controller.outlets.delay import Past
from controller.outlets.follow import Readable
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.mqtt.channel import Feed
from controller.outlets.mqtt.public import voice
from controller.outlets.notices import Notices, at
from controller.outlets.pgn import NAME, PGN, PgnOutlet
from controller.outlets.scoresheet import Scoresheet

PUBLIC = "mqtt public"  #: of what is told to everybody, where ``mqtt`` is what the hall is told


def score(config: TableSetup, journal: Journal, notices: Notices, of_many: str | None) -> PgnOutlet[Any]:
    """What writes the score: PGN, or BPGN of a match."""
    form = BPGN if isinstance(config, DoubleConfig) else replace(PGN, begin=_held(config))
    return PgnOutlet(config.pgn, config.numbers, journal, notices, form, at(NAME, of_many))


def _held(config: TableSetup) -> Callable[[Opening], Scoresheet]:
    """A game of which the less certain moves are held back from the public."""
    return partial(Scoresheet, hold_below=config.hold_below)


class Public:
    """Where the public reads: the journal itself, or its past where the event has a delay."""

    def __init__(self, config: TableSetup, journal: Journal) -> None:
        self.journal: Readable = journal  #: as late as the event has it
        self.tasks: dict[str, Callable[[], Awaitable[None]]] = {}  #: what is to be kept running for it
        if config.event.delay_min:
            past = Past(journal, config.numbers, config.event.delay_min)
            self.journal, self.tasks["delay"] = past, past.run


def public_feeds(config: TableSetup, of_many: str | None) -> list[Feed[Any]]:
    """What is published for everybody: the same feeds once more."""
    same = [
        replace(feed, topic=f"{feed.topic}/public", name=feed.name.replace("mqtt", PUBLIC), voice=voice())
        for feed in feeds(config, of_many).values()
    ]
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
