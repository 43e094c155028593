"""What a DGT board's messages mean: squares as White sees them, and presses by the side that made them."""

import chess
import pytest
from msgspec.structs import replace

from controller.shown import START
from hardware.boards.codec import ProtocolError
from hardware.boards.dgt_picture import TICK_MS, DgtPicture, DgtRecording, own_number
from hardware.boards.dgt_protocol import (
    PIECES,
    ClockState,
    Decoder,
    Dump,
    Field,
    Flank,
    Id,
    Message,
    encode,
)
from hardware.boards.picture import MESSAGE_MS
from hardware.boards.readings import Change, ClockShown, LeverPress, Stance

Told = list[tuple[str, str]]


def told(picture: DgtPicture, *messages: Message, apart_s: int = 0) -> Told:
    """(square, piece) for a change, ("press", side) for a press; the messages come so far apart."""
    return [
        ("press", item.side) if isinstance(item, LeverPress) else (chess.square_name(item.square), item.piece)
        for number, message in enumerate(messages)
        for item in picture.take(number * apart_s * 1_000_000_000, message)
        if isinstance(item, LeverPress | Change)
    ]


def dump(fen: str, rotated: bool = False) -> Dump:
    board = chess.Board(fen)
    codes = bytearray(64)
    for square, piece in board.piece_map().items():
        codes[own_number(square, rotated)] = PIECES.index(piece.symbol())
    return Dump(bytes(codes))


def field(square: str, piece: str, rotated: bool = False) -> Field:
    return Field(own_number(chess.parse_square(square), rotated), PIECES.index(piece))


def clock(to_move: Flank, running: bool = True, left: int = 100, right: int = 100) -> ClockState:
    return ClockState(left, right, running, to_move, to_move == "right", False, False, False)


def turned_round(data: bytes) -> bytes:
    """What the same board had sent, had it stood the other way round: the squares change, the clock does not."""
    out = b""
    for message in Decoder().feed(data):
        match message:
            case Dump(codes):
                out += encode(Id.BOARD, codes[::-1])
            case Field(square, code):
                out += encode(Id.FIELD, bytes((63 - square, code)))
            case ClockState() as c:
                halves = b"".join(
                    bytes((0, s // 60 // 10 * 16 + s // 60 % 10, s % 60 // 10 * 16 + s % 10)) for s in (c.right, c.left)
                )
                out += encode(Id.CLOCK, halves + bytes((c.running | (0x10 if c.to_move == "right" else 0x08),)))
            case ProtocolError():
                pytest.fail(str(message))
    return out


@pytest.mark.parametrize("rotated", [False, True])
def test_the_numbers_of_the_squares(rotated: bool) -> None:
    a8 = 63 if rotated else 0
    assert own_number(chess.A8, rotated) == a8
    assert own_number(chess.H1, rotated) == 63 - a8
    assert sorted(own_number(s, rotated) for s in chess.SQUARES) == list(range(64))


@pytest.mark.parametrize("rotated", [False, True])
def test_a_board_at_the_start_has_nothing_to_tell(rotated: bool) -> None:
    picture = DgtPicture()
    assert told(picture, dump(chess.STARTING_FEN, rotated)) == []
    assert picture.placement.rotated is rotated
    assert picture.placement.shown.readings == START


@pytest.mark.parametrize("rotated", [False, True])
def test_squares_are_told_as_white_sees_them(rotated: bool) -> None:
    picture = DgtPicture()
    seen = told(picture, dump(chess.STARTING_FEN, rotated), field("e2", "", rotated), field("e4", "P", rotated))
    assert seen == [("e2", ""), ("e4", "P")]


def test_a_first_dump_that_is_not_the_start_tells_what_differs_lifts_first() -> None:
    after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert told(DgtPicture(), dump(after_e4)) == [("e2", ""), ("e4", "P")]
    assert told(DgtPicture(), dump(after_e4, rotated=True)) == [("e2", ""), ("e4", "P")]


def test_an_endgame_says_nothing_about_how_the_board_stands() -> None:
    picture = DgtPicture()
    told(picture, dump("8/8/4k3/8/8/3K4/3P4/8 w - - 0 1"))
    assert not picture.placement.rotated


def test_pieces_set_up_the_other_way_round_turn_the_board() -> None:
    """A second game on the same board, with the players' seats exchanged."""
    picture = DgtPicture()
    told(picture, dump("8/8/4k3/8/8/3K4/8/8 w - - 0 1"))
    for square, piece in enumerate(START):
        told(picture, field(chess.square_name(square), piece, rotated=True))
    assert picture.placement.rotated
    assert picture.placement.shown.readings == START


def test_a_message_that_repeats_what_is_known_changes_nothing() -> None:
    picture = DgtPicture()
    told(picture, field("e2", ""))
    assert told(picture, field("e2", "")) == []


def test_a_capture_may_swap_a_square() -> None:
    assert told(DgtPicture(), field("e7", "Q")) == [("e7", "Q")]


@pytest.mark.parametrize("flank", ["left", "right"])
def test_the_clock_that_runs_while_all_stand_at_the_start_is_whites(flank: Flank) -> None:
    other: Flank = "right" if flank == "left" else "left"
    picture = DgtPicture()
    assert told(picture, clock(flank, running=False), clock(flank)) == []
    assert told(picture, field("e2", ""), field("e4", "P"), clock(other)) == [
        ("e2", ""),
        ("e4", "P"),
        ("press", "white"),
    ]
    assert told(picture, clock(flank)) == [("press", "black")]


def test_a_lever_put_right_before_the_first_move_is_no_press() -> None:
    picture = DgtPicture()
    assert told(picture, clock("right"), clock("left")) == []
    assert told(picture, field("e2", ""), clock("right")) == [("e2", ""), ("press", "white")]


@pytest.mark.parametrize(("rotated", "flank", "other"), [(False, "left", "right"), (True, "right", "left")])
def test_where_the_start_was_not_seen_white_has_the_flank_the_board_suggests(
    rotated: bool, flank: Flank, other: Flank
) -> None:
    picture = DgtPicture()
    told(picture, dump("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", rotated))
    assert told(picture, clock(flank), clock(other)) == [("press", "white")]


def test_of_a_board_at_work_nobody_knows_what_stands_there_before_it_says_so() -> None:
    """The clock is heard of first, amid a game: that it runs starts none, and tells nothing of the flanks."""
    picture = DgtPicture(live=True)
    assert told(picture, clock("right")) == []
    told(picture, dump("8/8/4k3/8/8/3K4/3P4/8 w - - 0 1"))
    assert told(picture, clock("left")) == [("press", "black")]


def test_a_piece_moved_before_a_board_at_work_has_said_how_it_stands_says_nothing_of_that() -> None:
    """The program was started anew amid a game, and knows from before that the board is turned."""
    picture = DgtPicture(live=True)
    picture.placement.recall(Stance(rotated=True, white_right=True))
    assert told(picture, field("g1", "", rotated=True)) == []
    told(picture, dump("8/8/4k3/8/8/3K4/3P4/8 w - - 0 1", rotated=True))
    assert picture.placement.shown[chess.E6] == "k"


def test_a_clock_that_stands_still_is_not_pressed() -> None:
    picture = DgtPicture()
    told(picture, field("e2", ""), clock("left"))
    stopped = (clock("left", running=False), clock("right", running=False))
    assert told(picture, clock("left"), *stopped, clock("right"), apart_s=1) == []


@pytest.mark.parametrize(
    "under_way", [clock("left", running=False), clock("right", running=False), replace(clock("left"), to_move=None)]
)
def test_a_lever_under_way_is_pressed_when_it_has_arrived(under_way: ClockState) -> None:
    picture = DgtPicture()
    told(picture, field("e2", ""), clock("left"))
    assert told(picture, clock("left"), under_way, clock("right"), apart_s=1) == [("press", "white")]


def test_a_tick_is_a_second_and_a_press_is_not() -> None:
    def elapsed(*states: tuple[Flank, int, int]) -> list[int]:
        recording = DgtRecording()
        data = b"".join(
            encode(Id.CLOCK, bytes((0, 1, right, 0, 1, left, 0x13 if flank == "right" else 0x09)))
            for flank, left, right in states
        )
        return [step.elapsed_ms for step in recording.read(data)]

    assert elapsed(("left", 9, 9), ("left", 8, 9), ("left", 8, 9), ("right", 9, 9), ("right", 9, 8)) == [
        MESSAGE_MS,  # the first tells no change
        TICK_MS,
        MESSAGE_MS,  # the same time twice
        MESSAGE_MS,  # White pressed and got an increment
        TICK_MS,
    ]


def test_damage_in_a_recording_is_counted() -> None:
    recording = DgtRecording()
    (step,) = recording.read(b"\x00\x8e\x00\x05" + encode(Id.FIELD, bytes((own_number(chess.E2, False), 0))))
    assert step.items == (Change(0, chess.E2, ""),)
    assert recording.damaged == 2  # a byte outside any message, and a message cut short


def test_a_recording_turned_round_is_the_same_game(recorded: bytes) -> None:
    upright, rotated = DgtRecording(), DgtRecording()
    turned = turned_round(recorded)
    assert turned != recorded
    assert list(rotated.read(turned)) == list(upright.read(recorded))
    assert upright.damaged == rotated.damaged == 0


def test_the_press_that_starts_whites_clock_is_told_where_somebody_waits_for_it() -> None:
    picture = DgtPicture(live=True)
    told(picture, dump(chess.STARTING_FEN))
    assert told(picture, clock("left", running=False)) == []
    assert told(picture, clock("left")) == [("press", "black")]
    assert told(picture, clock("left")) == []


def test_the_flank_whose_time_goes_down_runs_whatever_the_clock_says_of_the_turn() -> None:
    """Here it says "right" while the left one runs, as one document has it."""
    picture = DgtPicture(live=True)
    told(picture, dump(chess.STARTING_FEN))
    heard = [shown(picture, clock("right", left=left, right=300)) for left in (295, 294, 293)]
    assert [(each.white_s, each.black_s) for (each,) in heard] == [(300, 295), (300, 294), (293, 300)], "two ticks tell"
    told(picture, Field(own_number(chess.E2), 0))
    assert told(picture, clock("left", left=293, right=300)) == [("press", "white")]
    assert shown(picture, clock("left", left=293, right=299)) == [ClockShown(0, 293, 299, "black")]
    again = DgtPicture(live=True)
    stance = picture.placement.stance
    assert stance is not None
    again.placement.recall(stance)
    assert shown(again, clock("left", left=293, right=299)) == [ClockShown(0, 293, 299, "black")]
    assert told(again, clock("right", left=293, right=297)) == [("press", "black")]


@pytest.mark.parametrize(("after_ms", "pressed"), [(0, [("press", "black")]), (200, [("press", "black")]), (400, [])])
def test_the_first_piece_may_be_touched_in_the_scan_that_shows_the_press(
    after_ms: int, pressed: list[tuple[str, str]]
) -> None:
    """One scan shows squares first, and then the clock."""
    picture = DgtPicture(live=True)
    told(picture, dump(chess.STARTING_FEN), clock("right", running=False))
    told(picture, Field(own_number(chess.E2), 0))
    presses = [item.side for item in picture.take(after_ms * 10**6, clock("right")) if isinstance(item, LeverPress)]
    assert [("press", side) for side in presses] == pressed
    assert picture.white == ("right" if pressed else "left")
    assert told(picture, clock("left")) == ([("press", "white")] if pressed else [("press", "black")])


def test_the_first_picture_of_a_game_that_is_on_says_nothing_of_whose_flank_is_whose() -> None:
    """The daemon was started again while Black's clock ran; White has the left one."""
    picture = DgtPicture(live=True)
    told(picture, dump("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"))
    assert told(picture, clock("right")) == []
    assert picture.white == "left"
    assert told(picture, clock("left")) == [("press", "black")]


def test_nor_does_a_board_on_which_a_game_that_is_on_is_set_up() -> None:
    """It takes the place of another one. Black's clock runs, and White has the left one."""
    picture = DgtPicture(live=True)
    told(picture, dump(chess.STARTING_FEN), clock("left", running=False))
    told(picture, *[field(square, piece) for square, piece in (("b1", ""), ("a3", "N"), ("d7", ""), ("d6", "p"))])
    assert told(picture, clock("right")) == []
    assert picture.white == "left"
    assert told(picture, clock("left")) == [("press", "black")]


def test_what_the_clock_shows_is_told_of_a_board_at_work_by_whose_flank_is_whose() -> None:
    picture = DgtPicture(live=True)
    told(picture, dump(chess.STARTING_FEN))
    assert shown(picture, clock("right", left=290, right=300)) == [ClockShown(0, 300, 290, "white")], (
        "who begins is White"
    )
    told(picture, Field(own_number(chess.E2), 0))
    assert shown(picture, clock("left", left=290, right=299)) == [ClockShown(0, 299, 290, "black")]
    assert shown(picture, clock("left", running=False, left=289, right=299)) == [ClockShown(0, 299, 289, None)]
    assert shown(DgtPicture(), clock("left")) == [], "of a recording it is of no use"


def shown(picture: DgtPicture, message: Message) -> list[ClockShown]:
    return [item for item in picture.take(0, message) if isinstance(item, ClockShown)]


def test_a_picture_much_unlike_what_was_told_counts_once_it_comes_twice() -> None:
    """One that lost a byte, and was completed by one of the next message, shows most pieces on the square beside."""
    picture = DgtPicture(live=True)
    start = bytes(PIECES.index(START[own_number(square)]) for square in chess.SQUARES)
    shifted = start[:40] + start[41:] + bytes([0])
    assert not picture.doubts(Dump(start)), "of a board of which nothing is known all is believed"
    list(picture.take(0, Dump(start)))
    moved = bytearray(start)
    moved[own_number(chess.E2)], moved[own_number(chess.E4)] = 0, start[own_number(chess.E2)]
    assert not picture.doubts(Dump(bytes(moved))), "as where two changes were lost"
    assert picture.doubts(Dump(shifted))
    assert not picture.doubts(Dump(start))
    assert picture.doubts(Dump(shifted)), "which the one between has denied"
    assert not picture.doubts(Dump(shifted))
    assert not picture.doubts(Field(0, 0))
