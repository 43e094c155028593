"""Who only reads the events of a match knows it: positions, stocks, what is owed and completed, at every moment.

A reader that sees no game follows random matches by their events alone, and holds each against the one before it by
python-chess's crazyhouse. Numbers in brackets are the articles of the blitz à quatre.
"""

from functools import singledispatchmethod
from typing import NamedTuple

import chess
import pytest
from chess.variant import CrazyhouseBoard
from hypothesis import Phase, assume, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller import contract as c
from controller.match import MatchAQuatre
from hardware.simulator.games import EAGER, PATIENT
from hardware.simulator.habits import Habits
from hardware.simulator.matches import PLAYERS, inputs, play_match

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"
FEW = 3  #: moves are not told at most while one of them is open
SILENT = replace(PLAYERS, choose_drops=False, choose_queen=False)


class Told(NamedTuple):
    """A move as it was told, and its clocks once it is completed."""

    move: c.Move
    completed: c.Completed | None = None


class Reader:
    """One board of a match as its events tell it."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.fen = START  #: the position as last said
        self.stock = ""  #: as last said, or as a later FEN shows it
        self.over: int | None = None  #: after how many moves the game ended
        self.open = False  #: a move may be one of several, and which is told later

    @property
    def board(self) -> CrazyhouseBoard:
        """The board with what may be dropped on it."""
        pieces, _, rest = self.fen.partition("[")
        return CrazyhouseBoard(f"{pieces}[{self.stock}]{rest.partition(']')[2]}")

    def show(self, fen: str) -> None:
        """The position is this from now on."""
        self.open = False
        self.fen, self.stock = fen, fen.partition("[")[2].partition("]")[0]

    @singledispatchmethod
    def read(self, event: c.AnyEvent) -> None:
        """Take in one event; what tells nothing of the position is passed over."""

    @read.register
    def _(self, event: c.Move) -> None:
        board = self.board
        assert (event.side == c.WHITE) == board.turn
        move = board.parse_uci(event.uci)
        assert event.san.removeprefix("P").rstrip("+#") == board.san(move).rstrip("+#")  # P@e5 is @e5 there
        board.push(move)
        assert _pieces(event.fen) == board.board_fen(promoted=True)
        assert event.fen.split()[1:4] == board.fen().split()[1:4]
        assert event.ply == len(self.told) + 1
        assert self.over is None or event.ply <= self.over, "after its end a move is but told by another name"
        self.told.append(Told(event))
        self.show(event.fen)

    @read.register
    def _(self, event: c.Retract) -> None:
        assert self.told.pop().move.uci == event.uci
        before = self.told[-1].move.fen if self.told else START
        assert _pieces(event.fen) == _pieces(before)
        self.show(event.fen)

    @read.register
    def _(self, event: c.Stock) -> None:
        self.stock = event.white + event.black

    @read.register
    def _(self, event: c.Ambiguous) -> None:
        self.open = len(event.moves) > 1

    @read.register
    def _(self, event: c.Completed) -> None:
        at = next(i for i, told in enumerate(self.told) if told.completed is None)
        assert (self.told[at].move.side, self.told[at].move.uci) == (event.side, event.uci)
        self.told[at] = Told(self.told[at].move, event)

    @read.register
    def _(self, event: c.Obligation) -> None:
        board = self.board
        assert {chess.Move.from_uci(uci) for uci in event.moves} <= set(board.legal_moves)
        assert bool(event.moves) == (event.must != "none")

    @read.register
    def _(self, event: c.Result) -> None:
        if event.status == "final" and self.over is None:
            self.over = len(self.told)

    def agrees(self, position: str, before: list[str], told: bool) -> None:
        """Hold what was read against the game itself; where a move is open, which is not told, or a press that moved
        nothing is not ``told`` yet, as it was ``before`` one of the last moves."""
        if (self.open or not told) and _pieces(self.fen) in map(_pieces, before):
            return
        assert self.board.fen().split()[:4] == CrazyhouseBoard(position).fen().split()[:4]
        assert f"[{self.stock}]" in position
        for one in (c.WHITE, c.BLACK):
            left = [_left(told.completed, one) for told in self.told if told.completed is not None]
            assert left == sorted(left, reverse=True), "time only runs down"


def _pieces(fen: str) -> str:
    return fen.partition("[")[0]


def _left(completed: c.Completed, side: c.Side) -> int:
    left = completed.white_ms if side == c.WHITE else completed.black_ms
    assert left is not None
    return left


# A smaller seed makes no simpler match, so none is looked for.
@pytest.mark.slow
@settings(max_examples=10, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    seed=st.integers(0, 10_000),
    habits=st.sampled_from([PLAYERS, SILENT]),
    drop=st.sampled_from([EAGER, PATIENT]),
    senses=st.sampled_from(["occupancy", "colour", "identity"]),
)
@example(seed=46, habits=SILENT, drop=PATIENT, senses="occupancy")  # a king seen where he goes before he left
@example(seed=113, habits=SILENT, drop=PATIENT, senses="occupancy")  # named anew on the other board
@example(seed=385, habits=SILENT, drop=EAGER, senses="occupancy")  # on that board, after the game there has ended
@example(seed=830, habits=SILENT, drop=PATIENT, senses="occupancy")  # what is owed, with a piece that just came
@example(seed=5057, habits=SILENT, drop=PATIENT, senses="colour")  # one story under two names of a drop
@example(seed=8260, habits=PLAYERS, drop=EAGER, senses="identity")  # dropped once the partner has promoted, and mated
@example(seed=993, habits=PLAYERS, drop=EAGER, senses="identity")  # a promoted queen who gives no check as a knight
@example(seed=1706, habits=PLAYERS, drop=PATIENT, senses="identity")  # what promotes is fetched after the press
@example(seed=1820, habits=SILENT, drop=EAGER, senses="occupancy")  # what has come since a move that is taken back
def test_who_only_reads_the_events_knows_the_match(seed: int, habits: Habits, drop: float, senses: c.Senses) -> None:
    match = MatchAQuatre(
        c.Session(version=1, play="blitz", supervised=False, clock="90", match="bughouse", senses=senses)
    )
    readers = {"A": Reader(), "B": Reader()}
    ended = False
    for item in [*inputs(play_match(seed, 90, habits, plies=60, drop=drop), senses), None]:
        for event in match.finish() if item is None else match.handle(item):
            assert not ended, "nothing is said once the match is over"
            if isinstance(event, c.Illegal):  # where that leaves the pieces is told with the next move only
                # A mate by a piece that nobody has named is none yet (18).
                open_beside = readers["B" if event.board == "A" else "A"].open
                assert habits is SILENT or open_beside, "who says what he drops is never wronged"
                assume(False)
            ended = isinstance(event, c.Match)
            if event.board is not None:
                readers[event.board].read(event)
        for name, reader in readers.items():
            state = match.games[name].state  # type: ignore[index]
            before = [made.before.fen() for made in state.made[-FEW:]] or [START]
            reader.agrees(state.position.fen(), before, told=not state.made or state.made[-1].reported)
