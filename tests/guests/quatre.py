"""Four people at blitz à quatre: two boards at once, drops, and what two sensor boards make of it all.

Everything is lawful: nobody uses a piece before his partner's press (18), nobody lets a dropped piece go twice (17), a
promoted pawn stays on the board as it is (9). ``named``: buttons say what is dropped and what a pawn becomes.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

import chess

from guests import habits, judge, sensors, stocks
from guests.evening import EDITIONS
from guests.habits import Player, Turn
from guests.sensors import Line
from guests.stocks import BOARDS, OTHER, Pair
from guests.wood import Wood, set_up

CLOCK, LONG_CLOCK = "180", "900"  #: three minutes (2); and for boards on which everything takes longer
PATIENCE_MS = 150_000  #: they agree to a draw before a flag can fall


class Quatre(NamedTuple):
    """One match as it was played."""

    start: chess.Board
    truth: dict[str, list[str]]
    woods: dict[str, Wood]
    named: bool
    mate: str | None  #: the board on which it ended
    outcome: str | None  #: what the match event ought to say, if there is one
    supervised: bool
    seed: int

    def session(self, clock: str = CLOCK) -> Line:
        """The first line of its log."""
        laws = EDITIONS[self.seed % len(EDITIONS)]
        match: Line = {"match": "bughouse", "laws": laws, "play": "blitz", "supervised": self.supervised}
        return {**match, "senses": "occupancy", "clock": clock}


def play(seed: int, *, named: bool, neat: bool = False) -> Quatre:
    """Each of the four at his own pace. Who moves first in time plays his ply; what he takes is passed on after it."""
    rng, pair, start = random.Random(seed), Pair(), chess.Board()
    woods = {name: set_up(start, 2 * seed + index) for index, name in enumerate(BOARDS)}
    manners = (1.0,) if neat else (0.3, 0.6, 0.9)
    people = {
        (name, color): Player(rng.choice((0.3, 0.5, 0.8, 1.1)), rng.choice(manners), buttons=named)
        for name in BOARDS
        for color in chess.COLORS
    }
    truth: dict[str, list[str]] = {name: [] for name in BOARDS}
    used: Counter[tuple[str, chess.Color]] = Counter()
    limit, earliest = rng.randint(40, 60), rng.randint(22, 34)
    mate: str | None = None
    while mate is None:
        name = min(BOARDS, key=lambda board: woods[board].ms)
        wood, board = woods[name], pair.boards[name]
        begun = wood.plies[-1] if wood.plies else 0
        if len(truth[name]) >= limit or used[name, board.turn] + wood.ms - begun > PATIENCE_MS:
            break
        pair.hand_over(name, wood.ms)
        if not any(board.legal_moves):
            if pair.stuck(name) and pair.stuck(OTHER[name]):
                break
            wood.ms = pair.coming(name) or woods[OTHER[name]].ms + 1
            continue
        move = stocks.choice(rng, board, seeks_mate=len(truth[name]) >= earliest, only_queens=not named)
        if stocks.mates(board, move):
            mate = name
        # a mate needs no press (18), but some press all the same, and a silent queen wants one
        presses = mate is None or (bool(move.promotion) and not named) or rng.random() < 0.3
        ply(Turn(wood, board.copy(stack=False), move, replace(people[name, board.turn], presses=presses)))
        used[name, board.turn] += wood.ms - begun
        truth[name].append(move.uci())
        pair.push(name, move, wood.ms + rng.randint(60, 900))
        if not wood.fits(board):
            raise AssertionError(f"seed {seed}: the hands did not play {move} as {board.fen()} has it")
    supervised = rng.random() < 0.5
    return Quatre(start, truth, woods, named, mate, end(rng, pair, woods, mate, supervised), supervised, seed)


def end(rng: random.Random, pair: Pair, woods: dict[str, Wood], mate: str | None, supervised: bool) -> str | None:
    """After a mate the other game is stopped (12); else all four agree (15), or the log just ends."""
    now = max(wood.ms for wood in woods.values())
    if mate:
        wood, winner = woods[OTHER[mate]], not pair.boards[mate].turn
        wood.ms = now + rng.randint(300, 2000)
        if supervised:
            wood.say(type="arbiter", do="neutralise")
        else:
            wood.say(type="pause", side=rng.choice(chess.COLOR_NAMES))
        return "team-1" if (mate == "A") == winner else "team-2"
    if rng.random() < 0.5:
        return None
    for name, side, act in (("A", "white", "offer"), ("B", "black", "offer"), ("A", "black", "accept")):
        now += rng.randint(400, 1500)
        woods[name].ms = now
        woods[name].say(type="draw", side=side, act=act)
    woods["B"].ms = now + rng.randint(400, 1500)
    woods["B"].say(type="draw", side="white", act="accept")
    return "draw"


# -- hands ---------------------------------------------------------------------------------------------------------


def ply(turn: Turn) -> None:
    """As at any club evening, but for drops, promotions, and a piece now and then pushed over the line."""
    wood, board, move, player = turn
    untidy = wood.rng.random() > player.neat
    if not (move.drop or move.promotion):
        if (
            stocks.stock(board) and wood.rng.random() < 0.04
        ):  # a piece is taken up, named, and laid back: binds nobody (17)
            wood.wait(200, 1500 * player.pace)
            name(turn, wood.rng.choice(stocks.stock(board)))
        near = chess.square_distance(move.from_square, move.to_square) == 1 and not board.is_castling(move)
        if not (near and untidy and not board.is_capture(move) and wood.rng.random() < 0.2):
            habits.ply(turn)
            return
    wood.wait(300 * player.pace, 4000 * player.pace)
    if untidy and move.promotion:
        habits.before(turn)
    elif untidy and move.drop:
        wood.rng.choice([habits.sleeve, habits.brush, habits.straighten, habits.stuck_piece])(turn)
        wood.wait(150, 1500 * player.pace)
    (drop if move.drop else promote if move.promotion else push_over)(turn)
    if player.presses:
        habits.press(turn)
    wood.plies.append(wood.ms)


def name(turn: Turn, kind: chess.PieceType) -> None:
    """The button, for those who use it."""
    if turn.player.buttons:
        turn.wood.say(type="choose", side=chess.COLOR_NAMES[turn.board.turn], piece=chess.piece_symbol(kind))


def drop(turn: Turn) -> None:
    """Named before, perhaps another first, or as soon as it stands; a neighbour may be knocked meanwhile."""
    wood, target, kind, pace = turn.wood, turn.move.to_square, turn.move.drop or chess.PAWN, turn.player.pace
    before = wood.rng.random() < 0.8
    if before:
        if wood.rng.random() < 0.1:
            name(turn, wood.rng.choice(stocks.stock(turn.board)))
            wood.wait(300, 1500)
        name(turn, kind)
        wood.wait(150, 1200 * pace)
    wood.wait(100, 700 * pace)
    near = [square for square in sorted(wood.squares) if chess.square_distance(square, target) == 1]
    if near and wood.rng.random() > turn.player.neat and wood.rng.random() < 0.4:
        knocked = wood.rng.choice(near)
        piece = wood.up(knocked)
        wood.wait(*habits.BRUSH)
        wood.down(knocked, piece)
        wood.wait(0, 250)
    habits.set_down(turn, chess.Piece(kind, turn.board.turn).symbol())
    if not before:
        wood.wait(40, 300)
        name(turn, kind)


def promote(turn: Turn) -> None:
    """The pawn stays there, as what its owner calls it (9): before, or when it stands."""
    wood, target, kind = turn.wood, turn.move.to_square, turn.move.promotion or chess.QUEEN
    before, victim_first = wood.rng.random() < 0.5, wood.rng.random() < 0.5
    if before:
        name(turn, kind)
        wood.wait(150, 900)
    if victim_first and target in wood.squares:
        wood.up(target)
        wood.wait(150, 900)
    pawn = wood.up(turn.move.from_square)
    wood.wait(100, 900)
    if target in wood.squares:
        wood.up(target)
        wood.wait(60, 900)
    habits.set_down(turn, pawn)
    wood.squares[target] = chess.Piece(kind, turn.board.turn).symbol()  # a pawn still; everybody calls it by its name
    if not before:
        wood.wait(100, 900)
        name(turn, kind)


def push_over(turn: Turn) -> None:
    """To the next square over the line: there it is seen before it is gone from here."""
    turn.wood.down(turn.move.to_square, turn.wood.squares[turn.move.from_square])
    turn.wood.wait(5, 60)
    turn.wood.up(turn.move.from_square)


# -- what the boards send ------------------------------------------------------------------------------------------


def both(match: Quatre, lines: Callable[[Wood, int], Iterable[Line]], clock: str = CLOCK) -> list[Line]:
    """The log of the match, each line with its board."""
    tagged = [
        {**line, "board": board}
        for index, (board, wood) in enumerate(match.woods.items())
        for line in lines(wood, 2 * match.seed + index)
    ]
    return sensors.log(match.session(clock), tagged)


def by_touches(seed: int, named: bool) -> tuple[Quatre, list[Line]]:
    """Boards that report each change."""
    match = play(seed, named=named)
    return match, both(match, lambda wood, _: sensors.edges(wood, match.start, "occupancy"))


def by_scans(seed: int, named: bool) -> tuple[Quatre, list[Line]]:
    """Boards of wires whose contacts bounce for up to 6 ms, scanned each 5 ms."""
    match = play(seed, named=named)
    return match, both(match, lambda wood, own: sensors.scans(wood, match.start, bounce_ms=6, seed=own))


def by_slow_scans(seed: int, named: bool) -> tuple[Quatre, list[Line]]:
    """Slow boards, tidy people: each change is one scan, 200 to 250 ms after the one before on that board. All that
    comes later on either board comes later by as much, so that nothing overtakes anything.
    """
    match, rng = play(seed, named=named, neat=True), random.Random(seed)
    happened: list[tuple[int, str, chess.Square | None, str | Line]] = []
    for board, wood in match.woods.items():
        happened += [(ms, board, square, piece) for ms, square, piece in wood.changes]
        happened += [(int(str(word["ms"])), board, None, word) for word in wood.words]
    picture, last, shift = dict.fromkeys(BOARDS, match.start.occupied), dict.fromkeys(BOARDS, 0), 0
    said: Line
    lines: list[Line] = [{"ms": 0, "board": b, "type": "frame", "occupied": f"{p:016x}"} for b, p in picture.items()]
    for at, board, square, what in sorted(happened, key=lambda item: item[0]):
        if isinstance(what, str) and square is not None:
            bit = 1 << square
            after = picture[board] | bit if what else picture[board] & ~bit
            if after == picture[board]:
                continue
            picture[board], said = after, {"type": "frame", "occupied": f"{after:016x}"}
        else:
            said = dict(what) if isinstance(what, dict) else {}
        last[board] = max(at + shift, last[board] + rng.randint(200, 250))
        shift = last[board] - at
        lines.append({**said, "ms": last[board], "board": board})
    return match, sensors.log(match.session(LONG_CLOCK), lines)


# -- what is told --------------------------------------------------------------------------------------------------


def squares(uci: str) -> str:
    """The move as the squares show it: not what was dropped, nor what a pawn became."""
    return uci[1:] if uci[1] == "@" else uci[:4]


def record(events: list[Line], board: str) -> list[str]:
    """The moves told of a board, less those taken back."""
    moves: list[str] = []
    for event in events:
        if event.get("board") == board and event["type"] == "move":
            moves.append(str(event["uci"]))
        elif event.get("board") == board and event["type"] == "retract" and moves:
            moves.pop()
    return moves


def compare(match: Quatre, verdict: judge.Verdict) -> tuple[Counter[str], list[str]]:
    """What is right and what is not, counted and in words. Silent drops need only be told where they were. A board is
    ``open`` where the first move that is missing or wrong was said to be one of several that the sensors allow.
    """
    count, wrong, events = Counter(accused=int(bool(verdict.accused))), list[str](), verdict.events
    if verdict.accused:
        first, more = verdict.accused[0], len(verdict.accused) - 1
        wrong.append(f"{first['board']} {first['ms']} ms: {first['kind']} of {first['side']}, and {more} more")
    for kind in ("displaced", "stalled"):
        count[kind] = sum(event["type"] == kind for event in events)
    count["open"] = count["unrecorded"] = 0
    for board, truth in match.truth.items():
        told = record(events, board)
        drops = [index for index, uci in enumerate(truth) if "@" in uci]
        places = [squares(uci) for uci in told], [squares(uci) for uci in truth]
        count["plies"] += len(truth)
        count["plies_right"] += judge.right_plies(told, truth)
        count["squares_right"] += judge.right_plies(*places)
        count["drops"] += len(drops)
        count["drops_named_right"] += sum(told[index : index + 1] == [truth[index]] for index in drops)
        got, want = (told, truth) if match.named else places
        if got != want:
            at = next((i for i, uci in enumerate(want) if got[i : i + 1] != [uci]), len(want))
            several = [event["moves"] for event in events if event["type"] == "ambiguous" and event["board"] == board]
            is_open = any(truth[at : at + 1] == [uci] for moves in several if isinstance(moves, list) for uci in moves)
            count["open" if is_open else "unrecorded"] += 1
            said = f"{truth[at : at + 3]}, told {told[at : at + 3]}"
            wrong.append(f"{board} ply {at + 1} of {len(truth)}{' (open)' * is_open}: {said}")
        ended = any(event["type"] == "result" and event.get("board") == board for event in events)
        count["false_results"] += ended and match.mate != board and match.outcome != "draw"
    ends = [event["result"] for event in events if event["type"] == "match"]
    count["ends_right"] = int(ends == ([match.outcome] if match.outcome else []))
    count["bad"] = int(bool(count["accused"] or count["unrecorded"]))
    return count, wrong
