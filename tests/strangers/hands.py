"""How fast people are with their hands and heads, and what their clocks leave them."""

import random

import chess

from strangers.wood import Way, Wood

CARRY = {"blitz": (90, 350), "club": (250, 1100), "beginner": (500, 2400)}  #: ms with a piece in hand
BETWEEN = {"blitz": (60, 250), "club": (200, 900), "beginner": (400, 2000)}  #: ms between two touches of a move


class FlagFellError(Exception):
    """Somebody ran out of time: no game to judge hands by."""


class Hands(Wood):
    """Two people at the wood, each with a pace."""

    def __init__(self, rng: random.Random, way: Way) -> None:
        super().__init__(rng, way)
        sides = (chess.WHITE, chess.BLACK)
        self.paces = {colour: rng.choice(["blitz", "club", "club", "beginner"]) for colour in sides}
        if way.clock == "180+2":
            self.paces = {colour: rng.choice(["blitz", "blitz", "club"]) for colour in sides}
        self.plain = False  #: this ply is made without any habit
        self.last = False  #: one of the last two plies, after which nothing clears a doubt
        self.habits: list[str] = []  #: of this ply
        self.early: int | None = None  #: since when the next hand may move before it is its turn by the clock
        self.pressed = 0
        self.running_since = 0
        base, increment = (way.clock or "0+0").split("+")
        self.increment = int(increment) * 1000
        self.bank = {colour: int(base) * 1000 + self.increment for colour in sides}

    @property
    def pace(self) -> str:
        """Of the side to move."""
        return self.paces[self.board.turn]

    @property
    def brushes(self) -> bool:
        """Whether a sleeve may brush: frames far apart would make it a touch."""
        return not self.way.unhurried

    def carry(self) -> None:
        """A piece is in hand."""
        least, most = CARRY[self.pace]
        if self.way.delivery == "slow":
            least, most = max(least, 230), max(most, 600)
        self.wait(least, most)

    def pause(self) -> None:
        """Between two touches of one move."""
        least, most = BETWEEN[self.pace]
        if self.way.delivery == "slow":
            least, most = max(least, 240), max(most, 500)
        self.wait(least, most)

    def rest(self) -> None:
        """So that a slow board sees what was done before what comes."""
        if self.way.delivery == "slow":
            self.wait(200)

    def dwell(self, most: int = 330) -> None:
        """A piece stands on the way, and is not let go."""
        if self.way.delivery == "slow":
            stands = self.rng.randint(40, 185)
        else:
            stands = self.rng.randint(45 if self.way.framed else 15, most)
        self.wait(stands)

    def flicker(self) -> None:
        """A square is empty between the piece that goes and the one that comes."""
        if self.way.delivery == "slow":
            self.wait(230, 400)
        elif self.way.framed:
            self.wait(42, 105)
        else:
            self.wait(8, 90)

    def thinking(self) -> int:
        """Milliseconds before the hand goes to the board."""
        rng, pace = self.rng, self.pace
        if pace == "blitz":
            ms = rng.choice([rng.randint(80, 200), rng.randint(150, 1500), rng.randint(500, 4000)])
        elif pace == "club":
            ms = rng.randint(800, 7000) if rng.random() > 0.04 else rng.randint(20000, 240000)
        else:
            ms = rng.randint(1500, 12000) if rng.random() > 0.03 else rng.randint(20000, 120000)
        if self.way.clock:
            left = self.bank[self.board.turn]
            ms = min(ms, max(80, left // 14))
            if left < 25000:
                ms = min(ms, 600)
        return max(ms, {"slow": 250, "gap": 1200}.get(self.way.delivery, 0))

    def press(self, colour: chess.Color, over: bool) -> None:
        """Stop the own clock some time after the move; a game that is over is not always pressed."""
        rng, made = self.rng, self.now
        delay = self._before_press(colour)
        self.now = max(made + delay, self.pressed + 40)
        if not over or rng.random() < 0.5:
            self.say("press", colour)
            self.bank[colour] += self.increment - (self.now - self.running_since)
            self.running_since = self.pressed = self.now
            if self.bank[colour] <= 0:
                raise FlagFellError
        hasty = not over and self.paces[not colour] == "blitz" and rng.random() < 0.15
        if hasty and not self.way.unhurried and delay > 90:
            self.early = made

    def _before_press(self, colour: chess.Color) -> int:
        rng = self.rng
        if self.way.unhurried and self.way.kind != "slow-fastpress":
            delay = rng.randint(260, 900)
        elif self.paces[colour] == "blitz":
            delay = rng.choice([50, rng.randint(50, 120), rng.randint(60, 400)])
        else:
            delay = rng.randint(120, 1500) if rng.random() > 0.04 else rng.randint(2500, 9000)
        if not self.way.framed and rng.random() < 0.05:
            delay = rng.randint(5, 40)
        return delay
