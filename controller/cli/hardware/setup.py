"""``jadoube setup``: asks, looks what is plugged in, tests the board, and only then writes the configuration.

Every answer can be given as an option, for scripts; what is left is asked, and ``--yes`` takes what would be proposed.
Each is tried in the configuration as soon as it is given.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from controller.cli.hardware import buses
from controller.cli.hardware.boards import describe
from controller.cli.hardware.dialogue import Dialogue
from controller.cli.hardware.fill import OptionValue, fill
from controller.cli.hardware.foreseen import control_in_words
from controller.cli.hardware.kinds import KINDS, configurations, example
from controller.cli.hardware.look import looking
from controller.cli.hardware.picture import summary
from controller.cli.hardware.ports import look
from controller.cli.hardware.probe import LINE, RecognisedBoard
from controller.cli.hardware.spoken import understood
from controller.config import Setup, check
from controller.errors import ConfigError, DeviceError
from controller.game_details import Rules
from controller.laws.editions import EDITIONS
from controller.options import slip
from hardware.boards import BoardConfig
from hardware.boards.hall import HallBoard, HallSensorsConfig
from hardware.boards.scan import ScanThread

ANSWER_S = 8.0
SYSTEM, STATE = Path("/etc"), Path("/var/lib/jadoube")  #: a configuration there is the service's, and its games here


SaidBefore = Mapping[str, str | None]
"""What was said beforehand: ``board`` and ``port``, and others by ``table.option``."""

QUESTIONS = {
    "event.venue": "Where is this? One word, part of the MQTT topics",
    "event.board": "The number of this board in the hall",
    "event.clock": "Time control, such as 90+30 or 3+2 (empty: no clock)",
    "game.white": "Who plays White? As in a pairing list: Polgar, Judit (empty: said later)",
    "game.black": "Who plays Black? (empty: said later)",
    "mqtt.host": "The MQTT broker of the hall (empty: one of our own, for this machine)",
    "console.host": "Pages for arbiter and spectators: 127.0.0.1 for this machine, 0.0.0.0 for the hall (empty: none)",
}
LEVER = "clock.pin"
ADDRESS = "board.address"

RUN_EXAMPLE = re.compile(r"run --config config/[\w-]+\.toml")
"""What an example says of itself."""


def setup(
    out: Path, board: str | None, port: str | None, *, yes: bool, force: bool, untested: bool, **options: str | None
) -> int:
    """Writes ``out``; 0 once it is there, 2 if the board did not pass and nothing was written.

    Raises :exc:`JadoubeError` where what was given beforehand is wrong, an answer is missing and nobody can be asked,
    the file is there already and is to be kept, or it cannot be written. What was said is then kept.
    """
    given = {"board": board, "port": port, **options}
    dialogue = Dialogue("jadoube setup", out, given, yes=yes)
    if out.exists() and not force and not dialogue.agrees(f"{out} is there already. Overwrite it?"):
        raise ConfigError(f"{out} is there already", "it was set up before", f"--force, or --out another; cat {out}")
    written = False
    try:
        written = _set_up(out, given, dialogue, untested=untested)
    finally:
        (dialogue.forget if written else dialogue.keep)()
    return 0 if written else 2


def _set_up(out: Path, given: SaidBefore, dialogue: Dialogue, *, untested: bool) -> bool:
    """Whether ``out`` was written."""
    text = _filled(given, dialogue)
    config = check(tomllib.loads(text), str(out))
    (place,) = config.named.values()
    text = RUN_EXAMPLE.sub(f"run --config {out}", text)
    if out.resolve().is_relative_to(SYSTEM):
        text = fill(text, kept_options(config, place.board, state_of(out)))
    if not untested and not _passes(place.board, dialogue):
        print("Nothing was written. To write it all the same: --untested")
        return False
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, "utf-8")
    except OSError as error:
        cause = "its folder belongs to another user, or is read-only"
        raise ConfigError(f"{out} cannot be written: {error.strerror}", cause, "--out another, or sudo") from error
    print(f"\n{out} is written, with every other option in it, commented out.")
    _say_next(out, place.board)
    return True


class Draft:
    """The example for a kind of board, with what was answered so far."""

    def __init__(
        self, example: str, answers: dict[str, OptionValue], check: Callable[[Mapping[str, Any], str], object] = check
    ) -> None:
        self.example = example
        self._check = check
        self.proposed = flat(tomllib.loads(example))
        self.answers = answers

    def put(self, name: str, value: OptionValue) -> None:
        """Takes an answer; one that only says what stands there already changes nothing.

        Raises :exc:`ConfigError` where the configuration would not do with it.
        """
        self.put_all({name: value})

    def put_all(self, values: Mapping[str, OptionValue]) -> None:
        """Takes several answers at once, as :meth:`put` does one, where only all of them together will do."""
        other = {name: value for name, value in values.items() if value != self.proposed.get(name, "")}
        if other:
            answers = {**self.answers, **other}
            self._check(tomllib.loads(fill(self.example, answers)), "the answer")
            self.answers = answers

    @property
    def text(self) -> str:
        return fill(self.example, self.answers)


def _filled(given: SaidBefore, dialogue: Dialogue) -> str:
    """The example for the kind of board, with all that was said beforehand and is asked now."""
    kind, answers, addresses = _board(dialogue, given)
    draft = Draft(example(kind), answers)
    _address(draft, dialogue, addresses)
    for name, question in QUESTIONS.items():
        dialogue.ask(name, question, str(draft.proposed.get(name, "")), partial(_take, draft, name))
    for name, said in given.items():
        if said is not None and name not in ("board", "port", *QUESTIONS, LEVER, ADDRESS):
            draft.put(name, said)
    _wires(draft, dialogue)
    timed = bool(draft.answers.get("event.clock"))
    if timed and not KINDS[kind].own_clock:
        _lever(draft, dialogue, "the board sends its presses" if KINDS[kind].may_press else "presses by MQTT")
    else:
        why = "its clock has a lever of its own" if timed else "there is no time control: --clock 90+30"
        _refuse(given, LEVER, why)
    if ADDRESS not in draft.proposed:
        _refuse(given, ADDRESS, f"a board of the kind {kind} has none")
    if not _has_port(kind):
        _refuse(given, "port", f"a board of the kind {kind} has none")
    return draft.text


def _refuse(given: SaidBefore, name: str, why: str) -> None:
    """Raises :exc:`ConfigError` where that was said beforehand, and would stand nowhere."""
    if given.get(name):
        raise ConfigError(f"{name} = {given[name]} would stand nowhere", why, "leave it out, or give what goes with it")


def _take(draft: Draft, name: str, said: str) -> None:
    """An answer to one of the questions. Raises :exc:`JadoubeError` where it will not do."""
    if name == "event.clock" and said:
        draft.put_all(timed(said))
    else:
        draft.put(name, said)


def timed(said: str) -> dict[str, OptionValue]:
    """What follows from a time control as people say it, and is told to them. Raises :exc:`LogError` where that is
    none."""
    control = understood(said)
    play = EDITIONS[Rules().laws].play(control)
    print(f"  Understood: {control_in_words(control)}. Written in seconds: {control}. By the Laws that is {play} play.")
    return {"event.clock": str(control), "event.play": play}


def _board(dialogue: Dialogue, given: SaidBefore) -> tuple[str, dict[str, OptionValue], Sequence[int]]:
    """The kind of board, what of ``[board]`` follows from what was found and asked, and who is on a line of boards."""
    kind, port, found = given["board"], given["port"], None
    wanted = kind == LINE and given.get(ADDRESS) is None
    if kind is None or wanted or (port is None and (_has_port(kind) or kind in buses.KINDS)):
        found = _detect(port, kind)
    if kind is None:
        print("The kinds: " + ", ".join(KINDS) + ". More about them: jadoube boards")
        proposed = found[1].kind if found else ""
        kind = dialogue.ask("board", "Which kind of board is it?", proposed, known)
    else:
        known(kind)
    answer = found[1] if found and found[1].kind == kind else RecognisedBoard(kind, "")
    if _has_port(kind):
        proposed = found[0] if found and found[1] is answer else str(getattr(configurations()[kind](), "port", ""))
        port = dialogue.ask("port", "Which port is it on?", proposed, str)
    return kind, _answers(port or "", answer), answer.addresses


def _answers(port: str, answer: RecognisedBoard) -> dict[str, OptionValue]:
    """The options of ``[board]`` that differ from the defaults, by its port and by what the board has answered."""
    usual = msgspec.to_builtins(configurations()[answer.kind]())
    options = {**answer.options, "port": port} if _has_port(answer.kind) else {**answer.options}
    if len(answer.addresses) == 1:
        options[ADDRESS.partition(".")[2]] = answer.addresses[0]
    return {f"board.{name}": value for name, value in options.items() if value != usual[name]}


def proposed(port: str, answer: RecognisedBoard) -> str:
    """The configuration that would be written for a board that answered, were all taken as it is proposed."""
    return Draft(example(answer.kind), _answers(port, answer)).text


def known(kind: str) -> str:
    """The kind of board, which there is. Raises :exc:`ConfigError` where there is none of that name."""
    if kind not in configurations():
        cause = slip(kind, list(KINDS)) or "it is called otherwise here"
        raise ConfigError(f"there is no board called {kind!r}", cause, f"known: {', '.join(KINDS)}")
    return kind


def _address(draft: Draft, dialogue: Dialogue, there: Sequence[int]) -> None:
    """Which board of a line it is; ``there``: who answers on it."""
    if ADDRESS in draft.proposed:
        proposed = str(there[0]) if there else ""
        dialogue.ask(ADDRESS, "Which board of the line is it, by its address?", proposed, partial(_addressed, draft))


def _addressed(draft: Draft, said: str) -> None:
    if not said.isdecimal():
        cause = "the number that jadoube boards --ports names is wanted, the board's serial number as a rule"
        raise ConfigError(f"{ADDRESS}: {said!r} is no address", cause, "1025")
    draft.put(ADDRESS, int(said))


def _wires(draft: Draft, dialogue: Dialogue) -> None:
    """The pins of a home-made board, in the order that its example explains."""
    for name, pins in draft.proposed.items():
        if name.startswith("board.") and isinstance(pins, list):
            question = f"The pins of its {name.removeprefix('board.')}, by BCM number"
            dialogue.ask(name, question, ", ".join(map(str, pins)), partial(_wire, draft, name, pins))


def _wire(draft: Draft, name: str, usual: list[int], said: str) -> None:
    try:
        draft.put(name, [int(number) for number in said.strip("[] ").split(",")])
    except ValueError as error:
        listed = ", ".join(map(str, usual))
        raise ConfigError(f"{name}: {said!r} are no pins", "numbers with commas", listed) from error


def _lever(draft: Draft, dialogue: Dialogue, otherwise: str) -> None:
    """What is pressed to stop the clock, where no board does it by itself; ``otherwise``: where there is none."""
    question = f"The pin of a lever under the clock at this computer, by BCM number (empty: {otherwise})"
    dialogue.ask(LEVER, question, "", partial(_pressed, draft))


def _pressed(draft: Draft, said: str) -> None:
    if said and not said.isdecimal():
        raise ConfigError(f"{LEVER}: {said!r} is no pin", "its BCM number is wanted", "26; pinout shows the numbers")
    if said:
        draft.put_all({"clock.type": "lever", LEVER: int(said)})


def state_of(out: Path) -> Path:
    """The folder in which the service of that configuration may write; further boards have one of their own."""
    return STATE if out.stem == "jadoube" else STATE / out.stem


def kept_options(config: Setup, board: BoardConfig, folder: Path) -> dict[str, OptionValue]:
    """What is kept, in ``folder``."""
    paths = {"pgn.directory": config.pgn.directory, "journal.path": config.journal.path}
    paths |= {f"board.{name}": getattr(board, name) for name in ("stones", "calibration") if hasattr(board, name)}
    return {name: str(folder / path) for name, path in paths.items()}


def _detect(port: str | None, kind: str | None) -> tuple[str, RecognisedBoard] | None:
    """The port and the answer of the first board that is plugged in, of ``kind`` if that is given."""
    print("Asking who is on the ports: some seconds …", flush=True)
    found = look([port] if port else [], kind)
    for one in found:
        print(f"  {describe(one)}")
    if not found:
        print("  there is no port with a device on it")
    for one in found:
        if one.answer is not None and kind in (None, one.answer.kind):
            return one.port.path, one.answer
    return None


def _passes(board: BoardConfig, dialogue: Dialogue) -> bool:
    """Whether the board answers; people may mend what is wrong and look again."""
    while True:
        print("Testing the board …", flush=True)
        if (trouble := _trouble(board)) is None:
            return True
        print(trouble)
        if not dialogue.agrees("Look again?"):
            return False


def _trouble(board: BoardConfig) -> DeviceError | None:
    """Why the board does not show itself; None after it did, with a word about what it shows."""
    if isinstance(board, HallSensorsConfig):  # it cannot be calibrated before there is a configuration
        return _no_levels(board)
    with looking(board) as (seen, _):
        if seen.wait_whole(ANSWER_S):
            print(f"It answers: {', '.join(summary(seen.shown))}.")
            return None
        if (fault := seen.fault) is not None:
            return DeviceError(fault.what, fault.cause, fault.next_step)
        return DeviceError("the board does not answer", "it is switched off", "switch it on, and look again")


def _no_levels(config: HallSensorsConfig) -> DeviceError | None:
    driver = config.open(lambda _: None)
    assert isinstance(driver, ScanThread)
    assert isinstance(driver.board, HallBoard)
    try:
        driver.board.open_chips()
        levels = driver.board.levels()
    except DeviceError as error:
        return error
    finally:
        driver.board.close()
    print(f"The converter answers: levels from {min(levels)} to {max(levels)}.")
    return None


def _say_next(out: Path, board: BoardConfig) -> None:
    if isinstance(board, HallSensorsConfig):
        print(f"Next, calibrate the sensors: jadoube calibrate --config {out}")
    if out.resolve().is_relative_to(SYSTEM):
        service = "jadoube" if out.stem == "jadoube" else f"jadoube@{out.stem}"
        print(f"Next: jadoube doctor --config {out}, then sudo systemctl enable --now {service}")
    else:
        print(f"Next: jadoube doctor --config {out}, then jadoube run --config {out}")


def _has_port(kind: str) -> bool:
    return kind in configurations() and "port" in configurations()[kind].__struct_fields__


def flat(tables: Mapping[str, object]) -> dict[str, object]:
    """``table.option`` of each option in force."""
    return {
        f"{table}.{name}": value
        for table, options in tables.items()
        if isinstance(options, dict)
        for name, value in options.items()
    }
