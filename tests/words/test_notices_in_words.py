"""In French: all notices of the equipment that the daemon itself sets, what a driver says most often, and all that a
ruling may be refused for."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

import controller
from controller.config import Config, LampsConfig, check
from controller.daemon.reload import pend
from controller.daemon.watch import STALLED
from controller.outlets.mqtt.times import judge
from controller.outlets.notices import Notices
from controller.words.notices import translated
from hardware.boards import certabo, chesslink, dgt, line

ROOMS = Path(controller.__file__).parent
MODULES = ("daemon/watch", "daemon/board_input", "daemon/silence", "daemon/health")
"""The files of the daemon's room that say what is wrong with the equipment."""
REFUSE = (
    *("console/console", "console/app", "console/played", "console/rulings", "console/tournament"),
    *("daemon/commands", "daemon/presses", "daemon/awaiting", "laws/correction", "laws/refused"),
)
"""The files by which a ruling goes."""
CALLS = ("DeviceError", "_weak")
REFUSALS = ("LogError", "SettledError", "UnrestoredError", "AccessError")
PARTS = ("what", "cause", "remedy", "next_step")
COMMANDS = ("top; free -m", "df -h; sudo apt clean; sudo journalctl --vacuum-size=50M", "systemctl mask suspend.target")
"""To be typed as they stand, in every language."""
NO_RULING = ("_new_game", "read_command")
"""By these goes what is no ruling, and what no page says."""


def sentences(module: str, calls: tuple[str, ...] = CALLS) -> Iterator[str]:
    """What the errors of a file say, with something in each place where they name something."""
    tree = ast.parse((ROOMS / f"{module}.py").read_text())
    tree.body = [node for node in tree.body if getattr(node, "name", "") not in NO_RULING]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in calls:
            yield from filled(*node.args)
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in PARTS:
            yield from filled(node.value)


def filled(*values: ast.expr) -> Iterator[str]:
    for value in values:
        if isinstance(value, ast.Constant) and value.value:
            yield str(value.value)
        elif isinstance(value, ast.IfExp):
            yield from filled(value.body, value.orelse)
        elif isinstance(value, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else choice(part) for part in value.values]
            yield "".join(map(str, parts))


def choice(part: ast.expr) -> str:
    """What may stand there: one of two words, or anything."""
    value = part.value if isinstance(part, ast.FormattedValue) else part
    return str(value.body.value) if isinstance(value, ast.IfExp) and isinstance(value.body, ast.Constant) else "e2"


@pytest.mark.parametrize("module", MODULES)
def test_what_the_daemon_says_of_the_equipment_is_french_for_who_reads_french(module: str) -> None:
    said = {*sentences(module), *STALLED.values()} - {*COMMANDS}
    assert len(said) >= 3
    assert not [sentence for sentence in said if translated(sentence, "fr") == sentence]


def test_what_a_home_made_board_and_its_driver_say_is_french_for_who_reads_french(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"{__name__}.ROOMS", ROOMS.parent)
    said = {*sentences("hardware/boards/line", ("DeviceError", "Remark"))} - {"device", "battery"}
    assert len(said) >= 7
    assert not [sentence for sentence in said if translated(sentence, "fr") == sentence]


@pytest.mark.parametrize("kind", [line.LineBoard, dgt.DgtBoard, certabo.CertaboBoard, chesslink.ChessLinkBoard])
def test_kinds_of_boards_are_named_in_french(kind: type) -> None:
    assert translated(kind.kind, "fr") != kind.kind  # type: ignore[attr-defined]


@pytest.mark.parametrize("module", REFUSE)
def test_what_a_ruling_is_refused_for_is_french_for_who_reads_french(module: str) -> None:
    said = {*sentences(module, REFUSALS)} - {"white_add_ms or black_add_ms"}
    assert said
    assert not [sentence for sentence in said if translated(sentence, "fr") == sentence]


@pytest.mark.parametrize(
    ("english", "french"),
    [
        (
            "13… Nb4 does not fit: from there it is not legal",
            "13… Cb4 ne convient pas\xa0: de là, ce coup n’est pas légal",
        ),
        ("the start position is not on the board: e2 e4", "la position de départ n’est pas sur l’échiquier\xa0: e2 e4"),
        (
            "the sensors have denied the game for long: a2; the game goes on without sensors that have denied it: h7",
            "les capteurs contredisent la partie depuis longtemps\xa0: a2\xa0; "
            "la partie continue sans les capteurs qui l’ont contredite\xa0: h7",
        ),
        (
            "exchange the piece; if that does not help, check the wire; exchange the piece; if that does not help, "
            "check the wire",
            "échangez la pièce\xa0; si cela ne change rien, vérifiez le fil\xa0; "
            "échangez la pièce\xa0; si cela ne change rien, vérifiez le fil",
        ),
        (
            "the DGT board on /dev/ttyACM0 went away: it is gone; really",
            "échiquier DGT sur /dev/ttyACM0\xa0: déconnecté (it is gone; really)",
        ),
        (
            "no board with the line protocol answers on /dev/ttyUSB0",
            "aucune réponse sur /dev/ttyUSB0\xa0: échiquier au protocole par lignes",
        ),
        (
            "this game has the same event, site, round, board and players as the game that began on 2026-11-29 at "
            "14:19: Lichess takes both for one",
            "cette partie a le même tournoi, lieu, ronde, échiquier et joueurs que la partie commencée le 2026-11-29 à "
            "14:19\xa0: Lichess les confond",
        ),
        ("the board says: row 3 does not answer", "l’échiquier dit\xa0: row 3 does not answer"),
    ],
)
def test_what_a_notice_names_stands_in_the_french_sentence(english: str, french: str) -> None:
    assert translated(english, "fr") == french
    assert translated(english, "en") == english


@pytest.mark.parametrize("ahead", [{"board 2": 3200}, {"boards 3-4": -3200}, {"board 2": 2000, "board 3": 2000}])
def test_what_is_said_of_times_of_day_is_french_for_who_reads_french(ahead: dict[str, int]) -> None:
    error = judge(ahead)
    assert error is not None
    for sentence in (error.what, error.cause, error.next_step):
        assert (translated(sentence, "fr") == sentence) == (sentence == "timedatectl")


def test_what_is_said_of_a_board_that_waits_for_its_change_is_french() -> None:
    before = check({"board": {"type": "simulated"}}, "a test")
    other = check({"board": {"type": "dgt"}}, "a test")
    assert isinstance(before, Config)
    assert isinstance(other, Config)
    for now in (None, other, replace(before, lamps=LampsConfig(mode="training"))):
        notices = Notices()
        pend(before, now, notices)
        (told,) = notices.current
        for sentence in (told.what, told.cause, told.next_step):
            assert translated(sentence, "fr") != sentence


def test_sentences_in_sentences_come_to_an_end() -> None:
    assert translated("the board says: " * 1000 + "mend it", "fr").endswith("the board says: mend it")


@pytest.mark.parametrize("sentence", ["", "the flux compensator is cold", "give it air; the flux compensator is cold"])
def test_what_no_catalogue_has_stays_as_it_is(sentence: str) -> None:
    assert translated(sentence, "fr") == sentence
