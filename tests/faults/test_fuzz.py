"""Any text is read, or refused by an error of ours: a little of what ``fuzz.py`` does, and what it has found."""

from collections import Counter
from contextlib import suppress

import pytest
from damage import PLAYED, SESSIONS, genuine
from fuzz import PARSERS, WHOLE, at_length, configuration, fuzz, pgn
from hypothesis import given
from hypothesis import strategies as st

from controller import pairing
from controller.cli.explain import explain
from controller.cli.replay import LONGEST, judge, lines_of
from controller.errors import ConfigError, JadoubeError, LogError
from controller.wire import decode_event, decode_input, decode_session

every_parser = pytest.mark.parametrize("name", [*PARSERS, *WHOLE])
ENDLESS = b'{"type":"lift","side":' + b"[" * 100_000


@every_parser
def test_a_little_of_what_the_long_run_does(name: str) -> None:
    found = fuzz(name, 300, seed=7)
    assert found["refused"]
    assert found["read"]


def test_the_long_run_feeds_every_input_it_says_in_as_many_processes_as_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzz.SLICE", 40)
    found = at_length("fen", 100, seed=3, processes=2)
    said = [fuzz("fen", inputs, seed) for inputs, seed in ((40, 3), (40, 4), (20, 5))]
    assert {word: found[word] for word in ("read", "refused")} == dict(sum(said, Counter()))


def test_what_is_no_error_of_ours_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stumbles(data: bytes) -> object:
        return data.decode("ascii")

    monkeypatch.setitem(PARSERS, "fen", lambda: stumbles)
    with pytest.raises(UnicodeDecodeError):
        fuzz("fen", 300, seed=7)
    assert "fen, seed 7, input" in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted(PARSERS.keys() - {"signed commands"}))
def test_what_is_damaged_was_genuine(name: str) -> None:
    """Else the damage would fall on what is refused anyway. What was signed long ago is."""
    read = 0
    for data in genuine(name):
        with suppress(JadoubeError):
            PARSERS[name]()(data)
            read += 1
    assert read >= 0.7 * len(genuine(name))


@every_parser
@given(data=st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_noise_is_refused(name: str, data: bytes) -> None:
    try:
        (PARSERS | WHOLE)[name]()(data)
    except JadoubeError as error:
        assert error.what


@pytest.mark.parametrize("decode", [decode_session, decode_input, decode_event])
def test_what_is_nested_without_end_is_refused(decode: object) -> None:
    assert callable(decode)
    with pytest.raises(LogError, match="malformed"):
        decode(ENDLESS)


def test_a_line_without_end_is_refused_before_it_is_read_whole() -> None:
    class Endless:
        read = 0

        def readline(self, most: int) -> bytes:
            self.read += most
            return b"x" * most if self.read > most else SESSIONS[0] + b"\n"

    endless = Endless()
    with pytest.raises(LogError, match="line 2: malformed log: a line of more than"):
        list(judge(lines_of(endless), "log"))  # type: ignore[arg-type]
    assert endless.read <= 3 * LONGEST


def test_an_event_log_that_somebody_has_changed_is_refused() -> None:
    said = b"".join(judge((SESSIONS[0], *PLAYED), "log")).splitlines()
    assert len(list(explain(said, "log", "en"))) == len(said)
    changed = [line.replace(b'"squares":["g1"', b'"squares":["g9"') for line in said]
    with pytest.raises(LogError, match="makes no sense"):
        list(explain(changed, "log", "en"))


@pytest.mark.parametrize(
    "text",
    [
        'Round;Board;White;Black\n1;3;"Ann\r";Bob\r2;3;A;B\n"1;3',
        "Board;White;Black\n" + "9" * 5000 + ";Ann;Bob",
        "Board;White;White FIDE id;Black\n3;Ann;" + "9" * 5000 + ";Bob",
    ],
)
def test_pairings_beyond_reason_are_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        pairing.tags_of_game(text, "pairings.csv", "3", None)


def test_a_judgement_of_no_move_is_refused() -> None:
    with pytest.raises(ConfigError, match="no PGN"):
        pgn(b"1. e5 ) ?? *")


@pytest.mark.parametrize("value", [b"[" * 3000, b"9" * 5000], ids=["arrays", "digits"])
def test_a_configuration_without_end_is_refused(value: bytes) -> None:
    with pytest.raises(ConfigError, match="not TOML"):
        configuration(b"first = " + value)
