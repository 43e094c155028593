"""Games begun under an earlier version, before several worlds were kept, are taken up where they stood: killed or
stopped in the middle of a touch, a move, a gap, a ruling. How the journals were made is in ``journals/README.md``.
"""

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest
from double import Double, double
from journals.earlier import config as configured
from stage import Scene
from test_journal_commands import run

from controller import contract as c
from controller.cli.replay import judge
from controller.contract import Session
from controller.errors import SettledError
from controller.game import Game
from controller.journal import Journal

JOURNALS = Path(__file__).resolve().parent / "journals"
STOOD: dict[str, Any] = json.loads((JOURNALS / "earlier.json").read_text())
PLAYED = {name: stood["played"] for name, stood in STOOD.items() if "played" in stood}
"""What was played where that was judged otherwise then: what was told is put right."""
CLOCKS = {"promoting": "900+10", "flag": "5", "otherwise": "5400+30", "corrected": "5400+30"}
ACCUSING = ("violation", "illegal", "penalty", "result")


@pytest.fixture
def left(tmp_path: Path) -> Callable[..., Path]:
    def copy(name: str, called: str = "game") -> Path:
        path = tmp_path / f"{called}.sqlite"
        path.write_bytes(gzip.decompress((JOURNALS / f"earlier-{name}.sqlite.gz").read_bytes()))
        return path

    return copy


@pytest.fixture
def opened(left: Callable[..., Path]) -> Iterator[Callable[..., Any]]:
    scenes: list[Scene] = []

    def take_up(name: str, called: str = "game") -> Any:
        path = left(name, called)
        if name == "match":
            config = double(path.parent, event={"clock": "180"}, journal={"path": str(path)})
            scenes.append(Double(config, path))
        else:
            fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1" if name == "promoting" else "startpos"
            scenes.append(Scene(configured(path, CLOCKS.get(name, "900+10"), fen), path))
        return scenes[-1]

    yield take_up
    for scene in scenes:
        scene.journal.close()


def told(scene: Scene, kind: str = "event") -> list[dict[str, Any]]:
    return [json.loads(record.body) for record in scene._records() if record.kind == kind]


def since(scene: Scene) -> list[dict[str, Any]]:
    """What was told since the game was taken up."""
    rows = [(record.kind, json.loads(record.body)) for record in scene._records()]
    first = next(at for at, (_, row) in enumerate(rows) if row.get("type") == "outage")
    return [row for kind, row in rows[first:] if kind == "event"]


def record(events: list[dict[str, Any]], board_id: str) -> list[str]:
    """The moves of a board by what was told of it alone."""
    moves: list[str] = []
    for event in events:
        if event.get("board", "-") == board_id:
            if event["type"] == "move":
                moves.append(event["uci"])
            elif event["type"] == "retract":
                assert moves.pop() == event["uci"], "only the last move is taken back"
    return moves


def names(scene: Scene) -> list[list[str]]:
    """What awaits a ruling."""
    game = scene.games()[-1]
    boards = ("A", "B") if isinstance(scene, Double) else (None,)
    return [list(ids) for board_id in boards for _, ids in scene.session.awaiting(game, board_id)[-1][1]]


@pytest.mark.parametrize("name", STOOD)
def test_the_game_goes_on_where_it_was_and_nobody_is_accused_by_that(name: str, opened: Callable[..., Any]) -> None:
    scene, stood = opened(name), STOOD[name]
    assert scene.session.playing
    events = told(scene)
    for board_id, board in stood["boards"].items():
        assert record(events, board_id) == PLAYED.get(name, board["record"])
        *_, clock = (e for e in since(scene) if e["type"] == "clock" and e.get("board", "-") == board_id)
        assert [clock["white_ms"], clock["black_ms"]] == board["clocks"], "to the millisecond"
    assert names(scene) == [ids for board in stood["boards"].values() for ids in board["open"]]
    assert not [event for event in since(scene) if event["type"] in ACCUSING]
    assert ("recovery" in scene.said()) == (name in PLAYED)
    scene.journal.verify()


@pytest.mark.parametrize("do", ["uphold", "dismiss"])
@pytest.mark.parametrize(
    ("name", "ids"),
    [(name, ids) for name, stood in STOOD.items() for b in stood["boards"].values() for ids in b["open"]],
)
def test_each_notice_is_ruled_on_by_any_name_it_was_told_by(
    name: str, ids: list[str], do: str, opened: Callable[..., Any]
) -> None:
    for id_ in ids:
        scene = opened(name, f"{name}-{id_}")
        scene.show(chess.Board(STOOD[name]["boards"]["-"]["fen"]).occupied)
        scene.run(50)
        scene.command(type="arbiter", do=do, answers=id_)
        assert ids not in names(scene)
        with pytest.raises(SettledError):
            scene.command(type="arbiter", do=do, answers=id_)
        scene.journal.close()


@pytest.mark.parametrize("name", PLAYED)
def test_a_name_is_told_once_however_often_the_game_is_taken_up(name: str, opened: Callable[..., Any]) -> None:
    scene = opened(name)
    board = chess.Board(STOOD[name]["boards"]["-"]["fen"])
    scene.show(board.occupied)
    scene.run(1_000)
    for _ in range(2):
        scene.command(type="claim", side="white" if board.turn else "black", of="threefold")
        before, open_then, moves = told(scene), names(scene), record(told(scene), "-")
        scene.restart(10_000)
        assert names(scene) == open_then
        assert record(told(scene), "-") == moves
        scene.show()
        scene.run(1_000)
        assert told(scene)[: len(before)] == before
    ids = [event["id"] for event in told(scene) if event.get("id")]
    assert len(ids) == len(set(ids)) > len(STOOD[name]["ids"])
    assert ids[: len(STOOD[name]["ids"])] == STOOD[name]["ids"]


def test_a_piece_in_hand_is_set_down_and_the_move_completed(opened: Callable[..., Any]) -> None:
    scene = opened("touched")
    scene.show(chess.Board(STOOD["touched"]["boards"]["-"]["fen"]).occupied & ~(1 << chess.F1))
    scene.run(300)
    scene.place("b5")
    scene.run(600)
    scene.press("white")
    assert [event["uci"] for event in since(scene) if event["type"] == "completed"] == ["f1b5"]
    assert not [event for event in told(scene) if event["type"] in ACCUSING]


def test_a_move_made_before_is_completed_by_its_press(opened: Callable[..., Any]) -> None:
    scene = opened("unpressed")
    scene.show(chess.Board(STOOD["unpressed"]["boards"]["-"]["fen"]).occupied)
    scene.run(300)
    scene.press("white")
    assert [event["uci"] for event in since(scene) if event["type"] == "completed"] == ["f1b5"]
    assert record(told(scene), "-") == STOOD["unpressed"]["boards"]["-"]["record"]
    assert not [event for event in told(scene) if event["type"] in ACCUSING]


def test_a_pawn_on_its_last_rank_becomes_what_is_chosen_after(opened: Callable[..., Any]) -> None:
    scene = opened("promoting")
    scene.show(1 << chess.E1 | 1 << chess.A8 | 1 << chess.E8)
    scene.run(300)
    scene.command(type="choose", side="white", piece="r")
    scene.run(600)
    scene.press("white")
    assert record(told(scene), "-") == ["a7a8r"]
    assert not [event for event in told(scene) if event["type"] in ACCUSING]


def test_what_was_played_while_nobody_looked_is_found_out(opened: Callable[..., Any]) -> None:
    scene = opened("gap")
    board = chess.Board(STOOD["gap"]["boards"]["-"]["fen"])
    board.push_uci("f1b5")
    scene.show(board.occupied)
    scene.run(600)
    scene.press("white")
    assert record(told(scene), "-")[-1] == "f1b5"
    assert not [event for event in told(scene) if event["type"] in ACCUSING]


@pytest.mark.parametrize("name", ["paused", "upheld"])
def test_clocks_that_were_stopped_stand_until_the_arbiter_starts_them(name: str, opened: Callable[..., Any]) -> None:
    scene = opened(name)
    clock = next(event for event in since(scene) if event["type"] == "clock")
    assert "running" not in clock or clock["running"] is None
    scene.show(chess.Board(STOOD[name]["boards"]["-"]["fen"]).occupied)
    scene.run(5_000)
    scene.command(type="arbiter", do="resume")
    clock = [event for event in since(scene) if event["type"] == "clock"][-1]
    assert clock["running"] == "white"
    assert [clock["white_ms"], clock["black_ms"]] == STOOD[name]["boards"]["-"]["clocks"]


@pytest.mark.parametrize("name", STOOD)
def test_the_journal_is_proven_written_out_and_judged_again(
    name: str, left: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = left(name)
    assert run("verify", path) == 0
    assert run("export", path, "--out", tmp_path / "out") == 0
    (log,) = (tmp_path / "out").glob("*.jsonl")
    session = json.loads(log.read_text().splitlines()[0])
    assert session["type"] == "session"
    assert Session(version=1).version == session["version"]
    assert list(judge(log.read_bytes().splitlines(), log.name))
    capsys.readouterr()
    assert run("explain", log) == 0
    said = capsys.readouterr()
    assert said.out
    assert not said.err
    journal = Journal(path)
    journal.verify()
    journal.close()


@pytest.mark.parametrize(
    "end",
    [
        None,
        c.Result(ms=4000, result="1/2-1/2", reason="arbiter", article="8.7", status="final"),
        c.Match(ms=4000, result="team-1", reason="checkmate"),
    ],
)
def test_of_a_game_that_is_over_nothing_is_corrected(end: c.AnyEvent | None) -> None:
    """Everybody has its score by then, whatever is made of its touches now."""
    game = Game(Session(version=1, senses="occupancy"))
    for item in (c.Lift(ms=1000, square="e2"), c.Place(ms=1500, square="e4"), c.Time(ms=4000)):
        game.handle(item)
    board = chess.Board()
    told: list[c.AnyEvent] = []
    for ply, name in enumerate(("d2d4", "d7d5"), start=1):
        side: c.Side = c.WHITE if board.turn else c.BLACK
        san = board.san(chess.Move.from_uci(name))
        board.push_uci(name)
        told.append(c.Move(ms=900, side=side, uci=name, san=san, fen=board.fen(), ply=ply))
    game.take_up([*told, *([] if end is None else [end])])
    corrected = [event.uci for event in game.new_events() if isinstance(event, c.Move | c.Retract)]
    assert corrected == (["d7d5", "d2d4", "e2e4"] if end is None else [])
