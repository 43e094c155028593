"""Seeded random matches à quatre: what four players do on two boards, in time, and what becomes of it.

Who drops a piece must have got it, and who mates may have waited for one, so moves and hands are made together: the
board whose next turn begins first goes on. Each player picks among his legal moves at random, with a taste for what is
hard to sense and to follow. Source: the rules of the blitz à quatre; numbers in brackets are its articles.
"""

import random
from collections.abc import Iterator
from typing import Literal

import chess
from msgspec import Struct
from msgspec.structs import replace

from controller.bughouse import BughouseBoard
from controller.contract import (
    BLACK,
    WHITE,
    AnyInput,
    Arbiter,
    BoardId,
    Claim,
    Draw,
    Pause,
    Reason,
    Resign,
    Score,
    Senses,
    Side,
    other,
)
from hardware.simulator.games import EAGER, match_weight
from hardware.simulator.habits import HONEST, Gesture, Habits
from hardware.simulator.sight import scans, touches
from hardware.simulator.turn import SimulatedTurn

PARTNER: dict[BoardId, BoardId] = {"A": "B", "B": "A"}
RELEASE_MS = 400  #: a piece that stands so long is released

Won = Literal["team-1", "team-2", "draw"]
How = Literal["board-a", "board-b", "both-boards", "simultaneous", "agreement"]
MatchEnding = Literal["pause", "arbiter", "play on", "agreement"]
ENDINGS: tuple[MatchEnding, ...] = ("pause", "pause", "arbiter", "play on", "agreement")
"""What the players mean to do: once one game has ended a player stops the other, or the arbiter does (12), or they play
on (13); or the teams agree on a draw before any has (15)."""

PLAYERS = replace(HONEST, choose_queen=True, choose_late=0.3, think_ms=(300, 2500), press_ms=(100, 400))
"""Blitz players."""


class SimulatedGame(Struct):
    """One board of a match: how it was played, and while it is, what its players know of time (ms)."""

    name: BoardId
    board: BughouseBoard  #: at the end as it stands then, the stocks as the completed captures left them
    left: dict[Side, int]  #: on each clock when it last stopped
    start: int  #: when the next turn begins
    moves: list[chess.Move] = []
    gestures: list[Gesture] = []
    result: Score | None = None
    reason: Reason | None = None
    since: int = 0  #: when the running clock was started
    over: int = 0  #: when the last move was completed, or the game ended
    #: when which piece comes that was taken on the other board
    coming: list[tuple[int, chess.PieceType, chess.Color]] = []
    hurried: bool = False  #: the next turn is a quick reply
    waits: bool = False  #: the player having the move can do nothing before a piece comes (8)

    @property
    def side(self) -> Side:
        return WHITE if self.board.turn else BLACK

    def receive(self, ms: int) -> None:
        """Take into stock what has come before ``ms``."""
        for at, kind, colour in self.coming:
            if at < ms:
                self.board.pockets[colour].add(kind)
        self.coming = [piece for piece in self.coming if piece[0] >= ms]

    def end(self, loser: Side, reason: Reason, ms: int) -> None:
        """The game on this board is over."""
        self.result, self.reason, self.over = ("0-1" if loser == WHITE else "1-0"), reason, ms


class PlayedMatch(Struct):
    """A whole match: the hands, the words, and what they come to."""

    games: dict[BoardId, SimulatedGame]
    words: list[AnyInput]  #: what was said or pressed besides playing, in order of time
    result: Won
    reason: How


def play_match(seed: int, clock_s: int, habits: Habits = PLAYERS, plies: int = 90, drop: float = EAGER) -> PlayedMatch:
    """A match in which each player has so many seconds and no increment; the same seed gives the same match.

    It is stopped after at most ``plies`` moves on a board. ``drop``: the taste for drops, as against other moves.
    """
    return _Table(seed, clock_s, habits, plies, drop).play()


def inputs(match: PlayedMatch, senses: Senses = "occupancy") -> Iterator[AnyInput]:
    """What boards of this kind, clocks and people report of a match, in order of time."""
    seen = [replace(item, board=name) for name, game in match.games.items() for item in touches(game.gestures, senses)]
    yield from sorted([*seen, *match.words], key=lambda item: item.ms)


def scanned(match: PlayedMatch, period_ms: int, bounce_ms: int = 0, seed: int = 0) -> Iterator[AnyInput]:
    """The same as raw scans of occupancy, those that tell something new."""
    seen = [
        replace(item, board=name)
        for name, game in match.games.items()
        for item in scans(game.gestures, chess.Board(), period_ms, bounce_ms=bounce_ms, seed=seed, idle=False)
    ]
    yield from sorted([*seen, *match.words], key=lambda item: item.ms)


class _Table:
    """A match while it is played."""

    def __init__(self, seed: int, clock_s: int, habits: Habits, plies: int, drop: float) -> None:
        self.rng = random.Random(seed)
        self.habits, self.drop = habits, drop
        self.games = {name: self._game(name, clock_s * 1000) for name in PARTNER}
        self.ending = self.rng.choice(ENDINGS)
        self.stop_after = self.rng.randint(plies // 2, plies)
        self.words: list[AnyInput] = []

    def _game(self, name: BoardId, ms: int) -> SimulatedGame:
        return SimulatedGame(name, BughouseBoard(), {WHITE: ms, BLACK: ms}, self._span(self.habits.think_ms))

    def play(self) -> PlayedMatch:
        """Turn by turn, until the match is decided."""
        while True:
            game = min((s for s in self.games.values() if s.result is None), key=lambda s: (s.waits, s.start))
            game.receive(game.start)
            if game.waits or len(game.moves) >= self.stop_after:
                decided = self._stop(game)
            elif not any(game.board.generate_legal_moves()):
                game.waits, decided = True, None
            else:
                decided = self._turn(game)
            if decided is not None:
                for each in self.games.values():
                    each.receive(self._completed() + 1)
                return PlayedMatch(self.games, self.words, *decided)

    # -- a turn ------------------------------------------------------------------------------------------------

    def _turn(self, game: SimulatedGame) -> tuple[Won, How] | None:
        """One move on this board; what decides the match, if that does."""
        move = self._pick(game)
        if game.hurried and (move.drop or move.promotion):
            # A reply that begins with a button would come before the move it answers is made.
            game.hurried, game.start = False, game.over + self._span(self.habits.think_ms)
            return None
        turn = self._hands(game, move)
        turn.fidget()
        turn.move()
        side, gone = game.side, taken(game.board, move)
        game.board.push(move)
        game.moves.append(move)
        if ended(game.board):
            self._settle(game, turn)
        else:
            self._press(game, side, turn)
        game.gestures += turn.gestures
        self._pass_on(game, gone)
        return None if game.result is None else self._after_the_end(game)

    def _pick(self, game: SimulatedGame) -> chess.Move:
        moves = list(game.board.generate_legal_moves())
        return self.rng.choices(moves, [match_weight(game.board, move, self.drop) for move in moves])[0]

    def _hands(self, game: SimulatedGame, move: chess.Move) -> SimulatedTurn:
        ply = len(game.moves) + 1
        return SimulatedTurn(game.board, move, self.habits, self.rng, game.start, ply, hurried=game.hurried)

    def _settle(self, game: SimulatedGame, turn: SimulatedTurn) -> None:
        """Mate, or stalemate with every piece on the board: nobody need press (18)."""
        game.end(game.side, "checkmate", turn.ms + RELEASE_MS)
        if not game.board.is_check():
            game.result, game.reason = "1/2-1/2", "stalemate"

    def _press(self, game: SimulatedGame, side: Side, turn: SimulatedTurn) -> None:
        """The mover presses; where his time was up before, his opponent claims."""
        game.hurried = self.rng.random() < self.habits.quick_reply
        game.start = turn.ms + self._span(self.habits.quick_ms)
        turn.press(before=game.start + 100 if game.hurried else None)
        game.left[side] -= turn.ms - game.since
        game.since = game.over = turn.ms
        if not game.hurried:
            game.start = turn.ms + self._span(self.habits.think_ms)
        if game.left[side] <= 0:
            claimant = other(side)
            ms = turn.ms + min(self._span((200, 3000)), game.left[claimant] - 1)
            self.words.append(Claim(ms=ms, board=game.name, side=claimant, of="flag"))
            game.end(side, "time", ms)

    def _pass_on(self, game: SimulatedGame, taken: tuple[chess.PieceType, chess.Color] | None) -> None:
        """What was taken goes to the partner, once the move is completed (6, 18)."""
        if taken is None:
            return
        partner = self.games[PARTNER[game.name]]
        partner.coming.append((game.over, *taken))
        if partner.waits:
            partner.waits = partner.hurried = False
            partner.start = game.over + self._span(self.habits.think_ms)

    # -- the end -------------------------------------------------------------------------------------------------

    def _stop(self, game: SimulatedGame) -> tuple[Won, How] | None:
        """Enough: the players do what they meant to; who has nothing better resigns."""
        partner = self.games[PARTNER[game.name]]
        if partner.result is not None:
            return self._neutralise(partner)
        if self.ending == "agreement":
            return self._agree()
        ms = max(game.start, game.over + 50)
        self.words.append(Resign(ms=ms, board=game.name, side=game.side))
        game.end(game.side, "resignation", ms)
        return self._after_the_end(game)

    def _after_the_end(self, game: SimulatedGame) -> tuple[Won, How] | None:
        """One game has ended (12, 13)."""
        partner = self.games[PARTNER[game.name]]
        if partner.result is not None:
            first, second = _won(game), _won(partner)
            return first if first == second else "draw", "both-boards"
        return None if self.ending == "play on" else self._neutralise(game)

    def _neutralise(self, game: SimulatedGame) -> tuple[Won, How]:
        """The game on this board has decided: the other is stopped, perhaps with a piece in the air (12)."""
        partner = self.games[PARTNER[game.name]]
        ms = self._completed() + self._span((300, 3000))
        may_move = any(partner.board.generate_legal_moves())
        if may_move and not partner.hurried and self.rng.random() < 0.5:
            partner.start = max(partner.start, ms)
            turn = self._hands(partner, self._pick(partner))
            turn.move()
            first = turn.gestures[0]
            if first.kind == "lift":
                partner.gestures.append(first)
                ms = first.ms + self._span((10, 100))
        if self.ending == "arbiter":
            self.words.append(Arbiter(ms=ms, board=partner.name, do="neutralise"))
        else:
            self.words.append(Pause(ms=ms, board=partner.name, side=self.rng.choice([WHITE, BLACK])))
        if _simultaneous(game, partner):
            return "draw", "simultaneous"
        return _won(game), "board-a" if game.name == "A" else "board-b"

    def _agree(self) -> tuple[Won, How]:
        """A team offers a draw, both of it, and both of the other accept (15)."""
        ms = self._completed()
        offering: BoardId
        for offering in PARTNER:  # by the team that has White there
            for name in PARTNER:
                ms += self._span((100, 900))
                side = WHITE if name == offering else BLACK
                act: Literal["offer", "accept"] = "offer" if offering == "A" else "accept"
                self.words.append(Draw(ms=ms, board=name, side=side, act=act))
        return "draw", "agreement"

    # ------------------------------------------------------------------------------------------------------------

    def _completed(self) -> int:
        """When the last move so far was completed, on either board."""
        return max(game.over for game in self.games.values())

    def _span(self, span: tuple[int, int]) -> int:
        return self.rng.randint(*span)


def ended(board: BughouseBoard) -> bool:
    """Whether the player having the move can make none, not even with a piece that may still come (8)."""
    return not any(board.generate_legal_moves()) and not board.may_yet_drop()


def taken(board: BughouseBoard, move: chess.Move) -> tuple[chess.PieceType, chess.Color] | None:
    """What a move takes, as it goes into stock: a promoted piece is a pawn again (9)."""
    if not board.is_capture(move):
        return None
    kind = board.piece_type_at(move.to_square)
    promoted = board.promoted & chess.BB_SQUARES[move.to_square]
    return (chess.PAWN if promoted or kind is None else kind), not board.turn


def _won(game: SimulatedGame) -> Won:
    """What the end of a game means for the match (4): team 1 has White on board A and Black on B."""
    if game.result == "1/2-1/2":
        return "draw"
    return "team-1" if (game.name == "A") == (game.result == "1-0") else "team-2"


def _simultaneous(game: SimulatedGame, partner: SimulatedGame) -> bool:
    """Whether the mated player's last move gave his partner, who has the move, a piece that mates at once (14)."""
    if game.reason != "checkmate" or partner.over > game.over or len(game.moves) < 2:
        return False
    board = game.board.copy()
    board.pop()
    last = board.pop()
    gone = taken(board, last)
    if gone is None or partner.board.turn != gone[1]:
        return False
    partner.receive(game.over)
    for drop in partner.board.generate_legal_drops():
        after = partner.board.copy(stack=False)
        after.push(drop)
        if drop.drop == gone[0] and after.is_check() and ended(after):
            return True
    return False
