"""Which board of a configuration is meant."""

from pathlib import Path

from controller.config import BoardPlace, load
from controller.errors import ConfigError


def place_of(config: Path, name: str | None = None) -> BoardPlace:
    """The board in ``config`` and what is beside it; of a match that of ``name``, A or B; of a hall by its
    number.

    Raises :exc:`ConfigError` where none is meant.
    """
    places = load(config).named
    if name is None and len(places) == 1:
        return next(iter(places.values()))
    if name not in places:
        names = " and ".join(places).strip() or "one board only"
        cause = "--board is left out, or names another one; for one board only it is not needed"
        remedy = "jadoube … --board A, for a match à quatre; --board 7, for board 7 of a hall"
        raise ConfigError(f"{config}: which board? It has {names}", cause, remedy)
    return places[name]
