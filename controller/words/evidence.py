"""What an event rests on, in words: what the board and the clock measured, and apart from it what a person told and
what was inferred."""

from collections.abc import Sequence

import chess

from controller import contract as c
from controller.words import touched
from controller.words.context import Context, SeenTurn
from controller.words.language import Language
from controller.words.mate import can_mate
from controller.words.options import waiting
from controller.words.record import record
from controller.words.touched import Touched

LIKELY = (
    (0.97, "almost certain"),
    (0.85, "very likely"),
    (0.65, "likely"),
    (0.45, "as likely as not"),
    (0.0, "one of several"),
)
"""From which confidence on a thing is called so."""
ALIKE = 1.5  #: up to so many times less likely is as likely
SQUARES_EXPECTED = 6  #: of more displaced squares it is not said what should stand there


def report_in_words(event: c.AnyEvent, to: Language) -> tuple[str, ...]:
    """What a person said, each in a phrase: that it was reported, and when, and his own words."""
    by_word = isinstance(event, c.Arrival) or getattr(event, "basis", None) == "reported"
    by_word = by_word or (isinstance(event, c.Displaced) and not event.shows)
    said = [to.text("measured", "told", at=to.at(event.ms))] if by_word else []
    return (*said, *spoken(getattr(event, "text", ""), getattr(event, "witnesses", ()), to))


def spoken(text: str, witnesses: Sequence[str], to: Language) -> tuple[str, ...]:
    """What an arbiter said to it in his own words, and who saw it."""
    said = [to.text("measured", "in his words", text=text)] if text else []
    return (*said, *([to.text("measured", "witnesses", names=to.both(witnesses))] if witnesses else []))


def measured(event: c.AnyEvent, to: Language, seen: Context) -> tuple[str, ...]:
    """What the sensors and the clock showed, each in a phrase."""
    match event:
        case c.Illegal() | c.Violation():
            return _shown(event, to, seen)
        case c.Displaced() if event.shows:
            return (to.text("measured", "seen", at=to.at(event.ms)),)
        case c.Stalled():
            return (to.text("measured", "moved about since", at=to.at(event.since_ms)),)
        case c.Obligation() if event.must != "none":
            return touched.shown(_binding(event, seen), to, _apart(seen))
        case c.Claimed():
            return record(event, to, seen)
        case c.Flag():
            return (to.text("measured", "flag", at=to.at(event.ms)),)
        case _:
            return ()


def inferred(event: c.AnyEvent, to: Language, seen: Context) -> tuple[str, ...]:
    """What follows from that by the Laws and the game so far, each in a phrase; last, whose claim it waits for."""
    said: tuple[str, ...] = ()
    match event:
        case c.Illegal() | c.Violation():
            said = _required(event.owed, _of_notice(event, seen), event.side, to, seen)
            if event.basis == "inferred":
                said = (*said, _followed(event.confidence, to))
        case c.Move(basis="inferred", confidence=float(confidence)):
            said = _not_seen_whole(event, confidence, to, seen)
        case c.Obligation() if event.must != "none":
            said = touched.order(_binding(event, seen), event.side, to, _apart(seen))
        case c.Claimed(of="fourfold", verdict="referred"):
            said = (to.text("inferred", "counted aloud"),)
        case c.Claimed(of="touch-move", verdict="upheld"):
            turn = seen.turns[c.other(event.side)]
            same = event.uci is None or (turn.made is not None and turn.made.uci == event.uci)
            if same and turn.owed is not None and turn.owed.must != "free":
                said = _required(turn.owed.moves, touched.of_claim(event, turn), c.other(event.side), to, seen)
        case c.Displaced():
            said = _put_right(event, to, seen)
        case c.Stalled():
            said = (to.text("inferred", f"stalled {event.reason}"),)
        case c.Result(mating=str()):
            said = (can_mate(event, to, seen),)
        case c.Arrival(default_time_ms=int(ms)):
            said = (to.text("inferred", "default time" if ms else "no default time", time=to.span(ms)),)
        case c.Arrival():
            said = (to.text("inferred", "default time open"),)
        case c.Restored(fen=str(fen)):
            said = (to.text("inferred", "position", fen=fen),)
        case c.Restored(white_ms=int(white), black_ms=int(black)):
            said = (_proposed(white, black, to),)
        case _:
            pass
    held = waiting(event, to, seen)
    return (*said, held) if held else said


def _followed(confidence: float | None, to: Language) -> str:
    """That something rests on what came after it, and how likely that makes it. Old logs do not say the latter."""
    if confidence is None:
        return to.text("inferred", "from what followed")
    return to.text("inferred", "from what followed, so likely", likely=_likely(confidence, to))


def _not_seen_whole(event: c.Move, confidence: float, to: Language, seen: Context) -> tuple[str, ...]:
    """How likely a move is that was not seen whole, and what else it may have been."""
    said = to.text("inferred", "not seen whole", likely=_likely(confidence, to))
    others = [less_likely(other, to, seen.position) for other in event.others]
    return (said, to.text("inferred", "else", others=to.either(others))) if others else (said,)


def less_likely(other: c.Other, to: Language, board: chess.Board | None) -> str:
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


def _put_right(event: c.Displaced, to: Language, seen: Context) -> tuple[str, ...]:
    """What should stand on the squares, what the clocks are proposed to show, and what a wrong beginning leads to."""
    said = []
    if seen.position is not None and 0 < len(event.squares) <= SQUARES_EXPECTED:
        said.append(to.text("inferred", "expected", pieces=to.both(_expected(event.squares, to, seen.position))))
    if event.white_ms is not None and event.black_ms is not None:
        said.append(_proposed(event.white_ms, event.black_ms, to))
    if event.remedy is not None:
        turned = event.beginning == "turned-board" and event.remedy == "play-on"
        said.append(to.text("inferred", "board stays" if turned else event.remedy))
    if event.fen is not None and event.beginning is not None:
        said.append(to.text("inferred", "position", fen=event.fen))
    return tuple(said)


def _proposed(white_ms: int, black_ms: int, to: Language) -> str:
    """What the clocks are proposed to show where a ruling returns the game to an earlier position."""
    return to.text("inferred", "clocks", white=to.clock(white_ms), black=to.clock(black_ms))


def _shown(event: c.Illegal | c.Violation, to: Language, seen: Context) -> tuple[str, ...]:
    """What was touched and when, or moved about, which move it is about, and when it was seen."""
    said = [*touched.shown(_of_notice(event, seen), to, _apart(seen))]
    if event.squares and not said:
        said.append(to.text("measured", "moved about", squares=to.both(event.squares)))
    if event.uci is not None and isinstance(event, c.Illegal):
        said.append(to.text("record", "move", move=to.move(event.uci, _before(event, seen))))
    if event.basis != "reported":
        said.append(to.text("measured", "seen", at=to.at(event.ms)))
    return tuple(said)


def _required(
    moves: Sequence[str], hands: Sequence[Touched], side: c.Side, to: Language, seen: Context
) -> tuple[str, ...]:
    """What ``side`` had to play, and what that rests on where nobody can know which piece he touched first; nothing
    where he had to play nothing."""
    if not moves:
        return ()
    required = to.text("inferred", "owed", moves=to.moves(moves, seen.turns[side].board))
    return (*touched.order(hands, side, to, _apart(seen)), required)


def _turn(event: c.Illegal | c.Violation, seen: Context) -> SeenTurn:
    """What is touched out of turn stands as the other player has left it, and belongs to no turn of his."""
    return SeenTurn(seen.position) if event.kind == "out-of-turn" else seen.turns[event.side]


def _before(event: c.Illegal | c.Violation, seen: Context) -> chess.Board | None:
    """The position in which it was touched."""
    return _turn(event, seen).board or seen.position


def _of_notice(event: c.Illegal | c.Violation, seen: Context) -> list[Touched]:
    return touched.of_notice(event, _turn(event, seen), _before(event, seen))


def _binding(event: c.Obligation, seen: Context) -> list[Touched]:
    """The touches that bind the player now; none where it is a piece from the stock."""
    turn = seen.turns[event.side]
    return [] if turn.over else touched.of_turn(turn.touches)


def _apart(seen: Context) -> int:
    """Touches closer than this, in ms, have no order."""
    return seen.session.settings.simultaneous_ms


def _expected(squares: Sequence[str], to: Language, position: chess.Board) -> list[str]:
    """What should stand on each of the squares."""
    said = []
    for square in squares:
        piece = position.piece_at(chess.parse_square(square))
        said.append(to.piece_on(piece.symbol() if piece else None, square))
    return said
