"""Watching the sensors: what they do that no piece on a board does is said in a notice, with the square."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import chess

from controller.contract import AnyEvent, BoardId, Displaced, Followed, Restored, Senses, Stalled
from controller.daemon.play import PlayedBoard
from controller.daemon.sensed import Sensed, SquareEdge
from controller.daemon.suspects import A_PIECE, IN_HAND, MOST_AT_ONCE, MOST_AWAY, MOST_DEAD, Denials, Ghosts
from controller.errors import DeviceError
from controller.outlets.notices import Notices, at
from controller.position import TURNED
from controller.shown import NOTHING, Shown

MOST_TAKEN = MOST_AT_ONCE - 1  #: so many pieces may have gone while a cable was off: with more, it may be off still


STALLED = {
    "illegal-move": "an illegal move that nobody has put right",
    "ambiguous": "a move that the sensors showed in part, and nothing has settled",
    "paused": "the game is paused, and the pieces are moved",
    "displaced": "moves that the sensors did not show, or pieces set up for another game",
}
"""Why a score stands."""


class SensorWatch:
    """The notices ``sensor``, ``position``, ``score`` and ``ghosts`` of the board ``board_id``.

    Times: ms of the daemon.
    """

    def __init__(self, sensed: Sensed, notices: Notices, senses: Senses, board_id: BoardId | None = None) -> None:
        self._board_id = board_id
        self._senses = senses
        self._sensed = sensed
        self._notices = notices
        self._denials = Denials()
        self._named: set[chess.Square] = set()  # the game's, of which it is said that they deny it
        self._ghosts = Ghosts()
        self._haunted = self._torn = False
        self._looked_ms = 0
        self._expected: Shown = NOTHING  # after the last move made
        self._moved_ms = 0  # when that was first seen
        self._away = False

    @property
    def due(self) -> int | None:
        """When :meth:`look` will find more without another reading."""
        return self._denials.due(self._looked_ms)

    def look(self, now: int, played: PlayedBoard | None, behind: bool = False) -> list[chess.Square]:
        """Names sensors that flicker, or have denied the game for long. ``behind``: the game has not been told for long
        what the board shows, as a press waits.

        Returns the squares of the board of which the game is to be told that their sensors do not work: there a piece
        is not seen for long, and none stands where it should not. Of a board that is away what was said stands: nobody
        can know that it is all right again.
        """
        self._looked_ms = now
        if self._away or self._torn or behind:
            self._denials.see(now, ())
            return []
        underway = played is not None and not played.over and self._sensed.whole and not played.stalled
        turn, denied = self._denied(played, now) if played and underway else (0, [])  # else by the game none is judged
        explained = played.displaced.union(self._ghosts.squares) if played else set()  # in words of their own
        denying = set(denied) - explained
        self._denials.see(now, denying)
        lasting, held = self._denials.lasting(now), self._held(turn)
        excused = played.excused if played and (lasting or self._named) else ()
        lasting = [square for square in lasting if square not in held and square ^ turn not in excused]
        # One that was named is named as long as it denies the game, also where that begins anew, as after an absence.
        still = {square for square in self._named & denying if square not in held and square ^ turn not in excused}
        self._named = still.union(lasting)
        dead = [square ^ turn for square in {*played.dead, *played.disbelieved}] if played else []
        self._say(now, sorted(self._named), dead)
        cleared = len(lasting) > MOST_DEAD or len(denied) > MOST_AWAY
        if played is None or cleared or any(self._sensed.shown[square ^ turn] for square in denied):
            return []
        return [square ^ turn for square in lasting]

    def _say(self, now: int, lasting: list[chess.Square], dead: list[chess.Square]) -> None:
        troubles = []
        if flickering := self._sensed.flickering(now):
            what = f"a sensor flickers: {names(flickering)}"
            cause = "a weak magnet, a piece off the middle of its square, or a loose wire"
            troubles.append((what, cause, "exchange the piece; if that does not help, check the wire"))
        cause = "a sensor that sticks, a piece that is not seen, or one still held in the hand"
        remedy = "look whether the pieces stand as the game has them; if they do, exchange the piece or mend the sensor"
        if lasting:
            what = f"the sensors have denied the game for long: {names(lasting)}"
            troubles.append((what, cause, remedy))
        if dead:
            what = f"the game goes on without sensors that have denied it: {names(sorted(dead))}"
            troubles.append((what, cause, remedy))
        if troubles:
            told = ("; ".join(dict.fromkeys(parts)) for parts in zip(*troubles, strict=True))  # each part once
            self._notices.set(at("sensor", self._board_id), DeviceError(*told))
        else:
            self._notices.clear(at("sensor", self._board_id))

    def leave(self) -> None:
        """The board is away: what it showed last it need not show still, and is held against no sensor."""
        self._away = True

    def come_back(self) -> None:
        self._away = False

    def torn(self, edges: Sequence[SquareEdge], played: PlayedBoard) -> bool:
        """Whether more squares have changed at one moment than hands can change: a cable or a wire that came off.

        It goes on until the board shows again what the game was told, or what is at most a move away from it, or as
        many pieces as the game has, but for those whom hands may have taken meanwhile.
        """
        if not self._torn:
            moments = Counter(edge.ms for edge in edges)
            self._torn = max(moments.values(), default=0) > MOST_AT_ONCE
            if self._torn:
                what = f"{len(edges)} squares changed at one moment: {names(edge.square for edge in edges)}"
                cause = "a cable or a wire that came off, or pieces that were swept away"
                remedy = "push the cable in; until the pieces stand as the game has them, nothing is played"
                self._notices.set(at("cable", self._board_id), DeviceError(what, cause, remedy))
        elif (
            len(self._sensed.shown.differs(played.told)) <= A_PIECE
            or 0 <= played.expected.count - self._sensed.shown.count <= MOST_TAKEN
            or played.within_a_move(self._sensed.shown.occupied)
        ):
            self._torn = False
            self._notices.clear(at("cable", self._board_id))
        return self._torn

    def haunted(self, edges: Sequence[SquareEdge], played: PlayedBoard) -> bool:
        """Whether the board, after these edges, shows pieces that the game cannot have: a matrix that lacks diodes.

        It goes on until they are gone and what is left is at most a move away from the game: of more than that, missed
        among ghosts, nothing certain could be said.
        """
        came = defaultdict[int, int](int)
        for edge in edges:
            came[edge.ms] |= chess.BB_SQUARES[edge.square] if edge.shown else 0
        together = [squares for squares in came.values() if squares & squares - 1]
        if not together and not self._haunted:
            return False  # the common path: nothing to work out
        occupied = self._sensed.shown.occupied
        pieces = played.expected.count
        for appeared in together or (0,):
            self._ghosts.see(appeared & occupied, occupied, pieces)
        if suspected := self._ghosts.squares:
            self._haunted = True
            what = f"more pieces than the game has came at one moment to the corners of rectangles: {names(suspected)}"
            cause = "a matrix without diodes, or with a broken one: current goes around through three other pieces"
            remedy = "fit a diode at each switch; until the pieces stand as the game has them, nothing is played"
            self._notices.set(at("ghosts", self._board_id), DeviceError(what, cause, remedy))
        elif self._haunted and played.within_a_move(occupied):
            self._haunted = False
            self._notices.clear(at("ghosts", self._board_id))
        return self._haunted

    def hear(self, event: AnyEvent) -> None:
        """What the game says about the board."""
        if isinstance(event, Displaced) and event.shows:
            what = f"the board does not match the game: {' '.join(event.squares)}"
            cause = "a piece knocked over or standing elsewhere, or a sensor that fails"
            self._notices.set(
                at("position", self._board_id), DeviceError(what, cause, "put the pieces back as the game has them")
            )
        elif isinstance(event, Stalled):
            what = f"the score stops after ply {event.after_ply}, and play goes on that it cannot follow"
            remedy = "put the pieces back as the game has them, or keep the score by hand and give the result"
            self._notices.set(at("score", self._board_id), DeviceError(what, STALLED[event.reason], remedy))
        elif isinstance(event, Followed):
            self._notices.clear(at("score", self._board_id))
        elif isinstance(event, Restored):
            self.begin()

    def begin(self) -> None:
        """Nothing is amiss, for a new game begins, the pieces are back, or the game is over: they need not stand as it
        had them."""
        self._ghosts, self._haunted, self._torn = Ghosts(), False, False
        for source in ("start", "score", "position", "ghosts", "cable"):
            self._notices.clear(at(source, self._board_id))

    def _held(self, turn: int) -> list[chess.Square]:
        """The game's squares whose pieces are in hand: on a board that sees kinds they are on no other square, and were
        lifted after the last move. Others cannot tell a piece in hand from one that stands elsewhere unseen."""
        if self._senses != "identity":
            return []
        lifted = self._denials.since(self._moved_ms)
        gone = [square for square in lifted if not self._sensed.shown[square ^ turn]]
        return gone if len(gone) <= IN_HAND else []

    def _denied(self, played: PlayedBoard, now: int) -> tuple[int, list[chess.Square]]:
        """The game's squares that look otherwise, but for those whose sensors it does not believe; and what makes them
        the board's, which may stand turned round, as the game finds out by itself."""
        expected, turn = played.expected, 0
        if expected.readings != self._expected.readings:
            self._expected, self._moved_ms = expected, now
        shown = self._sensed.shown
        straight, turned = shown.differs(expected), shown.differs(expected.turned())
        if len(straight) > len(turned):
            straight, turn = turned, TURNED
        return turn, [square ^ turn for square in straight if square not in played.dead]


def names(squares: Iterable[chess.Square]) -> str:
    """``e2 e4``"""
    return " ".join(chess.square_name(square) for square in squares)
