"""Which board of a configuration is meant."""

from pathlib import Path

from controller.config import BoardPlace, load
from controller.errors import ConfigError
from hardware.boards import BoardConfig


def board_of(config: Path, seat: str | None = None) -> BoardConfig:
    """The board alone of :func:`place_of`."""
    return place_of(config, seat).board


def place_of(config: Path, seat: str | None = None) -> BoardPlace:
    """The board in ``config`` and what is beside it; of a match that of ``seat``, A or B; of a hall by its
    number.

    Raises :exc:`ConfigError` where none is meant.
    """
    places = load(config).named
    if seat is None and len(places) == 1:
        return next(iter(places.values()))
    if seat not in places:
        names = " and ".join(places).strip() or "one board only"
        remedy = "jadoube … --seat A, for a match à quatre; --seat 7, for board 7 of a hall"
        remedy = "jadoube … --seat A, for a match à quatre; --seat 7, for board 7 of a hall"
        raise ConfigError(f"{config}: which board? It has {names}", "", remedy)
    return places[seat]
