"""What an arbiter sends from his page: the fields of a command that MQTT knows too, and which game and which of the
page's cases he means. What they hold is judged at the table, as of any command."""

from typing import Any

from msgspec import Struct

from controller.contract import ANSWERS, RULINGS
from controller.errors import LogError
from controller.outlets.mqtt import command as commands
from controller.outlets.mqtt.command import Fields

COMMANDS = ("claim", "draw", "resign", "choose", "new-game")
"""Commands of their own: what a player has said by word of mouth, and that a game is to begin."""
ANOTHER_PAGE = ("a page of another version", "load the page again")


class PageRuling(Struct, frozen=True):
    do: str  #: one of :data:`.RULINGS` or :data:`COMMANDS`; or ``seen``, which is neither
    fields: Fields  #: of the command, without what was left open
    case: int | None = None  #: that it is meant for
    game: str | None = None  #: the same; None: for whichever is on


def read(body: bytes) -> PageRuling:
    """Raises :exc:`LogError` saying what was expected."""
    said = {name: value for name, value in commands.read(body).items() if value is not None}
    do, case, game = str(said.get("do")), said.pop("case", None), said.pop("game", None)
    names = do == "new-game" and said.keys() != {"do"}  # who plays, which is for the organiser to say
    if (
        not (do in ("seen", *COMMANDS) or do in RULINGS)
        or not isinstance(case, int | None)
        or names
        or not isinstance(game, str | None)
    ):
        raise LogError(f"malformed ruling: {do}", *ANOTHER_PAGE)
    answers = do in ANSWERS and do != "warn"  # which may stand by itself
    if (case is None and (answers or do == "seen")) or ("answers" not in said and answers):
        raise LogError("a ruling says which case it answers", *ANOTHER_PAGE)
    return PageRuling(do, said, case, game)


def said(ruling: PageRuling) -> dict[str, Any]:
    """The same as the page sent it."""
    meant = {"case": ruling.case, "game": ruling.game}
    return {**ruling.fields, **{name: value for name, value in meant.items() if value is not None}}


def command(ruling: PageRuling, by: str) -> Fields:
    """The command that carries it out, with who gave it."""
    if ruling.do in COMMANDS:
        return {name: value for name, value in ruling.fields.items() if name != "do"} | {"type": ruling.do, "by": by}
    return {**ruling.fields, "type": "arbiter", "by": by}
