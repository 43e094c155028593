"""What may have been played at a place of the record: for an arbiter who sets it right by hand. First what the board
itself named beside the move that it told, then every legal move.
"""

from collections.abc import Sequence
from typing import Annotated, Any

import chess
import msgspec
from msgspec import Meta, Struct

from controller.contract import Uci
from controller.errors import LogError
from controller.outlets.scoresheet import Scoresheet, board_of
from controller.words import LanguageCode
from controller.words.evidence import less_likely
from controller.words.language import language

MOST = 60  #: moves that are put in at once


class PlaceInRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """Which move of the score is meant, from 0; the one after the last is missing. ``moves``: what was put in from
    there on so far."""

    number: Annotated[int, Meta(ge=0)]
    moves: Annotated[tuple[Uci, ...], Meta(max_length=MOST)] = ()


def read(body: bytes) -> PlaceInRecord:
    """Raises :exc:`LogError` saying what was expected."""
    try:
        return msgspec.json.decode(body, type=PlaceInRecord)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LogError(f"malformed question: {error}", "a page of another version", "load the page again") from error


def choices(sheet: Scoresheet, open_moves: Sequence[str], asked: PlaceInRecord, code: LanguageCode) -> dict[str, Any]:
    """As JSON: the ``ply`` of that move, what is ``likely`` to have been played next, and all that is ``legal``, each
    with its ``uci`` and ``text``. ``open_moves``: between which the board itself cannot decide.

    Raises :exc:`LogError` where there is no such move, or what was put in is not legal.
    """
    to, entries = language(code), sheet.entries
    if asked.number > len(entries):
        raise LogError("the score has changed", "moves were taken back", "look at it again")
    missing = asked.number == len(entries)
    ply = entries[-1].move.ply + 1 if missing and entries else 1 if missing else entries[asked.number].move.ply
    board = board_of(sheet.fen if missing else entries[asked.number].before, sheet.variant)
    for uci in asked.moves:
        move = _parsed(uci)
        if not board.is_legal(move):
            raise LogError(f"{uci} is not legal there", "the score has changed, or a slip", "choose again")
        board.push(move)
    legal = {move.uci(): to.san(board.san(move)) for move in board.legal_moves}
    likely: dict[str, str] = {}
    if not asked.moves and not missing:
        others = [other for other in entries[asked.number].move.others if other.uci in legal]
        likely = {other.uci or "": less_likely(other, to, board) for other in others}
    at_end = not asked.moves and asked.number >= len(entries) - 1
    likely = {uci: legal[uci] for uci in open_moves if uci in legal and at_end} | likely
    return {
        "ply": ply,
        "likely": [{"uci": uci, "text": text} for uci, text in likely.items()],
        "legal": [{"uci": uci, "text": text} for uci, text in sorted(legal.items(), key=lambda each: each[1])],
    }


def _parsed(uci: str) -> chess.Move:
    try:
        return chess.Move.from_uci(uci)
    except ValueError as error:
        raise LogError(f"{uci} is no move", "a slip in it", "choose again") from error
