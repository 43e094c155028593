"""Fills the disk under the service as it is shipped, and kills it: what waits for the disk must outlive that.

    python tests/faults/unit.py [--rulings N]

A real systemd runs the unit that ``make install`` has written, in :mod:`machine`. The file system of its state takes
nothing more; then an arbiter gives rulings by MQTT, and a player resigns. The daemon is killed, or stopped, and cannot
start: the disk is full still. Then there is room. Demanded is that systemd brings the board back by itself, and that
each ruling and the resignation stand in the journal, once and in order. With and without a password as a credential,
for the only board and for one of several; there another board has another password, and stops meanwhile.
A disk that is read-only at the start is waited for, too.

Ends with one JSON line; with status 1 where one of these does not hold, or no such machine can be had.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon"))

from hall import MOSQUITTO
from machine import BrokenError, Machine, NoMachineError, install, machine

ROOT = Path(__file__).resolve().parents[2]
SMALL, ROOMY = "640k", "32m"
WAYS = ((False, False), (True, False), (True, True))  #: with a credential; one of several boards
RULINGS = 40
OURS = 2_000_000  #: ms that no clock shows but by the rulings that are looked for
TABLES = """
[board]
type = "simulated"
[event]
venue = "hall"
board = "{number}"
clock = "5400+30"
[start]
by = "at-once"
ready_s = 0
"""
BROKER = """
[mqtt]
host = "127.0.0.1"
user = "board-{number}"
password_file = "mqtt-password"
"""
SAY = """
import sys
from paho.mqtt import publish
number, password, *lines = sys.argv[1:]
auth = {"username": f"board-{number}", "password": password} if password else None
said = [(f"jadoube/v1/hall/board/{number}/cmd", line, 1, False) for line in lines]
publish.multiple(said, "127.0.0.1", 1883, auth=auth)
"""
READ = """
import sys
from pathlib import Path
from controller.journal import Reader, connect_to_read
reader = Reader(connect_to_read(Path(sys.argv[1])), Path(sys.argv[1]))
reader.verify()
print(*[record.body.decode() for record in reader.after(0, 100_000) if record.kind == "input"], sep="\\n")
"""


class Board:
    """The service of one board: ``jadoube``, or of several ``jadoube@board-7``."""

    def __init__(self, here: Machine, number: int, *, several: bool, password: str = "") -> None:
        self.unit = f"jadoube@board-{number}" if several else "jadoube"
        self.state = f"/var/lib/jadoube/board-{number}" if several else "/var/lib/jadoube"
        self._here = here
        self._number = str(number)
        self._password = password
        here.run("mkdir", "-p", self.state)
        here.run("mount", "-t", "tmpfs", "-o", f"size={SMALL},mode=0750", "none", self.state)
        here.run("chown", "jadoube:jadoube", self.state)
        text = (TABLES + BROKER if password else TABLES).replace("{number}", self._number)
        here.write(f"/etc/jadoube/{f'board-{number}' if several else 'jadoube'}.toml", text)
        if password:
            here.write(f"/etc/jadoube/{f'board-{number}.' if several else ''}mqtt-password", password, "0600")

    def start(self) -> None:
        """Returns once a game has begun, and commands can be given."""
        started = self._here.tried("systemctl", "start", self.unit)
        if started.returncode:
            raise BrokenError(f"{self.unit} does not start: {started.stderr}{self._here.log(self.unit)}")
        self.until_said("begins")
        self.until_said("connected to the broker")

    def until_said(self, words: str) -> None:
        self._here.until(f"{self.unit} says: {words}", lambda: words in self._here.log(self.unit))

    def until_in_state(self, state: str) -> None:
        name = "ActiveState"
        self._here.until(f"{self.unit} is {state}", lambda: self._here.property(self.unit, name) == state)

    def say(self, *commands: dict[str, object]) -> None:
        self._here.python(SAY, self._number, self._password, *map(json.dumps, commands))

    def rule(self, first_ms: int, number: int) -> None:
        """So many rulings, each another one."""
        kind = {"type": "arbiter", "do": "set-clock", "by": "Anna"}
        self.say(*({**kind, "white_ms": ms} for ms in range(first_ms, first_ms + number)))

    def fill(self) -> None:
        """Returns once the journal takes nothing more."""
        self._here.run("sh", "-c", f"cat /dev/zero >{self.state}/filled; true")
        self._here.until("the disk is full", self._full)

    def until_kept(self, word: str) -> None:
        """Until what waits for the disk is put down, wherever that is, with the word in it."""
        look = "cat /dev/shm/jadoube-* /run/jadoube/jadoube-* /run/jadoube/*/jadoube-*"
        self._here.until(f"{word} is put down", lambda: word in self._here.tried("sh", "-c", look).stdout)

    def found(self) -> tuple[list[object], int]:
        """The rulings that are in the journal, and how many resignations."""
        told = self._here.python(READ, f"{self.state}/jadoube.sqlite")
        inputs = [json.loads(line) for line in told.splitlines()]
        ours = [one["white_ms"] for one in inputs if one.get("white_ms", 0) >= OURS]
        return ours, sum(one["type"] == "resign" for one in inputs)

    def _full(self) -> bool:
        if "cannot be written: database or disk is full" in self._here.log(self.unit):
            return True
        self.rule(1_000_000, 20)
        return False


def serve_broker(here: Machine, passwords: dict[str, str]) -> None:
    """A mosquitto that asks for a password."""
    file = "/etc/mosquitto/ours"
    here.write(file, "", "0644")
    for user, password in passwords.items():
        here.run("mosquitto_passwd", "-b", file, user, password)
    here.run("chown", "mosquitto", file)
    here.write(f"{file}.conf", f"listener 1883 127.0.0.1\npassword_file {file}\n")
    here.run("systemd-run", "--unit=broker", "mosquitto", "-c", f"{file}.conf")


def full(here: Machine, *, credential: bool, several: bool, kill: bool, rulings: int = RULINGS) -> None:
    """The disk of a board is full, and the daemon is killed, or stopped. Raises :exc:`BrokenError`."""
    passwords = {"board-7": "correct horse", "board-8": "battery staple"} if credential else {}
    if credential:
        serve_broker(here, passwords)
    board = Board(here, 7, several=several, password=passwords.get("board-7", ""))
    board.start()
    beside = Board(here, 8, several=True, password=passwords["board-8"]) if several else None
    if beside is not None:
        beside.start()
    board.fill()
    board.rule(OURS, rulings)
    board.say({"type": "resign", "side": "white"})
    board.until_kept("resign")
    if kill:
        here.run("systemctl", "kill", "--kill-whom=main", "--signal=KILL", board.unit)
    else:
        here.run("systemctl", "stop", board.unit)
        here.tried("systemctl", "start", board.unit)
    if beside is not None:
        here.run("systemctl", "stop", beside.unit)
    board.until_said("cannot take over")
    here.run("mount", "-o", f"remount,size={ROOMY}", board.state)
    board.until_said("are taken over from")
    board.until_in_state("active")
    here.run("systemctl", "stop", board.unit)
    ruled, resigned = board.found()
    if ruled != list(range(OURS, OURS + rulings)) or resigned != 1:
        raise BrokenError(f"of {rulings} rulings {len(ruled)} are in the journal, of 1 resignation {resigned}")


def read_only(here: Machine) -> None:
    """The disk is read-only at the start, as after a fault that the system found. Raises :exc:`BrokenError`."""
    board = Board(here, 7, several=False)
    here.run("mount", "-o", "remount,ro", board.state)
    here.tried("systemctl", "start", board.unit)
    board.until_said("cannot be opened to write: Read-only file system")
    here.run("mount", "-o", "remount,rw", board.state)
    board.until_said("begins")
    board.until_in_state("active")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rulings", type=int, default=RULINGS, metavar="N", help="given while the disk is full")
    rulings = parser.parse_args().rulings
    tried = 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            installed = install(Path(folder))
            for credential, several in WAYS if MOSQUITTO else WAYS[:1]:
                for kill in (True, False):
                    with machine(installed) as here:
                        full(here, credential=credential, several=several, kill=kill, rulings=rulings)
                    tried += 1
            with machine(installed) as here:
                read_only(here)
    except (BrokenError, NoMachineError) as error:
        print(json.dumps({"fault": "unit", "tried": tried, "broken": str(error)}))
        return 1
    print(json.dumps({"fault": "unit", "tried": tried, "rulings": tried * rulings, "resignations": tried, "lost": 0}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
