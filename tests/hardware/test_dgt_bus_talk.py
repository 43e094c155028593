"""The talk with boards on a line, in a time of its own: what goes wrong there, in any order, ends well."""

import random
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import chess
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hardware.boards import Change, Fault, FromDevice, LeverPress, Look, Recovered
from hardware.boards.dgt_bus_polling import Polled, Polling
from hardware.boards.dgt_bus_protocol import ALL, LAST_ADDRESS, Command, Decoder, Id, Reply, encode, encode_reply
from hardware.boards.dgt_bus_talk import Asking, Present, Script, T, Talk, roll_call
from hardware.boards.dgt_protocol import Command as SingleCommand
from hardware.simulator import dgt_bus
from hardware.simulator.dgt_bus import BusBoard, DgtLineEmulator

STEP_S = 0.01


class World:
    """A line without a terminal: what is written is heard at once, and what is said comes a moment later."""

    now = 1000.0

    def __init__(self, addresses: list[int], seed: int = 0) -> None:
        self.said = bytearray()
        self.line = DgtLineEmulator(Path(), addresses, seed)
        self.line.send = self.said.extend  # type: ignore[method-assign]

    def tell(self, *data: bytes) -> list[Reply]:
        """What comes at once, of what is understood."""
        for part in data:
            self.line.obey(part)
        said, self.said[:] = bytes(self.said), b""
        return [reply for reply in Decoder().feed(said) if isinstance(reply, Reply)]

    def wait(self, seconds: float) -> list[Reply]:
        World.now += seconds
        self.line.tick(World.now)
        return self.tell()

    def step(self, talk: Talk[T]) -> None:
        self.line.obey(talk.next(self.ns))
        World.now += STEP_S
        self.line.tick(World.now)
        said, self.said[:] = bytes(self.said), b""
        talk.hear(self.ns, said)

    def result(self, script: Script[T]) -> T:
        talk = Talk(script)
        while not talk.over:
            self.step(talk)
        assert talk.result is not None
        return talk.result

    @property
    def ns(self) -> int:
        return round(World.now * 1e9)


@pytest.fixture(autouse=True, scope="module")
def own_time() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dgt_bus, "time", SimpleNamespace(monotonic=lambda: World.now))
        yield


def ping(address: int) -> bytes:
    return encode(Command.PING, address)


# -- the line that is emulated -------------------------------------------------------------------------------------


def test_a_board_answers_to_its_own_address_alone() -> None:
    world = World([1025, 1031])
    assert world.tell(ping(1025)) == [Reply(Id.PING, 1025, b"")]
    assert world.tell(ping(1026)) == []


def test_the_first_command_after_another_mode_only_changes_that() -> None:
    world = World([1025])
    world.tell(bytes((SingleCommand.RESET,)))
    assert world.tell(ping(1025)) == []
    assert world.tell(ping(1025)) == [Reply(Id.PING, 1025, b"")]
    world.tell(bytes((SingleCommand.RESET, SingleCommand.BUS_MODE)))
    assert world.tell(ping(1025)) == [Reply(Id.PING, 1025, b"")]


def test_one_command_is_kept_and_the_next_is_lost() -> None:
    world = World([1025])
    three = ping(1025) + encode(Command.SEND_CHANGES, 1025) + encode(Command.VERSION, 1025)
    assert [reply.id for reply in world.tell(three)] == [Id.PING, Id.CHANGES]


def test_boards_that_answer_together_are_not_understood() -> None:
    world = World([1025, 1031])
    assert world.tell(ping(1025) + ping(1031)) == []
    BusBoard(world.line, 1025).plug()
    assert world.tell(ping(1025)) == []
    assert world.tell(ping(1031)) == [Reply(Id.PING, 1031, b"")]


def test_a_call_is_answered_by_each_at_a_moment_of_its_own_but_by_those_who_shall_not() -> None:
    world = World([1025, 1031, 1044])
    assert world.tell(encode(Command.IGNORE_NEXT_PING, 1031)) == [Reply(Id.PING, 1031, b"")]
    heard = []
    for _ in range(2):
        world.tell(ping(ALL))
        heard.append({reply.address for _ in range(12) for reply in world.wait(0.1)})
    assert heard == [{1025, 1044}, {1025, 1031, 1044}]


def test_changes_are_told_once_and_again_on_demand() -> None:
    world = World([1025])
    world.tell(encode(Command.SEND_CHANGES, 1025))
    world.line[1025].lift(chess.E2)
    (changes,) = world.tell(encode(Command.SEND_CHANGES, 1025))
    assert len(changes.data) == 2
    assert world.tell(encode(Command.REPEAT_CHANGES, 1025)) == [changes]
    assert world.tell(encode(Command.SEND_CHANGES, 1025)) == [Reply(Id.CHANGES, 1025, b"")]
    assert world.tell(encode(Command.REPEAT_CHANGES, 1025)) == [Reply(Id.CHANGES, 1025, b"")]


# -- who is there --------------------------------------------------------------------------------------------------


@given(st.sets(st.integers(1, LAST_ADDRESS - 1), max_size=12), st.integers(0, 2**32), st.data())
def test_all_are_found_and_those_that_share_an_address_are_named(
    addresses: set[int], seed: int, data: st.DataObject
) -> None:
    world = World(sorted(addresses), seed)
    double = data.draw(st.none() | st.sampled_from(sorted(addresses))) if addresses else None
    if double is not None:
        BusBoard(world.line, double).plug()
    expected = [Present(a, 2, "") if a == double else Present(a, 1, "1.8") for a in sorted(addresses)]
    assert world.result(roll_call(Asking())) == expected


# -- what is told --------------------------------------------------------------------------------------------------


class Player:
    """A board of the line that hands move pieces about on, with what its driver says."""

    def __init__(self, world: World, address: int, silence_s: float) -> None:
        self.items: list[FromDevice] = []
        self.board = world.line[address]
        self.polled = Polled("line", address, silence_s, self.items.append)
        self.done: list[tuple[str, str]] = []

    def act(self, rng: random.Random) -> None:
        """A piece is lifted or set down, or the clock is pressed."""
        if rng.random() < 0.2 and self.done:
            pressed = len([one for one in self.done if one[0] == "press"])
            right = pressed % 2 == 0
            self.board.clock(300 - pressed, 300 - pressed, "right" if right else "left")
            self.done.append(("press", "white" if right else "black"))
            return
        square = rng.randrange(1, 64)
        piece = "" if self.board.pieces[square] else rng.choice("PNBRQKpnbrqk")
        (self.board.place(square, piece) if piece else self.board.lift(square))
        self.done.append((chess.square_name(square), piece))

    @property
    def told(self) -> list[tuple[str, str]]:
        return [
            ("press", item.side) if isinstance(item, LeverPress) else (chess.square_name(item.square), item.piece)
            for item in self.items
            if isinstance(item, Change | LeverPress)
        ]


def apart(told: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], ...]:
    """Squares and presses: where they are closer together than two questions, their order cannot be told."""
    return [one for one in told if one[0] != "press"], [one for one in told if one[0] == "press"]


def at_work(world: World, addresses: list[int], silence_s: float = 2.0) -> tuple[list[Player], Talk[None]]:
    players = [Player(world, address, silence_s) for address in addresses]
    polling = Polling("line", [player.polled for player in players], Asking())
    talk = Talk(polling.script(), polling.stray)
    for player in players:
        player.board.clock(300, 300, "left", running=False)
    while not all(any(isinstance(item, Look) for item in player.items) for player in players):
        world.step(talk)
    for player in players:
        player.board.clock(300, 300, "left")
    while not all(player.polled.alive_ns and player.told[64:] for player in players):
        world.step(talk)
    for player in players:
        player.board.lift(chess.A1)  # for good: while all stand at the start, White's is the clock that runs
    while not all(player.told[-1] == ("a1", "") for player in players):
        world.step(talk)
    for player in players:
        del player.items[:]
    return players, talk


def pause_of(world: World, talk: Talk[None], seconds: float) -> None:
    end = world.now + seconds
    while world.now < end:
        world.step(talk)


@given(st.integers(1, 6), st.integers(0, 2**32), st.floats(0, 0.3))
@example(6, 1, 0.0)
def test_whatever_is_lost_on_the_way_all_is_told_once_and_in_order(boards: int, seed: int, trouble: float) -> None:
    """Answers are lost and garbled, and noise comes; hands do not wait. No board is ever given up."""
    rng, addresses = random.Random(seed), [1025 + 77 * i for i in range(boards)]
    world = World(addresses, seed)
    players, talk = at_work(world, addresses, silence_s=60)
    for _ in range(60):
        for player in players:
            if rng.random() < 0.5:
                player.act(rng)
        if rng.random() < trouble:
            world.line.lost = 1
        elif rng.random() < trouble:
            world.line.damaged = 1
        elif rng.random() < trouble:
            world.said += rng.randbytes(rng.randrange(9))
        pause_of(world, talk, rng.uniform(0, 0.3))
    pause_of(world, talk, 3)
    for player in players:
        assert apart(player.told) == apart(player.done)
        assert not [item for item in player.items if isinstance(item, Fault)]


@given(st.integers(1, 4), st.integers(0, 2**32))
def test_an_answer_that_comes_too_late_is_neither_lost_nor_told_twice(boards: int, seed: int) -> None:
    rng, addresses = random.Random(seed), [1025 + i for i in range(boards)]
    world = World(addresses, seed)
    players, talk = at_work(world, addresses, silence_s=60)
    held = list[tuple[float, bytes]]()

    def late(data: bytes) -> None:
        held.append((world.now + (rng.uniform(0.09, 0.25) if slow and rng.random() < 0.3 else 0), data))

    world.line.send = late  # type: ignore[method-assign]
    for i in range(700):
        slow = i < 400
        if slow and rng.random() < 0.1:
            rng.choice(players).act(rng)
        for due, data in [one for one in held if one[0] <= world.now]:
            held.remove((due, data))
            world.said += data
        world.step(talk)
    for player in players:
        assert apart(player.told) == apart(player.done)


@given(st.integers(0, 2**32), st.booleans())
def test_a_board_that_comes_back_shows_itself_whole_whatever_was_missed(seed: int, power: bool) -> None:
    rng = random.Random(seed)
    world = World([1025, 1031], seed)
    players, talk = at_work(world, [1025, 1031])
    one, other = players
    if power:
        one.board.unplug()
    else:
        one.board.deaf = True
    pause_of(world, talk, rng.choice([0.2, 5.0]))
    for _ in range(5):
        one.act(rng)
        other.act(rng)
        pause_of(world, talk, rng.uniform(0, 0.3))
    if power:
        one.board.plug()
    one.board.deaf = False
    pause_of(world, talk, 5)
    pieces = dict(zip(chess.SQUARES, ["?"] * 64, strict=True))
    pieces |= {item.square: item.piece for item in one.items if isinstance(item, Change)}
    shown = {square: piece for square, piece in pieces.items() if piece != "?"}
    assert all(one.board.pieces[square] == piece for square, piece in shown.items())
    faults, back = (sum(isinstance(item, kind) for item in one.items) for kind in (Fault, Recovered))
    assert faults == back
    assert (len(shown) == 64) == bool(faults)
    assert apart(other.told) == apart(other.done)
    assert not [item for item in other.items if isinstance(item, Fault)]


def test_a_press_waits_for_no_board_but_its_own() -> None:
    """The look that is wanted comes as soon as the board's scan can have seen all, before the round is over."""
    addresses = [1025 + i for i in range(12)]
    world = World(addresses)
    players, talk = at_work(world, addresses)
    pause_of(world, talk, 1)
    wanted = world.ns
    players[7].polled.want(wanted)
    while not any(isinstance(item, Look) for item in players[7].items):
        world.step(talk)
    (look,) = [item for item in players[7].items if isinstance(item, Look)]
    assert look.began_ns >= wanted
    assert look.ns - wanted <= 250_000_000 + 12 * STEP_S * 1e9


def test_bytes_of_a_stranger_are_no_answer() -> None:
    """A reply of the right address to another question, and the right one of another board."""
    asking = Asking()

    def script() -> Script[Reply | None]:
        heard = yield asking.board(Command.SEND_CHANGES, 1025)
        assert [reply.id for reply in heard.replies] == [Id.PING, Id.CHANGES, Id.CHANGES_EVEN]
        return heard.answer

    strays: list[Reply] = []
    talk = Talk(script(), lambda _, reply: strays.append(reply))
    assert talk.next(0) == encode(Command.SEND_CHANGES, 1025)
    assert talk.next(1) == b"", "the answer is awaited"
    talk.hear(2, encode_reply(Id.PING, 1025) + encode_reply(Id.CHANGES, 1031) + encode_reply(Id.CHANGES_EVEN, 1025))
    talk.next(3)
    assert talk.over
    assert talk.result == Reply(Id.CHANGES_EVEN, 1025, b"")
    assert [reply.address for reply in strays] == [1025, 1031]
