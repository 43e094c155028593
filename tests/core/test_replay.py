"""``jadoube replay``: session logs in, event logs out, as the replay contract has it."""

import fnmatch
import gc
import json
import subprocess
import sys
from pathlib import Path

import pytest

from controller import contract as c
from controller import wire
from controller.cli.main import main
from controller.cli.replay import judge
from controller.errors import LogError

SESSION = '{"type":"session","version":1,"senses":"identity","clock":"300+2"}'
E4 = (
    '{"type":"lift","ms":1000,"square":"e2"}',
    '{"type":"place","ms":1500,"square":"e4","piece":"P"}',
    '{"type":"press","ms":2500,"side":"white"}',
)
LEGAL = "\n".join([SESSION, *E4]) + "\n"


def replay(*arguments: object, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli.main", "replay", *map(str, arguments)]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=False)


def types(text: str) -> list[str]:
    return [json.loads(line)["type"] for line in text.splitlines()]


def events(lines: list[bytes], name: str = "log") -> list[c.AnyEvent]:
    """What is judged of a log, read again from its lines."""
    return [wire.decode_event(line) for line in b"".join(judge(lines, name)).splitlines()]


def refusal(*lines: str) -> tuple[str, list[c.AnyEvent]]:
    """What a malformed log is told, and what was judged before."""
    judged: list[c.AnyEvent] = []
    with pytest.raises(LogError) as refused:
        for some in judge([line.encode() + b"\n" for line in lines], "game.jsonl"):
            judged.extend(map(wire.decode_event, some.splitlines()))
    return str(refused.value), judged


# -- the command -------------------------------------------------------------------------------------------------


def test_a_log_from_a_file_is_written_to_standard_output(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    log.write_text(LEGAL)
    run = replay(log)
    assert (run.returncode, run.stderr) == (0, "")
    assert [name for name in types(run.stdout) if name in ("move", "completed")] == ["move", "completed"]


def test_a_dash_is_standard_input(tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    log.write_text(LEGAL)
    run = replay("-", given=LEGAL)
    assert (run.returncode, run.stdout) == (0, replay(log).stdout)


def test_many_logs_in_one_process_and_one_malformed_does_not_stop_the_others(tmp_path: Path) -> None:
    logs = {"a.jsonl": LEGAL, "b.jsonl": LEGAL + '{"type":"nudge","ms":9000}\n', "c.jsonl": LEGAL, "d.jsonl": "[]\n"}
    for name, text in logs.items():
        (tmp_path / name).write_text(text)
    out = tmp_path / "events" / "deep"
    run = replay(*(tmp_path / name for name in logs), tmp_path / "absent.jsonl", "--out", out)
    assert run.returncode == 2
    assert "b.jsonl, line 5" in run.stderr
    assert "nudge" in run.stderr
    assert "absent.jsonl" in run.stderr
    assert "Traceback" not in run.stderr
    assert sorted(path.name for path in out.iterdir()) == ["a.jsonl", "b.jsonl", "c.jsonl"], "of d nothing was judged"
    written = {path.name: path.read_bytes() for path in out.iterdir()}
    assert written["a.jsonl"] == written["c.jsonl"]
    assert b'"type":"move"' in written["b.jsonl"], "what came before the bad line is judged and written"
    assert f"; {out / 'b.jsonl'} has what was judged before it, not the whole game\n" in run.stderr


def test_logs_of_one_name_are_not_written_over_each_other(tmp_path: Path) -> None:
    logs = [tmp_path / folder / "game.jsonl" for folder in ("morning", "evening")]
    for log in logs:
        log.parent.mkdir()
        log.write_text(SESSION)
    run = replay(*logs, "--out", tmp_path / "events")
    assert run.returncode == 2
    assert all(str(log) in run.stderr for log in logs)
    assert not (tmp_path / "events").exists()


def test_what_cannot_be_read_or_written_is_told_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text(LEGAL)
    for arguments, what in (([tmp_path / "absent"], "No such file"), ([tmp_path], "Is a directory")):
        done = replay(*arguments)
        assert done.returncode == 2
        assert what in done.stderr
        assert "Next: ls -l" in done.stderr
    done = replay(file, "--out", file)
    assert done.returncode == 2
    assert f"{file} cannot be written to: File exists" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("explian log", "jadoube: * invalid choice: 'explian' * did you mean explain?\n  Next: jadoube --help\n"),
        ("hall exprot", "jadoube hall: * did you mean export?\n  Next: jadoube hall --help\n"),
        ("laws --play blits", "jadoube laws: * did you mean blitz?\n  Next: jadoube laws --help\n"),
        (
            "replay log --otu x",
            "jadoube replay: unrecognized arguments: --otu x\n * did you mean --out?\n  Next: jadoube replay --help\n",
        ),
        ("pair --rle=chief", "jadoube pair: * did you mean --role?\n  Next: jadoube pair --help\n"),
        ("hall result 3 1-0 --resaon x", "* did you mean --reason?\n  Next: jadoube hall result --help\n"),
        ("--versoin run", "jadoube: * did you mean --version?\n  Next: jadoube --help\n"),
        ("decode dgt log log", "jadoube decode: unrecognized arguments: log\n  Next: jadoube decode --help\n"),
    ],
)
def test_a_misspelt_command_or_option_says_what_was_meant_and_whose_help_to_read(
    arguments: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments.split())
    usage, _, told = capsys.readouterr().err.partition("\njadoube")
    assert usage.startswith("usage: jadoube")
    assert fnmatch.fnmatchcase(f"jadoube{told}", said.replace("[", "[[]").replace("?", "[?]"))


def test_logs_do_not_touch_each_other(tmp_path: Path) -> None:
    half, whole = tmp_path / "half.jsonl", tmp_path / "whole.jsonl"
    half.write_text("\n".join([SESSION, E4[0]]) + "\n")
    whole.write_text(LEGAL)
    together, alone = tmp_path / "together", tmp_path / "alone"
    assert replay(half, whole, "--out", together).returncode == 0
    assert replay(whole, "--out", alone).returncode == 0
    assert (together / "whole.jsonl").read_bytes() == (alone / "whole.jsonl").read_bytes()


# -- one log -----------------------------------------------------------------------------------------------------


def test_the_same_log_gives_the_same_bytes_and_every_line_is_an_event() -> None:
    lines = [line.encode() for line in LEGAL.splitlines()]
    first, second = b"".join(judge(lines, "one")), b"".join(judge(lines, "two"))
    assert first == second
    judged = [wire.decode_event(line) for line in first.splitlines()]
    assert first.count(b"\n") == len(judged) and first.endswith(b"\n")
    assert any(isinstance(event, c.Completed) for event in judged)


def test_time_runs_on_after_the_last_line() -> None:
    lines = [line.encode() for line in (SESSION, *E4[:2])]
    moves = [e for e in events(lines) if isinstance(e, c.Move)]
    assert [(move.ms, move.uci) for move in moves] == [(1900, "e2e4")]


def test_blank_lines_are_nothing_but_count() -> None:
    text, _ = refusal("", SESSION, "", "{", "")
    assert "line 4" in text


def test_a_log_with_a_session_only_is_a_game_not_begun() -> None:
    assert [type(event) for event in events([SESSION.encode()])] == [c.Clock]


def test_a_judged_game_leaves_nothing_for_the_garbage_collector() -> None:
    """Of thousands of logs only the one being judged is in memory, and no time goes into looking for the others."""
    gc.collect()
    gc.disable()
    try:
        list(judge([line.encode() for line in LEGAL.splitlines()], "log"))
        assert gc.collect() == 0
    finally:
        gc.enable()


MALFORMED = [
    ("no JSON", "{", ("malformed input",)),
    ("not an object", "[1]", ("Expected `object`",)),
    ("unknown type", '{"type":"nudge","ms":2000}', ("nudge", "$.type")),
    ("no type", '{"ms":2000}', ("type",)),
    ("no time", '{"type":"time"}', ("ms",)),
    ("time that goes back", '{"type":"time","ms":999}', ("at least 1000", "999", "$.ms")),
    ("time before the session", '{"type":"time","ms":-1}', (">= 0", "$.ms")),
    ("half a millisecond", '{"type":"time","ms":2000.5}', ("Expected `int`", "$.ms")),
    ("bad square", '{"type":"lift","ms":2000,"square":"e9"}', ("$.square", "a square, a1 to h8")),
    ("bad piece", '{"type":"place","ms":2000,"square":"e4","piece":"X"}', ("$.piece",)),
    ("a colour for a kind", '{"type":"place","ms":2000,"square":"e4","piece":"w"}', ("a FEN letter", "$.piece")),
    ("bad side", '{"type":"press","ms":2000,"side":"red"}', ("red", "$.side")),
    ("bad scan", '{"type":"frame","ms":2000,"occupied":"ffff"}', ("$.occupied",)),
    ("bad choice", '{"type":"choose","ms":2000,"side":"white","piece":"k"}', ("$.piece",)),
    ("bad claim", '{"type":"claim","ms":2000,"side":"white","of":"boredom"}', ("boredom", "$.of")),
    ("bad ruling", '{"type":"arbiter","ms":2000,"do":"shrug"}', ("shrug", "$.do")),
    ("bad result", '{"type":"arbiter","ms":2000,"do":"result","result":"2-0"}', ("2-0", "$.result")),
    ("a field that nobody reads", '{"type":"time","ms":2000,"hurry":true}', ("hurry",)),
    ("a second session", SESSION, ("session", "$.type")),
    ("no such piece", '{"type":"choose","ms":2000,"side":"white","piece":"k"}', ("q, r, b, n, p", "'k'", "$.piece")),
    ("no such input", '{"type":"lfit","ms":2000}', ("lift, place", "'lfit'", "$.type")),
    ("no such board", '{"type":"lift","ms":2000,"board":"C","square":"e2"}', ("A, B", "'C'", "$.board")),
]


@pytest.mark.parametrize(("line", "named"), [row[1:] for row in MALFORMED], ids=[row[0] for row in MALFORMED])
def test_a_malformed_line_is_refused_by_file_line_field_and_what_was_expected(
    line: str, named: tuple[str, ...]
) -> None:
    text, judged = refusal(SESSION, E4[0], line)
    assert text.startswith("game.jsonl, line 3: ")
    for word in named:
        assert word in text
    assert [event.square for event in judged if isinstance(event, c.Touch)] == ["e2"]


MALFORMED_SESSIONS = [
    pytest.param((), "line 1", id="nothing"),
    pytest.param(("", " "), "session line", id="blank lines only"),
    pytest.param((E4[0],), "lift", id="no session line"),
    pytest.param(('{"type":"session","version":2}',), "$.version", id="another version"),
    pytest.param(('{"type":"session"}',), "version", id="no version"),
    pytest.param(('{"type":"session","version":1,"laws":"fide-1997"}',), "$.laws", id="an edition that is none"),
    pytest.param(('{"type":"session","version":1,"fen":"8/8 w"}',), "$.fen", id="bad FEN"),
    pytest.param(
        ('{"type":"session","version":1,"fen":"9/8/8/8/8/8/8/8 w - - 0 1"}',), "$.fen", id="FEN of nine files"
    ),
    pytest.param(
        ('{"type":"session","version":1,"fen":{"A":"startpos","B":"startpos"}}',),
        "$.fen",
        id="two FENs without a match",
    ),
    pytest.param(
        ('{"type":"session","version":1,"clock":"soon"}',),
        "$.clock",
        id="bad clock",
    ),
    pytest.param(('{"type":"session","version":1,"senses":"smell"}',), "$.senses", id="bad senses"),
    pytest.param(
        ('{"type":"session","version":1,"settings":{"brush":1}}',), "brush", id="a threshold that nobody reads"
    ),
    pytest.param(
        ('{"type":"session","version":1,"settings":{"brush_ms":-1}}',), "brush_ms", id="a threshold below nothing"
    ),
]


@pytest.mark.parametrize(("lines", "named"), MALFORMED_SESSIONS)
def test_a_malformed_session_is_refused(lines: tuple[str, ...], named: str) -> None:
    text, judged = refusal(*lines)
    assert text.startswith("game.jsonl, line ")
    assert named in text
    assert judged == []


def test_a_refusal_says_the_likely_cause_and_what_to_do_next() -> None:
    text, _ = refusal("# Another kind of file")
    assert "another kind of file" in text and "jadoube export" in text
    text, _ = refusal(SESSION, E4[0], "{")
    assert "cut short" in text and "sed -n 3p game.jsonl" in text


def test_a_session_of_a_later_version_is_said_to_be_one() -> None:
    text, _ = refusal('{"type":"session","version":99,"taste":"sweet"}')
    assert "written by a later version" in text and "pip install --upgrade jadoube" in text
    assert "another kind of file" not in text
    text, _ = refusal('{"type":"session","version":0}')
    assert "later version" not in text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"type":"lift","ms":2000,"square":"g9"}', "a square, a1 to h8, got 'g9' - at `$.square`*a slip of the pen"),
        (
            '{"type":"arbiter","ms":2000,"do":"correct","moves":["e2-e4"]}',
            "a move as UCI, *, got 'e2-e4' - at `$.moves[0]`",
        ),
        ('{"type":"lft","ms":2000,"square":"g1"}', "did you mean lift?"),
        ('{"type":"lift","ms":2000,"square":"g9"', "cut short"),
    ],
)
def test_a_slip_in_a_line_is_quoted_and_said_to_be_one(line: str, said: str) -> None:
    text, _ = refusal(SESSION, line)
    assert all(part in text for part in said.split("*"))
    assert text.endswith("\n  Next: sed -n 2p game.jsonl")


def test_a_slip_in_the_session_line_leads_to_that_line() -> None:
    text, _ = refusal('{"type":"session","version":1,"laws":"fide-2022"}')
    assert text.endswith("did you mean fide-2023?\n  Next: sed -n 1p game.jsonl")


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(LogError, match="line 2"):
        list(judge([SESSION.encode(), b'{"type":"time","ms":1,"x":"\xff"}'], "game.jsonl"))


def test_what_came_before_a_malformed_line_is_judged_to_its_end() -> None:
    _, judged = refusal(SESSION, *E4[:2], "{")
    assert [event.uci for event in judged if isinstance(event, c.Move)] == ["e2e4"]


# Bytes, because a log may come from anywhere: whatever is in it, judging ends in events or in one refusal.
HOSTILE = [
    b"\x00" * 64,
    b"\xef\xbb\xbf" + SESSION.encode(),
    SESSION.encode() + b"\n" + b"9" * 400,
    SESSION.encode() + b"\n" + b"[" * 5000,
    SESSION.encode() + b'\n{"type":"time","ms":99999999999999999999999}',
    SESSION.encode() + b'\n{"type":"time","ms":9223372036854775807}',
    b'{"type":"session","version":1,"fen":"8/8/8/8/8/8/8/8 w - - 0 1"}\n{"type":"lift","ms":1,"square":"a1"}',
    b'{"type":"session","version":1,"fen":"kk6/8/8/8/8/8/8/KK6 w - - 0 1"}\n{"type":"lift","ms":1,"square":"a1"}',
]


@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_whatever_is_in_a_log_ends_in_events_or_in_one_refusal(data: bytes) -> None:
    try:
        events(data.splitlines(keepends=True), "hostile")
    except LogError as refused:
        assert "hostile, line" in str(refused)
