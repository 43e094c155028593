"""Absurd hands, presses and rulings: whatever comes in, the game neither raises nor stalls nor contradicts itself.

Each walk has a seed, and is one game after the other: a result is taken back, or the next session begins.
``JADOUBE_STEPS=1000000 pytest tests/core/test_stateful.py`` takes the long way; a walk that fails names its seed, and
``JADOUBE_SEED`` walks that one alone.
"""

import os
import random
import time
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import chess
import pytest
from msgspec.structs import replace
from shorthand import seen, session

from controller import contract as c
from controller import wire
from controller.game import Game
from controller.laws.editions import profile
from controller.laws.reports import reportable
from controller.position import EMPTY
from controller.sensing.readings import UNKNOWN

pytestmark = pytest.mark.slow

STEPS = int(os.environ.get("JADOUBE_STEPS", "480"))
WALK = 120  #: steps of one walk
ENDED = 4  #: inputs after a result before the next session begins, if nobody takes it back
STALL_S = 2.0  #: of the processor's time: no input may take longer; most take a few microseconds

BEGINNINGS = (
    "startpos",
    "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9",
    "1n5k/P1P5/8/8/8/8/1p6/K1N5 w - - 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2",
    "4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1",  # both kings in check, as an arbiter may find them
    "k7/8/8/8/8/8/8/K6P w - - 0 1",  # a pawn on its first rank
    "8/8/8/8/8/8/8/8 w - - 0 1",  # no king to move
)
OF_CHESS960 = (
    "nqbnrkrb/pppppppp/8/8/8/8/PPPPPPPP/NQBNRKRB w GEge - 0 1",  # king and rook change places
    "rk5r/pp4pp/8/8/8/8/PP4PP/RK5R w HAha - 0 1",  # a step on one side, a leap on the other
    "r4kr1/8/8/8/8/8/8/2R1K1R1 b Gg - 0 1",
    "1r3rkb/8/8/8/8/8/8/R1KR4 w Ab - 0 1",  # the king stands still
    "4k2r/4R3/8/8/8/8/4r3/1R2K2R w HBh - 0 1",  # both kings in check
)
CLOCKS = (None, "300+2", "5", "40/60:30", "2/9:1/9:9+1", "60d3", "60b3", "*30", "100", "5400+30")
REPORTS = (*reportable(profile(session()), match=False), "anything")
PLAIN = {
    "reports": (
        *(
            "two-hands",
            "wrong-array",
            "turned-board",
            "colours-reversed",
            "touch-move",
            "released-move",
            "castling-order",
        ),
        *("promotion-changed", "out-of-turn", "adjust-out-of-turn", "clock-misuse", "anything"),
    ),
    "claims": ("touch-move", "illegal-move", "flag", "threefold", "fifty-moves", "fourfold", "quickplay"),
    "scores": ("1-0", "0-1", "1/2-1/2"),
    "rulings": (
        *("pause", "resume", "resume", "resume", "uphold", "uphold", "dismiss", "dismiss", "set-clock"),
        *("undo", "report", "report", "result", "neutralise"),
    ),
}
"""What is said at a board where an arbiter rules and reports no more than what is played."""


class Hands:
    """Hands that play legal moves, half of one, or nonsense, rulings that answer nothing, and corrections."""

    def __init__(self, hands: random.Random, plain: bool = False, variant: c.Variant = "standard") -> None:
        """``plain``: of what is said, only :data:`PLAIN`."""
        self.random = hands
        self.plain = plain
        self.says = PLAIN if plain else ALL_SAID
        pick = self.random.choice
        self.session = session(
            pick(OF_CHESS960 if variant == "chess960" else BEGINNINGS),
            variant=variant,
            laws=pick(get_args(c.Edition)),
            play=pick(get_args(c.Play)),
            senses=pick(get_args(c.Senses)),
            supervised=pick([True, False]),
            clock=pick(CLOCKS),
            announced=pick([(), ("quickplay",)]),
            settings=c.Settings(apply_penalties=pick([True, False]), default_time_ms=pick([None, None, 3000])),
        )
        self.sense = pick([0.2, 0.4, 0.8])  #: how often what comes next is a move
        self.ms = 0
        self.setting_up = self.session.senses == "identity" and self.random.random() < 0.3
        self.near = [pick(chess.SQUARE_NAMES) for _ in range(6)]

    def next(self, game: Game) -> list[c.AnyInput]:
        """What comes next: one input, or the few that make a move, or that exchange pieces before the first one."""
        if self.setting_up:
            self.setting_up = False
            return self.exchange(game)
        if game.state.result is not None and self.random.random() < 0.4:
            return [c.Arbiter(ms=self.ms, do="undo")]
        self.ms += self.random.choice([0, 0, 5, 20, 60, 150, 300, 500, 2000])
        if self.random.random() < 0.01:
            self.ms += 100_000
        if self.random.random() < 0.02:
            self.near = [self.random.choice(chess.SQUARE_NAMES) for _ in range(6)]
        if self.random.random() < self.sense and (moves := game.state.position.legal()):
            return self.move(game, self.random.choice(moves))
        return [self.nonsense(game)]

    def move(self, game: Game, move: chess.Move) -> list[c.AnyInput]:
        """A legal move of the position that the game is in, often in odd order or with a part missing."""
        position, names = game.state.position, chess.SQUARE_NAMES
        edges: list[c.AnyInput] = []
        for square, symbol in position.changes(move):
            if position.symbol(square) != EMPTY:
                edges.append(c.Lift(ms=self.ms, square=names[square]))
            if symbol != EMPTY:
                piece = seen(symbol, self.session.senses) or None
                edges.append(c.Place(ms=self.ms, square=names[square], piece=piece))
        if self.random.random() < 0.3:
            self.random.shuffle(edges)
        edges = [edge for edge in edges if self.random.random() < 0.95]
        if self.random.random() < 0.6:
            edges.append(c.Press(ms=self.ms, side=game.state.turn.side))
        return edges

    def exchange(self, game: Game) -> list[c.AnyInput]:
        """Two pieces of the first position stand on each other's squares."""
        position, names = game.state.position, chess.SQUARE_NAMES
        pieces = [square for square in chess.SQUARES if position.symbol(square) != EMPTY]
        if len(pieces) < 2:
            return []
        one, two = (chess.D1, chess.E1) if {chess.D1, chess.E1} <= {*pieces} else self.random.sample(pieces, 2)
        return [
            c.Place(ms=self.ms, square=names[square], piece=position.symbol(other))
            for square, other in ((one, two), (two, one))
        ]

    def nonsense(self, game: Game) -> c.AnyInput:
        pick, ms = self.random.choice, self.ms
        square = pick(self.near) if self.random.random() < 0.7 else pick(chess.SQUARE_NAMES)
        side: c.Side = pick([c.WHITE, c.BLACK])
        by: Any = pick([None, None, None, side])
        piece = seen(pick("PNBRQKpnbrqk"), self.session.senses) or None
        kinds: dict[Any, float] = {
            c.Lift(ms=ms, square=square, side=by): 20,
            c.Place(ms=ms, square=square, piece=piece, side=by): 17,
            c.Contact(ms=ms, square=square, side=by): 5,
            c.Frame(ms=ms, occupied=self.scan(game)): 6,
            c.Sensor(ms=ms, square=square, works=pick([True, False])): 2,
            c.Press(ms=ms, side=side): 8,
            c.Pause(ms=ms, side=side): 1,
            c.Adjust(ms=ms, side=side): 2,
            c.Choose(ms=ms, side=side, piece=pick("qrbnp")): 2,
            c.Claim(
                ms=ms,
                side=side,
                of=pick(self.says["claims"]),
                move=pick([None, "e2e4", "nonsense"]),
                increment=pick([False, False, True]),
            ): 2,
            c.Draw(ms=ms, side=side, act=pick(["offer", "offer", "accept", "decline"])): 1,
            self.ruling(side, game): 8,
            self.correction(game): 2,
            c.Time(ms=ms): 2,
            c.Outage(ms=ms, away_ms=pick([None, 60_000])): 0.5,
            c.Resign(ms=ms, side=side): 0.1,
        }
        if self.session.match is None:
            white_ms, running = pick([0, 500, 90_000]), pick([side, None])
            kinds[c.Reading(ms=ms, white_ms=white_ms, black_ms=30_000, running=running)] = 0.5
        return self.random.choices(list(kinds), list(kinds.values()))[0]

    def ruling(self, side: c.Side, game: Game) -> c.Arbiter:
        pick = self.random.choice
        ruling = c.Arbiter(
            ms=self.ms,
            do=pick(self.says["rulings"]),
            side=pick([side, side, None]),
            kind=pick(self.says["reports"]),
            result=pick([None, *self.says["scores"]]) if self.random.random() < 0.3 else None,
            white_ms=pick([None, 0, 60_000]),
            black_ms=pick([None, None, 5000]),
            white_add_ms=pick([None, None, 120_000, -120_000]),
            black_moves=pick([None, None, 0, 1, 39]),
            reason=pick([None, "words"]),
        )
        if self.plain:
            return ruling
        return replace(
            ruling,
            text=pick(["", "", "words"]),
            witnesses=pick([(), (), ("Eva",)]),
            answers=pick([None, None, "1", str(game.state.numbered)]),
            insist=pick([True, False]),
            extra=pick([True, False]),
            replaced=pick([False, False, True]),
        )

    def correction(self, game: Game) -> c.Arbiter:
        """Another move than the record has, most often a legal one; of the last moves, or further back."""
        pick, made = self.random.choice, game.state.made
        back = min(self.random.choice([0, 1, 1, 2, 5]), len(made))
        before = made[-back].before if back else game.state.position
        moves = [move.uci() for move in before.legal() if not move.drop] or ["a1a1"]
        return c.Arbiter(
            ms=self.ms,
            do="correct",
            ply=(made[-back].ply or 1) if back else 1 + sum(bool(each.move) for each in made),
            moves=(pick(moves), *pick([(), (), ("e7e5",)])),
            replaces=pick([None, None, 0, 1, 2]),
        )

    def scan(self, game: Game) -> str:
        """Most often the board as it is seen, a few squares flickering."""
        if self.random.random() < 0.2:
            return f"{self.random.getrandbits(64):016x}"
        occupied = sum(1 << square for square in chess.SQUARES if game.state.readings[square] != EMPTY)
        for _ in range(self.random.randrange(4)):
            occupied ^= 1 << self.random.randrange(64)
        return f"{occupied:016x}"


ALL_SAID = {
    "reports": REPORTS,
    "claims": get_args(get_type_hints(c.Claim)["of"]),
    "scores": get_args(c.Score),
    "rulings": (*PLAIN["rulings"], *(do for do in get_args(c.Ruling) if do not in (*PLAIN["rulings"], "correct"))),
}


class Reader:
    """Somebody who believes every event, and notices when two contradict each other."""

    def __init__(self, start: chess.Board) -> None:
        self.fen, self.shuffled = start.fen(), start.chess960
        self.ms = 0
        self.moves: list[c.Move] = []
        self.irregular = False  #: an illegal move was completed: what follows need not be legal from what was before

    def read(self, event: c.AnyEvent) -> None:
        assert wire.decode_event(wire.encode(event)) == event
        assert event.ms >= self.ms, f"time went back from {self.ms}: {event}"
        self.ms = event.ms
        if isinstance(event, c.Illegal) and event.completed:
            self.irregular = True
        elif isinstance(event, c.Move):
            self.made(event)
        elif isinstance(event, c.Retract):
            self.taken_back(event)
        elif isinstance(event, c.Displaced | c.Restored) and event.fen is not None:
            self.fen = event.fen
        elif isinstance(event, c.Obligation):
            assert event.moves == sorted(event.moves)
            assert event.moves or event.must in ("none", "free"), f"nothing meets it: {event}"
        elif isinstance(event, c.Violation) and event.kind == "touch-move" and event.basis is None:
            assert event.owed and event.uci not in event.owed, f"that was owed: {event}"

    def taken_back(self, event: c.Retract) -> None:
        """The move made last; one that stood though illegal may have been said after its reply."""
        assert chess.Board(event.fen)
        at = next((i for i in reversed(range(len(self.moves))) if self.moves[i].uci == event.uci), None)
        assert at is not None, f"nothing to take back: {event}"
        assert self.irregular or at == len(self.moves) - 1, f"not the move made last: {event}"
        del self.moves[at]
        self.fen = event.fen

    def made(self, move: c.Move) -> None:
        after = chess.Board(move.fen)
        assert after.turn == (move.side == c.BLACK), f"the same player has the move again: {move}"
        if not self.irregular:
            assert move.ply == len(self.moves) + 1, f"after {len(self.moves)} moves: {move}"
            before = chess.Board(self.fen, chess960=self.shuffled)
            legal = chess.Move.from_uci(move.uci)
            assert legal in before.legal_moves, f"not legal in {before.fen()}: {move}"
            assert move.san == before.san(legal)
            before.push(legal)
            assert before.fen() == move.fen
        self.moves.append(move)
        self.fen = move.fen


Step = tuple[Game, c.AnyInput | None, list[c.AnyEvent]]


def walk(seed: int, steps: int = WALK, variant: c.Variant = "standard") -> Iterator[Step]:
    """Each input with what came of it; None for the end of a log. The next game begins with another one."""
    source = random.Random(seed if variant == "standard" else f"{variant} {seed}")
    while steps > 0:
        hands = Hands(source, variant=variant)
        game, over = Game(hands.session), 0
        while steps > 0 and over < ENDED:
            steps -= 1
            for item in hands.next(game):
                yield game, item, game.handle(item)
            over = 0 if game.state.result is None else over + 1
        yield game, None, game.finish()


def logs(seed: int) -> list[tuple[c.Session, list[c.AnyInput], list[c.AnyEvent]]]:
    """The games of a walk: each with its session, its inputs and its events."""
    games: dict[int, tuple[c.Session, list[c.AnyInput], list[c.AnyEvent]]] = {}
    kept = []
    for game, item, events in walk(seed):
        kept.append(game)  # or its id might be given again
        _, log, said = games.setdefault(id(game), (game.session, [], []))
        log += [item] if item is not None else []
        said += events
    return list(games.values())


def seeds() -> list[int]:
    if "JADOUBE_SEED" in os.environ:
        return [int(os.environ["JADOUBE_SEED"])]
    return list(range(max(STEPS // WALK, 1)))


@pytest.mark.parametrize("variant", get_args(c.Variant))
def test_the_game_never_raises_nor_stalls_nor_contradicts_itself(variant: c.Variant) -> None:
    wrong = []
    for seed in seeds():
        known, since = None, time.process_time()
        try:
            for game, item, events in walk(seed, variant=variant):
                took, since = time.process_time() - since, time.process_time()
                assert took < STALL_S, f"{item} took {took:.1f} s"
                if game is not known:
                    known, reader = game, Reader(Game(game.session).state.position.board)
                for event in events:
                    reader.read(event)
        except Exception as error:
            wrong.append(f"JADOUBE_SEED={seed}: {type(error).__name__}: {error}"[:400])
    assert not wrong, "\n".join([f"{len(wrong)} of {len(seeds())} walks", *wrong[:10]])


def test_nothing_is_held_against_a_square_that_is_not_seen() -> None:
    for seed in seeds()[:5]:
        for game, _, _ in walk(seed):
            state = game.state
            unknown = sum(1 << square for square, reading in enumerate(state.readings) if reading == UNKNOWN)
            assert unknown == state.faulty == sum(1 << square for square in state.faulty_sensors)
            assert not state.faulty & (state.mismatch | state.not_by_mover)


def test_the_same_inputs_give_the_same_bytes() -> None:
    for seed in seeds()[:2]:
        for played, log, first in logs(seed):
            game = Game(played)
            second = [event for item in log for event in game.handle(item)] + game.finish()
            assert [wire.encode(event) for event in second] == [wire.encode(event) for event in first]


def test_time_may_pass_in_steps_of_any_size() -> None:
    """A live caller sends the time whenever it likes, and learns of the same events at the same instants."""
    for seed in seeds()[:2]:
        for played, log, first in logs(seed):
            if any(isinstance(item, c.Frame) for item in log):
                log = [item for item in log if not isinstance(item, c.Frame)]
                game = Game(played)
                first = [event for item in log for event in game.handle(item)] + game.finish()
            game, second, ms = Game(played), [], 0
            for item in log:
                for between in range(ms + 97, min(item.ms, ms + 3000), 97):
                    second += game.handle(c.Time(ms=between))
                second += game.handle(item)
                ms = item.ms
            second += game.finish()
            assert [wire.encode(event) for event in second] == [wire.encode(event) for event in first]


@pytest.mark.parametrize("seed", seeds()[:5])
def test_the_deadline_is_when_something_comes_of_time_alone(seed: int) -> None:
    """Just before it nothing happens; without one nothing ever does."""
    for game, _, _ in walk(seed, 40):
        due = game.deadline
        if due is None:
            continue
        if due > game.state.now + 1:
            assert game.handle(c.Time(ms=due - 1)) == []
