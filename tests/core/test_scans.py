"""Raw scans of occupancy: by the contract one holds until the next; where every scan is sent, some may be lost."""

import chess
import pytest
from shorthand import CASTLING, play, record, scan

from controller import contract as c

KING_UP = scan(chess.Board("r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R6R w - - 0 9"))
ON_D1 = scan(chess.Board("r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R2K3R w - - 0 9"))
ON_C1 = scan(chess.Board("r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R1K4R w - - 0 9"))
BEFORE = scan(chess.Board(CASTLING))

ONCE_AGAIN = [f"0 frame {BEFORE}", f"900 frame {BEFORE}", ""]
"""The board at rest is scanned twice at one time, or later; or once."""


@pytest.mark.parametrize("again", ONCE_AGAIN)
def test_what_stood_between_two_scans_was_released_though_an_earlier_scan_was_repeated(again: str) -> None:
    """The king rests on d1 for 600 ms: Kd1 is made (4.7), and the way to c1 is a second move."""
    log = (
        f"0 frame {BEFORE}; {again}; 1000 frame {KING_UP}; 2000 frame {ON_D1}; 2600 frame {KING_UP}; 3200 frame {ON_C1}"
    )
    events = play(log, CASTLING)
    assert record(events) == ["e1d1"]
    assert [e.kind for e in events if isinstance(e, c.Violation)] == ["released-move"]


def test_where_every_scan_is_sent_a_man_was_not_seen_to_rest_while_scans_were_lost() -> None:
    """Five scans a second, of which two are lost while the king is on his way over d1."""
    at_rest = "; ".join(f"{ms} frame {BEFORE}" for ms in range(0, 1000, 200))
    log = f"{at_rest}; 1000 frame {KING_UP}; 1200 frame {ON_D1}; 1800 frame {KING_UP}; 2000 frame {ON_C1}"
    events = play(f"{log}; 2200 frame {ON_C1}; 2400 frame {ON_C1}", CASTLING)
    assert record(events) == []
    assert not [e for e in events if isinstance(e, c.Violation)]
