"""Watching the sensors: what they do that no man on a board does is said in a notice, with the square."""

from collections.abc import Iterable

import chess

from controller.contract import AnyEvent, Displaced, Restored
from controller.daemon.play import Play
from controller.daemon.sensed import Sensed
from controller.daemon.suspects import Denials
from controller.errors import DeviceError
from controller.outlets.notices import Notices


class Watch:
    """The notices ``sensor`` and ``position``. Times are ms of the daemon."""

    def __init__(self, sensed: Sensed, notices: Notices) -> None:
        self._sensed = sensed
        self._notices = notices
        self._denials = Denials()
        self._displaced: set[chess.Square] = set()  # named already, in words of their own
        self._looked_ms = 0

    @property
    def due(self) -> int | None:
        """When :meth:`look` will find more without another reading."""
        return self._denials.due(self._looked_ms)

    def look(self, now: int, play: Play | None) -> None:
        """Names sensors that flicker, or have denied the game for long."""
        self._looked_ms = now
        underway = play is not None and not play.over and self._sensed.whole
        self._denials.see(now, set(self._denied(play)) - self._displaced if play and underway else ())
        if flickering := self._sensed.flickering(now):
            what = f"a sensor flickers: {names(flickering)}"
            cause = "a weak magnet, a man off the middle of its square, or a loose wire"
            remedy = "exchange the man; if that does not help, check the wire"
        elif stuck := self._denials.lasting(now):
            what = f"the sensors have denied the game for long: {names(stuck)}"
            cause = "a sensor that sticks, a man that is not seen, or one still held in the hand"
            remedy = "look whether the men stand as the game has them; if they do, exchange the man or mend the sensor"
        else:
            self._notices.clear("sensor")
            return
        self._notices.set("sensor", DeviceError(what, cause, remedy))

    def hear(self, event: AnyEvent) -> None:
        """What the game says about the board."""
        if isinstance(event, Displaced):
            self._displaced = {chess.parse_square(square) for square in event.squares}
            what = f"the board does not match the game: {' '.join(event.squares)}"
            cause = "a man knocked over or standing elsewhere, or a sensor that fails"
            self._notices.set("position", DeviceError(what, cause, "put the men as the game has them"))
        elif isinstance(event, Restored):
            self.begin()

    def begin(self) -> None:
        """Nothing is displaced, for a new game begins or the men are back."""
        self._displaced = set()
        self._notices.clear("position")

    def _denied(self, play: Play) -> list[chess.Square]:
        """The game's squares that look otherwise; the board may stand turned round, as the game finds out by itself."""
        expected = play.expected
        straight, turned = self._sensed.differs(expected), self._sensed.differs(expected[::-1])
        return straight if len(straight) <= len(turned) else [len(chess.SQUARES) - 1 - square for square in turned]


def names(squares: Iterable[chess.Square]) -> str:
    """``e2 e4``"""
    return " ".join(chess.square_name(square) for square in squares)
