"""All who are in the hall, from the first round to the last."""

from functools import partial
from pathlib import Path

from arbiter import Arbiter
from boards import Table
from computer import Computer
from listener import Listener
from program import Program

from hardware.simulator.dgt import DgtEmulator

TABLES, SPARE = 24, 2


class Venue:
    """``boards``: by their ports, those to spare last."""

    def __init__(
        self, computer: Computer, listener: Listener, arbiter: Arbiter, boards: dict[Path, DgtEmulator]
    ) -> None:
        self.computer, self.listener, self.arbiter = computer, listener, arbiter
        self.program = Program()
        self.boards = boards
        self.tables = {
            number: Table(board) for number, board in zip(range(1, TABLES + 1), boards.values(), strict=False)
        }
        self._free = list(boards)[TABLES:]

    def take_spare(self) -> Path:
        """The board that was put away first."""
        return self._free.pop(0)

    def put_away(self, board: DgtEmulator) -> None:
        """It may be used again."""
        self._free += [port for port, each in self.boards.items() if each is board]

    def lose_power(self) -> None:
        """The computer is without power, and so are the boards at its sockets: they know nothing of it afterwards."""
        self.computer.cut_power()
        for board in self.boards.values():
            board.wake_up()

    async def get_power(self) -> None:
        """It has power again; returns once all boards are heard of, on another connection than before."""
        before = {number: status["connected_at"] for number, status in self.listener.status.items()}
        self.computer.power_on()
        for number, connected_at in before.items():
            await self.listener.until(number, partial(self._is_back, number, connected_at), "that it is back")

    def _is_back(self, number: str, before: int) -> bool:
        return self.listener.status[number].get("connected_at", before) != before
