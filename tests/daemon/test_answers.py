"""A ruling that names its notice: told and recorded where that is open, else refused in words, and nothing changes."""

from concurrent.futures import Future
from typing import Any

import pytest
from msgspec.structs import replace
from stage import SCAN_MS, Scene, Stage

from controller.contract import Arbiter, Clock, Move, Notable, Session
from controller.daemon.play import LiveGame
from controller.errors import LogError, SettledError, UnrestoredError
from controller.journal import Journal, decode_opening
from controller.wire import decode_event, decode_input


def breaches(scene: Scene) -> Scene:
    """Both players move another piece than they touched."""
    scene.show()
    scene.run(1000)
    scene.press("black")
    for touched, move, side in (("g1", "e2e4", "white"), ("b8", "e7e5", "black")):
        scene.lift(touched)
        scene.run(300)
        scene.place(touched)
        scene.run(300)
        scene.move(move)
        scene.press(side)
    return scene


@pytest.fixture
def disputed(stage: Stage) -> Scene:
    return breaches(stage(event={"clock": "300"}))


def rule(scene: Scene, do: str, answers: str, by: str = "Ana") -> int:
    return scene.command(type="arbiter", do=do, answers=answers, by=by)


def told(scene: Scene) -> list[Any]:
    return [decode_event(record.body) for record in scene._records() if record.kind == "event"]


def names(scene: Scene) -> list[str]:
    return [event.id for event in told(scene) if isinstance(event, Notable)]


def rulings(scene: Scene) -> list[tuple[str, str | None]]:
    items = [decode_input(record.body) for record in scene._records() if record.kind == "input"]
    return [(item.do, item.answers) for item in items if isinstance(item, Arbiter)]


def test_the_names_stand_in_the_journal_and_a_ruling_is_recorded_with_what_it_answers(disputed: Scene) -> None:
    first, second = names(disputed)
    assert rule(disputed, "dismiss", second)
    assert rule(disputed, "uphold", first)
    assert rulings(disputed) == [("dismiss", second), ("uphold", first)]


def test_of_two_arbiters_who_rule_at_once_the_second_is_told_that_it_is_settled(disputed: Scene) -> None:
    """Both rulings wait behind a press that waits for the board: when they are given, nothing is settled yet."""
    first, second = names(disputed)
    disputed.scans = False
    asked: list[Future[int]] = []
    for by in ("Ana", "Bo"):
        said = {"type": "arbiter", "do": "dismiss", "answers": first, "by": by}
        asked.append(disputed.session.command(said, disputed.at * 1_000_000))
    disputed.scans = True
    disputed.run(SCAN_MS + 1)
    assert asked[0].result(5)
    with pytest.raises(SettledError, match=f"notice {first} is settled already") as refused:
        asked[1].result(5)
    assert "another arbiter" in refused.value.cause
    assert refused.value.next_step.endswith(f"open: {second}")
    assert rulings(disputed) == [("dismiss", first)]


@pytest.mark.parametrize("name", ["9", "A1", "", "1 "], ids=repr)
def test_what_never_awaited_a_ruling_is_refused_and_what_is_open_named(disputed: Scene, name: str) -> None:
    events = told(disputed)
    with pytest.raises(LogError, match=r"no notice .* awaits a ruling") as refused:
        rule(disputed, "uphold", name)
    assert refused.value.next_step.endswith("open: 1, 2")
    assert (rulings(disputed), told(disputed)) == ([], events)


def test_what_falls_due_before_the_ruling_counts(disputed: Scene) -> None:
    """A player puts right what he did, and the ruling comes before that has stood for long enough to be judged."""
    rule(disputed, "dismiss", "1")
    rule(disputed, "dismiss", "2")
    disputed.lift("g1")
    disputed.run(300)
    disputed.place("g1")
    disputed.run(300)
    disputed.lift("d2")
    disputed.run(200)
    disputed.place("d4")
    disputed.run(50)
    said = {"type": "arbiter", "do": "dismiss", "answers": "3"}
    answer = disputed.session.command(said, (disputed.at + 5_000) * 1_000_000)  # the daemon slept meanwhile
    disputed.at += 5_000
    disputed.run(SCAN_MS + 1)
    assert answer.result(5)
    assert names(disputed) == ["1", "2", "3"]
    assert rulings(disputed)[-1] == ("dismiss", "3")


def test_of_a_game_that_is_over_all_is_settled(disputed: Scene) -> None:
    disputed.command(type="resign", side="white")
    with pytest.raises(SettledError):
        rule(disputed, "uphold", "1")


def test_after_a_restart_the_names_are_the_same(disputed: Scene) -> None:
    rule(disputed, "dismiss", "1")
    disputed.restart(1000)
    assert "recovery" not in disputed.said()
    with pytest.raises(SettledError):
        rule(disputed, "dismiss", "1")
    assert rule(disputed, "uphold", "2")


@pytest.fixture
def before_names(disputed: Scene) -> Scene:
    """The same game, in the middle of which the daemon is brought up to date: its journal knows no names yet."""
    kept = [record for record in disputed._records() if record.kind != "gone"]
    disputed.journal.close()
    disputed.path = disputed.path.with_name("before.sqlite")
    journal = Journal(disputed.path)
    item, events = None, []

    def write() -> None:
        if item is not None:
            journal.append(game, item, events)

    for record in kept:
        game = record.game
        if record.kind == "game":
            journal.begin(decode_opening(record.body))
        elif record.kind == "input":
            write()
            item, events = decode_input(record.body), []
        else:
            event = decode_event(record.body)
            events.append(replace(event, id="") if isinstance(event, Notable) else event)
    write()
    journal.append("barrier", decode_input('{"type":"time","ms":0}'), []).result(5)
    assert not any(b'"id"' in record.body for record in journal.after(0, 10_000))
    journal.close()
    disputed.open()
    return disputed


def test_a_journal_from_before_there_were_names_is_taken_up_and_its_notices_have_them(before_names: Scene) -> None:
    assert before_names.said() == {}, "the rules make of it what they made then"
    assert rule(before_names, "dismiss", "2")
    assert rule(before_names, "uphold", "1")
    with pytest.raises(SettledError):
        rule(before_names, "uphold", "1")
    assert [name for name in names(before_names) if name] == ["3"], "the pieces must be put back"
    before_names.restart(1000)
    assert "recovery" not in before_names.said(), "what has names now and what has none is one game"


def test_what_comes_out_otherwise_is_said_also_where_it_has_no_name(before_names: Scene) -> None:
    game = before_names.games()[-1]
    violation = next(event for event in told(before_names) if isinstance(event, Notable))
    time = decode_input(b'{"type":"time","ms":%d}' % 10**6)
    before_names.journal.append(game, time, [violation]).result(5)
    before_names.restart(1000)
    assert "recovery" in before_names.said()


def test_the_record_is_set_right_and_stays_so_after_a_restart(disputed: Scene) -> None:
    disputed.command(type="arbiter", do="correct", ply=2, moves=["c7c5"], by="Ana", reason="both players say so")
    assert [event.uci for event in told(disputed) if isinstance(event, Move)][-1] == "c7c5"
    events = told(disputed)
    disputed.restart(1000)
    assert "recovery" not in disputed.said()
    assert told(disputed)[: len(events)] == events


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"ply": 1, "moves": ["a2a3", "e7e6", "g1f3", "a7a6", "e4e5"]}, "e4e5 is not legal at 3."),
        ({"ply": 9, "moves": ["e2e4"]}, "there is no ply 9 to set right"),
        ({"moves": ["e2e4"]}, "which move?"),
        ({"ply": 1, "moves": ["e2e4"]}, "the record says so already"),
        ({"ply": 1, "moves": ["Nf3"]}, "a move as UCI, e2e4 or e7e8q"),
        ({"ply": 1, "moves": ["e2e4"] * 101}, "moves has 101 entries"),
        ({"ply": 0, "moves": ["e2e4"]}, "ply"),
    ],
)
def test_a_record_that_cannot_be_set_right_so_stays_as_it_is(
    disputed: Scene, fields: dict[str, Any], what: str
) -> None:
    events = told(disputed)
    with pytest.raises(LogError) as refused:
        disputed.command(type="arbiter", do="correct", **fields)
    assert what in refused.value.what
    assert refused.value.cause or refused.value.next_step
    assert (rulings(disputed), told(disputed)) == ([], events)


def test_what_is_taken_back_can_be_named_and_is_refused_where_something_else_came_last(disputed: Scene) -> None:
    session, (first, _) = disputed.session, names(disputed)
    game = session._play.id if session._play is not None else ""
    move = session.undone_next(game, None)
    assert move is not None
    assert (move.side, move.uci, move.ruling) == ("black", "e7e5", None)
    rule(disputed, "dismiss", first)
    with pytest.raises(LogError, match="not the last any more"):
        disputed.command(type="arbiter", do="undo", of=move.ms)
    ruling = session.undone_next(game, None)
    assert ruling is not None
    assert ruling.ruling is not None
    assert ruling.ruling.do == "dismiss"
    assert rulings(disputed) == [("dismiss", first)]
    disputed.command(type="arbiter", do="undo", of=ruling.ms)
    assert session.undone_next(game, None) == move
    disputed.command(type="arbiter", do="undo", of=move.ms)
    assert disputed.moves() == ["e2e4"]


def test_in_a_match_a_record_cannot_be_set_right() -> None:
    play = LiveGame("a match", Session(version=1, match="bughouse", clock="180"))
    refusal = play.refusal(Arbiter(ms=0, board="A", do="correct", ply=1, moves=("e2e4",)))
    assert refusal is not None
    assert refusal.what == "the record of a match cannot be set right by hand"


def test_play_that_an_earlier_version_resumed_before_the_pieces_were_back_goes_on(stage: Stage) -> None:
    scene = stage(event={"clock": "300"})
    scene.show()
    scene.run(1000)
    scene.press("black")
    scene.move("g1g3")
    scene.press("white")
    rule(scene, "uphold", names(scene)[-1])
    ms = [decode_input(record.body).ms for record in scene._records() if record.kind == "input"][-1]
    scene.journal.append(scene.games()[-1], Arbiter(ms=ms, do="resume"), []).result(5)
    scene.restart(1000)
    assert [event.running for event in told(scene) if isinstance(event, Clock)][-1] == "white"


def test_play_is_resumed_only_when_the_pieces_are_back_or_the_arbiter_insists(stage: Stage) -> None:
    scene = stage(event={"clock": "300"})
    scene.show()
    scene.run(1000)
    scene.press("black")
    scene.move("g1g3")
    scene.press("white")
    rule(scene, "uphold", names(scene)[-1])
    events = told(scene)
    with pytest.raises(UnrestoredError, match=r"the pieces are not back: .* on g1, g3") as refused:
        scene.command(type="arbiter", do="resume")
    assert '"insist": true' in refused.value.next_step
    assert (rulings(scene)[-1][0], told(scene)) == ("uphold", events), "it is in the journal only once it is obeyed"
    assert scene.command(type="arbiter", do="resume", insist=True)
    assert [event.running for event in told(scene) if isinstance(event, Clock)][-1] == "white"
