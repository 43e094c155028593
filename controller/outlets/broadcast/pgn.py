"""A game as it is broadcast: the PGN of the file, held to what those who follow it live can take.

They tell a game by its tags, so these are the ones it began with, the result apart. They keep what they were sent and
add to it, so a game is always told from its beginning: where something illegal stands, or pieces were found to stand
otherwise, it is told up to there and no further, though never without its result, and it is said that there is more.
"""

from controller.outlets.pgn import lawful_from, pgn
from controller.outlets.scoresheet import Scoresheet, bare


def broadcast_pgn(sheet: Scoresheet) -> str:
    """The game as it stands; its result is ``*`` until that is final."""
    return pgn(lawful_part(sheet.public))


def lawful_part(sheet: Scoresheet) -> Scoresheet:
    """The game as far as each move follows from the one before; the ``sheet`` itself where that is all of it."""
    if lawful_from(sheet) == 0:
        return sheet
    before, count = sheet.start, 0
    for entry in sheet.entries:
        if not entry.lawful or bare(entry.before) != bare(before):
            break
        before, count = entry.move.fen, count + 1
    told = sheet.until(count)
    told.cut = True
    return told
