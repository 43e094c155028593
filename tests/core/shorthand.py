"""Session logs in short, as the tests of the core write them: ``1000 lift e2; 1500 place e4; 2500 press white``."""

from typing import Any, TypeVar

import chess

from controller import contract as c
from controller.game import Game

T = TypeVar("T", bound=c.AnyEvent)

MIDDLEGAME = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
CASTLING = "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9"
PROMOTION = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
CLOCK = "5400+30"

ARGUMENTS = {
    c.Lift: ("square",),
    c.Place: ("square", "piece"),
    c.Contact: ("square",),
    c.Frame: ("occupied",),
    c.Sensor: ("square", "works"),
    c.Press: ("side",),
    c.Pause: ("side",),
    c.Adjust: ("side",),
    c.Choose: ("side", "piece"),
    c.Claim: ("side", "of"),
    c.Draw: ("side", "act"),
    c.Resign: ("side",),
    c.Arbiter: ("do",),
    c.Time: (),
    c.Unseen: (),
    c.Seen: ("shown",),
}
WORKS = {"works": True, "dead": False}
TYPES = {kind.__struct_config__.tag: kind for kind in ARGUMENTS}


def inputs(log: str) -> list[c.AnyInput]:
    """One input for each ``MS TYPE ARGUMENTS`` between semicolons; ``side=white`` names a field."""
    return [_input(words) for part in log.split(";") if (words := part.split())]


def _input(words: list[str]) -> c.AnyInput:
    kind = TYPES[words[1]]
    plain = [WORKS.get(word, word) for word in words[2:] if "=" not in word]
    named = dict(word.split("=") for word in words[2:] if "=" in word)
    return kind(ms=int(words[0]), **dict(zip(ARGUMENTS[kind], plain, strict=False)), **named)


def session(fen: str = "startpos", **fields: Any) -> c.Session:
    return c.Session(version=1, fen=fen, **fields)


def play(log: str, fen: str = "startpos", **fields: Any) -> list[c.AnyEvent]:
    """Every event of the log and of the five seconds after it."""
    game = Game(session(fen, **fields))
    return [event for item in inputs(log) for event in game.handle(item)] + game.finish()


def only(kind: type[T], events: list[c.AnyEvent]) -> list[T]:
    return [event for event in events if isinstance(event, kind)]


def record(events: list[c.AnyEvent]) -> list[str]:
    """The moves that stand in the end: those made, without those taken back."""
    moves: list[str] = []
    for event in events:
        if isinstance(event, c.Move):
            moves.append(event.uci)
        elif isinstance(event, c.Retract):
            assert moves.pop() == event.uci, "only the move made last is taken back"
    return moves


def accusations(events: list[c.AnyEvent]) -> list[c.AnyEvent]:
    return [event for event in events if isinstance(event, c.Violation | c.Illegal | c.Penalty)]


def seen(symbol: str, senses: str) -> str:
    """How a log of that kind of board names a piece: a FEN letter, ``w`` or ``b``, or nothing."""
    if senses == "occupancy":
        return ""
    return symbol if senses == "identity" else "w" if symbol.isupper() else "b"


def scan(board: chess.Board) -> str:
    """One raw scan of the board."""
    return f"{board.occupied:016x}"
