"""What an arbiter reports of the players, and no sensor sees: misconduct, and faults of the move on the board (11, 12).

A report is told as the arbiter's own, with his words and witnesses; its price is proposed, and waits for his ruling.
"""

from msgspec.structs import replace

from controller import contract as c
from controller.laws import illegal, initial_position
from controller.laws.editions import Price
from controller.laws.evidence import moved, told_by
from controller.laws.notices import about, on_move, open_notice, penalise, propose
from controller.laws.reports import OF_STOCK, PRICED, of_beginning, of_conduct, of_the_clock, of_the_move
from controller.laws.state import State
from controller.laws.stock import report_stock


def report(s: State, item: c.Arbiter) -> State:
    """Tell what a person saw and the sensors cannot, and open the notice that it needs. One that does not apply changes
    nothing."""
    if item.kind in of_beginning(s.laws.clause):
        return initial_position.report(s, item)
    if item.side is None:
        return s
    clause = s.laws.clause
    clocks, conduct, moves = of_the_clock(clause), of_conduct(clause), of_the_move(clause)
    if item.kind in OF_STOCK:
        return report_stock(s, item.side, item.kind, item.piece)
    if item.kind in ("two-hands", "illegal-move"):
        return illegal.report(s, item.side, item.kind, told_by(item))
    if item.kind in clocks:
        said = s.violate(item.side, item.kind, clocks[item.kind], basis="reported")
        return penalise(said, item.side, said.ids_since(s)) if item.kind == "clock-misuse" else said
    if item.kind in conduct:
        said = s.violate(item.side, item.kind, conduct[item.kind], basis="reported")
        price = PRICED.get(item.kind, Price("discretion"))
        fine = conduct[item.kind] if item.kind in PRICED else clause.arbiter
        notice = about(s, item.side, "discretion", conduct[item.kind], said.ids_since(s))
        return propose(said, replace(notice, prices=(price,), fine=fine))
    at = s.at_last(item.side)
    if item.kind in moves and at is not None:
        last = s.made[at]
        said = s.violate(item.side, item.kind, moves[item.kind], **{**moved(s, last), "basis": "reported"})
        return open_notice(said, on_move(last, at, "violation", moves[item.kind], said.ids_since(s)))
    return s
