"""What stands in a journal: a row, what opens a game, and the hash that chains each row to the one before."""

import hashlib
from typing import Literal

import msgspec
from msgspec import Struct

from controller.contract import BoardId, Session

GENESIS = bytes(32)  #: the hash before the first row

RecordKind = Literal["game", "input", "event"]
RecordDraft = tuple[str, RecordKind, bytes]
"""A row that has no number yet: its game, its kind, its body."""


class Opening(Struct, frozen=True, kw_only=True):
    """What a game is: the first record of each."""

    game: str  #: unique among all games of all boards
    venue: str
    board: str  #: the board's number in the hall; of a match those of A and B, ``1+2``
    started: str  #: date and time in ISO 8601, with the offset of the place
    tags: dict[str, str] = {}  #: PGN tags
    session: Session
    by: str | None = None  #: whose command began it, where that is known

    def number(self, board_id: BoardId | None) -> str:
        """The number in the hall of a board of the match; without a match that of the board."""
        return self.board if board_id is None else self.board.split("+")["AB".index(board_id)]


class Record(Struct, frozen=True):
    """One row. ``body`` is JSON: an :class:`Opening`, an input, or an event."""

    seq: int
    game: str
    kind: RecordKind
    body: bytes
    hash: bytes

    @property
    def draft(self) -> RecordDraft:
        """What the hash vouches for, beside the number and all that came before."""
        return self.game, self.kind, self.body


class Head(Struct, frozen=True):
    """The last row: its number, and the hash that vouches for all rows up to it."""

    seq: int
    hash: bytes


class Seam(Struct, frozen=True):
    """Where rows are missing that could not be read when a damaged journal was restored."""

    seq: int  #: the number of the first row after it
    before: bytes | None  #: the hash of the row before that one, where it is known
    told: str  #: when it was restored, and from which file


class Gone(Struct, frozen=True):
    """Rows that were let go by their age."""

    seq: int  #: the number of the first
    last: int
    hash: bytes  #: of the last, from which the next row follows


decode_opening = msgspec.json.Decoder(Opening).decode


class _Placed(Struct):
    board: str = ""


decode_board = msgspec.json.Decoder(_Placed).decode
"""Of an opening the board alone, ten times as soon; of one that means nothing here, none."""


def chain(before: bytes, seq: int, draft: RecordDraft) -> bytes:
    """The hash of a row: SHA-256 over the hash before it, its number, game, kind and body, one a line."""
    game, kind, body = draft
    return hashlib.sha256(b"%b%d\n%b\n%b\n%b" % (before, seq, game.encode(), kind.encode(), body)).digest()
