"""What an event rests on, in words: what the board and the clock measured, and apart from it what was inferred."""

from collections.abc import Sequence

import chess

from controller.contract import (
    WHITE,
    AnyEvent,
    Arrival,
    Claimed,
    Displaced,
    Flag,
    Illegal,
    Move,
    Obligation,
    Other,
    Restored,
    Result,
    Stalled,
    Violation,
    other,
)
from controller.words.context import Context, Turn
from controller.words.language import Language
from controller.words.options import waiting

LIKELY = (
    (0.97, "almost certain"),
    (0.85, "very likely"),
    (0.65, "likely"),
    (0.45, "as likely as not"),
    (0.0, "one of several"),
)
"""From which confidence on a thing is called so."""
ALIKE = 1.5  #: up to so many times less likely is as likely
LINE_SAID = 16  #: moves of a line to mate that are said
SQUARES_EXPECTED = 6  #: of more displaced squares it is not said what should stand there


def measured(event: AnyEvent, to: Language, seen: Context) -> tuple[str, ...]:
    """What the sensors and the clock showed, and what a person said, each in a phrase."""
    said = spoken(getattr(event, "text", ""), getattr(event, "witnesses", ()), to)
    return (*_sensed(event, to, seen), *said)


def spoken(text: str, witnesses: Sequence[str], to: Language) -> tuple[str, ...]:
    """What an arbiter said to it in his own words, and who saw it."""
    said = [to.text("measured", "in his words", text=text)] if text else []
    return (*said, *([to.text("measured", "witnesses", names=to.both(witnesses))] if witnesses else []))


def _sensed(event: AnyEvent, to: Language, seen: Context) -> tuple[str, ...]:
    match event:
        case Illegal() | Violation():
            return _shown(event, to, seen)
        case Displaced(beginning=str()) if not event.squares:
            return (to.text("measured", "told", at=to.at(event.ms)),)
        case Displaced():
            return (to.text("measured", "seen", at=to.at(event.ms)),)
        case Stalled():
            return (to.text("measured", "moved about since", at=to.at(event.since_ms)),)
        case Obligation() if event.must != "none":
            turn = seen.turns[event.side]
            touches = [] if turn.over else turn.touches  # what binds now may be no touch: a man from the stock
            return _touches([(touch.square, touch.piece, touch.ms) for touch in touches], to)
        case Claimed():
            return tuple(_record(event, to, seen))
        case Arrival(default_time_ms=int(ms)):
            key = "default time" if ms else "no default time"
            return (to.text("measured", "told", at=to.at(event.ms)), to.text("measured", key, time=to.span(ms)))
        case Arrival():
            return (to.text("measured", "told", at=to.at(event.ms)), to.text("measured", "default time open"))
        case Flag():
            return (to.text("measured", "flag", at=to.at(event.ms)),)
        case Move(basis="reported"):
            return (to.text("measured", "told", at=to.at(event.ms)),)
        case _:
            return ()


def inferred(event: AnyEvent, to: Language, seen: Context) -> tuple[str, ...]:
    """What follows from that by the Laws and the game so far, each in a phrase; last, whose claim it waits for."""
    said: tuple[str, ...] = ()
    match event:
        case Illegal() | Violation():
            if event.owed:
                said = (to.text("inferred", "owed", moves=to.moves(event.owed, seen.turns[event.side].board)),)
            if event.basis == "inferred":
                said = (*said, _followed(event.confidence, to))
        case Move(basis="inferred", confidence=float(confidence)):
            said = _not_seen_whole(event, confidence, to, seen)
        case Claimed(of="fourfold", verdict="referred"):
            said = (to.text("inferred", "counted aloud"),)
        case Claimed(of="touch-move", verdict="upheld"):
            turn = seen.turns[other(event.side)]
            same = event.uci is None or (turn.made is not None and turn.made.uci == event.uci)
            owed = turn.owed if same else None
            if owed is not None and owed.must != "free":
                said = (to.text("inferred", "owed", moves=to.moves(owed.moves, turn.board)),)
        case Displaced():
            said = _put_right(event, to, seen)
        case Stalled():
            said = (to.text("inferred", f"stalled {event.reason}"),)
        case Result(mating=str()):
            said = (_can_mate(event, to, seen),)
        case Restored(fen=str(fen)):
            said = (to.text("inferred", "position", fen=fen),)
        case _:
            pass
    held = waiting(event, to, seen)
    return (*said, held) if held else said


def _can_mate(event: Result, to: Language, seen: Context) -> str:
    """Whether mate was possible still, and what shows it."""
    board, moves = seen.position and seen.position.copy(stack=False), list[str]()
    for uci in event.line:
        moves.append(to.move(uci, board))
        if board is not None and chess.Move.from_uci(uci) in board.legal_moves:
            board.push_uci(uci)
    if len(moves) > LINE_SAID:
        moves = [*moves[: LINE_SAID - 2], "...", *moves[-2:]]  # how it begins, and the mate
    return to.text("inferred", f"mating {event.mating}", moves=" ".join(moves))


def _followed(confidence: float | None, to: Language) -> str:
    """That something rests on what came after it; in logs from before it was told, not how likely that makes it."""
    if confidence is None:
        return to.text("inferred", "from what followed")
    return to.text("inferred", "from what followed, so likely", likely=_likely(confidence, to))


def _not_seen_whole(event: Move, confidence: float, to: Language, seen: Context) -> tuple[str, ...]:
    """How likely a move is that was not seen whole, and what else it may have been."""
    said = to.text("inferred", "not seen whole", likely=_likely(confidence, to))
    others = [less_likely(other, to, seen.position) for other in event.others]
    return (said, to.text("inferred", "else", others=to.either(others))) if others else (said,)


def less_likely(other: Other, to: Language, board: chess.Board | None) -> str:
    """What may have been played on ``board`` instead, and how likely that is beside it."""
    move = to.text("likelihood", "no move") if other.uci is None else to.move(other.uci, board)
    if 1 / ALIKE < other.less_likely < ALIKE:
        return to.text("likelihood", "as likely", move=move)
    if other.less_likely < 1:
        return to.text("likelihood", "likelier", move=move, times=to.times(1 / other.less_likely))
    return to.text("likelihood", "less likely", move=move, times=to.times(other.less_likely))


def _likely(confidence: float, to: Language) -> str:
    """In a word or two."""
    return to.text("likelihood", next(key for least, key in LIKELY if confidence >= least))


def _put_right(event: Displaced, to: Language, seen: Context) -> tuple[str, ...]:
    """What should stand on the squares, what the clocks are proposed to show, and what a wrong beginning leads to."""
    said = []
    if seen.position is not None and 0 < len(event.squares) <= SQUARES_EXPECTED:
        said.append(to.text("inferred", "expected", men=to.both(_expected(event.squares, to, seen.position))))
    if event.white_ms is not None and event.black_ms is not None:
        white, black = to.clock(event.white_ms), to.clock(event.black_ms)
        said.append(to.text("inferred", "clocks", white=white, black=black))
    if event.remedy is not None:
        said.append(to.text("inferred", event.remedy))
    if event.fen is not None and event.beginning is not None:
        said.append(to.text("inferred", "position", fen=event.fen))
    return tuple(said)


def _shown(event: Illegal | Violation, to: Language, seen: Context) -> tuple[str, ...]:
    """What was touched and when, or moved about, which move it is about, and when it was seen, or told."""
    said: list[str] = []
    # What is touched out of turn stands as the other player has left it, and belongs to no turn of his.
    turn = Turn(seen.position) if event.kind == "out-of-turn" else seen.turns[event.side]
    board = turn.board or seen.position
    if event.touched_ms:
        men = [_man(square, event, turn, board) for square in event.squares]
        said += _touches([*zip(event.squares, men, event.touched_ms, strict=False)], to)
    elif event.squares:
        said.append(to.text("measured", "moved about", squares=to.both(event.squares)))
    if event.uci is not None and isinstance(event, Illegal):
        said.append(to.text("record", "move", move=to.move(event.uci, board)))
    said.append(to.text("measured", "told" if event.basis == "reported" else "seen", at=to.at(event.ms)))
    return tuple(said)


def _man(square: str, event: Illegal | Violation, turn: Turn, board: chess.Board | None) -> str:
    """The FEN letter of what was touched there; nothing where that is not known. Where no man stood, and a drop is owed
    or it was out of turn, it was touched by one of the stock."""
    if (touch := next((touch for touch in turn.touches if touch.square == square), None)) is not None:
        return touch.piece
    piece = board.piece_at(chess.parse_square(square)) if board is not None else None
    dropped = event.kind == "out-of-turn" or any("@" in move for move in event.owed)
    if piece is None and board is not None and dropped:
        return _from_stock(event)
    return piece.symbol() if piece else ""


def _how(man: str) -> str:
    """Which phrase tells of a touch by or of ``man``, see :func:`_man`."""
    if man.startswith("@"):
        return "touch from the stock" if man[1:] else "touch from the stock, by whom unknown"
    return "touch" if man else "touch unknown"


def _from_stock(event: Illegal | Violation) -> str:
    """Who of the stock has touched an empty square (17 of the blitz à quatre), marked with a ``@`` before his letter;
    the mark alone where it may be any of them."""
    kinds = {move[0] for move in event.owed if "@" in move}
    kind = kinds.pop() if len(kinds) == 1 else ""
    return "@" + (kind if event.side == WHITE else kind.lower())


def _touches(men: Sequence[tuple[str, str, int]], to: Language) -> tuple[str, ...]:
    """What was touched, in order: square, FEN letter as :func:`_man` has it, ms; nothing if nothing was."""
    touched = [to.text("measured", _how(man), man=to.man(man[-1:]), square=on, at=to.at(ms)) for on, man, ms in men]
    key = "touched" if len(touched) == 1 else "touched in order"
    return (to.text("measured", key, touches=", ".join(touched)),) if touched else ()


def _expected(squares: Sequence[str], to: Language, position: chess.Board) -> list[str]:
    """What should stand on each of the squares."""
    said = []
    for square in squares:
        piece = position.piece_at(chess.parse_square(square))
        man = to.man(piece.symbol()) if piece else to.text("man", "nothing")
        said.append(to.text("man", "on a square", man=man, square=square))
    return said


# -- what the record of the game shows for or against a claim ----------------------------------------------------


def _record(event: Claimed, to: Language, seen: Context) -> list[str]:
    said = []
    at = "" if event.since_ms is None else to.at(event.since_ms)
    if event.uci is not None:
        said.append(to.text("record", "move", move=to.known(seen.known(event.uci), event.uci)))
    if event.squares:
        said.append(to.text("record", "squares", squares=", ".join(event.squares), at=at))
    elif event.of == "flag" and at:
        said.append(to.text("measured", "flag", at=at))
    elif at:
        said.append(to.text("record", "since", at=at))
    if event.plies:
        plies = [_after(ply, to) for ply in event.plies]
        said.append(to.text("record", "plies", number=str(len(plies)), plies=", ".join(plies)))
    if event.quiet_plies is not None:
        said.append(to.text("record", "quiet", number=str(event.quiet_plies)))
    return said


def _after(ply: int, to: Language) -> str:
    """After which move a position stood: ``4.`` is White's fourth, ``4…`` Black's."""
    return f"{(ply + 1) // 2}{'.' if ply % 2 else '…'}" if ply else to.text("record", "start")
