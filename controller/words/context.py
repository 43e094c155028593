"""What was seen before an event, as far as its sentence needs it: a fold over the events of one board's game."""

import chess
from msgspec import Struct, field

from controller import contract as c
from controller.chess960 import set_up
from controller.laws.editions import Profile, profile

KEPT = 20  #: turns of each player before the last that may be given back to him


class SeenTurn(Struct):
    """One player's attempt at a move: what he touched, what that obliged, what he made."""

    board: chess.Board | None  #: the position it is played in; None where that is not known
    touches: list[c.Touch] = field(default_factory=list)
    owed: c.Obligation | None = None
    made: c.Move | None = None
    over: bool = False  #: his next touch belongs to another turn


class Context:
    """The game of one board so far. ``session`` says under which Laws; a match has one context for each board.

    ``begun`` elsewhere: where the start is not that of the session, the position is unknown until a move tells it.
    """

    def __init__(self, session: c.Session, board: str | None = None, *, begun: bool = False) -> None:
        fen = session.fen if isinstance(session.fen, str) else getattr(session.fen, board or "A")
        self.session = session
        self.laws: Profile = profile(session)
        self.position = None if begun else self._board(fen)
        #: each player's attempt at a move, or his last one
        self.turns: dict[c.Side, SeenTurn] = {side: SeenTurn(None, over=True) for side in (c.WHITE, c.BLACK)}
        # those before, the latest last
        self._before: dict[c.Side, list[SeenTurn]] = {side: [] for side in (c.WHITE, c.BLACK)}
        first = self.position or chess.Board()
        self._first = 2 * (first.fullmove_number - 1) + (not first.turn)  # half-moves of the score before its first
        self.clock: c.Clock | None = None
        self.fallen: set[c.Side] = set()  #: whose flags have fallen
        self.latest: c.Event | None = None
        self._said: dict[str, c.Move] = {}  # the latest move of each UCI, to say it when it is taken back

    def numbered(self, ply: int) -> tuple[int, c.Side]:
        """The number in the score of the move that was the ``ply``-th made, from 1, and whose it was."""
        number, second = divmod(self._first + ply - 1, 2)
        return number + 1, c.BLACK if second else c.WHITE

    def known(self, uci: str) -> c.Move | None:
        """The move reported last under that UCI."""
        return self._said.get(uci)

    def apply(self, event: c.AnyEvent) -> None:
        """Take the next event of this board."""
        match event:
            case c.Touch():
                self._touch(event)
            case c.Obligation():
                self._oblige(event)
            case c.Move():
                self._move(event)
            case c.Retract():
                self._retract(event)
            case c.Clock():
                self.clock = event
            case c.Flag():
                self.fallen.add(event.side)
            case c.Displaced(fen=str(fen)) | c.Restored(fen=str(fen)):
                self.position = self._board(fen)
            case _:
                pass
        self.latest = event

    def _open(self, side: c.Side) -> SeenTurn:
        """The turn that a touch belongs to: a new one where the last is over."""
        if self.turns[side].over:
            self._before[side] = [*self._before[side][1 - KEPT :], self.turns[side]]
            self.turns[side] = SeenTurn(self.position)
        return self.turns[side]

    def _touch(self, event: c.Touch) -> None:
        """In the order of touch, which may be told in another."""
        turn = self._open(event.side)
        turn.touches = sorted([*turn.touches, event], key=lambda touch: touch.began_ms)

    def _oblige(self, event: c.Obligation) -> None:
        """Where nothing is owed any more, what was touched has been withdrawn: it binds nobody."""
        turn = self._open(event.side)
        turn.owed = event
        if event.must == "none":
            turn.owed, turn.touches = None, []

    def _move(self, event: c.Move) -> None:
        turn = self._open(event.side)
        turn.made, turn.over = event, True
        self.turns[c.other(event.side)].over = True
        self.position = self._board(event.fen)
        self._said[event.uci] = event

    def _retract(self, event: c.Retract) -> None:
        """His touches still bind the player to whom the move is given back; what was touched later binds nobody."""
        self.position = self._board(event.fen)
        for side in self.turns:
            turns = [*self._before[side], self.turns[side]]
            while len(turns) > 1 and turns[-1].made is None:
                turns.pop()
            turn = turns.pop()
            if turn.made is not None and turn.made.uci == event.uci:
                self._before[side], self.turns[side] = turns, turn
                turn.made, turn.over, turn.board = None, False, self.position
                self.turns[c.other(side)].over = True
                return

    def _board(self, fen: str) -> chess.Board | None:
        """The position; None where chess has no such one, as with a stock."""
        try:
            bare = fen.split("[")[0] + fen.partition("]")[2] if "[" in fen else fen
            return set_up(bare, self.session.variant)
        except ValueError:
            return None


class Contexts:
    """The context of each board; outside a match there is one. ``begun`` as for :class:`Context`."""

    def __init__(self, session: c.Session, *, begun: bool = False) -> None:
        self._session = session
        self._begun = begun
        self._boards: dict[str | None, Context] = {}

    def of(self, item: c.Event | c.Input) -> Context:
        """That of the item's board."""
        if item.board not in self._boards:
            self._boards[item.board] = Context(self._session, item.board, begun=self._begun)
        return self._boards[item.board]
