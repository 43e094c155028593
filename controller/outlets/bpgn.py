"""BPGN, the Bughouse Portable Game Notation: a match à quatre as one text, the moves of both boards as they followed.

As the bughouse servers and their databases write it: players in ``WhiteA`` to ``BlackB``; moves ``1A. e4 {179.412}``,
with ``A`` for White and ``a`` for Black on board A, and in braces the seconds left on the mover's clock; drops
``N@f7``; in ``FEN`` the start positions of A and B with a bar between; and before the result what ended the match. The
result is that of the team with White on A.
"""

import chess.pgn

from controller.bughouse import BughouseBoard
from controller.contract import BLACK, POINTS, WHITE, Match, Reason, Score
from controller.outlets.matchsheet import Matchsheet
from controller.outlets.pgn import STANDS, Form, lawful_from, timed
from controller.outlets.scoresheet import Entry, Scoresheet
from controller.pairing import escaped

RESULTS: dict[str, Score] = {"team-1": "1-0", "team-2": "0-1", "draw": "1/2-1/2"}
ENDED: dict[Reason, str] = {
    "checkmate": "is checkmated",
    "time": "loses on time",
    "resignation": "resigns",
    "illegal-moves": "loses by an illegal move",
}
"""What is said of who has lost; of what is not here, the reason itself."""

AGREED = {
    "agreement": "drawn by agreement of the teams",
    "fourfold": "drawn by repetition",
    "arbiter": "by the arbiter",
}
"""What ended a match as a whole."""


def bpgn(sheet: Matchsheet) -> str:
    """The match as it stands; its result is ``*`` until there is one.

    As in a PGN, a move that is illegal and stands is left out with all before it, here on both boards: what was taken
    on the one is dropped on the other. The text begins with the positions and stocks after it.
    """
    since = max(map(_illegal_ms, sheet.boards.values()))
    told = [line for line in sheet.entries() if line[1].made_ms > since]
    left_out = [line for line in sheet.entries() if line[1].made_ms <= since]
    starts = [_stood(board, since) for board in sheet.boards.values()]
    tags = _tags(sheet)
    if starts != [BughouseBoard.starting_fen] * 2:
        tags |= {"SetUp": "1", "FEN": " | ".join(starts)}
    text = chess.pgn.StringExporter(columns=80)
    for tag, value in tags.items():
        text.visit_header(tag, escaped(value))
    text.end_headers()
    if left_out:
        before = " ".join(_numbered(name, entry) for name, entry in left_out)
        text.visit_comment(f"after {before}, where something illegal stands")
    for name, entry in told:
        left = "" if entry.left_ms is None else f" {{{entry.left_ms / 1000:.3f}}}"
        text.write_token(f"{_numbered(name, entry)}{left} ")
    for name, board in sheet.boards.items():
        if board.stalled is not None:
            text.visit_comment(f"board {name}: {STANDS}")
    if sheet.result is not None:
        text.visit_comment(_why(sheet, sheet.result))
    text.visit_result(tags["Result"])
    text.end_game()
    return f"{text}\n\n"


BPGN = Form("match-{}.bpgn", Matchsheet, bpgn)


def _numbered(name: str, entry: Entry) -> str:
    player = name if entry.move.side == WHITE else name.lower()
    return f"{entry.before.split()[5]}{player}. {entry.move.san}"


def _illegal_ms(board: Scoresheet) -> int:
    """When the last move was made after which each is legal; -1 if all are."""
    begin = lawful_from(board)
    return board.entries[begin - 1].made_ms if begin else -1


def _stood(board: Scoresheet, since: int) -> str:
    """How the pieces of a board stood, and what was in stock, before its first move after ``since``."""
    if since < 0:
        return board.start
    return next((entry.before for entry in board.entries if entry.made_ms > since), board.fen)


def _why(sheet: Matchsheet, match: Match) -> str:
    if match.reason in AGREED:
        return AGREED[match.reason]
    return "; ".join(ended for name, board in sheet.boards.items() if (ended := _ended(name, board)))


def _ended(name: str, board: Scoresheet) -> str:
    """How the game of one board came to its end; empty where it did not."""
    result = board.final
    if result is None:
        return ""
    white, black = POINTS[result.result]
    if white == black:
        return f"board {name} is {'drawn' if white else 'lost by both'}: {result.reason}"
    lost = BLACK if white > black else WHITE
    player = board.tags.get(lost.capitalize(), f"{lost.capitalize()} on {name}")
    return f"{player} {ENDED.get(result.reason, f'loses: {result.reason}')}"


def _tags(sheet: Matchsheet) -> dict[str, str]:
    opening = sheet.opening
    tags = {"Event": "?", "Site": "?", "Date": opening.started[:10].replace("-", "."), "Round": "?"}
    tags |= {"WhiteA": "?", "BlackA": "?", "WhiteB": "?", "BlackB": "?"}
    tags["Result"] = RESULTS[sheet.result.result] if sheet.result is not None else "*"
    tags |= timed(opening.session.clock)
    return tags | {tag: value for tag, value in opening.tags.items() if tag != "Result"}
