"""PGN: one file a game, written anew after each change, at every moment a whole game that programs can read.

Clocks are whole seconds, ``[%clk 1:29:58]`` and ``[%emt 0:00:07]``; python-chess would write fractions, which others do
not read.
"""

import asyncio
import contextlib
import logging
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Generic

import chess
import chess.pgn
from msgspec import Struct

from controller import contract as c
from controller.journal import Journal, Opening
from controller.outlets.follow import Follower, S
from controller.outlets.held import comments
from controller.outlets.notices import Notices
from controller.outlets.scoresheet import Entry, Scoresheet, bare, board_of
from controller.outlets.writing import until_taken, write_atomically
from controller.pairing import escaped

log = logging.getLogger(__name__)

NAME = "pgn"
QUIET_S = 0.5  #: a file is written when nothing has happened for so long: what is live must not wait for the disk
PAUSE_S = 15.0  #: and at the latest after so long, should the players never rest
#: the events that change a file
WRITTEN = (c.Move, c.Retract, c.Completed, c.Result, c.Displaced, c.Restored, c.Stalled, c.Followed, c.Match)
STANDS = "the score stops here: more was played on the board"


BY_PLAY: tuple[c.Score, ...] = ("1-0", "0-1", "1/2-1/2")
"""The scores that PGN knows."""
BY_FORFEIT: Mapping[c.Score, str] = {"+-": "1-0", "-+": "0-1"}

TERMINATIONS: Mapping[c.Reason, str] = {
    "time": "time forfeit",
    "illegal-moves": "rules infraction",
    "forfeit": "rules infraction",
}
"""What ended a game, in the words of the PGN standard (9.8.1); all else has ended it in the "normal" way."""


class PgnConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the games are written."""

    directory: str = "games"  #: a file for each game, or for each match


class Form(Struct, Generic[S], frozen=True):
    """A form of score: how its files are named, what is kept of a game to write it, and the text."""

    name: str  #: with ``{}`` for the game
    begin: Callable[[Opening], S]
    text: Callable[[S], str]


class PgnOutlet(Generic[S]):
    """Writes each game of ``board`` to ``directory``, one file a game, in the ``form`` :data:`PGN` or another."""

    def __init__(
        self, config: PgnConfig, board: str, journal: Journal, notices: Notices, form: Form[S], cursor: str = NAME
    ) -> None:
        self.directory = Path(config.directory).expanduser()
        self._form = form
        self.cursor = cursor  #: how far it has come is kept under that name
        self._journal = journal
        self._board = board
        self._notices = notices
        self._follower = Follower(journal, board, journal.cursor(cursor), form.begin)
        self._hurried = asyncio.Event()

    async def run(self) -> None:
        """Follows the journal until cancelled; a folder that cannot be written to is tried again."""
        if self._follower.sheet is not None:
            await self._write(self._follower.sheet)
        while True:
            await self._follower.more()
            await self._quiet()
            for sheet in to_be_written(self._follower):
                await self._write(sheet)
            self._journal.move_cursor(self.cursor, self._follower.seq)

    async def _quiet(self) -> None:
        """Returns when the players have done nothing for a moment, or for long have not stopped."""
        clock = asyncio.get_running_loop()
        latest, seen = clock.time() + PAUSE_S, 0
        while not self._hurried.is_set() and clock.time() < latest and seen != self._journal.reached(self._board):
            seen = self._journal.reached(self._board)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(QUIET_S, PAUSE_S)):
                    await self._hurried.wait()

    def hurry(self) -> None:
        """From now on writes at once: the daemon is about to stop."""
        self._hurried.set()

    def path(self, game: str) -> Path:
        return self.directory / self._form.name.format(game)

    async def _write(self, sheet: S) -> None:
        path, text = self.path(sheet.opening.game), self._form.text(sheet)
        await until_taken(partial(write_atomically, path, text), path.parent, self._notices, NAME)


def pgn(sheet: Scoresheet) -> str:
    """The game as it stands; its result is ``*`` until that is final.

    PGN cannot hold an illegal move that stands, nor pieces found to stand otherwise: the game is then told from the
    position after that, with what came before in a comment. What is held back is left out, and said to be.
    """
    sheet = sheet.public
    entries, tags = sheet.entries, tags_of(sheet)
    begin = lawful_from(sheet)
    start = entries[begin].before if begin < len(entries) else sheet.fen
    if sheet.variant == "chess960":
        tags |= {"Variant": "Chess960"}
    if start != chess.STARTING_FEN or sheet.variant == "chess960":
        tags = {tag: value for tag, value in tags.items() if tag != "FEN"} | {"SetUp": "1", "FEN": start}
    text = chess.pgn.StringExporter()
    for tag, value in (tags | timed(tags.get("TimeControl"))).items():
        text.visit_header(tag, escaped(value))
    text.end_headers()
    if begin:
        before = " ".join(entry.move.san for entry in entries[:begin])
        text.visit_comment(f"after {before}, where something illegal stands")
    turn = int(start.split()[5])
    for entry in entries[begin:]:
        white = entry.move.side == c.WHITE
        if white or text.force_movenumber:
            text.write_token(f"{turn}{'.' if white else '...'} ")
        text.write_token(f"{entry.move.san} ")
        text.force_movenumber = False
        if entry.left_ms is not None and entry.spent_ms is not None:
            text.visit_comment(f"[%clk {_hms(entry.left_ms)}] [%emt {_hms(entry.spent_ms)}]")
        turn += not white
    for said in comments(STANDS if sheet.cut or sheet.stalled is not None else None, sheet.held):
        text.visit_comment(said)
    if tags["Result"] == "*" and "Points" in tags:
        text.visit_comment(f"the result is {tags['Points']}")
    text.visit_result(tags["Result"])
    text.end_game()
    return f"{text}\n\n"


PGN = Form("game-{}.pgn", Scoresheet, pgn)


def lawful_from(sheet: Scoresheet) -> int:
    """How many entries to leave out so that each of the others is a legal move from where the one before led."""
    begin, before = 0, sheet.start
    for number, entry in enumerate(sheet.entries):
        if not lawful(entry, sheet.variant):
            begin = number + 1
        elif bare(entry.before) != bare(before):
            begin = number  # the arbiter found that the pieces stood otherwise (7.2)
        before = entry.move.fen
    return begin


def to_be_written(follower: Follower[S]) -> Iterable[S]:
    """Reads on: the games of which something is to be written; one that was left, with what was held back of it."""
    before, batch = follower.sheet, follower.read()
    sheets = {id(n.sheet): n.sheet for n in batch if n.event is None or isinstance(n.event, WRITTEN)}
    left = {} if before is None or before is follower.sheet else {id(before): before}
    return (left | sheets).values()


def lawful(entry: Entry, variant: c.Variant = "standard") -> bool:
    """Whether the move is legal where it was made, and leads to the position after it. Looked at once."""
    if entry.lawful is None:
        entry.lawful = _leads(board_of(entry.before, variant), entry.move)
    return entry.lawful


def _leads(board: chess.Board, move: c.Move) -> bool:
    step = chess.Move.from_uci(move.uci)
    if not board.is_legal(step):
        return False
    board.push(step)
    return [board.board_fen(), "w" if board.turn else "b"] == bare(move.fen).split()[:2]


def tags_of(sheet: Scoresheet) -> dict[str, str]:
    """The PGN tags of the game as it stands: the seven, then what is known besides."""
    opening = sheet.opening
    tags = {
        "Event": "?",
        "Site": "?",
        "Date": opening.started[:10].replace("-", "."),
        "Round": "?",
        "White": "?",
        "Black": "?",
        "Result": "*",
        "Board": opening.board,
    }
    if sheet.final is not None:
        tags |= ended(sheet.final)
    if opening.session.clock is not None:
        tags["TimeControl"] = opening.session.clock
    return tags | {tag: value for tag, value in opening.tags.items() if tag not in ("Result", "Termination")}


_DELAY = re.compile(r"[bd](\d+)")
"""In a time control of ours: the PGN standard (9.6.1) knows none, and others cannot read it."""


def timed(clock: str | None) -> dict[str, str]:
    """The tags that tell by which clock it is played, a delay apart, in s."""
    if clock is None:
        return {}
    delay = _DELAY.search(clock)
    return {"TimeControl": _DELAY.sub("", clock)} | ({} if delay is None else {"Delay": delay[1]})


def ended(final: c.Result) -> dict[str, str]:
    """The tags of a game that is over. Of a score for which PGN has no sign ``Points`` tells it, as an arbiter does.

    An arbiter who gives a result by himself may enter what the players told him: what ended the game is not known then.
    Of one that was not played nothing did.
    """
    score = final.result
    tags: dict[str, str] = {"Result": score if score in BY_PLAY else BY_FORFEIT.get(score, "*")}
    tags |= {} if score in BY_PLAY else {"Points": score}
    if final.reason == "arbiter" or (final.reason == "forfeit" and score not in BY_PLAY):
        return tags
    return tags | {"Termination": TERMINATIONS.get(final.reason, "normal")}


def is_live(tags: Mapping[str, str]) -> bool:
    """Whether a game with these tags has no result yet."""
    return tags.get("Result", "*") == "*" and "Points" not in tags


def _hms(ms: int) -> str:
    """Whole seconds, rounded down as clocks show them."""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"
