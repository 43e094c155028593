"""The vocabulary: what goes into a game and what comes out, one tagged union each.

These structs are at once the session log, the event log, the journal and the wire, so a name here is a promise:
fields and types may be added, none may be renamed or dropped. Times are integer milliseconds since the session
began. Squares are `e4`; moves are UCI, a drop `N@e6`; sides are `white` and `black`; `piece` is a FEN letter.

values          ``values``: sides, squares, moves, editions
a log           ``session``: its first line; ``inputs``: what goes into a game, with a row for each of the
                arbiter's ``rulings``; ``events``: what comes out
"""

from controller.contract.events import (
    NOTABLE,
    Adjusted,
    Ambiguous,
    AnyEvent,
    Arrival,
    Basis,
    Beginning,
    Brush,
    Claimed,
    Clock,
    Completed,
    Confidence,
    Disbelieved,
    Displaced,
    Event,
    Flag,
    Followed,
    Illegal,
    Interrupted,
    Irregularity,
    Match,
    Mating,
    Move,
    Must,
    Notable,
    Obligation,
    Other,
    Penalty,
    Reason,
    Report,
    Restored,
    Result,
    Retract,
    Stalled,
    Stock,
    Touch,
    Violation,
    Warned,
)
from controller.contract.inputs import (
    Adjust,
    AnyInput,
    Arbiter,
    Choose,
    Claim,
    Contact,
    Draw,
    Frame,
    Input,
    Lift,
    Outage,
    Pause,
    Place,
    Press,
    Reading,
    Resign,
    Seen,
    Sensor,
    Time,
    Unseen,
)
from controller.contract.rulings import ANSWERS, RULINGS, Ruling
from controller.contract.session import (
    BoardFens,
    Sensors,
    Session,
    Settings,
)
from controller.contract.values import (
    BLACK,
    PIECE_PATTERN,
    POINTS,
    SCAN_PATTERN,
    SHOWN_PATTERN,
    SQUARE_PATTERN,
    UCI_PATTERN,
    WHITE,
    BoardId,
    Edition,
    Ms,
    Piece,
    Play,
    Ply,
    Score,
    Senses,
    Side,
    Square,
    Uci,
    Variant,
    other,
)
