"""74HC4067 multiplexers behind the pins: select lines that someone drives, and what they join to the common pins.

A line that has just been joined still shows the channel before, for ``settle_us``.
"""

from collections.abc import Sequence

import chess

from hardware.pins import Pull
from hardware.simulator.contacts import Contacts


class SelectLines:
    """S0 to S3, driven by pins: which channel is joined, and since when. Implements that half of Pins."""

    def __init__(self, contacts: Contacts, select: Sequence[int], settle_us: float) -> None:
        self.contacts = contacts
        self._bit = {pin: 1 << i for i, pin in enumerate(select)}
        self._driven: set[int] = set()
        self._settle_ns = round(settle_us * 1000)
        self._channel = self._before = 0
        self._changed_ns = contacts.clock()

    @property
    def channel(self) -> int:
        """The channel whose level has come through by now."""
        if len(self._driven) < len(self._bit):
            raise ValueError("a select line is not driven: any channel may be joined")
        return self._channel if self.contacts.clock() - self._changed_ns >= self._settle_ns else self._before

    def setup_output(self, pin: int, level: bool) -> None:
        if pin not in self._bit:
            raise ValueError(f"pin {pin} driven to {level}: a chip drives it already")
        self._driven.add(pin)
        self.output(pin, level)

    def output(self, pin: int, level: bool) -> None:
        self.contacts.need_cable()
        self._before, self._changed_ns = self._channel, self.contacts.clock()
        self._channel = self._channel | self._bit[pin] if level else self._channel & ~self._bit[pin]

    def cleanup(self) -> None:
        self._driven.clear()


class Multiplexers(SelectLines):
    """Four chips below ``contacts``; implements :class:`hardware.pins.Pins`. ``squares``: that of each channel."""

    def __init__(
        self,
        contacts: Contacts,
        select: Sequence[int],
        signals: Sequence[int],
        squares: Sequence[chess.Square] = chess.SQUARES,
        settle_us: float = 50.0,
    ) -> None:
        super().__init__(contacts, select, settle_us)
        self._chip_of = {pin: i for i, pin in enumerate(signals)}
        self._squares = squares

    def setup_input(self, pin: int, pull: Pull) -> None:
        if pull != "up":
            raise ValueError(f"common pin {pin} is pulled {pull}: an open switch would float")

    def input(self, pin: int) -> bool:
        return bool(self.inputs((pin,)))

    def inputs(self, pins: Sequence[int]) -> int:
        self.contacts.need_cable()
        closed, channel = self.contacts.closed(self.contacts.clock()), self.channel
        squares = [self._squares[16 * self._chip_of[pin] + channel] for pin in pins]
        return sum(1 << i for i, square in enumerate(squares) if not closed >> square & 1)
