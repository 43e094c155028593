"""Certabo and Sentio boards on a pseudo-terminal: they tell their state again and again, misread, and have lamps."""

import random
from abc import abstractmethod
from itertools import count
from pathlib import Path

import chess

from hardware.boards.certabo_protocol import NOBODY, ChipTag, encode_lamp_kind, encode_occupied, encode_tags
from hardware.simulator.pieces import BoardOfPieces

COLOURED = b"\xff\x55"  #: begins a command to coloured lamps
EVERY_S = 0.05  #: a real board takes 0.2 s and more


class TabutronicEmulator(BoardOfPieces):
    """What both kinds have in common."""

    baud = 38400

    def __init__(self, port: Path, rotated: bool = False, piecewise: bool = False, coloured: bool = False) -> None:
        super().__init__(port, rotated, piecewise)
        self.lamps = b""  #: the last command to them
        self._coloured = coloured
        self._heard = bytearray()
        self._told = 0.0

    def wake_up(self) -> None:
        self._heard.clear()
        self.lamps = b""

    def tick(self, now: float) -> None:
        if now - self._told >= EVERY_S:
            self._told = now
            self.send(self.state())

    def changed(self, square: chess.Square) -> None:
        """Nothing: the next report tells."""

    @abstractmethod
    def state(self) -> bytes:
        """What it reports now."""

    def obey(self, data: bytes) -> None:
        self._heard += data
        if self._coloured:
            del self._heard[: max(self._heard.find(COLOURED), 0)]
        length = 247 if self._coloured and self._heard.startswith(COLOURED) else 8
        while len(self._heard) >= length:
            self.lamps = bytes(self._heard[:length])
            del self._heard[:length]
            self.send(encode_lamp_kind(self._coloured))  # also to a command that was meant for the other kind


class SentioEmulator(TabutronicEmulator):
    """A board that sees where something stands."""

    def state(self) -> bytes:
        return encode_occupied(self.occupied)


class CertaboEmulator(TabutronicEmulator):
    """A board that reads chips, each piece's its own. ``errors``: how likely a reading of a square is wrong."""

    def __init__(
        self,
        port: Path,
        rotated: bool = False,
        piecewise: bool = False,
        coloured: bool = False,
        errors: float = 0.0,
        seed: int = 0,
    ) -> None:
        super().__init__(port, rotated, piecewise, coloured)
        self._errors = errors
        self._chance = random.Random(seed)
        self._serial = count(1)
        self.chips = [self._chip() if piece else NOBODY for piece in self.pieces]  #: by the board's own squares
        self._hand: list[tuple[str, ChipTag]] = []

    def _chip(self) -> ChipTag:
        return bytes((3, 0, 84)) + next(self._serial).to_bytes(2, "big")

    def _set(self, square: chess.Square, piece: str) -> None:
        """The chip goes with its piece; a piece that comes from nowhere brings a new one."""
        own = square ^ self._turn
        if self.pieces[own]:
            self._hand.append((self.pieces[own], self.chips[own]))
        held = next((held for held in reversed(self._hand) if held[0] == piece), None)
        if held is not None:
            self._hand.remove(held)
        self.chips[own] = NOBODY if not piece else held[1] if held else self._chip()
        super()._set(square, piece)

    def state(self) -> bytes:
        data = encode_tags([self._misread(tag) for tag in self.chips])
        return data[:700] + b"\n" + data[700:]  # as real boards do, wherever it falls

    def _misread(self, tag: ChipTag) -> ChipTag:
        if self._chance.random() >= self._errors:
            return tag
        return self._chance.choice((NOBODY, self._chance.randbytes(5)))
