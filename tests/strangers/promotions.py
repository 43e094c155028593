"""The ways in which hands promote a pawn, and when they say to what."""

import chess

from strangers.hands import Hands


def promote(hands: Hands, move: chess.Move) -> None:
    """The pawn advances and is replaced; or never comes down; or the new piece stands before the pawn is gone.

    A board that does not see which piece it is hears of it from a button: before, between or after, or not for a queen.
    """
    rng, board, way = hands.rng, hands.board, hands.way
    colour, captures = board.turn, board.is_capture(move)
    when = _when_named(hands, move)
    route = rng.choice(["advance", "advance", "direct", "new-first"])
    if route == "new-first" and (int(way.laws[-4:]) < 2014 or way.unhurried):
        route = "direct"
    if hands.plain:
        route = "advance" if way.senses == "identity" else "direct"
    if route == "new-first" and when == "between":
        when = "before"
    if when == "before":
        hands.wait(500)
        _name(hands, move, colour, when)
        hands.wait(100, 600)
    hands.habits.append(f"promote-{route}-{when}{'-x' if captures else ''}")
    if route == "new-first":
        _new_first(hands, move)
    elif route == "direct":
        _take_both_off(hands, move)
    else:
        _advance(hands, move)
    if route != "new-first":
        if route == "direct" and when == "between":
            _name(hands, move, colour, when)
        hands.wait(250 if route == "direct" or way.delivery == "slow" else 130, 2500)
        if route == "advance" and when == "between":
            _name(hands, move, colour, when)
        hands.place(move.to_square, _new(hands, move))
    if when == "after":
        hands.wait(80, 900)
        _name(hands, move, colour, when)


def _when_named(hands: Hands, move: chess.Move) -> str | None:
    """When the button is pressed; None where the board sees the piece."""
    if hands.way.senses == "identity":
        return None
    queen = move.promotion == chess.QUEEN
    whens = ["before", "before", "between", "after"] + (["none"] * 3 if queen else [])
    if hands.way.unhurried or hands.plain:
        whens = ["before"] + (["none"] if queen and hands.way.delivery != "missing" else [])
    return hands.rng.choice(whens)


def _name(hands: Hands, move: chess.Move, colour: chess.Color, when: str) -> None:
    """Choose the new piece; sometimes another one first, by mistake."""
    rng = hands.rng
    if rng.random() < 0.15 and when != "after":
        hands.say("choose", colour, piece=rng.choice("qrbn"))
        hands.wait(100, 500)
    hands.say("choose", colour, piece=chess.piece_symbol(move.promotion or chess.QUEEN))
    hands.wait(60, 500)


def _new(hands: Hands, move: chess.Move) -> str:
    return chess.Piece(move.promotion or chess.QUEEN, hands.board.turn).symbol()


def _new_first(hands: Hands, move: chess.Move) -> None:
    if hands.board.is_capture(move):
        hands.lift(move.to_square)
        hands.pause()
    hands.place(move.to_square, _new(hands, move))
    hands.wait(80, 1200)
    hands.lift(move.from_square)


def _take_both_off(hands: Hands, move: chess.Move) -> None:
    """The pawn goes straight from its square off the board, and the victim before or after it."""
    captures = hands.board.is_capture(move)
    if captures and hands.rng.random() < 0.5:
        hands.lift(move.to_square)
        hands.pause()
        hands.lift(move.from_square)
        return
    hands.lift(move.from_square)
    hands.pause()
    if captures:
        hands.lift(move.to_square)


def _advance(hands: Hands, move: chess.Move) -> None:
    """The pawn goes to the last rank, and is lifted again."""
    start, goal = move.from_square, move.to_square
    pawn = hands.on[start] or ""
    captures, swaps = hands.board.is_capture(move), hands.way.delivery == "swap"
    if captures and hands.rng.random() < 0.5 and not swaps:
        hands.lift(goal)
        hands.pause()
        hands.lift(start)
        hands.carry()
        hands.place(goal, pawn)
    else:
        hands.lift(start)
        hands.carry()
        if captures and swaps and hands.tells_swapped(move):
            hands.swap(goal, pawn)
        else:
            if captures:
                hands.lift(goal)
                hands.pause()
            hands.place(goal, pawn)
    hands.wait(250 if hands.way.delivery == "slow" else 130, 2500)
    hands.lift(goal)
