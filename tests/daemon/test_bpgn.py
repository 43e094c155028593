"""A match is read back from its BPGN, move by move, as any reader of that notation would."""

import re
from collections.abc import Iterator

import chess
import pytest
from chess import Move, square_name
from chess.variant import CrazyhouseBoard
from msgspec.structs import replace

from controller import contract as c
from controller.bughouse import BughouseBoard
from controller.journal import Opening
from controller.match import MatchAQuatre
from controller.outlets.bpgn import bpgn
from controller.outlets.matchsheet import Matchsheet
from hardware.simulator.matches import inputs, play_match

TAGS = {"WhiteA": "Ann", "BlackA": "Bob", "WhiteB": "Cid", "BlackB": "Dora", "Event": "Club evening"}
SILENT = c.Session(version=1, play="blitz", supervised=False, clock="180", match="bughouse")
SESSION = c.Session(version=1, play="blitz", supervised=False, clock="180", match="bughouse", senses="identity")
TOKEN = re.compile(r"\{(?P<note>[^}]*)\}|(?P<turn>\d+)(?P<player>[AaBb])\. (?P<san>\S+)|(?P<result>1-0|0-1|1/2-1/2|\*)")


class Read:
    """A BPGN text read with nothing of the writer: tags, moves, times, the last comment; each move must be legal."""

    def __init__(self, text: str) -> None:
        head, _, body = text.partition("\n\n")
        self.tags = dict(re.findall(r'\[(\w+) "(.*)"\]', head))
        fens = self.tags.get("FEN", " | ".join([CrazyhouseBoard.starting_fen] * 2)).split(" | ")
        self.boards = {name: BughouseBoard(fen) for name, fen in zip("AB", fens, strict=True)}
        self.moves: list[str] = []
        self.left: dict[str, float] = {}  #: on the clock of each player after his last move
        self.last_note = ""
        self.result = ""
        for token in TOKEN.finditer(" ".join(body.split())):
            if token["san"]:
                self._move(int(token["turn"]), token["player"], token["san"])
            elif token["note"]:
                self._note(token["note"])
            elif token["result"]:
                self.result = token["result"]

    def _move(self, turn: int, player: str, san: str) -> None:
        board, partner = self.boards[player.upper()], self.boards["BA"["AB".index(player.upper())]]
        assert (board.fullmove_number, board.turn) == (turn, player.isupper()), f"{turn}{player}. {san}"
        move = board.parse_san(san)
        if board.is_capture(move):
            plain = board.is_en_passant(move) or board.promoted >> move.to_square & 1
            partner.pockets[not board.turn].add(chess.PAWN if plain else board.piece_type_at(move.to_square))
        board.push(move)
        self.moves.append(f"{player}:{san}")
        self.last_note = ""

    def _note(self, note: str) -> None:
        if note.replace(".", "").isdigit():
            self.left[self.moves[-1][0]] = float(note)
        else:
            self.last_note = note.strip()


def opening(session: c.Session) -> Opening:
    return Opening(game="g", venue="v", board="1+2", started="2026-03-04T18:30:00+01:00", tags=TAGS, session=session)


class Players:
    """Four players at boards that know their pieces: each plays a move and presses, a second after what was before."""

    def __init__(self, session: c.Session = SESSION) -> None:
        self.match = MatchAQuatre(session)
        self.sheet = Matchsheet(opening(session))
        self.ms = 0

    def play(self, *moves: str) -> "Players":
        """``A e2e4`` moves and presses; ``A e2e4!`` leaves the clock alone."""
        for text in moves:
            name, _, uci = text.partition(" ")
            self._make(name, Move.from_uci(uci.rstrip("!")), press=not uci.endswith("!"))
        return self

    def tell(self, kind: type[c.Input], name: str, **fields: object) -> "Players":
        for event in self.match.handle(kind(ms=self.ms, board=name, **fields)):  # type: ignore[arg-type]
            self.sheet.apply(event)
        return self

    def read(self) -> Read:
        return Read(bpgn(self.sheet))

    def _make(self, name: str, move: Move, press: bool) -> None:
        board = BughouseBoard(self.sheet.boards[name].fen)  # type: ignore[index]
        self.ms += 1000
        side = c.WHITE if board.turn else c.BLACK
        for act in _acts(board, move):
            self.tell(c.Place if "piece" in act else c.Lift, name, **act)
            self.ms += 100
        self.ms += 500
        self.tell(c.Time, name)
        if press:
            self.tell(c.Press, name, side=side)


def _acts(board: BughouseBoard, move: Move) -> Iterator[dict[str, str]]:
    target = square_name(move.to_square)
    if move.drop:
        letter = " PNBRQ"[move.drop]
        yield {"square": target, "piece": letter if board.turn else letter.lower()}
        return
    if board.piece_at(move.to_square):
        yield {"square": target}
    piece = board.piece_at(move.from_square)
    assert piece is not None
    yield {"square": square_name(move.from_square)}
    yield {"square": target, "piece": piece.symbol()}


SWAP = ("A e2e4", "B d2d4", "A d7d5", "A e4d5", "B P@e5")
"""White on A takes a pawn, which Black on B drops."""


def test_moves_of_both_boards_stand_in_the_order_of_time() -> None:
    read = Players().play(*SWAP[:-1], "B g8f6", "A d8d5").read()
    assert read.moves == ["A:e4", "B:d4", "a:d5", "A:exd5", "b:Nf6", "a:Qxd5"]
    assert read.result == read.tags["Result"] == "*"


def test_players_event_and_time_are_in_the_tags() -> None:
    tags = Players().read().tags
    assert tags | TAGS == tags
    assert (tags["Date"], tags["Site"], tags["TimeControl"]) == ("2026.03.04", "?", "180")
    assert "FEN" not in tags


def test_a_piece_taken_on_one_board_is_dropped_on_the_other() -> None:
    read = Players().play(*SWAP).read()
    assert read.moves[-1] == "b:P@e5"
    assert str(read.boards["B"].pockets[0]) == ""


def test_the_time_left_stands_behind_each_completed_move() -> None:
    read = Players().play("A e2e4", "A e7e5!").read()
    assert read.left.keys() == {"A"}
    assert read.left["A"] == pytest.approx(180 - 1.7, abs=0.01)


def test_a_move_taken_back_is_no_longer_in_it() -> None:
    players = Players().play("A e2e4", "B d2d4")
    assert players.tell(c.Arbiter, "A", do="undo").read().moves == ["B:d4"]


def test_how_the_match_ended_stands_before_its_result() -> None:
    players = Players().play("A e2e4", "B d2d4").tell(c.Resign, "A", side="white").tell(c.Pause, "B", side="white")
    read = players.read()
    assert (read.result, read.last_note) == ("0-1", "Ann resigns")
    assert read.moves == ["A:e4", "B:d4"]


def test_both_boards_may_have_ended_the_match() -> None:
    players = Players().play("A e2e4", "B d2d4")
    read = players.tell(c.Resign, "A", side="white").tell(c.Resign, "B", side="white").read()
    assert (read.result, read.last_note) == ("1/2-1/2", "Ann resigns; Cid resigns")


def test_the_teams_may_agree_on_a_draw() -> None:
    players = Players().play("A e2e4", "A e7e5", "B e2e4", "B e7e5")
    for name, side in (("A", "white"), ("B", "black")):
        players.tell(c.Draw, name, side=side, act="offer")
    for name, side in (("A", "black"), ("B", "white")):
        players.tell(c.Draw, name, side=side, act="accept")
    read = players.read()
    assert (read.result, read.last_note) == ("1/2-1/2", "drawn by agreement of the teams")


def test_a_match_from_other_positions_says_both() -> None:
    fens = c.BoardFens(A="4k3/8/8/8/8/8/4P3/4K3[N] w - - 0 1", B="startpos")
    read = (
        Players(c.Session(version=1, clock="180", match="bughouse", senses="identity", fen=fens)).play("A N@f6").read()
    )
    assert read.tags["SetUp"] == "1"
    assert read.tags["FEN"] == f"{fens.A} | {BughouseBoard.starting_fen}"
    assert read.moves == ["A:N@f6+"]


def test_it_can_be_read_at_every_moment() -> None:
    players = Players()
    for ply, move in enumerate((*SWAP, "A d8d5", "B d4e5", "A b1c3", "B g8f6", "A P@e4", "B P@g5", "A c3e4"), 1):
        assert len(players.play(move).read().moves) == ply
    held = {name: str(board.pockets[0]) + str(board.pockets[1]) for name, board in players.read().boards.items()}
    stocks = {name: sheet.stock for name, sheet in players.sheet.boards.items()}
    assert held == {"A": "", "B": "p"}
    assert stocks == {"A": {"white": "", "black": ""}, "B": {"white": "", "black": "p"}}


def test_random_matches_whose_drops_are_named_later_can_be_read_whenever_the_record_is_corrected() -> None:
    """Nobody says which piece he drops: moves are told anew, and what is misread may stand as illegal."""
    corrected = 0
    for seed in range(12):
        match, sheet = MatchAQuatre(SILENT), Matchsheet(opening(SILENT))
        for item in inputs(play_match(seed, 180)):
            if not isinstance(item, c.Choose):
                events = match.handle(item)
                for event in events:
                    sheet.apply(event)
                if any(isinstance(event, c.Retract) for event in events):
                    corrected += 1
                    Read(bpgn(sheet))
        Read(bpgn(sheet))
    assert corrected > 5


def test_a_move_named_anew_keeps_its_place_and_its_times() -> None:
    players = Players().play("A e2e4", "B d2d4", "A d7d5", "B d7d5")
    at = players.ms = players.ms + 5000
    e4, d5 = [entry.move for entry in players.sheet.boards["A"].entries[:2]]
    white, black = [entry.left_ms for entry in players.sheet.boards["A"].entries[:2]]
    after = BughouseBoard(e4.fen)
    after.push_uci("d7d6")
    for event in (
        c.Retract(ms=at, board="A", uci="d7d5", fen=e4.fen),
        replace(d5, ms=at, uci="d7d6", san="d6", fen=after.fen()),
        c.Completed(ms=at, board="A", side="black", uci="d7d6", white_ms=white, black_ms=black),
    ):
        players.sheet.apply(event)
    read = players.read()
    assert [move.partition(":")[2] for move in read.moves][:3] == ["e4", "d4", "d6"]
    assert read.left["a"] == players.sheet.boards["A"].entries[1].left_ms / 1000 == black / 1000 > 100
