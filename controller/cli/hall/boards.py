"""The boards of a hall that ``jadoube hall init`` is told of: which there are, and where each of them is.

A board is plugged in at this computer; or it is elsewhere, and says ``at`` which other computer: that of its own table,
or one that plays several and has a name.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct

from controller.cli.broker_config import BrokerUsers, hall
from controller.cli.hall.places import SIMULATED, TABLE, BoardTable, allotted, at, boards_of, listed, place_of, places
from controller.cli.hall.tables import kind_carried
from controller.cli.hardware.dialogue import Dialogue
from controller.cli.hardware.ports import BY_ID
from controller.cli.hardware.setup import known
from controller.errors import ConfigError
from controller.numbering import numbers, ranges

USER = "hall"  #: of the broker: the computer that plays the boards which are here, and tells the rounds
TAKEN = (USER, TABLE)


class BoardsOfHall(Struct, frozen=True):
    """The boards of the hall by their numbers; which of them are ``new``; places here that nobody has a table at.

    ``kinds``: of each board at a table of its own what kind it is.
    """

    all: Mapping[str, BoardTable]
    new: Mapping[str, BoardTable]
    spare: Sequence[str] = ()
    kinds: Mapping[str, str] = {}

    @property
    def here(self) -> tuple[str, ...]:
        """Those at this computer."""
        return tuple(number for number, board in self.all.items() if at(board) is None)

    @property
    def elsewhere(self) -> bool:
        """Whether there are any at other computers."""
        return len(self.here) < len(self.all)

    @property
    def simulated(self) -> bool:
        """Whether it is all for a trial."""
        return all(board.get("type") == SIMULATED for board in self.all.values())

    @property
    def computers(self) -> dict[str, tuple[str, ...]]:
        """Those at other computers that play several, by the names of these."""
        names = dict.fromkeys(name for board in self.all.values() if (name := at(board)) not in (None, TABLE))
        return {name: tuple(n for n, board in self.all.items() if at(board) == name) for name in names if name}


def boards_wanted(
    dialogue: Dialogue, raw: Mapping[str, Any], folder: Path, answers: Mapping[str, str | None]
) -> BoardsOfHall:
    """Those that are in the configuration ``raw``, and those that are wanted besides. Raises :exc:`ConfigError`."""
    spare = [place for name, place in listed(folder).items() if name.startswith("spare-")]
    there = boards_of(raw)
    taken = {place_of(board) for board in there.values()}
    given = answers.get("places")
    found = [place for place in (places(given) if given else spare) if place not in taken]
    proposed = ranges(there) if there else f"1-{len(found) if found and found != [SIMULATED] else 8}"
    wanted = dialogue.ask("boards", "The numbers of the boards in the hall", proposed, numbers)
    new = [number for number in wanted if number not in there]
    elsewhere, kind = _elsewhere(there, folder, answers)
    kinds = {number: kind_carried(folder, number) for number, board in there.items() if at(board) == TABLE}
    if elsewhere is not None:
        boards = dict.fromkeys(new, elsewhere)
        left = [place for place in found if place != SIMULATED]
        return BoardsOfHall(there | boards, boards, left, kinds=kinds | (dict.fromkeys(new, kind) if kind else {}))
    if not new:
        return BoardsOfHall(there, {}, [place for place in found if place != SIMULATED], kinds)
    question = "Where are they? Ports (with * for all), PORT#ADDRESS for boards that share a line, or simulated"
    usual = SIMULATED if taken == {SIMULATED} else f"{BY_ID}/*" if any(BY_ID.glob("*")) else ""
    usual = " ".join(spare) if len(spare) >= len(new) else usual
    boards, left = dialogue.ask("places", question, usual, partial(_allotted, new, taken))
    return BoardsOfHall(there | boards, boards, left, kinds)


def has_own_broker(raw: Mapping[str, Any], folder: Path) -> bool:
    """Whether ``jadoube hall init`` configures the broker of the hall in that folder, by whatever name it was called
    then."""
    authority = Path(raw.get("mqtt", {}).get("ca_file") or "")
    return authority.is_absolute() and authority.resolve() == (folder / "ca.crt").resolve()


def known_to_broker(raw: Mapping[str, Any], arbiters: Sequence[str] = (), readers: Sequence[str] = ()) -> BrokerUsers:
    """Whom the broker is to know of the hall whose configuration is ``raw``. Raises :exc:`ConfigError`."""
    boards = BoardsOfHall(boards_of(raw), {})
    return hall(
        venue=raw["event"]["venue"],
        host=raw["mqtt"]["host"],
        port=raw["mqtt"]["port"],
        boards=tuple(number for number, board in boards.all.items() if at(board) == TABLE),
        computers=({USER: boards.here} if boards.here else {}) | boards.computers,
        organiser=USER,
        arbiters=tuple(arbiters),
        readers=tuple(readers),
        homeassistant="homeassistant" in raw,
    )


def _elsewhere(
    there: Mapping[str, BoardTable], folder: Path, answers: Mapping[str, str | None]
) -> tuple[BoardTable | None, str | None]:
    """Where the new boards are, if not here, and of which kind those at tables; unless said: as all others are."""
    kind, computer = answers.get("tables"), answers.get("computer")
    ways = [option for option in ("places", "tables", "computer") if answers.get(option)]
    if len(ways) > 1:
        cause = "boards of two sorts at once"
        raise ConfigError(
            "the new boards are all at one place", cause, "call it once for each sort: what is there already stays"
        )
    if computer in TAKEN:
        raise ConfigError(f"no other computer can be called {computer}", "that name is taken", "--computer pc-2")
    if not ways and there and all(at(board) == TABLE for board in there.values()):
        kind = kind_carried(folder, next(iter(there)))
    if kind is not None:
        return {"at": TABLE}, known(kind)
    return (None if computer is None else {"at": computer}), None


def _allotted(new: Sequence[str], taken: set[str], answer: str) -> tuple[dict[str, BoardTable], list[str]]:
    return allotted(new, [place for place in places(answer) if place == SIMULATED or place not in taken])
