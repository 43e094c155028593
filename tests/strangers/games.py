"""Whole honest games with their truth: the moves first, then hands that play them, then the board that reports them."""

import random
from typing import NamedTuple

import chess
from guests import judge

from strangers import stock
from strangers.deliveries import Frame, Gap, seen
from strangers.hands import FlagFellError, Hands
from strangers.oracle import Shown, unique
from strangers.plies import Ply, played
from strangers.wood import FRAMED, Line, Way

ANY = "?"  #: let the seed choose the clock
CLOCKS = (None, "180+2", "5400+30")
SENSES = ("occupancy", "colour", "identity")

#: Each kind of delivery, on boards of each sense and with each clock that it can have.
COMBINATIONS: list[tuple[str, str, str | None]] = [
    *(("touch", senses, clock) for senses in SENSES for clock in CLOCKS),
    *((kind, "occupancy", clock) for kind in ("bounce", "slow") for clock in CLOCKS),
    ("slow-fastpress", "occupancy", "5400+30"),
    ("missing", "occupancy", None),
    *((f"gap-{plies}", "occupancy", None) for plies in (1, 2, 3)),
    *(("swap", senses, clock) for senses in SENSES for clock in (None, "5400+30")),
    *((f"stuck-{how}", senses, None) for how in ("open", "closed") for senses in ("occupancy", "identity")),
    *((f"stuck-{how}", "occupancy", "5400+30") for how in ("open", "closed")),
]


class Game(NamedTuple):
    """One game as it was played, and the log of it."""

    way: Way
    truth: list[str]  #: moves as UCI
    plies: list[Ply]
    lines: list[Line]
    fair: bool | None  #: whether the sensors leave one record; for gaps: one position at the end

    @property
    def start(self) -> chess.Board:
        """The position it began from."""
        return stock.position(self.way.fen)

    def agrees(self, record: list[str]) -> bool:
        """Whether a record is right: each move, or after gaps the position and how many moves led to it."""
        if self.way.delivery != "gap":
            return record == self.truth
        return judge.ends_alike(record, self.truth, self.start)


def fair(seed: int, kind: str, senses: str | None = None, clock: str | None = ANY, laws: str | None = None) -> Game:
    """A game of this seed that can be judged: long enough, no flag fallen, and one record left by the sensors.

    Nine in vain, and the tenth is taken as it is.
    """
    for attempt in range(40):
        try:
            game = honest(f"{seed}.{attempt}" if attempt else seed, kind, senses, clock, laws)
        except FlagFellError:
            continue
        if len(game.truth) >= 20 and (game.fair or attempt > 8):
            return game
    raise ValueError(f"no game of 20 plies by seed {seed} in 40 attempts: take another seed")


def honest(
    seed: int | str, kind: str, senses: str | None = None, clock: str | None = ANY, laws: str | None = None
) -> Game:
    """The game of a seed; what is not given, the seed chooses. Raises :exc:`FlagFellError`."""
    rng = random.Random(f"{seed}/{kind}/{senses}/{clock}/{laws}")
    way = _way(rng, kind, senses, clock, laws)
    hands = Hands(rng, way)
    style = rng.choice(["pawns", "any"])
    most = rng.randint(60, 90)
    opening = list(rng.choice(stock.OPENINGS)) if way.fen == "startpos" and rng.random() < 0.7 else []
    moves = stock.line(rng, hands.board, opening, style, most)
    unseen = _unseen(rng, moves, int(kind[-1])) if way.delivery == "gap" else set()
    plies, gaps, holds = _play(hands, moves, unseen)
    if way.delivery in ("touch", "bounce") and not hands.board.is_game_over() and rng.random() < 0.3:
        _clear_up(hands)
    lines, frames = seen(hands, gaps, holds)
    truth = [move.uci() for move in moves]
    hidden = {ply for ply in unseen if ply + 1 in unseen}
    if way.delivery == "missing":
        hidden = _lost_ends(way, plies, frames)
    opened = _opened(hands, plies) if way.delivery in ("touch", "bounce", "slow", "stuck") else None
    known = unique(way.fen, truth, Shown(way.senses, way.dead, hidden, opened))
    return Game(way, truth, plies, lines, known.end if way.delivery == "gap" else known.record)


def _way(rng: random.Random, kind: str, senses: str | None, clock: str | None, laws: str | None) -> Way:
    delivery = kind.split("-")[0]
    if delivery in FRAMED:
        senses = "occupancy"
    senses = senses or rng.choice(["occupancy", "occupancy", "colour", "identity"])
    if clock == ANY:
        clock = rng.choice(CLOCKS) if delivery in ("touch", "bounce", "swap") or kind == "slow" else None
    if kind == "slow-fastpress" and clock is None:
        clock = "5400+30"
    laws = laws or rng.choice(stock.LAWS)
    play = "blitz" if clock == "180+2" and rng.random() < 0.5 else "standard"
    fen = "startpos" if rng.random() < 0.7 else rng.choice(stock.POSITIONS)
    if delivery == "gap":
        fen = "startpos" if rng.random() < 0.85 else rng.choice(stock.POSITIONS)
    dead = rng.randrange(64) if delivery == "stuck" else None
    return Way(kind, senses, clock, laws, play, fen, dead)


def _unseen(rng: random.Random, moves: list[chess.Move], plies: int) -> set[int]:
    """Now and then some plies in a row, without a promotion, that no frame shows."""
    unseen: set[int] = set()
    ply = rng.randint(6, 20)
    while ply + plies + 4 < len(moves):
        if any(move.promotion for move in moves[ply : ply + plies]):
            ply += 1
        else:
            unseen |= set(range(ply, ply + plies))
            ply += plies + rng.randint(14, 30)
    return unseen


def _play(hands: Hands, moves: list[chess.Move], unseen: set[int]) -> tuple[list[Ply], list[Gap], list[int]]:
    """The plies; the gaps in which nothing is seen; and when a frame comes though nothing changed."""
    rng, way = hands.rng, hands.way
    plies: list[Ply] = []
    gaps: list[Gap] = []
    holds: list[int] = []
    offered, gap_began = False, 0
    for number, move in enumerate(moves):
        if way.delivery == "gap":
            hands.wait(900, 2000)
            holds.append(hands.now)
            hands.wait(200, 400)
        if number in unseen and number - 1 not in unseen:
            gap_began = hands.now
        if offered and hands.early is None:
            hands.wait(300, 2000)
            hands.say("draw", hands.board.turn, act="decline")
        offered = False
        hands.last = number + 2 >= len(moves)
        plies.append(played(hands, move, plain=number in unseen or number + 1 == len(moves)))
        if number in unseen and number + 1 not in unseen:
            hands.wait(600, 900)
            gaps.append(Gap(gap_began, hands.now))
        if not way.clock and way.delivery == "touch" and rng.random() < 0.01:
            offered = number > 10 and hands.early is None and not hands.board.is_game_over()
            if offered:
                hands.say("draw", not hands.board.turn, act="offer")
    return plies, gaps, holds


def _clear_up(hands: Hands) -> None:
    """Somebody resigns, the kings go to the middle, and the pieces are gathered up."""
    rng = hands.rng
    hands.wait(2000, 9000)
    hands.say("resign", rng.choice([True, False]))
    hands.wait(900, 3000)
    for colour, middle in ((True, rng.choice([chess.E4, chess.D5])), (False, rng.choice([chess.D4, chess.E5]))):
        king = hands.board.king(colour)
        if hands.on[middle] is None and king is not None and hands.on[king]:
            piece = hands.lift(king)
            hands.wait(300, 900)
            hands.place(middle, piece)
            hands.wait(300, 2000)
    left = hands.standing()
    rng.shuffle(left)
    for square in left[: rng.randint(0, len(left))]:
        hands.lift(square)
        hands.wait(50, 400)


def _lost_ends(way: Way, plies: list[Ply], frames: list[Frame]) -> set[int]:
    """The plies whose last frame, before the next begins, is lost."""
    board = stock.position(way.fen)
    lost = set()
    for number, ply in enumerate(plies):
        board.push_uci(ply.uci)
        until = plies[number + 1].began if number + 1 < len(plies) else frames[-1].ms + 1
        if [frame for frame in frames if frame.ms < until][-1].occupied != board.occupied:
            lost.add(number)
    return lost


def _opened(hands: Hands, plies: list[Ply]) -> list[set[int]]:
    """For each ply the squares from which something was lifted since the one before."""
    lifts = [act for act in hands.acts if act.kind == "lift" and act.square != hands.way.dead]
    since = [-1, *(ply.made for ply in plies)]
    return [
        {act.square for act in lifts if after < act.ms <= ply.made} for after, ply in zip(since, plies, strict=False)
    ]
