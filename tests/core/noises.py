"""What no hands do: inputs in any order and as fast as may be, of each kind of noise, seeded.

A noise is written to a :class:`Table`, which knows what stands on its squares and reports it as a board of its sort
does. It begins at the start position, in the middle of a game that people play, or after a gap.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from heapq import merge
from itertools import islice
from typing import Any, Literal, NamedTuple, get_args

import chess
from msgspec.structs import replace

from controller import contract as c
from controller.bughouse import BughouseBoard
from hardware.simulator.games import random_game
from hardware.simulator.habits import HONEST
from hardware.simulator.hands import play
from hardware.simulator.matches import PLAYERS, play_match
from hardware.simulator.matches import inputs as match_inputs
from hardware.simulator.sight import scans, touches

Sort = Literal["occupancy", "colour", "identity", "scans"]
Begins = Literal["start", "middle", "gap"]
SORTS: tuple[Sort, ...] = get_args(Sort)
BEGINNINGS: tuple[Begins, ...] = get_args(Begins)
CLOCK = "5400+30"
PAUSES = (0, 0, 1, 5, 20, 150, 400, 3000)
"""Between two changes, in ms: none, within a scan, shorter than a brush, shorter than a release, longer."""

LETTERS = "PNBRQKpnbrqk"
SIDES: tuple[c.Side, ...] = (c.WHITE, c.BLACK)
PLIES = 60
SCAN_MS = 5


class Noise(NamedTuple):
    """A log of it."""

    session: c.Session
    inputs: list[c.AnyInput]


class Table:
    """A board of one sort, and what stands on it: FEN letters by square."""

    def __init__(self, rng: random.Random, sort: Sort, stands: dict[chess.Square, str], ms: int = 0) -> None:
        self.rng = rng
        self.sort = sort
        self.stands = stands
        self.ms = ms
        self.reported: list[c.AnyInput] = []
        self._shown: int | None = None
        self.wait(0)

    def wait(self, *pauses: int) -> None:
        """One of these times passes, in ms."""
        if self.sort == "scans":
            occupied = sum(chess.BB_SQUARES[square] for square in self.stands)
            if occupied != self._shown:
                self.reported.append(c.Frame(ms=self.ms, occupied=f"{occupied:016x}"))
            self._shown = occupied
        self.ms += self.rng.choice(pauses)

    def say(self, kind: Callable[..., c.AnyInput], /, **fields: Any) -> None:
        """Somebody presses, names, rules."""
        self.reported.append(kind(ms=self.ms, **fields))

    def put(self, square: chess.Square, letter: str) -> None:
        """That stands there now; an empty letter: nothing does."""
        self.stands.pop(square, None)
        if letter:
            self.stands[square] = letter
        if self.sort != "scans":
            name = chess.SQUARE_NAMES[square]
            self.say(c.Place, square=name, piece=self.shown(letter) or None) if letter else self.say(
                c.Lift, square=name
            )

    def shown(self, letter: str) -> str:
        """What such a board tells of a piece; nothing where it sees no more than that one stands there."""
        if self.sort in ("occupancy", "scans"):
            return ""
        return letter if self.sort == "identity" else "w" if letter.isupper() else "b"

    def toggle(self, square: chess.Square) -> None:
        """What stands there is taken off, or something is set down."""
        self.put(square, "" if square in self.stands else self.letter())

    def letter(self) -> str:
        """Any piece."""
        return self.rng.choice(LETTERS)

    def square(self) -> chess.Square:
        """Any square."""
        return self.rng.randrange(64)

    def side(self) -> c.Side:
        return self.rng.choice(SIDES)


# -- the kinds -------------------------------------------------------------------------------------------------------


def random_edges(t: Table) -> Iterator[None]:
    """Squares open and close, also those that are open or closed already."""
    while True:
        t.put(t.square(), t.rng.choice(["", t.letter()]))
        t.wait(*PAUSES)
        yield


def with_presses(t: Table) -> Iterator[None]:
    """The same, and every now and then a press."""
    for _ in random_edges(t):
        if t.rng.random() < 0.3:
            t.say(c.Press, side=t.side())
            t.wait(*PAUSES)
        yield


def in_turn(t: Table) -> Iterator[None]:
    """A few edges, and a press by each player in turn: an illegal move each."""
    while True:
        for side in SIDES:
            for _ in range(t.rng.randint(1, 4)):
                t.toggle(t.square())
                t.wait(50, 200, 600)
                yield
            t.say(c.Press, side=side)
            t.wait(200, 600, 3000)
            yield


def flicker(most: int) -> Callable[[Table], Iterator[None]]:
    """So many squares open and close, as fast as may be or slowly, and then others."""

    def noise(t: Table) -> Iterator[None]:
        while True:
            chosen, pause = t.rng.sample(range(64), most), t.rng.choice(PAUSES[2:])
            for _ in range(t.rng.choice([4, 13, 40, 100])):
                t.toggle(t.rng.choice(chosen))
                t.wait(pause)
                yield
            t.wait(600, 3000)

    return noise


def all_at_once(t: Table) -> Iterator[None]:
    """Every square changes at the same time, and once more later."""
    while True:
        for square in t.rng.sample(range(64), 64):
            t.toggle(square)
            yield
        t.wait(1, 20, 150, 400, 3000)
        if t.rng.random() < 0.5:
            t.say(c.Press, side=t.side())
            t.wait(*PAUSES)


def swept_off(t: Table) -> Iterator[None]:
    """All pieces are swept off, and set up again where they stood, or for a new game; now and then somebody presses."""
    while True:
        stood, pause = dict(t.stands), t.rng.choice(PAUSES)
        if t.rng.random() < 0.3:
            stood = {square: piece.symbol() for square, piece in chess.Board().piece_map().items()}
        for square in t.rng.sample(sorted(t.stands), len(t.stands)):
            t.put(square, "")
            t.wait(pause)
            yield
        t.wait(*PAUSES)
        for square in t.rng.sample(sorted(stood), len(stood)):
            t.put(square, stood[square])
            t.wait(pause)
            if t.rng.random() < 0.02:
                t.say(c.Press, side=t.side())
            yield
        t.wait(600, 3000)


def put_down_at_random(t: Table) -> Iterator[None]:
    """All pieces are swept off and put down anywhere, some slid and some exchanged."""
    while True:
        letters = list(t.stands.values()) or list(LETTERS)
        for square in t.rng.sample(sorted(t.stands), len(t.stands)):
            t.put(square, "")
            t.wait(0, 0, 20, 200)
            yield
        for letter in letters:
            t.put(t.square(), letter)
            t.wait(0, 20, 200, 600)
            yield
        t.wait(600, 3000)


def wandering(t: Table) -> Iterator[None]:
    """Pieces go anywhere, a part of it unseen."""
    while True:
        origin = t.rng.choice(sorted(t.stands) or [0])
        letter, way = t.stands.get(origin) or "P", t.rng.randrange(8)
        if way != 0:
            t.put(origin, "")
            t.wait(*PAUSES)
            yield
        if way != 1:
            t.put(t.square(), letter)
            t.wait(*PAUSES)
            yield
        if way == 2:
            t.say(c.Press, side=t.side())


def nearly_moves(t: Table) -> Iterator[None]:
    """What looks much like moves: legal ones of what stands there, by either player, with edges lost and exchanged."""
    while True:
        board = chess.Board(None)
        for square, letter in t.stands.items():
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = t.rng.random() < 0.5
        moves = list(board.pseudo_legal_moves)
        if not moves:
            t.toggle(t.square())
            t.wait(*PAUSES)
            yield
            continue
        move = t.rng.choice([move for move in moves if board.is_capture(move)] or moves)
        letter = t.stands[move.from_square]
        edges = [(move.from_square, ""), (move.to_square, ""), (move.to_square, letter)]
        if t.rng.random() < 0.3:
            t.rng.shuffle(edges)
        for square, shown in edges:
            if t.rng.random() < 0.8:
                t.put(square, shown)
                t.wait(*PAUSES)
                yield
        if t.rng.random() < 0.4:
            t.say(c.Press, side=t.side())
            t.wait(*PAUSES)
            yield


def random_scans(t: Table) -> Iterator[None]:
    """A picture of anything, and then another, much like it or not."""
    while True:
        for square in range(64) if t.rng.random() < 0.2 else t.rng.sample(range(64), t.rng.choice([1, 2, 4, 8])):
            t.put(square, t.rng.choice(["", t.letter()]))
            yield
        t.wait(*PAUSES)


def gaps(t: Table) -> Iterator[None]:
    """The cable comes out again and again; when it is back, some pieces stand elsewhere."""
    while True:
        t.say(c.Unseen)
        t.wait(20, 3000)
        for _ in range(t.rng.choice([1, 2, 3, 4, 6, 8, 12, 30])):
            origin = t.rng.choice(sorted(t.stands) or [0])
            letter = t.stands.pop(origin, "")
            if t.rng.random() < 0.8:
                t.stands[t.square()] = letter or "P"
        if t.rng.random() < 0.3:
            t.say(c.Press, side=t.side(), unseen=True)
        readings = [t.stands.get(square, "") for square in range(64)]
        t.say(c.Seen, shown="".join((t.shown(letter) or "x") if letter else "." for letter in readings))
        t.wait(20, 600, 3000)
        yield
        yield from islice(nearly_moves(t), t.rng.randrange(8))


def commands(t: Table) -> Iterator[None]:
    """What looks like moves, and amid that whatever people may say and rule."""
    pick = t.rng.choice
    for _ in nearly_moves(t):
        if t.rng.random() < 0.6:
            yield
            continue
        said: tuple[Callable[..., c.AnyInput], dict[str, Any]] = pick(
            [
                (c.Press, {"side": t.side()}),
                (c.Adjust, {"side": t.side()}),
                (c.Choose, {"side": t.side(), "piece": pick("qrbnp")}),
                (c.Contact, {"square": chess.SQUARE_NAMES[t.square()]}),
                (c.Draw, {"side": t.side(), "act": pick(["offer", "decline"])}),
                (c.Claim, {"side": t.side(), "of": pick(["touch-move", "illegal-move", "threefold"])}),
                (c.Sensor, {"square": chess.SQUARE_NAMES[t.square()], "works": pick([True, False])}),
                (c.Arbiter, {"do": pick(["uphold", "dismiss", "undo"])}),
                (c.Arbiter, {"do": "resume"}),
                (c.Arbiter, {"do": pick(["pause", "resume"])}),
                (c.Arbiter, {"do": "report", "kind": "touch-move", "side": t.side()}),
                (c.Time, {}),
                (c.Outage, {}),
            ]
        )
        t.say(said[0], **said[1])
        t.wait(*PAUSES)
        yield


def dead_sensors(t: Table) -> Iterator[None]:
    """Sensors are reported not to work, and to work again, amid what looks like moves."""
    for _ in nearly_moves(t):
        if t.rng.random() < 0.1:
            t.say(c.Sensor, square=chess.SQUARE_NAMES[t.square()], works=t.rng.random() < 0.3)
        yield


KINDS: dict[str, Callable[[Table], Iterator[None]]] = {
    "random edges": random_edges,
    "random edges with presses between": with_presses,
    "a few random edges to each press": in_turn,
    "one square flickers": flicker(1),
    "several squares flicker": flicker(5),
    "all squares flicker": flicker(64),
    "all squares at once": all_at_once,
    "swept off and set up again": swept_off,
    "swept off and put down at random": put_down_at_random,
    "pieces wander": wandering,
    "nearly moves": nearly_moves,
    "random scans": random_scans,
    "gaps": gaps,
    "commands between": commands,
    "sensors that do not work": dead_sensors,
}


# -- logs ------------------------------------------------------------------------------------------------------------


def noise(kind: str, seed: int, inputs: int = 150) -> Noise:
    """So many inputs of a kind, after those of a game where it begins in one. By the seed: the sort of board, with and
    without a clock, where it begins."""
    rng = random.Random(seed)
    sort, clock = SORTS[seed % 4], CLOCK if seed // 4 % 2 else None
    played, stands, ms = _begun(seed, sort, clock, BEGINNINGS[seed // 8 % 3])
    return Noise(_session(sort, clock), [*played, *_heard(Table(rng, sort, stands, ms), kind, inputs)])


def match_noise(kind: str, seed: int, inputs: int = 150) -> Noise:
    """The same on both boards of a match, which goes on or has just begun."""
    rng, sort = random.Random(seed), SORTS[seed % 3]
    session = replace(_session(sort, "300"), match="bughouse", play="blitz")
    boards: dict[c.BoardId, BughouseBoard] = {"A": BughouseBoard(), "B": BughouseBoard()}
    played: list[c.AnyInput] = []
    if seed // 3 % 2:
        match = play_match(seed, 300, PLAYERS if seed // 6 % 2 else replace(PLAYERS, choose_drops=False))
        played = list(match_inputs(match, sort))  # type: ignore[arg-type]
        played = played[: len(played) // 2]
        ms = played[-1].ms
        for name, game in match.games.items():
            begun = max((gesture.ply for gesture in game.gestures if gesture.ms <= ms), default=1)
            boards[name] = game.board.copy()
            while len(boards[name].move_stack) >= begun:
                boards[name].pop()
    ms = played[-1].ms if played else 0
    heard = []
    for name, board in boards.items():
        table = Table(rng, sort, _stands(board), ms)
        heard.append([replace(item, board=name) for item in _heard(table, kind, inputs // 2)])
    return Noise(session, [*played, *merge(*heard, key=lambda item: item.ms)])


def chattering(seed: int, plies: int = PLIES) -> Noise:
    """A real game, all along which one sensor chatters."""
    rng = random.Random(seed)
    sort: Sort = SORTS[seed % 4]
    clock = CLOCK if seed // 4 % 2 else None
    items = _game(seed, sort, clock, plies)
    square, name = (at := rng.randrange(64)), chess.SQUARE_NAMES[at]
    each = rng.choice([7, 60, 250, 1000])
    told: list[c.AnyInput] = []
    stands, ms = bool(chess.BB_SQUARES[square] & chess.Board().occupied), 0
    shown: Sequence[str | None] = {"identity": ["P", "n"], "colour": ["w", "b"]}.get(sort, [None])
    for item in items:
        while sort != "scans" and ms + each < item.ms and len(told) < 3000:
            ms += each
            stands = not stands
            told.append(c.Place(ms=ms, square=name, piece=rng.choice(shown)) if stands else c.Lift(ms=ms, square=name))
        if isinstance(item, c.Frame):
            stands = not stands if item.ms >= ms + each else stands
            ms = item.ms if item.ms >= ms + each else ms
            bit = chess.BB_SQUARES[square]
            occupied = int(item.occupied, 16)
            item = replace(item, occupied=f"{occupied | bit if stands else occupied & ~bit:016x}")
        told.append(item)
    return Noise(_session(sort, clock), told)


def _session(sort: Sort, clock: str | None) -> c.Session:
    senses: c.Senses = "occupancy" if sort == "scans" else sort
    return c.Session(version=1, senses=senses, clock=clock)


def _heard(table: Table, kind: str, inputs: int) -> list[c.AnyInput]:
    for _ in KINDS[kind](table):
        if len(table.reported) >= inputs:
            break
    return table.reported[:inputs]


def _stands(board: chess.Board) -> dict[chess.Square, str]:
    return {square: piece.symbol() for square, piece in board.piece_map().items()}


def _game(seed: int, sort: Sort, clock: str | None, plies: int) -> list[c.AnyInput]:
    gestures = play(chess.Board(), random_game(seed, plies), replace(HONEST, press=clock is not None), seed)
    if sort == "scans":
        return list(scans(gestures, chess.Board(), SCAN_MS, bounce_ms=6, seed=seed, idle=False))
    return list(touches(gestures, sort))


def _begun(
    seed: int, sort: Sort, clock: str | None, begins: Begins
) -> tuple[list[c.AnyInput], dict[chess.Square, str], int]:
    """What was reported so far, what stands on the board now, and when that is."""
    if begins == "start":
        return [], _stands(chess.Board()), 0
    moves, board = random_game(seed, PLIES), chess.Board()
    played = _game(seed, sort, clock, PLIES)
    gestures = play(chess.Board(), moves, replace(HONEST, press=clock is not None), seed)
    half = len(moves) // 2
    ms = max(gesture.ms for gesture in gestures if gesture.ply <= half)
    for move in moves[:half]:
        board.push(move)
    played = [item for item in played if item.ms <= ms]
    if begins == "middle":
        return played, _stands(board), ms + 1
    for move in moves[half : half + 2]:
        board.push(move)
    readings = [board.piece_at(square) for square in chess.SQUARES]
    letters = {"identity": lambda piece: piece.symbol(), "colour": lambda piece: "w" if piece.color else "b"}
    letter = letters.get(sort, lambda _: "x")
    shown = "".join("." if piece is None else letter(piece) for piece in readings)
    gap: list[c.AnyInput] = [c.Unseen(ms=ms + 1), c.Seen(ms=ms + 5000, shown=shown)]
    return [*played, *gap], _stands(board), ms + 5001
