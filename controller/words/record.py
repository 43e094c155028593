"""What the record of the game shows for or against a claim, in words (4.8, 6.8, 7.5, 9.2, 9.3)."""

from controller.contract import Claimed, other
from controller.words import touched
from controller.words.context import Context
from controller.words.language import Language


def record(event: Claimed, to: Language, seen: Context) -> tuple[str, ...]:
    """Each thing in a phrase: the move, what was touched, since when it stands, where the position has stood, how
    many moves were quiet."""
    said: list[str] = []
    if event.uci is not None:
        said.append(to.text("record", "move", move=to.known(seen.known(event.uci), event.uci)))
    hands = touched.of_claim(event, seen.turns[other(event.side)])
    if hands:
        said += touched.shown(hands, to, seen.session.settings.simultaneous_ms)
    elif event.squares:  # in a record of before it was kept when each of them was touched
        said.append(to.text("record", "squares", squares=", ".join(event.squares)))
    if event.since_ms is not None and not (hands and event.of == "touch-move"):  # then it is when the first was touched
        flag = event.of == "flag"
        said.append(to.text("measured" if flag else "record", "flag" if flag else "since", at=to.at(event.since_ms)))
    if event.plies:
        said.append(_stood(event, to, seen))
    if event.quiet_plies is not None:
        said.append(_quiet(event.quiet_plies, event, to))
    if event.plies or event.quiet_plies is not None:
        clause = seen.laws.clause
        if event.article in (clause.threefold_intended, clause.fifty_moves_intended):
            said.append(to.text("record", "intended"))
    return tuple(said)


def _stood(event: Claimed, to: Language, seen: Context) -> str:
    """How often the position has stood, and where in the score."""
    times = len(event.plies)
    said = to.text("times", str(times) if times <= 2 else "n", number=str(times))
    return to.text("record", "plies", times=said, plies=to.both([_after(ply, to, seen) for ply in event.plies]))


def _after(ply: int, to: Language, seen: Context) -> str:
    """Where in the score: at its start, or after whose move of which number."""
    if not ply:
        return to.text("record", "start")
    number, side = seen.numbered(ply)
    return to.text("record", "after", number=str(number), **to.sides(side))


def _quiet(plies: int, event: Claimed, to: Language) -> str:
    """So many moves of each; the opponent of the claimant, who has the move, made the last."""
    theirs, own = str((plies + 1) // 2), str(plies // 2)
    return to.text("record", "quiet", theirs=theirs, own=own, **to.sides(event.side))
