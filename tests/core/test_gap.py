"""Nobody sees the board for a while (`unseen` … `seen`): what happened then accuses nobody, and what follows does."""

from collections.abc import Sequence

import chess
import pytest
from shorthand import accusations, only, play, record

from controller import contract as c
from controller.game import Game

CLOCK = "5400+30"
ACCUSED = (c.Illegal, c.Violation, c.Penalty)


class Table:
    """A game told what hands do, as one board of each kind shows it."""

    def __init__(self, senses: c.Senses, fen: str = chess.STARTING_FEN) -> None:
        self.senses = senses
        self.game = Game(c.Session(version=1, senses=senses, clock=CLOCK, fen=fen))
        self.board = chess.Board(fen)
        self.ms = 1_000
        self.events: list[c.AnyEvent] = []

    def tell(self, item: c.AnyInput) -> None:
        self.ms = item.ms
        self.events += self.game.handle(item)

    def wait(self, ms: int) -> None:
        self.tell(c.Time(ms=self.ms + ms))

    def letter(self, square: chess.Square) -> str:
        piece = self.board.piece_at(square)
        if piece is None:
            return "."
        if self.senses == "identity":
            return piece.symbol()
        return "x" if self.senses == "occupancy" else "w" if piece.color else "b"

    def hand(self, lift: str = "", place: str = "", symbol: str = "") -> None:
        """A hand that is seen."""
        if lift:
            self.board.remove_piece_at(chess.parse_square(lift))
            self.tell(c.Lift(ms=self.ms + 200, square=lift))
        if place:
            self.unseen_hand(place=place, symbol=symbol)
            shown = self.letter(chess.parse_square(place))
            piece = None if shown == "x" else shown
            self.tell(c.Place(ms=self.ms + 200, square=place, piece=piece))

    def unseen_hand(self, lift: str = "", place: str = "", symbol: str = "") -> None:
        if lift:
            self.board.remove_piece_at(chess.parse_square(lift))
        if place:
            self.board.set_piece_at(chess.parse_square(place), chess.Piece.from_symbol(symbol))

    def play(self, *moves: tuple[str, str, str], press: bool = True) -> None:
        """Moves that are seen: from, to, the piece."""
        for at, (origin, target, piece) in enumerate(moves):
            self.hand(origin, target, piece)
            if press or at < len(moves) - 1:
                self.press("white" if piece.isupper() else "black")

    def press(self, side: c.Side, unseen: bool = False) -> None:
        self.tell(c.Press(ms=self.ms + 200, side=side, unseen=unseen))

    def away(self) -> None:
        self.tell(c.Unseen(ms=self.ms + 10))

    def back(self, *moves: tuple[str, str, str]) -> None:
        for origin, target, piece in moves:
            self.unseen_hand(origin, target, piece)
        self.tell(c.Seen(ms=self.ms + 3_000, shown="".join(map(self.letter, chess.SQUARES))))

    def accused(self) -> Sequence[c.AnyEvent]:
        return [event for event in self.events if isinstance(event, ACCUSED)]

    def moves(self) -> list[str]:
        return [made.move.uci() for made in self.game.state.made]


@pytest.fixture(params=["occupancy", "colour", "identity"])
def table(request: pytest.FixtureRequest) -> Table:
    table = Table(request.param)
    table.play(("e2", "e4", "P"), ("e7", "e5", "p"))
    return table


KNIGHT, REPLY, BISHOP = ("g1", "f3", "N"), ("b8", "c6", "n"), ("f1", "b5", "B")


@pytest.mark.parametrize("presses", [(), ("white",), ("white", "black"), ("white", "black", "white")])
@pytest.mark.parametrize("played", [0, 1, 2, 3])
def test_who_has_played_and_pressed_meanwhile_is_not_accused(
    table: Table, played: int, presses: tuple[c.Side, ...]
) -> None:
    table.away()
    table.back(*(KNIGHT, REPLY, BISHOP)[:played])
    for side in presses[: played + 1]:
        table.press(side, unseen=presses.count("white") > 1)
    table.wait(2_000)
    if played or not presses:
        assert table.accused() == []
        assert sorted(table.moves()[2:]) == sorted(["g1f3", "b8c6", "f1b5"][:played])


def test_what_stood_when_sight_was_lost_is_not_judged_by_the_time_that_passes(table: Table) -> None:
    """A knight drawn over a square, and the cable comes off in that moment."""
    table.hand("g1", "g3", "N")
    table.away()
    table.wait(5_000)
    table.back(("g3", "f3", "N"))
    table.press("white")
    assert table.accused() == []
    assert table.moves()[2:] == ["g1f3"]


def test_one_who_takes_a_move_back_unseen_and_plays_another_is_not_accused(table: Table) -> None:
    table.hand("g1")
    table.wait(500)
    table.away()
    table.back(("", "g1", "N"), ("d2", "d4", "P"))
    table.press("white")
    table.wait(1_000)
    assert table.accused() == []


def test_a_tempo_lost_unseen_shows_by_who_plays_next(table: Table) -> None:
    """Seen are h4 and h6; played were h3, h6 and h4, so it is Black's turn."""
    table.away()
    table.back(("h2", "h4", "P"), ("h7", "h6", "p"))
    assert table.moves()[2:] == ["h2h4", "h7h6"]
    table.play(("d8", "h4", "q"), press=False)
    table.wait(1_000)
    table.press("black")
    table.play(("g2", "g3", "P"))
    table.wait(1_000)
    assert table.accused() == []
    if table.senses != "occupancy":
        assert table.board.board_fen() == table.game.state.position.board.board_fen()


def test_a_piece_in_the_hand_may_have_moved_and_been_taken_up_again_unseen(table: Table) -> None:
    """The bishop takes on f7 and is himself lifted by the one who takes back: the board shows what it showed before."""
    table.play(("f1", "c4", "B"), ("g8", "f6", "n"))
    table.hand("f7")
    table.wait(300)
    table.hand("c4")
    table.wait(300)
    table.away()
    table.back()
    table.hand("e8", "f7", "k")
    table.press("black")
    table.wait(1_000)
    table.play(("d2", "d3", "P"))
    table.wait(1_000)
    assert table.accused() == []
    assert table.moves()[4:] == ["c4f7", "e8f7", "d2d3"]


@pytest.mark.parametrize("pressed", [True, False])
@pytest.mark.parametrize("senses", ["occupancy", "colour", "identity"])
def test_a_pawn_in_the_hand_may_have_promoted_unseen_and_been_taken_up_again(senses: c.Senses, pressed: bool) -> None:
    """What it became on a8 is lifted by the one who takes it there; the press may have been unseen, too."""
    table = Table(senses, "3r4/P6k/8/8/8/8/8/K7 w - - 0 1")
    table.hand("a7")
    table.wait(300)
    table.away()
    table.back()
    if pressed:
        table.press("white")
    table.hand("d8", "a8", "r")
    table.press("black")
    table.wait(1_000)
    table.play(("a1", "b1", "K"))
    table.wait(1_000)
    assert table.accused() == []
    assert table.moves() == ["a7a8q", "d8a8", "a1b1"]


def test_a_reply_that_begins_unseen_is_not_the_move_it_looks_like(table: Table) -> None:
    """A pawn in the hand at both ends has landed on d4 meanwhile, and Black, who has lifted it, takes it there."""
    table.play(("f1", "b5", "B"), ("d8", "h4", "q"))
    table.hand("d2")
    table.wait(300)
    table.away()
    table.back()
    table.press("white")
    table.hand("h4", "d4", "q")
    table.wait(1_000)
    table.press("black")
    table.wait(1_000)
    assert table.accused() == []


@pytest.mark.parametrize("table", ["occupancy"], indirect=True)
def test_a_piece_set_down_where_another_was_taken_unseen_explains_nothing(table: Table) -> None:
    """Seen after the gap are a knight and a queen gone from f6 and f3, which took unseen, and two moves that fit; then
    other knights land there. None of these has been lifted in a turn of which anybody knows."""
    table.play(("d1", "f3", "Q"), ("g8", "f6", "n"), ("a2", "a3", "P"), ("a7", "a6", "p"))
    table.away()
    table.back(("h2", "h4", "P"), ("f6", "e4", "n"), ("f3", "f7", "Q"), ("e8", "e7", "k"))
    table.press("black")
    table.wait(1_000)
    table.play(("g1", "f3", "N"), ("e4", "f6", "n"), ("f1", "c4", "B"), ("f6", "g4", "n"))
    table.wait(1_000)
    assert table.accused() == []


def test_what_cannot_be_followed_is_displaced_and_nobody_is_accused_until_it_is_put_right(table: Table) -> None:
    table.away()
    table.back(("a1", "a5", "R"), ("h8", "h4", "r"), ("d1", "d6", "Q"))
    table.press("white")
    table.wait(1_000)
    table.hand("g1", "g5", "N")
    table.press("white")
    table.wait(1_000)
    assert table.accused() == []
    assert [event for event in table.events if isinstance(event, c.Displaced)]
    for origin, target, piece in (("a5", "a1", "R"), ("h4", "h8", "r"), ("d6", "d1", "Q"), ("g5", "g1", "N")):
        table.hand(origin, target, piece)
    assert isinstance(table.events[-1], c.Restored)


def test_where_it_is_unsure_whose_turn_it_is_nobody_announces_out_of_turn(table: Table) -> None:
    table.away()
    table.tell(c.Adjust(ms=table.ms + 1_000, side="black"))
    table.back(("h2", "h4", "P"), ("h7", "h6", "p"))
    table.tell(c.Adjust(ms=table.ms + 1_000, side="black"))
    assert table.accused() == []


# -- offences that were seen -----------------------------------------------------------------------------------------


def test_an_offence_after_a_gap_in_which_nothing_was_played_is_told(table: Table) -> None:
    table.away()
    table.back()
    table.hand("g1")
    table.wait(300)
    table.hand(place="g1", symbol="N")
    table.play(("d2", "d4", "P"))
    (told,) = table.accused()
    assert isinstance(told, c.Violation)
    assert told.kind == "touch-move"


def test_the_first_move_after_a_gap_may_break_a_touch(table: Table) -> None:
    table.away()
    table.back(KNIGHT)
    table.press("white")
    table.hand("g8")
    table.wait(300)
    table.hand(place="g8", symbol="n")
    table.play(("d7", "d6", "p"))
    assert [event.kind for event in table.accused() if isinstance(event, c.Violation)] == ["touch-move"]


def test_from_the_first_move_that_was_seen_on_all_is_as_ever(table: Table) -> None:
    table.away()
    table.back(KNIGHT)
    table.press("white")
    table.play(REPLY)
    table.press("white")
    (told, *_) = table.accused()
    assert isinstance(told, c.Illegal)
    assert told.kind == "no-move"


def test_what_an_arbiter_reports_counts_also_then(table: Table) -> None:
    table.away()
    table.tell(c.Arbiter(ms=table.ms + 100, do="report", side="white", kind="hidden-stock"))
    table.back(("a1", "a5", "R"))
    assert all(isinstance(event, c.Violation) for event in table.accused())


def test_a_frame_after_it_is_a_picture_too() -> None:
    table = Table("occupancy")
    table.away()
    table.unseen_hand("e2", "e4", "P")
    table.unseen_hand("e7", "e5", "p")
    table.tell(c.Frame(ms=table.ms + 100, occupied=f"{table.board.occupied:016x}"))
    table.press("white")
    assert table.accused() == []
    assert table.moves() == ["e2e4", "e7e5"]


def test_a_piece_in_the_hand_when_sight_is_back_may_be_set_down_after_the_press_of_the_other() -> None:
    """It was read as a capture unseen; that it lands elsewhere shows that it was not, and no press without a move."""
    table = Table("occupancy")
    table.play(("e2", "e4", "P"), ("e7", "e5", "p"), ("d2", "d4", "P"), ("f8", "b4", "b"), press=True)
    table.away()
    table.unseen_hand("b4")
    table.back(("c2", "c3", "P"))
    table.press("white")
    table.hand(place="d6", symbol="b")
    table.press("black")
    table.wait(1_000)
    assert table.accused() == []


SCHOLAR = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
TAKEN = "xxx.x.xxxxxx.xxx..........x.x.......x.....x..x..xxxx.xxxx.xxxx.x"


@pytest.mark.parametrize("lifted", ["5000 lift f7; ", "5000 lift f7; 5200 lift h5; "])
def test_a_capture_that_nobody_saw_is_told_once_its_player_presses_in_sight(lifted: str) -> None:
    """The board shows that the queen has left, as one that stands where a piece stood looks the same; her victim was
    seen to leave. He gives mate, so there is no reply that would tell."""
    events = play(f"{lifted}5300 unseen; 5400 seen {TAKEN}; 6600 press white; 200000 time", SCHOLAR, clock="300")
    assert record(events) == ["h5f7"] and not accusations(events)
    assert [(each.result, each.reason) for each in only(c.Result, events)] == [("1-0", "checkmate")]


def test_of_several_that_nobody_saw_it_is_asked_which() -> None:
    events = play(f"5300 unseen; 5400 seen {TAKEN}; 6600 press white", SCHOLAR, clock="300")
    asked = [each for each in only(c.Ambiguous, events) if each.ms == 6600]
    assert [sorted(each.moves) for each in asked] == [["h5e5", "h5f7", "h5h7"]]
    assert not accusations(events)
