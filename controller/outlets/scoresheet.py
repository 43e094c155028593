"""The scoresheet: what a spectator knows of a game, folded from its events. Every outlet begins here."""

import copy
import re
from collections.abc import Collection, Mapping

import chess
from msgspec import Struct

from controller import contract as c
from controller.bughouse import BughouseBoard
from controller.chess960 import as_seen, heading, set_up
from controller.journal import Opening
from controller.outlets.held import Holding

UNTOLD = "--"
"""Of an illegal move that stands without a ruling no ``move`` is told; the score has this in its place."""


class Entry(Struct):
    """A move made. The times are known once it is completed, in a game with a clock."""

    move: c.Move
    before: str  #: the position that it was played in
    made_ms: int  #: when it was made, by whatever name it went then
    left_ms: int | None = None  #: on the mover's clock
    spent_ms: int | None = None  #: of the mover's time
    lawful: bool | None = None  #: whether it leads from there to the position after it; None: not yet looked at


class Scoresheet:
    """One game so far; in a match that of the board ``board_id``. ``hold_below``: moves less certain than that are held
    back from the public, see :mod:`.held`."""

    def __init__(self, opening: Opening, board_id: c.BoardId | None = None, hold_below: float = 0.0) -> None:
        self.opening = opening
        self.board_id = board_id
        self.number = opening.number(board_id)  #: of the board, in the hall
        self.tags = opening.tags if board_id is None else tags_at(opening.tags, board_id)  #: of the PGN
        self.entries: list[Entry] = []
        #: where the moves begin: of the session, or as the pieces stood if they were exchanged
        self.start = start(opening.session, board_id)
        self.fen = self.start  #: the position that counts now; in a match with what is in stock
        self.clock: c.Clock | None = None
        self.owed: c.Obligation | None = None
        self.displaced: list[str] = []
        self.stalled: c.Stalled | None = None  #: more is played than stands here
        self.result: c.Result | None = None  #: a proposed one until it is final
        self.match: c.Match | None = None  #: what the match came to, of which this is a game
        self.held = 0  #: so many moves are left out at the end, as they are not certain
        self.cut = False  #: more was played than is told here, and cannot be told where this is
        self._position: tuple[str, chess.Board] | None = None  # as it was looked at last
        self._holding = Holding(hold_below)
        self._spent: dict[c.Side, int] = {}  # ms since that side's last completed move
        self._charged_ms = 0  # up to where the running clock has been counted
        #: for a position returned to, while no clock has run since: what White's and Black's are proposed to show
        self._proposed: tuple[int, int] | None = None
        self._retracted_ms = -1  # when moves were taken back last
        self._renamed: list[Entry] = []  # those, in order: some may be told anew at once
        #: all that were taken back, by ply and move, with the times then spent since: that may be taken back in turn
        self._taken_back: dict[tuple[int, str], tuple[Entry, dict[c.Side, int]]] = {}

    @property
    def games(self) -> dict[c.BoardId | None, "Scoresheet"]:
        """What there is to see: this game. Of a match both are."""
        return {self.board_id: self}

    @property
    def variant(self) -> c.Variant:
        """What is played: ordinary chess, or chess960."""
        return self.opening.session.variant

    @property
    def heading(self) -> dict[str, str]:
        """What a page says above it of a variant, as JSON; nothing of ordinary chess."""
        return {"variant": heading(self.start)} if self.shuffled else {}

    @property
    def board(self) -> chess.Board:
        """The position that counts now, to be read alone: it is made once for all who look."""
        if self._position is None or self._position[0] != self.fen:
            self._position = self.fen, board_of(self.fen, self.variant)
        return self._position[1]

    @property
    def placement(self) -> str:
        """The pieces on it, as a FEN has them."""
        return bare(self.fen).partition(" ")[0].replace("~", "")

    @property
    def last(self) -> str | None:
        """The squares of the last move, as UCI; None before the first."""
        return self.seen(self.entries[-1]) if self.entries else None

    def seen(self, entry: Entry) -> str:
        """The squares of a move, as UCI, as it looks on the board: castling in chess960 ends where it leads. Nothing
        where nobody has told them."""
        if entry.move.san == UNTOLD:
            return ""
        return as_seen(entry.move.uci, board_of(entry.before, self.variant)) if self.shuffled else entry.move.uci

    @property
    def shuffled(self) -> bool:
        """Whether it is a game of chess960."""
        return self.variant == "chess960"

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.entries)

    @property
    def final(self) -> c.Result | None:
        """The result, once it is final."""
        return self.result if self.result is not None and self.result.status == "final" else None

    @property
    def over(self) -> bool:
        """Whether nothing is played here any more: this game has its result, or the match that it is one of."""
        return self.match is not None or self.final is not None

    @property
    def astray(self) -> bool:
        """Whether the board does not match what stands here."""
        return bool(self.displaced) or self.stalled is not None

    @property
    def stock(self) -> dict[c.Side, str] | None:
        """What each player of this board of a match may drop, as FEN letters; None in a game of its own."""
        if (held := _STOCK.search(self.fen)) is None:
            return None
        letters = held[0].strip("[]")
        white = sum(letter.isupper() for letter in letters)
        return {c.WHITE: letters[:white], c.BLACK: letters[white:]}

    def close(self) -> None:
        """Another game begins: of this one no more is told, and nothing held back."""
        self._holding.close()

    def doubts(self, move: c.Move) -> bool:
        """Whether a move is too little certain to be told to the public at once."""
        return self._holding.doubts(move)

    @property
    def public(self) -> "Scoresheet":
        """The same game as far as everybody may know it: without the moves at its end that are held back."""
        known = self._holding.published()
        if known >= len(self.entries):
            return self
        told = self.until(known)
        told.held = len(self.entries) - known
        return told

    def until(self, ply: int) -> "Scoresheet":
        """The same game told up to that move only, with its result."""
        told = copy.copy(self)
        told.entries = self.entries[:ply]
        told.fen = told.entries[-1].move.fen if told.entries else self.start
        return told

    def concerns(self, event: c.AnyEvent) -> bool:
        """Whether it is about this game: in a match not that of the other board."""
        return self.board_id is None or event.board is None or event.board == self.board_id

    def apply(self, event: c.AnyEvent) -> None:
        """Takes the next event of the game."""
        match event:
            case c.Move():
                while event.ply > self.ply + 1:
                    self.apply(self._untold(event))
                self.entries.append(self._made(event))
                self.fen, self.owed = event.fen, None
            case c.Retract():
                self._retract(event)
            case c.Completed():
                self._complete(event)
            case c.Clock():
                self._count(event)
            case c.Obligation():
                self.owed = event if event.must != "none" else None
            case c.Displaced():
                self.displaced = event.squares if event.shows else self.displaced
                self._propose(event)
                self._stand(event.fen)
            case c.Restored():
                self.displaced = []
                self._propose(event)
                self._stand(event.fen)
            case c.Stalled():
                self.stalled = event
            case c.Followed():
                self.stalled = None
            case c.Result():
                self.result = event
            case c.Stock():
                self.fen = _STOCK.sub(f"[{event.white}{event.black}]", self.fen)
            case c.Match():
                self.match = event
            case _:
                pass
        self._holding.apply(event, len(self.entries))

    def settle(self, awaited: Collection[str]) -> bool:
        """A result that is not final, and that awaits no ruling any more, is none: the arbiter has dismissed it, which
        no event tells. ``awaited``: the ids of what awaits one. Whether there was such a result."""
        proposed = self.result
        if proposed is None or proposed.status == "final" or proposed.id is None or proposed.id in awaited:
            return False
        self.result = None
        return True

    def _propose(self, event: c.Displaced | c.Restored) -> None:
        if event.white_ms is not None and event.black_ms is not None:
            self._proposed = event.white_ms, event.black_ms

    def _stand(self, fen: str | None) -> None:
        """The game goes on from a position that no move led to: its beginning, if there was no move yet."""
        if fen is not None:
            self.fen = fen
            self.start = self.start if self.entries else fen

    def _untold(self, later: c.Move) -> c.Move:
        """What stands in the score for the illegal move that was made next, and is no move, before a ``later`` one. How
        the pieces have stood since is told with that one."""
        placement, turn, rights, _, halfmoves, number = self.fen.split()
        side, other = (c.WHITE, "b") if turn == "w" else (c.BLACK, "w")
        fen = f"{placement} {other} {rights} - {halfmoves} {int(number) + (side == c.BLACK)}"
        return c.Move(
            ms=later.ms, board=later.board, side=side, uci="0000", san=UNTOLD, fen=fen, ply=self.ply + 1, legal=False
        )

    def _made(self, event: c.Move) -> Entry:
        """A move. Told anew as the record is corrected it keeps its times, or those of the one in whose place it is."""
        anew = self._renamed if event.ms == self._retracted_ms else []
        same = [entry for entry in anew if _is_it(entry, event.side, event.uci)]
        before = next(iter(same or [entry for entry in anew if entry.move.ply == event.ply]), None)
        if before is None or before.left_ms is None:
            return Entry(event, self.fen, event.ms)
        if same:
            self._renamed.remove(before)
        return Entry(event, self.fen, before.made_ms, before.left_ms, before.spent_ms)

    def _retract(self, event: c.Retract) -> None:
        """Back to the position named: the last move, or more where the game returns further."""
        self.owed, to = None, bare(event.fen)
        self._spend(event.ms)
        if event.ms != self._retracted_ms:
            self._retracted_ms, self._renamed = event.ms, []
        kept = self._returned_to(to)
        for entry in self.entries[kept:]:
            self._taken_back[entry.move.ply, entry.move.uci] = entry, dict(self._spent)
        self._renamed = [*self.entries[kept:], *self._renamed]
        del self.entries[kept:]
        self._stand(event.fen)

    def _returned_to(self, fen: str) -> int:
        """How many moves led to that position, of fewer than there are: to one that none led to, those up to an illegal
        one of which no move is told, else none."""
        before = self.entries[:-1]
        for number in range(len(before), 0, -1):
            if bare(before[number - 1].move.fen) == fen:
                return number
        illegal = [number for number, entry in enumerate(before, 1) if entry.move.san == UNTOLD]
        return illegal[-1] if illegal and bare(self.start) != fen else 0

    def _complete(self, event: c.Completed) -> None:
        entry = next((each for each in reversed(self.entries) if _is_it(each, event.side, event.uci)), None)
        if entry is None:
            return
        self._spend(event.ms)
        left = event.white_ms if event.side == c.WHITE else event.black_ms
        if left is None:
            self._put_in(entry)
            return
        before, spent = self._taken_back.get((entry.move.ply, event.uci), (None, self._spent))
        if entry.left_ms is not None:
            entry.left_ms = left  # it was told before
        elif before is not None and before.left_ms == left:  # as it was, since what took it back is taken back
            entry.made_ms, entry.left_ms, entry.spent_ms = before.made_ms, left, before.spent_ms
            self._spent = dict(spent)
        else:
            entry.left_ms, entry.spent_ms = left, self._spent.pop(event.side, 0)

    def _put_in(self, entry: Entry) -> None:
        """A move that an arbiter put into the record: nobody knows its times."""
        if entry.left_ms is not None:
            at = self.entries.index(entry)
            entry.left_ms = entry.spent_ms = None
            entry.made_ms = self.entries[at - 1].made_ms if at else 0

    def _count(self, event: c.Clock) -> None:
        self._spend(event.ms)
        if event.running is not None:
            self._proposed = None
        elif self._proposed is not None and self.clock is not None:
            self._give_back(self.clock, event, self._proposed)
        self.clock = event

    def _give_back(self, before: c.Clock, now: c.Clock, proposed: tuple[int, int]) -> None:
        """While the clocks stand they are set for the position that a ruling returned to: what they gain by that nobody
        has spent; what they gain besides is a bonus."""
        for side, was, shows, due in (
            (c.WHITE, before.white_ms, now.white_ms, proposed[0]),
            (c.BLACK, before.black_ms, now.black_ms, proposed[1]),
        ):
            if shows < was and shows != due:
                self._proposed = None  # that ruling was taken back
            self._spent[side] = max(0, self._spent.get(side, 0) - max(0, min(shows, due) - was))

    def _spend(self, ms: int) -> None:
        """Charges the running clock's player with the time since the last change."""
        if self.clock is not None and self.clock.running is not None:
            side = self.clock.running
            since = max(self.clock.ms, self._charged_ms)
            self._spent[side] = self._spent.get(side, 0) + max(0, ms - since)
        self._charged_ms = ms


def _is_it(entry: Entry, side: c.Side, move: str) -> bool:
    return entry.move.side == side and entry.move.uci == move


def bare(fen: str) -> str:
    """The position without what is in stock, which changes while the board stands as it is."""
    return _STOCK.sub("", fen)


def board_of(fen: str, variant: c.Variant = "standard") -> chess.Board:
    """The position; one that says what is in stock is of a match."""
    return BughouseBoard(fen) if "[" in fen else set_up(fen, variant)


def start(session: c.Session, board_id: c.BoardId | None = None) -> str:
    """The position that the session begins with, on the board ``board_id`` of a match."""
    fen = session.fen if isinstance(session.fen, str) else session.fen.B if board_id == "B" else session.fen.A
    if board_id is None:
        if fen == "startpos":
            return chess.STARTING_FEN
        return fen if session.variant == "standard" else set_up(fen, "chess960").fen()  # KQkq for the outermost rooks
    return BughouseBoard.starting_fen if fen == "startpos" else BughouseBoard(fen).fen()


_OF_PLAYER = re.compile("(?P<colour>White|Black)(?P<board>[AB])(?P<what>|[A-Z].*)")
"""A tag of a player of a match."""

_STOCK = re.compile(r"\[.*?\]")
"""What is in stock, in the FEN of a match."""


def tags_at(tags: Mapping[str, str], board_id: c.BoardId) -> dict[str, str]:
    """The tags of one game of a match: ``WhiteA`` and ``WhiteAElo`` are its ``White`` and ``WhiteElo``; those of the
    players on the other board are left out.
    """
    parted = {tag: _OF_PLAYER.fullmatch(tag) for tag in tags}
    mine = {tag: player for tag, player in parted.items() if player is None or player["board"] == board_id}
    return {(player["colour"] + player["what"] if player else tag): tags[tag] for tag, player in mine.items()}
